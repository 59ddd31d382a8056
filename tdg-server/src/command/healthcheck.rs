//! `healthcheck`: for container runtimes.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

const TIME: Duration = Duration::from_secs(5);

/// Requests `/readyz`.
pub(super) fn healthcheck(mut address: SocketAddr) -> Result<()> {
    // A server that listens on all interfaces also listens on loopback.
    match address {
        SocketAddr::V4(at) if at.ip().is_unspecified() => {
            address.set_ip(Ipv4Addr::LOCALHOST.into())
        }
        SocketAddr::V6(at) if at.ip().is_unspecified() => {
            address.set_ip(Ipv6Addr::LOCALHOST.into())
        }
        _ => {}
    }
    let answer = ask(address).with_context(|| format!("no answer from {address}"))?;
    let status = answer.split(' ').nth(1).unwrap_or_default();
    match status {
        "200" => Ok(()),
        _ => Err(anyhow!(
            "the server at {address} is not ready: status {status}"
        )),
    }
}

fn ask(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, TIME)?;
    stream.set_read_timeout(Some(TIME))?;
    stream.set_write_timeout(Some(TIME))?;
    let request = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.take(10_000).read_to_string(&mut answer)?;
    Ok(answer)
}
