//! A line on standard error that is written again and again, in a terminal.

use std::io::{self, IsTerminal as _, Write};

use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{Clear, ClearType};
use tdg_definition::control::escape;

use super::{is_quiet, lines_and_columns};

/// Whether there is somebody to see it.
pub(crate) fn is_progress_shown() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !is_quiet() && !is_dumb && io::stderr().is_terminal()
}

/// Shows a text in place of the one before.
pub(crate) fn show_progress(text: &str) {
    if is_progress_shown() {
        // Without it, nothing is missing.
        let _ = write_over(&mut io::stderr().lock(), text, lines_and_columns().1);
    }
}

/// Leaves an empty line for what follows.
pub(crate) fn clear_progress() {
    show_progress("");
}

/// Not by way of `anstream`: erasing is no colour, which somebody may not want.
fn write_over(output: &mut impl Write, text: &str, columns: usize) -> io::Result<()> {
    let text = escape(text);
    // What wraps could not be erased.
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
