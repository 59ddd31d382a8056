//! The maximum nesting of an output.

use std::fmt;

use tdg_definition::json::{DEPTH_LIMIT, Value};

/// Leaves room for the line or request around an output, which counts toward the limit for reading.
const LEVELS: usize = DEPTH_LIMIT - 4;
/// Options and newtypes leave no trace in JSON, but a type that recurses only through them would
/// exhaust the stack.
const WRAPPERS: usize = 4 * LEVELS;

/// The depth of a value within the output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Depth {
    levels: usize,
    wrappers: usize,
}

impl Depth {
    /// Enters an array or an object.
    pub fn level(self) -> Result<Self, TooDeep> {
        if self.levels == LEVELS {
            return Err(TooDeep);
        }
        Ok(Self {
            levels: self.levels + 1,
            ..self
        })
    }

    /// Enters an option or a newtype.
    pub fn wrapper(self) -> Result<Self, TooDeep> {
        if self.wrappers == WRAPPERS {
            return Err(TooDeep);
        }
        Ok(Self {
            wrappers: self.wrappers + 1,
            ..self
        })
    }

    /// Checks that an existing value fits at this depth.
    pub fn check_room_for(self, value: &Value) -> Result<(), TooDeep> {
        match value {
            Value::Array(elements) => {
                let inner = self.level()?;
                elements
                    .iter()
                    .try_for_each(|element| inner.check_room_for(element))
            }
            Value::Object(entries) => {
                let inner = self.level()?;
                entries
                    .values()
                    .try_for_each(|entry| inner.check_room_for(entry))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }
}

/// The output is nested too deeply for a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the output is nested deeper than {LEVELS} levels")
    }
}

impl std::error::Error for TooDeep {}
