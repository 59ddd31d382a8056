//! The servers that have answered this process. Only those are worth a long wait.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

/// The state of each server that this process has contacted, by URL.
static SERVERS: Mutex<BTreeMap<String, State>> = Mutex::new(BTreeMap::new());

/// The time after which a line says that a request is waiting.
const LONG: Duration = Duration::from_secs(3);

#[derive(Clone, Copy)]
enum State {
    Answered,
    /// It was silent for this long and isn't contacted again.
    GivenUp(Duration),
}

/// The server at a URL.
pub(super) struct Contact<'u> {
    url: &'u str,
}

impl<'u> Contact<'u> {
    pub(super) fn with(url: &'u str) -> Self {
        Self { url }
    }

    pub(super) fn has_answered(&self) -> bool {
        matches!(servers().get(self.url), Some(State::Answered))
    }

    /// Returns how long the server was silent, if it was given up.
    pub(super) fn given_up(&self) -> Option<Duration> {
        match servers().get(self.url) {
            Some(State::GivenUp(silence)) => Some(*silence),
            _ => None,
        }
    }

    pub(super) fn answered(&self) {
        servers().insert(self.url.to_owned(), State::Answered);
    }

    /// Gives up on the server, unless it has answered before.
    pub(super) fn timed_out(&self, silence: Duration) {
        let state = State::GivenUp(silence);
        servers().entry(self.url.to_owned()).or_insert(state);
    }

    /// Makes a request. The first time that one takes long, calls `say`.
    pub(super) fn making<T>(&self, say: Option<fn(&str)>, request: impl FnOnce() -> T) -> T {
        static SAID: Once = Once::new();
        let Some(say) = say.filter(|_| !self.has_answered()) else {
            return request();
        };
        let url = self.url;
        let (done, is_done) = channel::<()>();
        thread::scope(|scope| {
            let wait = move || {
                if is_done.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                    SAID.call_once(|| say(url));
                }
            };
            // If no thread can be spawned, nothing is said.
            let _ = thread::Builder::new().spawn_scoped(scope, wait);
            let made = request();
            drop(done);
            made
        })
    }
}

fn servers() -> MutexGuard<'static, BTreeMap<String, State>> {
    SERVERS.lock().unwrap_or_else(PoisonError::into_inner)
}
