//! Output for people: text on standard output, errors and notes on standard error, colours where
//! they are wanted (`--color`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, and whether there is a
//! terminal).

mod keys;
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
pub(crate) use progress::{clear_progress, is_progress_shown, show_progress};
pub(crate) use settings::{Color, color, configure, is_quiet};
pub(crate) use table::{StyledCell, TerminalTable};
pub(crate) use tdg_engine::text::counted;
pub(crate) use thousands::thousands;
pub(crate) use time::{date_time, duration, parse_time, time};

/// Writes text to standard output, where nothing but tdg's own line ends and styles acts on the
/// terminal.
pub(crate) fn print(text: &str) -> Result<()> {
    write(&shown(text))
}

/// The same to standard error, beside a result on standard output.
pub(crate) fn print_aside(text: &str) {
    let _ = anstream::stderr().write_all(shown(text).as_bytes());
}

/// A text with everything escaped that a terminal would obey or hide, but line ends and styles.
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

/// Writes what is not escaped any more.
fn write(text: &str) -> Result<()> {
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
        /// Whatever a server, a row or a file says, in a table or in any other text.
        #[test]
        fn nothing_else_acts_on_the_terminal(text in any::<String>(), odd in "[\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{202e}\u{2066}-\u{2069}\\[0-9;m]{0,12}") {
            let text = format!("{text}{odd}");
            let mut table = TerminalTable::new([text.as_str(), ""]);
            table.row([StyledCell::styled(&text, BAD), text.as_str().into()]);
            let table = table.text("  ");
            // A table has no style but its own, and one line for each row.
            let own = ["\u{1b}[0m", "\u{1b}[2m", "\u{1b}[31m"];
            let bare = own.iter().fold(table.clone(), |text, code| text.replace(code, ""));
            prop_assert_eq!(bare.clone(), shown(&bare));
            prop_assert_eq!(table.lines().count(), 2);
            // Elsewhere at most a style is left.
            let plain = anstream::adapter::strip_str(&shown(&text)).to_string();
            prop_assert!(!plain.contains(|c: char| c != '\n' && c.is_control()));
            let lines = plain.replace('\n', "");
            prop_assert_eq!(tdg_definition::control::escape(&lines), lines.as_str());
        }
    }
}
