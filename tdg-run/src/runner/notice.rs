//! Lines on stderr, past the capture of the test harness.

use std::io::Write as _;

use tdg_definition::control::escape_lines;

/// Prints a line, of which nothing acts on a terminal.
pub(super) fn print_line(line: &str) {
    let line = escape_lines(line);
    // One write a line, so that lines of several tests do not mix. Nothing can be done if it fails.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Prints a line of tdg's own.
pub(super) fn notice(text: &str) {
    print_line(&format!("tdg: {text}"));
}
