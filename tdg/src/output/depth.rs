//! How deep an output may be nested.

use tdg_definition::json::{DEPTH_LIMIT, Value};

use super::Error;

/// What encloses an output, in a file's line or a request, has room within the limit for reading.
const LEVELS: usize = DEPTH_LIMIT - 4;
/// Options and newtypes leave no trace in JSON, but a type that is recursive through them alone
/// would use up the stack.
const WRAPPERS: usize = 4 * LEVELS;

/// How deep in the output a value stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Depth {
    levels: usize,
    wrappers: usize,
}

impl Depth {
    /// Within another array or object.
    pub(super) fn level(self) -> Result<Self, Error> {
        if self.levels == LEVELS {
            return Err(too_deep());
        }
        Ok(Self {
            levels: self.levels + 1,
            ..self
        })
    }

    /// Within another option or newtype.
    pub(super) fn wrapper(self) -> Result<Self, Error> {
        if self.wrappers == WRAPPERS {
            return Err(too_deep());
        }
        Ok(Self {
            wrappers: self.wrappers + 1,
            ..self
        })
    }

    /// Whether a value that is already there may stand here.
    pub(super) fn check_room_for(self, value: &Value) -> Result<(), Error> {
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

fn too_deep() -> Error {
    Error::new(format!("the output is nested deeper than {LEVELS} levels"))
}
