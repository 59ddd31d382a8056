//! Keys pressed in a terminal.

use std::io::{self, IsTerminal as _};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};

use super::print;
use crate::error::Result;

/// A key that the user pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Character(char),
    Enter,
    /// Escape, or Ctrl and C or D.
    Quit,
}

/// Whether a user can be asked.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The terminal's current lines and columns.
pub(crate) fn lines_and_columns() -> (usize, usize) {
    let (columns, lines) = size().unwrap_or((80, 24));
    (lines.into(), columns.into())
}

/// Asks a question in one line, and waits for a key.
pub(crate) fn ask(question: &str) -> Result<Key> {
    // Before the question is printed, so that no key is lost.
    let raw = RawMode::enter()?;
    print(question)?;
    let key = read_key()?;
    drop(raw);
    print("\n")?;
    Ok(key)
}

fn read_key() -> Result<Key> {
    loop {
        // After a resize, the terminal rearranges the text itself.
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Ok(Key::Quit),
            KeyCode::Char(character) if !is_control => return Ok(Key::Character(character)),
            KeyCode::Enter => return Ok(Key::Enter),
            KeyCode::Esc => return Ok(Key::Quit),
            _ => {}
        }
    }
}

/// A line of text without its end; `None` if it is empty.
pub(crate) fn read_line() -> Result<Option<String>> {
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    let line = line.trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// While it lives, keys are read one by one and not echoed.
struct RawMode;

impl RawMode {
    fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        Ok(Self)
    }
}

impl Drop for RawMode {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}
