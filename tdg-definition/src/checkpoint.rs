//! Points at which long work can be paused or stopped.
//!
//! A program that shares a machine between several users calls [`interruptible`] around the work
//! for one of them. Without it, checkpoints have no effect.

use std::cell::RefCell;

thread_local! {
    static HOOK: RefCell<Option<Box<dyn FnMut()>>> = const { RefCell::new(None) };
}

/// Does `work`, and calls `hook` on this thread about every 0.1 ms meanwhile.
///
/// The hook may wait. To stop the work, it unwinds with
/// [`resume_unwind`](std::panic::resume_unwind), and the caller of this function catches that.
///
/// ```
/// use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
///
/// use tdg_definition::{Definition, interruptible};
///
/// let definition = Definition::parse(r#"{"features": [
///     {"type": "INTEGER", "distribution": {"type": "zipf", "n": 1000000, "s": 1}}
/// ]}"#)?;
/// let stop = || resume_unwind(Box::new("the client has gone"));
/// let draw = || definition.columns(0, 1, 0..1);
/// let drawn = catch_unwind(AssertUnwindSafe(|| interruptible(stop, draw)));
/// assert!(drawn.is_err());
/// # Ok::<(), tdg_definition::Faults>(())
/// ```
pub fn interruptible<T>(hook: impl FnMut() + 'static, work: impl FnOnce() -> T) -> T {
    struct Reset(Option<Box<dyn FnMut()>>);
    impl Drop for Reset {
        fn drop(&mut self) {
            HOOK.set(self.0.take());
        }
    }
    let _reset = Reset(HOOK.replace(Some(Box::new(hook))));
    work()
}

/// Marks a place at which work can be paused or stopped.
pub fn checkpoint() {
    HOOK.with_borrow_mut(|hook| {
        if let Some(hook) = hook {
            hook();
        }
    });
}
