# The server. compose.yaml starts it with PostgreSQL; alone, on SQLite:
#
#   docker build -t tdg-server .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges --memory 2g \
#     -v tdg:/data -p 127.0.0.1:8080:8080 tdg-server
FROM rust:1-alpine AS build
RUN apk add --no-cache musl-dev gcc ca-certificates
WORKDIR /source
COPY . .
RUN cargo build --release --locked -p tdg-server \
    && mkdir /data && cp target/release/tdg-server /

FROM scratch
COPY --from=build /tdg-server /tdg-server
# Whom it trusts to issue the certificate of a PostgreSQL.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build --chown=65534:65534 /data /data
USER 65534:65534
WORKDIR /data
VOLUME /data
ENV TDG_SERVER_LISTEN=0.0.0.0:8080
EXPOSE 8080
# A check gives up by itself after 5 s.
HEALTHCHECK --interval=15s --timeout=6s --start-period=60s CMD ["/tdg-server", "healthcheck"]
ENTRYPOINT ["/tdg-server"]
