//! A string as runs of characters of one kind.

use super::class::CharKind;

/// Characters of one kind, next to each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub(super) kind: CharKind,
    pub(super) text: &'a str,
}

/// The runs of a string; what is neither letter nor digit is a run of its own each.
pub(super) fn shape(string: &str) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    let mut start = 0;
    for (index, character) in string.char_indices() {
        let kind = CharKind::of(character);
        let end = index + character.len_utf8();
        match runs.last_mut() {
            Some(run) if run.kind == kind && !matches!(kind, CharKind::Other(_)) => {
                run.text = &string[start..end];
            }
            _ => {
                start = index;
                let text = &string[start..end];
                runs.push(Run { kind, text });
            }
        }
    }
    runs
}
