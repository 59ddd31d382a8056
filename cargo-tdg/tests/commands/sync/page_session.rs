//! A user who is signed in to a server's pages.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

pub(crate) struct SignedIn {
    /// The host and port of the server.
    address: String,
    cookie: String,
}

impl SignedIn {
    pub(crate) fn by_key(url: &str, key: &str) -> Self {
        let mut visitor = SignedIn {
            address: url.trim_start_matches("http://").to_owned(),
            cookie: String::new(),
        };
        let answer = visitor.send("/sign-in", &format!("key={key}"));
        let (_, cookie) = answer.split_once("set-cookie: ").unwrap();
        visitor.cookie = cookie.split(';').next().unwrap().to_owned();
        visitor
    }

    /// Submits a form that redirects; returns the head of the response.
    pub(crate) fn send(&self, path: &str, form: &str) -> String {
        let SignedIn { address, cookie } = self;
        let length = form.len();
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n\
             cookie: {cookie}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{form}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        answer
    }
}
