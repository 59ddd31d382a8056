//! The text of `{:?}` as an output.

use std::cell::Cell;
use std::fmt::Debug;

use tdg_definition::json::Value;
use tdg_engine::output::{DECIMALS, OutputForm, precise_debug};

thread_local! {
    static TELLS_F32S: Cell<bool> = const { Cell::new(false) };
}

/// Sets whether outputs by `Debug` on this thread mark which of their floats are `f32`s. Each
/// output then takes twice as long.
pub(crate) fn tell_f32s(tells: bool) {
    TELLS_F32S.set(tells);
}

/// The text of `{:?}`.
pub(crate) struct DebugText {
    text: String,
    /// The text with more decimals.
    precise: Option<String>,
}

impl DebugText {
    pub(crate) fn new<T: Debug + ?Sized>(output: &T) -> Self {
        let text = format!("{output:?}");
        let has_floats = TELLS_F32S.get() && text.contains('.');
        Self {
            precise: has_floats.then(|| format!("{output:.DECIMALS$?}")),
            text,
        }
    }

    /// Returns the text of a side of a `Result`, if it is one.
    pub(super) fn side(&self, side: &str) -> Option<Self> {
        let within = |text: &str| Some(text.strip_prefix(side)?.strip_suffix(')')?.to_owned());
        Some(Self {
            text: within(&self.text)?,
            precise: self.precise.as_deref().and_then(within),
        })
    }

    pub(crate) fn into_value(self) -> Value {
        match self.precise {
            Some(precise) => precise_debug(self.text, precise),
            None => OutputForm::Debug.of_text(self.text),
        }
    }
}
