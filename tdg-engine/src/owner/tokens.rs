//! The tokens of a Rust source, as far as tests are found by them.

/// A token. Comments, numbers, characters and lifetimes are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    /// An identifier or a keyword, without `r#`.
    Word(&'s str),
    /// A string between its quotes, as it is written.
    Text(&'s str),
    /// Any other character.
    Mark(char),
}

/// The tokens of a source.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment_length(rest)
        } else if let Some((text, length)) = string(rest) {
            tokens.push(Token::Text(text));
            length
        } else if first == '\'' {
            character_length(rest)
        } else if first.is_ascii_digit() {
            word_length(rest)
        } else if is_of_word(first) {
            let prefix = if is_raw_word(rest) { 2 } else { 0 };
            let length = prefix + word_length(&rest[prefix..]);
            tokens.push(Token::Word(&rest[prefix..length]));
            length
        } else {
            tokens.push(Token::Mark(first));
            first.len_utf8()
        };
        rest = rest[length..].trim_start();
    }
    tokens
}

fn is_of_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn word_length(text: &str) -> usize {
    text.find(|character| !is_of_word(character))
        .unwrap_or(text.len())
}

fn is_raw_word(text: &str) -> bool {
    let name = text.strip_prefix("r#");
    name.is_some_and(|name| name.starts_with(is_of_word))
}

/// Block comments nest.
fn comment_length(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(next) = text[at..].find(['/', '*']) {
        at += next;
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth = depth.saturating_sub(1);
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The content of the string that the text begins with, and its length with prefix and quotes.
fn string(text: &str) -> Option<(&str, usize)> {
    let unprefixed = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let prefix = text.len() - unprefixed.len();
    if let Some(raw) = unprefixed.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let content = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = content.find(&end).unwrap_or(content.len());
        let whole = prefix + 1 + hashes + 1 + length + end.len();
        return Some((&content[..length], whole.min(text.len())));
    }
    let content = unprefixed.strip_prefix('"')?;
    let mut is_escaped = false;
    for (at, byte) in content.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some((&content[..at], prefix + 1 + at + 1)),
            _ => {}
        }
    }
    Some((content, text.len()))
}

/// The length of a character such as `'"'`, or of a lifetime.
fn character_length(text: &str) -> usize {
    let content = &text[1..];
    if content.starts_with('\\') {
        // The escaped character may be a quote.
        let end = content.char_indices().skip(2).find(|(_, it)| *it == '\'');
        return end.map_or(text.len(), |(at, _)| 1 + at + 1);
    }
    let mut characters = content.char_indices().skip(1);
    match characters.next() {
        Some((at, '\'')) => 1 + at + 1,
        _ => 1 + word_length(content),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> String {
        let tokens = tokens(source);
        let shown = tokens.iter().map(|token| match token {
            Token::Word(word) => (*word).to_owned(),
            Token::Text(text) => format!("<{text}>"),
            Token::Mark(mark) => mark.to_string(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_numbers_characters_and_lifetimes_are_left_out() {
        assert_eq!(
            shown("a // \"b\"\n/* c /* d */ \" */ e 1.5e3 '\"' '\\'' '\\u{1f600}' &'f str b'\"' g"),
            "a e . & str b g"
        );
    }

    #[test]
    fn strings_of_all_kinds_are_their_content() {
        assert_eq!(
            shown(r####"("a" r"b\" r#"c"d"# b"e" br##"f"#g"## c"h\"i\\" r#match r_j)"####),
            r###"( <a> <b\> <c"d> <e> <f"#g> <h\"i\\> match r_j )"###
        );
    }

    #[test]
    fn any_text_has_an_end() {
        for text in [
            "\"a", "r#\"a", "/* a", "'", "'\\", "'a", "b", "r#", "é'é'", "//",
        ] {
            let _ = tokens(text);
        }
    }
}
