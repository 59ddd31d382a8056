//! Key presses in a terminal.

use std::io::{self, IsTerminal as _};

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};
use tdg_definition::control::is_control;
use tdg_engine::config::process_environment;
use tdg_report::Extent;
use unicode_width::UnicodeWidthStr as _;

use super::{print, write};
use crate::error::Result;

/// A key that the user pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PressedKey {
    Character(char),
    Backspace,
    Enter,
    /// Escape, Ctrl-C or Ctrl-D.
    Quit,
}

/// Returns true if a user can answer questions.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Returns the terminal's current lines and columns.
pub(crate) fn lines_and_columns() -> (usize, usize) {
    known(size().unwrap_or_default())
}

/// Returns how much of a report fits: the terminal's width, or else as in a test's panic message.
pub(crate) fn extent() -> Extent {
    match io::stdout().is_terminal() {
        true => Extent::of_terminal(lines_and_columns().1),
        false => Extent::of_variable(process_environment("COLUMNS")),
    }
}

/// Falls back to 24 lines and 80 columns if the terminal doesn't know its size.
fn known((columns, lines): (u16, u16)) -> (usize, usize) {
    match (lines, columns) {
        (0, _) | (_, 0) => (24, 80),
        known => (known.0.into(), known.1.into()),
    }
}

/// Asks a question on one line and waits for a key.
pub(crate) fn ask(question: &str) -> Result<PressedKey> {
    // Raw mode starts before the question is printed, so that no key is lost.
    let raw = RawMode::enter()?;
    print(question)?;
    let key = read_key()?;
    drop(raw);
    print("\n")?;
    Ok(key)
}

fn read_key() -> Result<PressedKey> {
    loop {
        // The terminal rearranges the text after a resize.
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if is_control => return Ok(PressedKey::Quit),
            KeyCode::Char(character) if !is_control => return Ok(PressedKey::Character(character)),
            KeyCode::Enter => return Ok(PressedKey::Enter),
            KeyCode::Backspace => return Ok(PressedKey::Backspace),
            KeyCode::Esc => return Ok(PressedKey::Quit),
            _ => {}
        }
    }
}

/// Asks for a line of text; returns `None` if the user cancels with Escape.
pub(crate) fn read_line(question: &str) -> Result<Option<String>> {
    let raw = RawMode::enter()?;
    print(question)?;
    let mut line = String::new();
    let answer = loop {
        match read_key()? {
            PressedKey::Character(character) if !is_control(character) => {
                line.push(character);
                if end_of(&line, question) == line {
                    write(character.encode_utf8(&mut [0; 4]))?;
                    continue;
                }
            }
            PressedKey::Character(_) => continue,
            PressedKey::Backspace => {
                line.pop();
            }
            PressedKey::Enter => break Some(line),
            PressedKey::Quit => break None,
        }
        // Overwrites the old text and the columns of a deleted character.
        let shown = format!("\r{question}{}", end_of(&line, question));
        write(&format!("{shown}  {shown}"))?;
    };
    drop(raw);
    print("\n")?;
    Ok(answer)
}

/// Asks for a secret without showing it; returns `None` if the user cancels with Escape.
pub(crate) fn read_secret(question: &str) -> Result<Option<String>> {
    let raw = RawMode::enter()?;
    print(question)?;
    let mut secret = String::new();
    let answer = loop {
        match read_key()? {
            PressedKey::Character(character) => secret.push(character),
            PressedKey::Backspace => drop(secret.pop()),
            PressedKey::Enter => break Some(secret),
            PressedKey::Quit => break None,
        }
    };
    drop(raw);
    print("\n")?;
    Ok(answer)
}

/// Returns the end of a line that fits after the question.
fn end_of<'a>(line: &'a str, question: &str) -> &'a str {
    let (_, columns) = lines_and_columns();
    let room = columns.saturating_sub(question.width() + 3);
    let starts = line.char_indices().map(|(start, _)| start);
    let mut ends = starts.map(|start| &line[start..]);
    ends.find(|end| end.width() <= room).unwrap_or_default()
}

/// Raw mode while the value is alive: keys are read one at a time and not echoed.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_does_not_know_its_size_has_the_usual_one() {
        assert_eq!(known((132, 50)), (50, 132));
        for unknown in [(0, 0), (0, 50), (132, 0)] {
            assert_eq!(known(unknown), (24, 80));
        }
    }
}
