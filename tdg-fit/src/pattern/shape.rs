//! The shape of a string: its runs of characters of one kind.

use super::class::CharKind;

/// A run of adjacent characters of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharacterRun<'a> {
    pub(super) kind: CharKind,
    pub(super) text: &'a str,
}

/// Returns the runs of a string. A character other than an ASCII letter or digit is its own run.
pub(super) fn shape(string: &str) -> Vec<CharacterRun<'_>> {
    let mut runs: Vec<CharacterRun<'_>> = Vec::new();
    let mut start = 0;
    for (index, character) in string.char_indices() {
        let kind = CharKind::from_char(character);
        let end = index + character.len_utf8();
        match runs.last_mut() {
            Some(run) if run.kind == kind && !matches!(kind, CharKind::Other(_)) => {
                run.text = &string[start..end];
            }
            _ => {
                start = index;
                let text = &string[start..end];
                runs.push(CharacterRun { kind, text });
            }
        }
    }
    runs
}
