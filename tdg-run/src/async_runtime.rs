//! The runtime of async test functions: one for each test, on the calling thread.

use std::future::Future;

use tokio::runtime::{Builder, EnterGuard, Runtime};

/// Returns the runtime for all rows of one test.
///
/// # Panics
///
/// Panics if the system can't create a runtime, for example without free file descriptors.
#[must_use]
pub fn runtime() -> Runtime {
    match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        #[expect(clippy::panic, reason = "it is how a test fails")]
        Err(error) => panic!("no runtime for the async test function could be started: {error}"),
    }
}

/// Enters the runtime for values that are dropped before the guard.
pub fn enter(runtime: &Runtime) -> EnterGuard<'_> {
    runtime.enter()
}

/// Returns the output of one call of an async test function.
pub fn block_on<F: Future>(runtime: &Runtime, call: F) -> F::Output {
    runtime.block_on(call)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_a_row_spawned_outlive_its_call() {
        let runtime = runtime();
        let mut task = None;
        block_on(&runtime, async { task = Some(tokio::spawn(async { 7 })) });
        assert_eq!(block_on(&runtime, task.unwrap()).unwrap(), 7);
    }

    #[test]
    fn a_panic_leaves_the_runtime_to_the_other_rows() {
        let runtime = runtime();
        let call = || block_on(&runtime, async { panic!("row") });
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err());
        assert_eq!(block_on(&runtime, async { 1 }), 1);
    }

    #[test]
    fn several_threads_share_one_runtime() {
        let runtime = runtime();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|row| {
                    scope.spawn({
                        let runtime = &runtime;
                        move || block_on(runtime, async move { row })
                    })
                })
                .collect();
            let outputs: Vec<_> = threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect();
            assert_eq!(outputs, [0, 1, 2, 3]);
        });
    }
}
