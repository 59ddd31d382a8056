//! The styles of the output, by meaning.

use anstyle::{AnsiColor, Style};

/// Text to read first.
pub(crate) const STRONG: Style = Style::new().bold();
/// Text that may be skipped.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// A good result.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// A failure.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// The label of an error.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// A pending decision.
pub(crate) const PENDING: Style = AnsiColor::Yellow.on_default();
/// The label of a note.
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default().bold();

/// The codes of the styles, and of the reset, without the escape character.
const CODES: [&str; 7] = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m", "[36m"];

/// Splits a text after the style code that it begins with. The escape character is already gone.
pub(super) fn split_code(text: &str) -> Option<(&str, &str)> {
    let code = CODES.iter().find(|code| text.starts_with(**code))?;
    Some(text.split_at(code.len()))
}
