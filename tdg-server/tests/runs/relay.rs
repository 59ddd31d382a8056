//! A relay that records a test's requests and passes them on to the server.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub(crate) struct Relay {
    pub(crate) url: String,
    sent: Arc<Mutex<Vec<u8>>>,
}

impl Relay {
    pub(crate) fn to(url: &str) -> Self {
        let address = url.strip_prefix("http://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let sent = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&sent);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, server) = (client.unwrap(), TcpStream::connect(&address).unwrap());
                let (back, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let seen = Arc::clone(&seen);
                thread::spawn(move || pass(client, to, |part| seen.lock().unwrap().extend(part)));
                thread::spawn(move || pass(server, back, |_| ()));
            }
        });
        Self { url, sent }
    }

    /// Returns the method and kind of each request since the last call: `POST assert`, `GET data`.
    pub(crate) fn requests(&self) -> Vec<String> {
        let sent = std::mem::take(&mut *self.sent.lock().unwrap());
        let sent = String::from_utf8_lossy(&sent);
        let request = |line: &str| {
            let (method, rest) = line.split_once(" /v1/")?;
            let (path, _) = rest.split_once(" HTTP/1.1")?;
            let method = method
                .rsplit(|letter: char| !letter.is_ascii_uppercase())
                .next()?;
            let kinds = path.split('/').filter(|part| part.len() < 36);
            Some(format!("{method} {}", kinds.collect::<Vec<_>>().join("/")))
        };
        sent.lines().filter_map(request).collect()
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, see: impl Fn(&[u8])) {
    let mut part = [0; 16 * 1024];
    while let Ok(length @ 1..) = from.read(&mut part) {
        see(&part[..length]);
        if to.write_all(&part[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
