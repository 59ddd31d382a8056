//! Keys that are pressed in a terminal.

use std::io::{self, IsTerminal as _};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};

use super::print;
use crate::error::Result;

/// A key that somebody pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Character(char),
    Enter,
    /// Escape, or Ctrl and C or D.
    Leave,
}

/// Whether somebody sits there to answer.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// How many lines and columns there are at this moment.
pub(crate) fn lines_and_columns() -> (usize, usize) {
    let (columns, lines) = size().unwrap_or((80, 24));
    (lines.into(), columns.into())
}

/// Asks a question of one line, and waits for the key that answers it.
pub(crate) fn ask(question: &str) -> Result<Key> {
    // Before the question is seen, so that no answer comes too early.
    let raw = RawMode::enter()?;
    print(question)?;
    let key = read_key()?;
    drop(raw);
    print("\n")?;
    Ok(key)
}

fn read_key() -> Result<Key> {
    loop {
        // What was printed is the terminal's to arrange when its size changes.
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Ok(Key::Leave),
            KeyCode::Char(character) if !is_control => return Ok(Key::Character(character)),
            KeyCode::Enter => return Ok(Key::Enter),
            KeyCode::Esc => return Ok(Key::Leave),
            _ => {}
        }
    }
}

/// A line of text, without its end; nothing if there is none.
pub(crate) fn read_line() -> Result<Option<String>> {
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    let line = line.trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// Keys come one by one, and are not shown, until this goes.
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
