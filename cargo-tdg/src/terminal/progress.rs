//! A line on standard error that is updated in place, in a terminal.

use std::io::{self, IsTerminal as _, Write};

use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{Clear, ClearType};
use tdg_definition::control::escape;

use super::{is_quiet, lines_and_columns};

/// Returns true if progress is visible to a user.
pub(crate) fn is_progress_shown() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !is_quiet() && !is_dumb && io::stderr().is_terminal()
}

/// Replaces the progress text.
pub(crate) fn show_progress(text: &str) {
    if is_progress_shown() {
        // Progress is optional, so errors are ignored.
        let _ = write_over(&mut io::stderr().lock(), text, lines_and_columns().1);
    }
}

/// Clears the line for other output.
pub(crate) fn clear_progress() {
    show_progress("");
}

/// Bypasses `anstream`, which would remove the erasing along with unwanted colours.
fn write_over(output: &mut impl Write, text: &str, columns: usize) -> io::Result<()> {
    let text = escape(text);
    // Wrapped text could not be erased.
    let text: String = text.chars().take(columns.saturating_sub(1)).collect();
    queue!(
        output,
        Print("\r"),
        Clear(ClearType::UntilNewLine),
        Print(text)
    )?;
    output.flush()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_text_takes_the_place_of_the_one_before_and_none_wraps() {
        let mut output = Vec::new();
        for text in ["comparing …", "tests: 2 of 3 sent …", ""] {
            write_over(&mut output, text, 12).unwrap();
        }
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "\r\u{1b}[Kcomparing …\r\u{1b}[Ktests: 2 of\r\u{1b}[K"
        );
    }
}
