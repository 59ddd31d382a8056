//! Lines on stderr that the test harness doesn't capture.

use std::io::Write as _;

use tdg_definition::control::escape_lines;

/// Prints a line without characters that would control a terminal.
pub(super) fn print_line(line: &str) {
    let line = escape_lines(line);
    // One write per line keeps lines of several tests apart. A failure has no remedy.
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Prints a message from tdg.
pub(super) fn notice(text: &str) {
    print_line(&format!("tdg: {text}"));
}
