//! Connections that are closed when their client stops reading, or reads too slowly.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// The bytes of a long response that a client must read before the limit. In 30 s, these are
/// 35 KB/s: slow lines are faster, and 16 MiB are held for 8 minutes at most.
const LEAST: usize = 1 << 20;

/// A stream whose writes fail if a client that is waited for reads less than [`LEAST`] until the
/// limit.
pub(super) struct WriteTimeout<S> {
    stream: S,
    limit: Duration,
    /// The timer that has run since a write was pending.
    waiting: Option<Pin<Box<Sleep>>>,
    /// The bytes that were written since then.
    written: usize,
}

impl<S> WriteTimeout<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        WriteTimeout {
            stream,
            limit,
            waiting: None,
            written: 0,
        }
    }

    /// The result of a write, or an error if it is pending and too little was written.
    fn bounded(
        &mut self,
        context: &mut Context<'_>,
        write: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = &write {
            self.written += written.as_ref().map_or(0, |written| *written);
            if self.written >= LEAST {
                self.caught_up();
            }
            return write;
        }
        if self.waiting.is_none() {
            self.written = 0;
        }
        let limit = self.limit;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn caught_up(&mut self) {
        self.waiting = None;
        self.written = 0;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bounded(context, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.bounded(context, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Everything was written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.caught_up();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::join;
    use tokio::time::Instant;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    /// A stream with a buffer of so many bytes, and its client.
    fn stream(buffer: usize) -> (WriteTimeout<DuplexStream>, DuplexStream) {
        let (stream, client) = duplex(buffer);
        (WriteTimeout::new(stream, LIMIT), client)
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_to_a_client_that_reads_nothing_fails_after_the_limit() {
        let (mut stream, _client) = stream(1);
        let begun = Instant::now();
        stream.write_u8(1).await.unwrap();
        let error = stream.write_u8(2).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed(), LIMIT);
    }

    /// Writes `length` bytes to a client that reads `part` bytes shortly before each limit.
    async fn write_slowly(length: usize, part: usize) -> io::Result<()> {
        let (mut stream, mut client) = stream(64 << 10);
        let slow = async {
            let mut received = vec![0; part];
            for _ in 0..length / part {
                sleep(LIMIT - Duration::from_millis(1)).await;
                if client.read_exact(&mut received).await.is_err() {
                    break;
                }
            }
        };
        let bytes = vec![0; length];
        let write = async {
            let written = stream.write_all(&bytes).await;
            drop(stream);
            written
        };
        join!(write, slow).0
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_to_a_client_that_reads_slowly_succeeds() {
        write_slowly(4 * LEAST, LEAST).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_to_a_client_that_reads_too_slowly_fails() {
        let error = write_slowly(4 * LEAST, LEAST / 2).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn short_responses_do_not_have_a_rate() {
        let (mut stream, mut client) = stream(1);
        for _ in 0..4 {
            let slow = async {
                sleep(LIMIT - Duration::from_millis(1)).await;
                client.read_exact(&mut [0; 2]).await
            };
            let write = async {
                stream.write_all(&[1, 2]).await?;
                stream.flush().await
            };
            let (written, read) = join!(write, slow);
            written.unwrap();
            read.unwrap();
        }
    }
}
