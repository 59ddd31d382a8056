//! Connections: accepting, limiting and closing them.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};

use super::attribution::Peer;
use super::write_timeout::WriteTimeout;

/// Limits for connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// The maximum number of open connections; further ones wait to be accepted.
    pub(crate) connections: usize,
    /// The timeout for the head of a request, and for idle connections.
    pub(crate) head: Duration,
    /// The timeout for a client that stops reading a response.
    pub(crate) stalled: Duration,
}

/// The maximum size of a head in bytes, and its maximum number of fields.
const HEAD: usize = 64 << 10;
const FIELDS: usize = 100;

/// The maximum number of bytes that a connection buffers in each direction.
const BUFFER: usize = 64 << 10;

/// The size of the kernel's send buffer of a connection in bytes, which Linux doubles. By default,
/// it would buffer up to 4 MB of an answer that isn't read.
const SEND_BUFFER: u32 = 128 << 10;

/// The number of connections that may wait to be accepted: the default maximum of Linux. Further
/// clients retry after a second.
const BACKLOG: u32 = 4096;

/// A listener and its router.
pub(crate) struct Server {
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
}

/// A running server.
pub(crate) struct Serving {
    end: oneshot::Sender<Instant>,
    ended: JoinHandle<()>,
}

impl Serving {
    /// Accepts no more connections, and waits for running requests until `deadline`.
    pub(crate) async fn end(self, deadline: Instant) {
        // A server that has failed has already ended.
        let _ = self.end.send(deadline);
        let _ = self.ended.await;
    }
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    ///
    /// If the address is not available.
    pub(crate) async fn bind(
        address: SocketAddr,
        router: Router,
        limits: ConnectionLimits,
    ) -> io::Result<Server> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // A restarted server can use the address at once.
        socket.set_reuseaddr(true)?;
        // Accepted connections inherit the buffer size of their listener.
        socket.set_send_buffer_size(SEND_BUFFER)?;
        socket.bind(address)?;
        let listener = socket.listen(BACKLOG)?;
        Ok(Server {
            listener,
            router,
            limits,
        })
    }

    /// Returns the address that it listens on.
    ///
    /// # Errors
    ///
    /// If the operating system can't report it.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Starts to serve.
    pub(crate) fn start(self) -> Serving {
        let (end, told) = oneshot::channel();
        let ended = tokio::spawn(self.run(told));
        Serving { end, ended }
    }

    async fn run(self, mut end: oneshot::Receiver<Instant>) {
        let open = Arc::new(Semaphore::new(self.limits.connections));
        let graceful = GracefulShutdown::new();
        let deadline = loop {
            let accepted = tokio::select! {
                accepted = self.accept(&open) => accepted,
                deadline = &mut end => break deadline.unwrap_or_else(|_| Instant::now()),
            };
            let (stream, peer, place) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Usually there are too many open files. Some will be closed.
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let router = TowerToHyperService::new(self.router.clone());
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(peer);
                router.call(request)
            });
            let io = TokioIo::new(WriteTimeout::new(stream, self.limits.stalled));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(self.limits.head)
                .max_header_size(HEAD)
                .max_headers(FIELDS)
                .max_buf_size(BUFFER)
                .serve_connection(io, service);
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                // The client may close the connection at any time.
                let _ = connection.await;
                drop(place);
            });
        };
        drop(self.listener);
        if timeout_at(deadline, graceful.shutdown()).await.is_err() {
            tracing::warn!("requests were cut off: they took longer than the shutdown timeout");
        }
    }

    async fn accept(
        &self,
        open: &Arc<Semaphore>,
    ) -> io::Result<(TcpStream, Peer, OwnedSemaphorePermit)> {
        let closed = |_| io::Error::other("the server is shutting down");
        let place = open.clone().acquire_owned().await.map_err(closed)?;
        let (stream, peer) = self.listener.accept().await?;
        // Responses are small, or sent in large parts.
        let _ = stream.set_nodelay(true);
        Ok((stream, Peer(peer.ip()), place))
    }
}
