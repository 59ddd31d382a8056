//! Connections that are closed when their client stops reading.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes fail if nothing could be written for some time.
pub(super) struct WriteTimeout<S> {
    stream: S,
    limit: Duration,
    /// The timer of a pending write.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        WriteTimeout {
            stream,
            limit,
            waiting: None,
        }
    }

    /// The result of a write, or an error if it was pending for too long.
    fn bounded<T>(
        &mut self,
        context: &mut Context<'_>,
        write: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if write.is_ready() {
            self.waiting = None;
            return write;
        }
        let limit = self.limit;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(limit)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
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

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
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

    /// A stream with a buffer of one byte, and its client.
    fn stream() -> (WriteTimeout<DuplexStream>, DuplexStream) {
        let (stream, client) = duplex(1);
        (WriteTimeout::new(stream, LIMIT), client)
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_to_a_client_that_reads_nothing_fails_after_the_limit() {
        let (mut stream, _client) = stream();
        let begun = Instant::now();
        stream.write_u8(1).await.unwrap();
        let error = stream.write_u8(2).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_to_a_client_that_reads_slowly_succeeds() {
        let (mut stream, mut client) = stream();
        let sent = [1, 2, 3, 4];
        let slow = async {
            let mut received = [0; 4];
            for byte in &mut received {
                sleep(LIMIT - Duration::from_millis(1)).await;
                *byte = client.read_u8().await?;
            }
            io::Result::Ok(received)
        };
        let (written, received) = join!(stream.write_all(&sent), slow);
        written.unwrap();
        assert_eq!(received.unwrap(), sent);
    }
}
