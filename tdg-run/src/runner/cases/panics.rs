//! Catching the panics of the function under test.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use crate::maker;

/// A panic of the function under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panic {
    pub(crate) message: String,
    /// `src/lib.rs:14:9`.
    pub(crate) location: Option<String>,
}

thread_local! {
    /// True while a call runs in this thread whose panics are collected.
    static COLLECTING: Cell<bool> = const { Cell::new(false) };
    static LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Calls the function, and returns a panic instead of printing it.
pub(super) fn catch<T>(call: impl FnOnce() -> T) -> Result<T, Panic> {
    install_hook();
    let was_collecting = COLLECTING.replace(true);
    // A function that panics may leave its own statics broken, as it would without us.
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    COLLECTING.set(was_collecting);
    result.map_err(|payload| Panic {
        message: maker::panicked().unwrap_or_default() + &message(&*payload),
        location: LOCATION.take(),
    })
}

/// Installs a hook that notes where a collected panic happened. It passes others to the previous
/// hook.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
            // If panics abort, as on WASI, none are collected and this message is all the user
            // sees.
            if COLLECTING.get() && cfg!(panic = "unwind") {
                LOCATION.set(info.location().map(ToString::to_string));
            } else {
                before(info);
            }
        }));
    });
}

fn message(payload: &(dyn Any + Send)) -> String {
    if let Some(message) = payload.downcast_ref::<&str>() {
        (*message).to_owned()
    } else if let Some(message) = payload.downcast_ref::<String>() {
        message.clone()
    } else {
        "a panic without a message".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_returned_with_its_message_and_place() {
        let panic = catch(|| panic!("row {}", 3)).unwrap_err();
        assert_eq!(panic.message, "row 3");
        assert!(
            panic
                .location
                .unwrap()
                .starts_with("tdg-run/src/runner/cases/panics.rs:")
        );
        assert_eq!(catch(|| 1), Ok(1));
    }

    #[test]
    fn a_payload_without_text_is_named_as_such() {
        let panic = catch(|| panic::panic_any(7)).unwrap_err();
        assert_eq!(panic.message, "a panic without a message");
    }
}
