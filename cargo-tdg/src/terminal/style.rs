//! The few styles that the output has, by what they mean.

use anstyle::{AnsiColor, Style};

/// What a reader looks for first.
pub(crate) const STRONG: Style = Style::new().bold();
/// What a reader may pass over.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// As it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Failed.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// Before a complaint.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Needs a decision.
pub(crate) const OPEN: Style = AnsiColor::Yellow.on_default();
/// Before a note.
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default().bold();
