//! The rows of a call: half of them any values, half ordinary ones.

use tdg_definition::Definition;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;

use super::argument::{DrawnFrom, Tokens};
use super::shared::SharedCall;

/// The rows of a call.
pub(super) struct CallRows {
    pub(super) vectors: Vectors,
    /// As the driver of each side reads them.
    pub(super) files: [Vec<u8>; 2],
}

impl CallRows {
    /// So many rows; the reason if there can't be any.
    pub(super) fn of(call: &SharedCall, size: usize, seed: u64) -> Result<Self, String> {
        let size = if call.is_drawn() { size } else { 1 };
        let any =
            Definition::parse(&call.definition(DrawnFrom::Any)).map_err(|it| it.to_string())?;
        let ordinary = Definition::parse(&call.definition(DrawnFrom::Ordinary));
        let ordinary = ordinary.map_err(|it| it.to_string())?;
        // Ordinary ones first: where many rows changed, those are easier to read.
        let halves = [(&ordinary, size - size / 2), (&any, size / 2)];
        let texts =
            halves.map(|(definition, size)| Vectors::generate(definition, seed, size).to_json());
        let mut rows = Vec::with_capacity(size);
        for text in texts {
            match json::parse(&text) {
                Ok(Value::Array(half)) => rows.extend(half),
                _ => return Err("its rows are no JSON; please report this".to_owned()),
            }
        }
        let files = [0, 1].map(|side| {
            let mut file = Tokens::default();
            for row in &rows {
                file.push(&call.tokens(side, row));
            }
            file.0
        });
        let vectors = Vectors::from_json(&any, &Value::Array(rows).to_string());
        Ok(Self {
            vectors: vectors.map_err(|it| it.to_string())?,
            files,
        })
    }
}
