//! The settings of the output, which is one for the whole process.

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
    /// Its name, for cargo.
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

/// Sets how everything is printed from now on.
pub(crate) fn configure(color: Option<Color>, is_quiet: bool) {
    match color {
        Some(Color::Always) => ColorChoice::Always.write_global(),
        Some(Color::Never) => ColorChoice::Never.write_global(),
        Some(Color::Auto) | None => {}
    }
    SETTINGS.get_or_init(|| TerminalSettings { color, is_quiet });
}

/// The colours that were asked for.
pub(crate) fn color() -> Option<Color> {
    SETTINGS.get()?.color
}

/// Whether confirmations and notes are left out.
pub(crate) fn is_quiet() -> bool {
    SETTINGS.get().is_some_and(|settings| settings.is_quiet)
}
