//! Requests over a plain connection, so that a test can send what no library would.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// A client with a key.
#[derive(Clone)]
pub(crate) struct Client {
    address: SocketAddr,
    pub(crate) key: String,
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The fields of the head, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(url: &str, key: &str) -> Client {
        Client {
            address: url.strip_prefix("http://").unwrap().parse().unwrap(),
            key: key.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.ask(
            "POST",
            path,
            &[("content-type", "application/json")],
            body.as_bytes(),
        )
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, &[], b"")
    }

    /// Creates a benchmark of one row that expects 1, and returns its path.
    pub(crate) fn benchmark(&self) -> String {
        let project = self.post("/v1/project/new", "").string("project_uuid");
        let feature = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
        let definition = format!(r#"{{"features":[{feature}]}}"#);
        let body = format!(r#"{{"project_uuid":"{project}","definition":{definition}}}"#);
        let of = self
            .post("/v1/definition/new", &body)
            .string("definition_uuid");
        let path = format!("/v1/definition/{of}/ensembles/add");
        let ensemble = self.post(&path, r#"{"size":1}"#).string("ensemble_uuid");
        let path = format!("/v1/definition/{of}/ensemble/{ensemble}/benchmarks/add");
        let expected = r#"{"expected_output":[1]}"#;
        let benchmark = self.post(&path, expected).string("benchmark_uuid");
        format!("/v1/benchmark/{benchmark}")
    }

    /// Sends a request with additional header fields.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        fields: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n");
        if !self.key.is_empty() {
            head.push_str(&format!("x-api-key: {}\r\n", self.key));
        }
        for (name, value) in fields {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method == "POST" {
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        self.send(&[head.as_bytes(), body].concat())
    }

    /// Sends exactly these bytes.
    pub(crate) fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        receive(&mut stream)
    }

    /// Sends requests on one connection, without waiting for answers, and returns their statuses.
    /// The last request has to close the connection.
    pub(crate) fn pipeline(&self, requests: &[String]) -> Vec<u16> {
        let mut stream = self.connect();
        let mut sending = stream.try_clone().unwrap();
        let mut answers = Vec::new();
        thread::scope(|scope| {
            // A server may close the connection before it has read everything.
            scope.spawn(move || drop(sending.write_all(requests.concat().as_bytes())));
            let _ = stream.read_to_end(&mut answers);
        });
        let answers = String::from_utf8(answers).unwrap();
        let status = |answer: &str| answer[..3].parse().unwrap();
        answers.split("HTTP/1.1 ").skip(1).map(status).collect()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(300)))
            .unwrap();
        stream
            .set_write_timeout(Some(Duration::from_secs(300)))
            .unwrap();
        stream
    }
}

/// Receives everything until the server closes the connection.
pub(crate) fn receive(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let field = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.to_lowercase(), value.to_owned())
    };
    Answer {
        status,
        headers: lines.map(field).collect(),
        body: bytes[end + 4..].to_vec(),
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Returns a member that is a string.
    pub(crate) fn string(&self, name: &str) -> String {
        let json = self.json();
        json[name]
            .as_str()
            .unwrap_or_else(|| panic!("no {name} in {json}"))
            .to_owned()
    }

    /// Checks that this is a problem with this status, as every error is. Returns its detail.
    pub(crate) fn problem(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json")
        );
        assert_eq!(self.json()["status"], status);
        assert_eq!(
            self.json()["request_id"],
            self.header("x-request-id").unwrap()
        );
        self.string("detail")
    }
}
