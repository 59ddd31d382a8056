//! Bytes that match a regular expression.

use super::expression::Expression;
use super::parser::{self, PatternFault};
use super::{ENTRY, Pattern};
use crate::bytes;
use crate::column::{ByteCells, Cells};
use crate::scalar::{Canonical, Distribution, Domain, Sampler, Support, Work};

/// The prefix of a regex for bytes; without it, the regex matches characters, encoded as UTF-8.
pub(super) const FLAG: &str = "(?-u)";

/// Parses the rest after the flag: each character is the byte with its number.
pub(super) fn parse(regex: &str) -> Result<Expression, PatternFault> {
    let message = "after `(?-u)`, each character is a byte; write non-ASCII bytes as `\\xff`";
    let fault = |at| parser::fault(at, message);
    let parsed = match regex.chars().position(|character| !character.is_ascii()) {
        Some(at) => Err(fault(at)),
        None => parser::parse(regex),
    };
    let parsed = parsed.and_then(|expression| match expression.last_character() {
        Some(last) if u32::from(last) > 0xff => Err(fault(0)),
        _ => Ok(expression),
    });
    parsed.map_err(|fault| fault.after(FLAG.len()))
}

/// The strings of a pattern, as bytes.
pub(super) struct BytesPattern {
    pattern: Pattern,
    /// Set if each character is one byte.
    is_of_bytes: bool,
}

impl BytesPattern {
    pub(super) fn new(pattern: Pattern) -> Self {
        let is_of_bytes = pattern.regex.starts_with(FLAG);
        Self {
            pattern,
            is_of_bytes,
        }
    }

    fn bytes(&self, text: &str) -> Vec<u8> {
        match self.is_of_bytes {
            true => text.chars().map(|byte| byte as u8).collect(),
            false => text.as_bytes().to_vec(),
        }
    }

    /// The string that these bytes encode, if any.
    fn text(&self, bytes: Vec<u8>) -> Option<String> {
        match self.is_of_bytes {
            true => Some(bytes.into_iter().map(char::from).collect()),
            false => String::from_utf8(bytes).ok(),
        }
    }
}

impl Distribution for BytesPattern {
    fn canonical(&self) -> Canonical {
        (ENTRY.name, self.pattern.parameters())
    }

    fn domain(&self) -> Domain<'_> {
        self.pattern.domain()
    }

    fn support(&self) -> Support<'_> {
        let mut simplest = String::new();
        let plain = self.pattern.expression.simplest();
        bytes::escape(&self.bytes(&plain), &mut simplest);
        let has = |text: &str| {
            let text = bytes::unescape(text).ok().and_then(|it| self.text(it));
            text.is_some_and(|text| self.pattern.expression.matches(&text))
        };
        Support::Strings {
            simplest,
            has: Box::new(has),
        }
    }

    fn work(&self) -> Work {
        self.pattern.work()
    }

    fn sampler(&self) -> Sampler<'_> {
        Sampler::rows(|rows| {
            let mut cells = ByteCells::default();
            if let Cells::Text(texts) = self.pattern.sampler().draw(rows) {
                texts.iter().for_each(|text| cells.push(&self.bytes(text)));
            }
            Cells::Bytes(cells)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_of_bytes_says_what_is_none() {
        let refused = |regex| parse(regex).unwrap_err().to_string();
        insta::assert_snapshot!(refused("ab\u{e9}"), @r"at character 8: after `(?-u)`, each character is a byte; write non-ASCII bytes as `\xff`");
        insta::assert_snapshot!(refused(r"[\u{100}-\u{200}]"), @r"at character 6: after `(?-u)`, each character is a byte; write non-ASCII bytes as `\xff`");
        insta::assert_snapshot!(refused("a**"), @"at character 8: repeated twice; group the first repetition");
        assert!(parse(r"[\x00-\xff]{4}").is_ok());
    }
}
