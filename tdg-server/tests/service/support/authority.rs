//! A test's certificate authority.

use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tempfile::NamedTempFile;

/// Issues certificates, and has a file by which others trust it.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: NamedTempFile,
}

/// A server's certificate and its key, in PEM.
pub(crate) struct Certificate {
    pub(crate) shown: String,
    pub(crate) key: String,
}

impl Authority {
    /// Creates an authority with this name and a new key.
    pub(crate) fn new(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let issuer = CertifiedIssuer::self_signed(params, key).unwrap();
        let file = NamedTempFile::new().unwrap();
        std::fs::write(&file, issuer.pem()).unwrap();
        Authority { issuer, file }
    }

    /// Issues a certificate for a server with this name.
    pub(crate) fn issue(&self, name: &str) -> Certificate {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        Certificate {
            shown: params.signed_by(&key, &self.issuer).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    /// Returns its own certificate, which no server should use.
    pub(crate) fn own(&self) -> Certificate {
        Certificate {
            shown: self.issuer.pem(),
            key: self.issuer.key().serialize_pem(),
        }
    }

    /// Returns the file with its own certificate.
    pub(crate) fn file(&self) -> &Path {
        self.file.path()
    }
}
