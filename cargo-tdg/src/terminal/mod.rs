//! Output for people: text on standard output, errors and notes on standard error. Colours depend
//! on `--color`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and the terminal.

mod keys;
mod marks;
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
use tdg_definition::control::{escape_lines, push_escaped};

pub(crate) use keys::{
    PressedKey, ask, extent, is_interactive, lines_and_columns, read_line, read_secret,
};
pub(crate) use marks::with_coloured_marks;
pub(crate) use progress::{clear_progress, is_progress_shown, show_progress};
pub(crate) use settings::{Color, color, configure, is_quiet};
pub(crate) use table::{StyledCell, TerminalTable};
pub(crate) use tdg_engine::text::counted;
pub(crate) use thousands::thousands;
pub(crate) use time::{date_time, duration, parse_time, time};

/// Prints text to standard output. Only tdg's own newlines and styles affect the terminal.
pub(crate) fn print(text: &str) -> Result<()> {
    write(&shown(text))
}

/// Prints text to standard error, while standard output has a result.
pub(crate) fn print_aside(text: &str) {
    let _ = anstream::stderr().write_all(shown(text).as_bytes());
}

/// Escapes everything that a terminal would interpret or hide, except newlines and styles.
fn shown(text: &str) -> String {
    let mut parts = text.split(ESCAPE);
    let mut shown = escape_lines(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let rest = match style::split_code(part) {
            Some((code, rest)) => {
                shown.push(ESCAPE);
                shown.push_str(code);
                rest
            }
            None => {
                push_escaped(&mut shown, ESCAPE);
                part
            }
        };
        shown.push_str(&escape_lines(rest));
    }
    shown
}

const ESCAPE: char = '\u{1b}';

/// Writes text that is already escaped.
fn write(text: &str) -> Result<()> {
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}

/// Prints a confirmation to standard output, unless quiet.
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

/// Prints an error to standard error and returns the exit code. The command may go on.
///
/// # Errors
/// Returns the error itself if the output was closed, since nothing is left to do.
pub(crate) fn print_error(error: Error) -> Result<Exit> {
    if error.is_output_closed() {
        return Err(error);
    }
    // A failure to print the error can't be reported.
    let message = error.to_string();
    let message = escape_lines(&message);
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {message}");
    Ok(Exit::Failed)
}

/// Prints a note to standard error.
pub(crate) fn note(message: &str) {
    if is_quiet() {
        return;
    }
    let message = escape_lines(message);
    let _ = writeln!(anstream::stderr(), "{NOTE}note:{NOTE:#} {message}");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::style::{BAD, FAINT, GOOD, PENDING, STRONG};
    use super::*;

    #[test]
    fn styles_and_line_ends_stay() {
        for style in [STRONG, FAINT, GOOD, BAD, ERROR, PENDING, NOTE] {
            let styled = format!("{style}one{style:#}\ntwo\n");
            assert_eq!(shown(&styled), styled);
        }
        assert_eq!(
            shown("\u{1b}[8mone\u{1b}]0;two\u{1b}"),
            "\\u001b[8mone\\u001b]0;two\\u001b"
        );
    }

    proptest! {
        /// Holds for any text from a server, a row or a file, within a table or outside one.
        #[test]
        fn nothing_else_acts_on_the_terminal(text in any::<String>(), odd in "[\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{202e}\u{2066}-\u{2069}\\[0-9;m]{0,12}") {
            let text = format!("{text}{odd}");
            let mut table = TerminalTable::new([text.as_str(), ""]);
            table.row([StyledCell::styled(&text, BAD), text.as_str().into()]);
            let table = table.text("  ");
            // A table has only its own styles, and one line per row.
            let own = ["\u{1b}[0m", "\u{1b}[2m", "\u{1b}[31m"];
            let bare = own.iter().fold(table.clone(), |text, code| text.replace(code, ""));
            prop_assert_eq!(bare.clone(), shown(&bare));
            prop_assert_eq!(table.lines().count(), 2);
            // Outside tables, only styles may remain.
            let plain = anstream::adapter::strip_str(&shown(&text)).to_string();
            prop_assert!(!plain.contains(|c: char| c != '\n' && c.is_control()));
            let lines = plain.replace('\n', "");
            prop_assert_eq!(tdg_definition::control::escape(&lines), lines.as_str());
        }
    }
}
