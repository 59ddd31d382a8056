//! The receiver of a webhook.

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

use super::authority::Certificate;
use super::soon::{PATIENCE, soon};

/// Answers one request after the other.
pub(crate) struct WebhookReceiver {
    listener: TcpListener,
    /// The identifiers of the messages that `accept_next` returned.
    accepted: RefCell<HashSet<String>>,
}

/// A received request.
pub(crate) struct Received {
    stream: TcpStream,
    /// The first line.
    pub(crate) line: String,
    /// The header fields, names in lower case.
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: String,
}

impl WebhookReceiver {
    pub(crate) fn start() -> Self {
        WebhookReceiver {
            listener: TcpListener::bind("127.0.0.1:0").unwrap(),
            accepted: RefCell::default(),
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.listener.local_addr().unwrap())
    }

    /// Accepts the next connection. Fails if there is none.
    fn accept(&self) -> TcpStream {
        self.listener.set_nonblocking(true).unwrap();
        let stream = soon(|| self.listener.accept().ok()).0;
        self.listener.set_nonblocking(false).unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Receives the next request, which waits for an answer.
    pub(crate) fn receive(&self) -> Received {
        let stream = self.accept();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            match line.trim() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let field = |line: &String| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_lowercase(), value.trim().to_owned())
        };
        let mut received = Received {
            stream,
            line: lines[0].clone(),
            fields: lines[1..].iter().map(field).collect(),
            body: String::new(),
        };
        let length = received.field("content-length").parse().unwrap();
        let mut body = reader.take(length);
        body.read_to_string(&mut received.body).unwrap();
        received
    }

    /// Receives the next message, and answers 200. A slow machine may let the sender time out, so
    /// repeats are skipped.
    pub(crate) fn accept_next(&self) -> Received {
        loop {
            let received = self.receive().answer("200 OK");
            let id = received.field("webhook-id").to_owned();
            if self.accepted.borrow_mut().insert(id) {
                return received;
            }
        }
    }

    /// Receives the next request over TLS with this certificate, and answers 200. Returns its text.
    pub(crate) fn receive_encrypted(&self, certificate: &Certificate) -> Option<String> {
        let shown = CertificateDer::from_pem_slice(certificate.shown.as_bytes()).unwrap();
        let key = PrivateKeyDer::from_pem_slice(certificate.key.as_bytes()).unwrap();
        let config = ServerConfig::builder().with_no_client_auth();
        let config = config.with_single_cert(vec![shown], key).unwrap();
        let connection = ServerConnection::new(Arc::new(config)).unwrap();
        let stream = self.accept();
        let mut stream = StreamOwned::new(connection, stream);
        let (mut text, mut part) = (String::new(), [0; 4096]);
        while !text.contains('}') {
            let length = stream.read(&mut part).ok()?;
            text.push_str(std::str::from_utf8(&part[..length]).unwrap());
        }
        let answer = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        stream.write_all(answer.as_bytes()).unwrap();
        Some(text)
    }

    /// Returns true if there are no new connections.
    pub(crate) fn is_idle(&self) -> bool {
        self.listener.set_nonblocking(true).unwrap();
        let accepted = self.listener.accept();
        self.listener.set_nonblocking(false).unwrap();
        accepted.is_err()
    }
}

impl Received {
    /// Answers with a status, and with the fields in its further lines.
    pub(crate) fn answer(mut self, status: &str) -> Self {
        let rest = "content-length: 0\r\nconnection: close\r\n\r\n";
        let answer = format!("HTTP/1.1 {status}\r\n{rest}");
        // A sender that timed out has closed the connection.
        drop(self.stream.write_all(answer.as_bytes()));
        self
    }

    pub(crate) fn field(&self, name: &str) -> &str {
        let found = self.fields.iter().find(|(known, _)| known == name);
        let found = found.unwrap_or_else(|| panic!("no {name} in {:?}", self.fields));
        &found.1
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}
