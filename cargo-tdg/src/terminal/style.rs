//! The styles of the output, by meaning.

use anstyle::{AnsiColor, Style};

/// Read first.
pub(crate) const STRONG: Style = Style::new().bold();
/// May be skipped.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// As it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Failed.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// Before an error.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Needs a decision.
pub(crate) const PENDING: Style = AnsiColor::Yellow.on_default();
/// Before a note.
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// The parts of the styles behind the escape character, and their end.
const CODES: [&str; 7] = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m", "[36m"];

/// Splits a text behind an escape character after the part of a style that it begins with.
pub(super) fn split_code(text: &str) -> Option<(&str, &str)> {
    let code = CODES.iter().find(|code| text.starts_with(**code))?;
    Some(text.split_at(code.len()))
}
