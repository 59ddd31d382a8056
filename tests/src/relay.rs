//! A relay between a client and a server that can break connections.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// The fate of a request.
pub enum Fate {
    /// The server answers it.
    Passed,
    /// The server gets this many bytes of it, and the client gets no answer.
    Cut(usize),
    /// The server answers it, and the client gets this many bytes of the answer.
    AnswerCut(usize),
    /// The server gets it, then this function runs, and the client gets no answer.
    Followed(Box<dyn FnOnce() + Send>),
    /// The client gets this status with these headers, and the server gets nothing.
    Answered(u16, &'static str),
}

/// A request, even if it was not passed on.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The method and path: `GET /v1/server`.
    pub asked: String,
    /// The length of the request, in bytes.
    pub request: usize,
    /// The length of the answer, in bytes.
    pub answer: usize,
}

/// Passes requests on to a server, with one connection for each.
pub struct Relay {
    /// The address that it listens on.
    pub url: String,
    exchanges: Arc<Mutex<Vec<Exchange>>>,
    ended: Arc<AtomicBool>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // The thread waits for a connection.
        let _ = TcpStream::connect(self.url.trim_start_matches("http://"));
    }
}

impl Relay {
    /// Starts a relay. `fate` decides about each request by its number from 0, its method and path.
    ///
    /// # Panics
    /// If no port is free.
    #[must_use]
    pub fn to(server: &str, mut fate: impl FnMut(usize, &str) -> Fate + Send + 'static) -> Self {
        let address = server.trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let exchanges = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&exchanges);
        let ended = Arc::new(AtomicBool::new(false));
        let has_ended = Arc::clone(&ended);
        thread::spawn(move || {
            for client in listener.incoming() {
                if has_ended.load(Ordering::Relaxed) {
                    return;
                }
                let mut client = client.unwrap();
                // A client may connect without a request.
                let Some((asked, request)) = read_request(&mut client) else {
                    continue;
                };
                // Held until the exchange is known: a client can go on with the answer.
                let mut seen = seen.lock().unwrap();
                let fate = fate(seen.len(), &asked);
                let answer = pass(&mut client, &address, &request, fate);
                seen.push(Exchange {
                    asked,
                    request: request.len(),
                    answer,
                });
                drop(seen);
                let _ = client.shutdown(Shutdown::Both);
            }
        });
        Self {
            url,
            exchanges,
            ended,
        }
    }

    /// Returns all requests so far.
    ///
    /// # Panics
    /// If a test has panicked before.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.lock().unwrap().clone()
    }
}

/// Passes a request on. Returns the number of bytes of the answer.
fn pass(client: &mut TcpStream, address: &str, request: &[u8], fate: Fate) -> usize {
    let (reached, told) = match fate {
        Fate::Answered(status, headers) => {
            let answer = format!(
                "HTTP/1.1 {status} No\r\nconnection: close\r\ncontent-length: 0\r\n{headers}\r\n"
            );
            let _ = client.write_all(answer.as_bytes());
            return answer.len();
        }
        Fate::Cut(reached) => (reached, None),
        Fate::Followed(_) => (usize::MAX, None),
        Fate::AnswerCut(told) => (usize::MAX, Some(told)),
        Fate::Passed => (usize::MAX, Some(usize::MAX)),
    };
    let Ok(mut server) = TcpStream::connect(address) else {
        return 0;
    };
    let _ = server.write_all(&request[..reached.min(request.len())]);
    if let Fate::Followed(then) = fate {
        then();
    }
    let Some(told) = told else {
        return 0;
    };
    let mut answer = Vec::new();
    let _ = server.read_to_end(&mut answer);
    let _ = client.write_all(&answer[..told.min(answer.len())]);
    answer.len()
}

/// Reads a request, with its method and path, and asks the server to close the connection.
fn read_request(client: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte).ok()?;
        request.push(byte[0]);
    }
    let head = String::from_utf8(request).ok()?;
    let mut asked = head.split(' ');
    let asked = format!("{} {}", asked.next()?, asked.next()?);
    let length = head
        .to_ascii_lowercase()
        .lines()
        .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    client.read_exact(&mut body).ok()?;
    let first = head.find("\r\n")?;
    let mut request = head.into_bytes();
    request.splice(first..first, *b"\r\nconnection: close");
    request.extend(body);
    Some((asked, request))
}
