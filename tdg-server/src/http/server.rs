//! Connections: taken, bounded, and ended.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};

use super::timed::Timed;

/// How much one client may have, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Open at once; those beyond wait to be taken.
    pub(crate) connections: usize,
    /// For the head of a request; also how long a connection may be idle.
    pub(crate) head: Duration,
    /// How long a client may take nothing of an answer.
    pub(crate) stalled: Duration,
}

/// How long a head may be, in bytes, and how many fields it may have.
const HEAD: usize = 64 << 10;
const FIELDS: usize = 100;

/// How many connections may wait to be taken. A client of one more waits for a second and tries again; so it's as many as
/// Linux lets it be without being set up.
const WAITING: u32 = 4096;

/// A listener and what it serves.
pub(crate) struct Server {
    listener: TcpListener,
    router: Router,
    limits: Limits,
}

/// A server that serves, until it is told to end.
pub(crate) struct Serving {
    end: oneshot::Sender<Instant>,
    ended: JoinHandle<()>,
}

impl Serving {
    /// Takes no more connections, and waits for those that are answering, but not beyond `deadline`.
    pub(crate) async fn end(self, deadline: Instant) {
        // If it has failed, it has ended already.
        let _ = self.end.send(deadline);
        let _ = self.ended.await;
    }
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// If the address can't be had.
    pub(crate) async fn bind(
        address: SocketAddr,
        router: Router,
        limits: Limits,
    ) -> io::Result<Server> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // A server that is started again may have the address at once.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        let listener = socket.listen(WAITING)?;
        Ok(Server {
            listener,
            router,
            limits,
        })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// If the operating system doesn't say.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves from now on.
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
            let (stream, place) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Mostly: too many open files. Some will be closed.
                    tracing::warn!(%error, "a connection could not be taken");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let service = TowerToHyperService::new(self.router.clone());
            let io = TokioIo::new(Timed::new(stream, self.limits.stalled));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(self.limits.head)
                .max_header_size(HEAD)
                .max_headers(FIELDS)
                .serve_connection(io, service);
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                // What ends a connection early is the client's affair.
                let _ = connection.await;
                drop(place);
            });
        };
        drop(self.listener);
        if timeout_at(deadline, graceful.shutdown()).await.is_err() {
            tracing::warn!("requests were cut off: they took longer than the server had to end");
        }
    }

    async fn accept(&self, open: &Arc<Semaphore>) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
        let closed = |_| io::Error::other("the server is ending");
        let place = open.clone().acquire_owned().await.map_err(closed)?;
        let (stream, _) = self.listener.accept().await?;
        // An answer is small, or comes in large parts.
        let _ = stream.set_nodelay(true);
        Ok((stream, place))
    }
}
