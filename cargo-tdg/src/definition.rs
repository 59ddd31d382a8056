//! Definition files.

use std::fs;
use std::path::Path;

use tdg_definition::{Definition, Faults};

use crate::error::{Context as _, Error, Result};

/// Reads a definition file; returns the definition or its faults.
pub(crate) fn read(path: &Path) -> Result<Result<Definition, Faults>> {
    let text = fs::read_to_string(path)
        .context(format_args!("can't read the definition {}", path.display()))?;
    Ok(Definition::parse(&text))
}

/// Reads a definition file that must be valid.
pub(crate) fn read_valid(path: &Path) -> Result<Definition> {
    read(path)?.map_err(|faults| {
        let path = path.display();
        Error::new(format!("{path} is not a valid definition:\n{faults}"))
    })
}
