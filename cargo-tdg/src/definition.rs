//! Definition files.

use std::fs;
use std::path::Path;

use tdg_definition::{Definition, Faults};

use crate::error::{Context as _, Error, Result};

/// The definition in a file, or what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Result<Definition, Faults>> {
    let text = fs::read_to_string(path).context(format_args!(
        "the definition {} can't be read",
        path.display()
    ))?;
    Ok(Definition::parse(&text))
}

/// The definition in a file, which has to be valid.
pub(crate) fn read_valid(path: &Path) -> Result<Definition> {
    read(path)?.map_err(|faults| {
        let shown = path.display();
        Error::new(format!("{shown} is no valid definition:\n{faults}"))
    })
}
