//! What people see: text on standard output, complaints on standard error, colours where they are
//! wanted (`NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, and whether there is a terminal).

mod keys;
mod percent;
pub(crate) mod style;
mod table;
mod time;

use std::io::Write as _;

use crate::error::Result;
use style::{ERROR, NOTE};

pub(crate) use keys::{Key, ask, is_interactive, lines_and_columns, read_line};
pub(crate) use percent::percent;
pub(crate) use table::{Cell, Table};
pub(crate) use tdg_engine::report::counted;
pub(crate) use time::time;

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// Writes bytes for other programs to standard output, as they are.
pub(crate) fn print_raw(bytes: &[u8]) -> Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()?;
    Ok(())
}

/// Says on standard error why the command ends.
pub(crate) fn complain(message: &str) {
    // Nobody listens if it fails.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {message}");
}

/// Says something beside the output.
pub(crate) fn note(message: &str) {
    let _ = writeln!(anstream::stderr(), "{NOTE}note:{NOTE:#} {message}");
}
