//! Connections that are written in parts, and closed when their client stops reading or reads too
//! slowly.

use std::io;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// The bytes of a long response that a client must read within the limit. With 30 s, this is 35
/// KB/s: slow lines are faster, and 16 MiB are held for 8 minutes at most.
const LEAST: usize = 1 << 20;

/// The maximum size of a write before other connections get their turn. Copying 16 MiB into the
/// kernel at once would keep a thread from them.
const MOST: usize = 128 << 10;

/// A stream whose writes have at most [`MOST`] bytes. A write fails if a slow client reads less
/// than [`LEAST`] bytes within the limit.
pub(super) struct WriteTimeout<S> {
    stream: S,
    limit: Duration,
    /// The timer that has run since a write was pending.
    waiting: Option<Pin<Box<Sleep>>>,
    /// The bytes that were written since then.
    written: usize,
    /// Set if the last write was a whole part.
    has_had_turn: bool,
}

impl<S> WriteTimeout<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        WriteTimeout {
            stream,
            limit,
            waiting: None,
            written: 0,
            has_had_turn: false,
        }
    }

    /// Returns the result of a write, or an error if it is pending and too little was written.
    fn bounded(
        &mut self,
        context: &mut Context<'_>,
        write: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = &write {
            let length = written.as_ref().map_or(0, |written| *written);
            self.has_had_turn = length == MOST;
            self.written += length;
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
        if mem::take(&mut self.has_had_turn) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let part = &bytes[..bytes.len().min(MOST)];
        let write = Pin::new(&mut self.stream).poll_write(context, part);
        self.bounded(context, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let length: usize = slices.iter().map(|slice| slice.len()).sum();
        if let Some(first) = slices.iter().find(|slice| !slice.is_empty())
            && length > MOST
        {
            return self.poll_write(context, first);
        }
        let write = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.bounded(context, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Notes that everything was written.
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
    use std::future::poll_fn;

    use axum::body::Bytes;
    use hyper::body::Buf;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::join;
    use tokio::time::Instant;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(30);

    /// Returns a stream with a buffer of this many bytes, and its client.
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
    /// A stream that accepts everything, and keeps the length of each write.
    #[derive(Default)]
    struct Sink(Vec<usize>);

    impl AsyncWrite for Sink {
        fn poll_write(
            self: Pin<&mut Self>,
            context: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            self.poll_write_vectored(context, &[io::IoSlice::new(bytes)])
        }

        fn poll_write_vectored(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            slices: &[io::IoSlice<'_>],
        ) -> Poll<io::Result<usize>> {
            let length = slices.iter().map(|slice| slice.len()).sum();
            self.0.push(length);
            Poll::Ready(Ok(length))
        }

        fn is_write_vectored(&self) -> bool {
            true
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[tokio::test]
    async fn other_connections_have_a_turn_between_the_parts() {
        let mut stream = WriteTimeout::new(Sink::default(), LIMIT);
        let bytes = vec![0; 2 * MOST];
        let mut write = Box::pin(stream.write_all(&bytes));
        let once = poll_fn(|context| Poll::Ready(write.as_mut().poll(context))).await;
        assert!(once.is_pending());
        drop(write);
        assert_eq!(stream.stream.0, [MOST]);
    }

    /// Returns the lengths of the writes of a head and a body, which hyper writes together.
    async fn writes(head: usize, body: usize) -> Vec<usize> {
        let mut stream = WriteTimeout::new(Sink::default(), LIMIT);
        let [head, body] = [head, body].map(|length| Bytes::from(vec![0; length]));
        stream.write_all_buf(&mut head.chain(body)).await.unwrap();
        stream.stream.0
    }

    #[tokio::test]
    async fn an_answer_of_any_length_is_written_in_parts() {
        assert_eq!(writes(300, MOST - 300).await, [MOST]);
        assert_eq!(writes(300, 2 * MOST + 1).await, [300, MOST, MOST, 1]);
        assert_eq!(writes(0, MOST + 1).await, [MOST, 1]);
        assert_eq!(writes(MOST + 1, 5).await, [MOST, 6]);

        let mut stream = WriteTimeout::new(Sink::default(), LIMIT);
        stream.write_all(&vec![0; MOST + 1]).await.unwrap();
        assert_eq!(stream.stream.0, [MOST, 1]);
    }
}
