//! TLS. Certificates are always verified: their issuer, validity and host.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tdg_service::{Result, ServiceError};
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::{Address, Roots};

/// Returns a connector that accepts certificates from the URL's authorities.
pub(super) fn connector(address: &Address) -> Result<MakeRustlsConnect> {
    let store = match &address.roots {
        Roots::System => of_system(),
        Roots::File(file) => of_file(file),
    };
    let store = match store {
        Ok(store) => store,
        // The server may not encrypt. If it does, its certificate is refused.
        Err(_) if address.config.get_ssl_mode() == SslMode::Prefer => RootCertStore::empty(),
        Err(message) => return Err(ServiceError::unavailable(message)),
    };
    let versions = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions();
    let mut config = versions
        .map_err(|error| {
            let message = format!("TLS can't be used: {error}");
            ServiceError::unavailable(message).caused_by(error)
        })?
        .with_root_certificates(store)
        .with_no_client_auth();
    // As libpq does; `sslnegotiation=direct` needs it.
    config.alpn_protocols = vec![b"postgresql".to_vec()];
    Ok(MakeRustlsConnect::new(config))
}

fn of_system() -> std::result::Result<RootCertStore, String> {
    let mut store = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    store.add_parsable_certificates(found.certs);
    if store.is_empty() {
        let errors = found.errors.iter().map(|error| format!(" ({error})"));
        return Err(format!(
            "this machine has no certificate authorities{}: install ca-certificates, or name a PEM file \
             with `sslrootcert=FILE`",
            errors.collect::<String>()
        ));
    }
    Ok(store)
}

fn of_file(file: &Path) -> std::result::Result<RootCertStore, String> {
    let refused = |error: &dyn Display| format!("`sslrootcert`: {}: {error}", file.display());
    let text = std::fs::read(file).map_err(|error| refused(&error))?;
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|error| refused(&error))?;
        store.add(certificate).map_err(|error| refused(&error))?;
    }
    if store.is_empty() {
        return Err(refused(
            &"the file has no certificate; expected the authority's, in PEM",
        ));
    }
    Ok(store)
}

/// The fix for a connection that failed because of TLS.
pub(super) fn fix(error: &(dyn Error + 'static)) -> Option<&'static str> {
    // The driver has no type for this error.
    if error.to_string() == "server does not support TLS" {
        return Some(
            "set `ssl = on` on the server, or, in a trusted network, `sslmode=disable` in the URL",
        );
    }
    let inner = error.downcast_ref::<io::Error>()?.get_ref()?;
    let rustls::Error::InvalidCertificate(error) = inner.downcast_ref()? else {
        return None;
    };
    match error {
        // The second is the error for an authority of the same name with another key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            Some("name the authority that issued the server's certificate with `sslrootcert=FILE`")
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            Some("write the host as in the subjectAltName of the server's certificate")
        }
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => {
            Some("renew the server's certificate, or set this machine's clock")
        }
        CertificateError::Other(error) if error.to_string().contains("CaUsedAsEndEntity") => {
            Some("the server needs a certificate that an authority issued, not the authority's own")
        }
        _ => None,
    }
}
