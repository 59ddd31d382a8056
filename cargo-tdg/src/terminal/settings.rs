//! The output settings, which apply to the whole process.

use std::sync::OnceLock;

use anstream::ColorChoice;
use clap::ValueEnum;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// In terminals, unless the environment says otherwise
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Returns the value for cargo's `--color`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

#[derive(Debug, Default)]
struct TerminalSettings {
    color: Option<Color>,
    is_quiet: bool,
}

static SETTINGS: OnceLock<TerminalSettings> = OnceLock::new();

/// Sets the output settings of the process.
pub(crate) fn configure(color: Option<Color>, is_quiet: bool) {
    match color {
        Some(Color::Always) => ColorChoice::Always.write_global(),
        Some(Color::Never) => ColorChoice::Never.write_global(),
        Some(Color::Auto) | None => {}
    }
    SETTINGS.get_or_init(|| TerminalSettings { color, is_quiet });
}

/// Returns the requested colours.
pub(crate) fn color() -> Option<Color> {
    SETTINGS.get()?.color
}

/// Returns true if confirmations and notes are suppressed.
pub(crate) fn is_quiet() -> bool {
    SETTINGS.get().is_some_and(|settings| settings.is_quiet)
}
