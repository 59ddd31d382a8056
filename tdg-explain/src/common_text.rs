//! Longer texts that occur where a part of them does.

/// Two texts that share a letter have at least this many characters.
const WORD: usize = 4;

/// Returns the longest text around `part` that is in all of the texts.
pub(super) fn longest<'t>(texts: &[&'t str], part: &'t str) -> &'t str {
    let mut longest = part;
    while let Some(longer) = texts.first().and_then(|first| {
        let mut longer = extensions(first, longest);
        longer.find(|it| texts.iter().all(|text| text.contains(it)))
    }) {
        longest = longer;
    }
    longest
}

/// Returns two words with a letter, if each of the texts contains one of them, and not all of them
/// the same.
pub(super) fn two_words<'t>(texts: &[&'t str], letter: &'t str) -> Option<[&'t str; 2]> {
    if longest(texts, letter) != letter {
        return None;
    }
    let with = |part: &'t str| -> Vec<&'t str> {
        let with = texts.iter().filter(|text| text.contains(part));
        with.copied().collect()
    };
    let words = extensions(texts.first()?, letter).filter_map(|one| {
        let mut others = texts.iter().filter(|text| !text.contains(one));
        let mut other = extensions(others.next()?, letter);
        let other = other.find(|other| others.clone().all(|text| text.contains(other)))?;
        Some([one, other].map(|start| longest(&with(start), start)))
    });
    let length = |words: &[&str; 2]| words.map(|it| it.chars().count()).into_iter().min();
    words
        .max_by_key(length)
        .filter(|it| length(it) >= Some(WORD))
}

/// Returns the parts of a text that are `part` with one more character on either side.
fn extensions<'t>(text: &'t str, part: &str) -> impl Iterator<Item = &'t str> {
    text.match_indices(part).flat_map(move |(start, found)| {
        let end = start + found.len();
        let right = text[end..].chars().next();
        let right = right.map(|it| &text[start..end + it.len_utf8()]);
        let left = text[..start].chars().next_back();
        let left = left.map(|it| &text[start - it.len_utf8()..end]);
        right.into_iter().chain(left)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_part_of_a_word() {
        let texts = ["x; FileName=a", "FileName=b; y", "öFileName="];
        assert_eq!(longest(&texts, "N"), "FileName=");
        assert_eq!(longest(&["a7b", "7"], "7"), "7");
    }

    #[test]
    fn two_words_share_a_letter() {
        let texts = [
            "ATTACHMENT; size",
            "inline; FileName=b",
            "ATTACHMENT, x",
            "FileName",
        ];
        assert_eq!(two_words(&texts, "N"), Some(["ATTACHMENT", "FileName"]));
        assert_eq!(two_words(&["a7", "b7"], "7"), None);
        let texts = ["ATTACHMENT; N=a", "ATTACHMENT, x"];
        assert_eq!(two_words(&texts, "N"), None);
    }
}
