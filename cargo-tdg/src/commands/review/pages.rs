//! Long text, shown in pages.

use unicode_width::UnicodeWidthStr as _;

use crate::error::Result;
use crate::terminal::style::FAINT;
use crate::terminal::{PressedKey, ask, lines_and_columns, print};

/// Shows text in pages that fit the terminal's current height.
pub(super) fn show(text: &str) -> Result<()> {
    let lines: Vec<&str> = text.lines().collect();
    let mut rest = lines.as_slice();
    loop {
        let (page, next) = rest.split_at(page(rest));
        print(&format!("{}\n", page.join("\n")))?;
        if next.is_empty() {
            return Ok(());
        }
        let question = format!(
            "{FAINT}{} more lines: space to continue, q to stop{FAINT:#} ",
            next.len()
        );
        loop {
            match ask(&question)? {
                PressedKey::Character(' ') | PressedKey::Enter => break,
                PressedKey::Character('q') | PressedKey::Quit => return Ok(()),
                // Other keys don't turn the page.
                PressedKey::Character(_) | PressedKey::Backspace => {}
            }
        }
        rest = next;
    }
}

/// Returns the number of lines that fit, at least one.
fn page(lines: &[&str]) -> usize {
    let (height, columns) = lines_and_columns();
    let mut room = height.saturating_sub(2);
    let takes = |line: &str| {
        let seen = anstream::adapter::strip_str(line).to_string();
        seen.width().div_ceil(columns.max(1)).max(1)
    };
    let fits = |line: &&&str| match room.checked_sub(takes(line)) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    lines.iter().take_while(fits).count().max(1)
}
