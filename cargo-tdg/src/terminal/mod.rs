//! Output for people: text on standard output, errors and notes on standard error, colours where
//! they are wanted (`--color`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, and whether there is a
//! terminal).

mod keys;
mod percent;
mod progress;
mod settings;
pub(crate) mod style;
mod table;
mod thousands;
mod time;

use std::io::Write as _;

use crate::error::{Error, Result};
use crate::exit::Exit;
use style::{ERROR, NOTE};

pub(crate) use keys::{
    Key, ask, extent, is_interactive, lines_and_columns, read_line, read_secret,
};
pub(crate) use percent::percent;
pub(crate) use progress::{clear_progress, is_progress_shown, show_progress};
pub(crate) use settings::{Color, color, configure, is_quiet};
pub(crate) use table::{Cell, Table};
pub(crate) use tdg_engine::report::counted;
pub(crate) use thousands::thousands;
pub(crate) use time::{duration, time};

/// Writes text to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// Confirms on standard output what was done.
pub(crate) fn confirm(text: &str) -> Result<()> {
    if is_quiet() { Ok(()) } else { print(text) }
}

/// Writes bytes for other programs to standard output, unchanged.
pub(crate) fn print_raw(bytes: &[u8]) -> Result<()> {
    let mut output = std::io::stdout().lock();
    output.write_all(bytes)?;
    output.flush()?;
    Ok(())
}

/// Prints an error to standard error, and returns the command's exit; the command may go on.
///
/// # Errors
/// The output was closed, so there is nothing to go on for.
pub(crate) fn print_error(error: Error) -> Result<Exit> {
    if error.is_output_closed() {
        return Err(error);
    }
    // A failure to print it can't be reported either.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {error}");
    Ok(Exit::Failed)
}

/// Prints a note to standard error.
pub(crate) fn note(message: &str) {
    if is_quiet() {
        return;
    }
    let _ = writeln!(anstream::stderr(), "{NOTE}note:{NOTE:#} {message}");
}
