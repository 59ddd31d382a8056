//! The rows of a call: ordinary values, constants of the code among these, and any values.

use tdg_definition::Definition;
use tdg_definition::json::{self, Value};
use tdg_engine::Vectors;

use crate::commands::compare::plan::{DrawnFrom, SharedCall, Tokens};
use crate::sources::CodeConstants;

/// One of so many rows has constants of the code.
const FROM_CONSTANTS: usize = 5;

/// The rows of a call.
pub(crate) struct CallRows {
    pub(crate) vectors: Vectors,
    /// As the driver of each side reads them.
    pub(crate) files: [Vec<u8>; 2],
}

impl CallRows {
    /// So many rows; the reason if there can't be any.
    pub(crate) fn of(
        call: &SharedCall,
        constants: Option<&CodeConstants>,
        size: usize,
        seed: u64,
    ) -> Result<Self, String> {
        let size = if call.is_drawn() { size } else { 1 };
        let definition =
            |spread| Definition::parse(&call.definition(spread)).map_err(|it| it.to_string());
        let any = definition(DrawnFrom::Any)?;
        let ordinary = definition(DrawnFrom::Ordinary)?;
        let of_constants = constants.filter(|it| !it.is_empty());
        let of_constants = of_constants.and_then(|it| definition(DrawnFrom::Constants(it)).ok());
        let of_constants = of_constants
            .filter(|it| it.check_work(size).is_ok())
            .map(|it| (it, size / FROM_CONSTANTS));
        let others = size - of_constants.as_ref().map_or(0, |(_, size)| *size);
        // Ordinary ones first: where many rows changed, those are easier to read.
        let mut parts = vec![(&ordinary, others - others / 2)];
        parts.extend(
            of_constants
                .as_ref()
                .map(|(definition, size)| (definition, *size)),
        );
        parts.push((&any, others / 2));
        let texts = parts
            .into_iter()
            .map(|(definition, size)| Vectors::generate(definition, seed, size).to_json());
        let mut rows = Vec::with_capacity(size);
        for text in texts {
            match json::parse(&text) {
                Ok(Value::Array(part)) => rows.extend(part),
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
