//! The parser of regular expressions.
//!
//! The syntax is a subset of the regex crate's. Using that crate's parser would add half of this
//! crate's build time to every build, and its messages aren't better.

use std::fmt;

use super::class::{CharacterClass, PRINTABLE};
use super::expression::Expression;

mod characters;

/// The most repetitions of `*`, `+` and `{m,}`.
const UNBOUNDED: u64 = 8;
/// The deepest nesting of groups.
const DEEPEST: u32 = 64;

/// The reason why an expression is rejected.
#[derive(Debug, PartialEq)]
pub(super) struct PatternFault {
    /// The position in characters, from 1.
    position: usize,
    message: String,
}

impl PatternFault {
    /// Shifts the position by the characters that precede the expression.
    pub(super) fn after(self, characters: usize) -> Self {
        let position = self.position + characters;
        Self { position, ..self }
    }
}

impl fmt::Display for PatternFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.position, self.message)
    }
}

/// Parses a regular expression. `^` at its start and `$` at its end have no effect.
///
/// # Errors
/// Returns the unsupported part with its position.
pub(super) fn parse(regex: &str) -> Result<Expression, PatternFault> {
    let mut parser = Parser {
        characters: regex.chars().collect(),
        next: 0,
        depth: 0,
        names: Vec::new(),
    };
    parser.skip('^');
    let expression = parser.alternatives()?;
    match parser.peek() {
        None => Ok(expression),
        Some(_) => Err(parser.fault("unmatched `)`; write `\\)` for the character")),
    }
}

struct Parser {
    characters: Vec<char>,
    next: usize,
    depth: u32,
    /// The names of the groups so far.
    names: Vec<String>,
}

impl Parser {
    fn alternatives(&mut self) -> Result<Expression, PatternFault> {
        let mut alternatives = vec![self.sequence()?];
        while self.skip('|') {
            alternatives.push(self.sequence()?);
        }
        Ok(match alternatives.pop() {
            Some(only) if alternatives.is_empty() => only,
            last => {
                alternatives.extend(last);
                Expression::Alternatives(alternatives)
            }
        })
    }

    fn sequence(&mut self) -> Result<Expression, PatternFault> {
        let mut parts = Vec::new();
        while let Some(character) = self.peek() {
            if character == '|' || character == ')' {
                break;
            }
            if character == '$' && self.next + 1 == self.characters.len() {
                self.next += 1;
                break;
            }
            let start = self.next;
            let part = self.part()?;
            let part = self.repeated(part, start)?;
            push(&mut parts, part);
        }
        Ok(match parts.pop() {
            None => Expression::Literal(String::new()),
            Some(only) if parts.is_empty() => only,
            Some(last) => {
                parts.push(last);
                Expression::Sequence(parts)
            }
        })
    }

    fn part(&mut self) -> Result<Expression, PatternFault> {
        let start = self.next;
        let character = self.take()?;
        match character {
            '(' => self.group(start),
            '[' => {
                let ranges = self.class(start)?;
                self.class_of(ranges, start)
            }
            '.' => self.class_of(vec![PRINTABLE], start),
            '\\' => self.escape(start),
            '*' | '+' | '?' | '{' => {
                let message = format!("nothing to repeat; write `\\{character}` for the character");
                Err(fault(start, message))
            }
            '^' | '$' => {
                let message = format!(
                    "`{character}` is only supported at an end of the pattern; write `\\{character}` for \
                     the character"
                );
                Err(fault(start, message))
            }
            _ => Ok(Expression::Literal(character.to_string())),
        }
    }

    /// Parses a group after its `(`.
    fn group(&mut self, start: usize) -> Result<Expression, PatternFault> {
        if self.skip('?') {
            self.group_kind(start)?;
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fault(start, format!("groups nest deeper than {DEEPEST}")));
        }
        let expression = self.alternatives()?;
        self.depth -= 1;
        if self.skip(')') {
            return Ok(expression);
        }
        Err(fault(start, "unclosed `(`; write `\\(` for the character"))
    }

    /// Parses the rest after `(?`: `:`, or a name, which is ignored.
    fn group_kind(&mut self, start: usize) -> Result<(), PatternFault> {
        let rest: String = self.characters[self.next..].iter().take(3).collect();
        if self.skip(':') {
            return Ok(());
        }
        let looks_around = ["=", "!", "<=", "<!"];
        if looks_around.iter().any(|kind| rest.starts_with(kind)) {
            let message = "look-around is not supported; describe the string itself";
            return Err(fault(start, message));
        }
        if rest.starts_with("P<") || rest.starts_with('<') {
            self.skip('P');
            self.skip('<');
            return self.group_name(start);
        }
        Err(fault(
            start,
            "after `(?`, only `(?:…)` and `(?<name>…)` are supported",
        ))
    }

    /// Parses a group's name after the `<`.
    fn group_name(&mut self, start: usize) -> Result<(), PatternFault> {
        let unfinished = |_| fault(start, "unclosed group name");
        let mut name = String::new();
        while !self.skip('>') {
            name.push(self.take().map_err(unfinished)?);
        }
        let begins = |c: char| c == '_' || c.is_alphabetic();
        let goes_on = |c: char| "_.[]".contains(c) || c.is_alphanumeric();
        if !name.starts_with(begins) || !name.chars().all(goes_on) {
            let message = "a group's name has letters, digits, `_`, `.`, `[` and `]`, and starts \
                           with a letter or `_`";
            return Err(fault(start, message));
        }
        if self.names.contains(&name) {
            let message = format!("duplicate group name `{name}`; use another name");
            return Err(fault(start, message));
        }
        self.names.push(name);
        Ok(())
    }

    /// Parses an escape outside classes, after the `\`.
    fn escape(&mut self, start: usize) -> Result<Expression, PatternFault> {
        match self.peek() {
            Some('b' | 'B' | 'A' | 'z' | 'Z' | 'G' | '<' | '>') => Err(fault(
                start,
                "anchors are only supported at the ends, as `^` and `$`",
            )),
            Some('1'..='9' | 'k') => Err(fault(start, "back-references are not supported")),
            _ => {
                let ranges = self.escaped(start)?;
                self.class_of(ranges, start)
            }
        }
    }

    /// Repeats `part` according to the next operator.
    fn repeated(&mut self, part: Expression, start: usize) -> Result<Expression, PatternFault> {
        let at = self.next;
        let (least, most) = match self.peek() {
            Some('?') => (0, 1),
            Some('*') => (0, UNBOUNDED),
            Some('+') => (1, UNBOUNDED),
            Some('{') => self.bounds()?,
            _ => return Ok(part),
        };
        self.next += 1;
        // Lazy repetition matches the same strings.
        self.skip('?');
        if matches!(self.peek(), Some('?' | '*' | '+' | '{')) {
            return Err(self.fault("repeated twice; group the first repetition"));
        }
        if least > most {
            let message = format!("{least} is more than {most}; write {{{most},{least}}}");
            return Err(fault(at, message));
        }
        // Otherwise the longest string would not bound the work.
        if part.longest() == 0 {
            return Err(fault(start, "only the empty string is repeated"));
        }
        let part = Box::new(part);
        Ok(Expression::Repeated { part, least, most })
    }

    /// Parses the bounds from the `{` up to the `}`, which remains.
    fn bounds(&mut self) -> Result<(u64, u64), PatternFault> {
        let start = self.next;
        let length = self.characters[start..].iter().position(|&c| c == '}');
        let text: String = match length {
            Some(length) => self.characters[start + 1..start + length].iter().collect(),
            None => {
                return Err(fault(start, "unclosed `{`; write `\\{` for the character"));
            }
        };
        self.next += length.unwrap_or(0);
        let number = |text: &str| {
            let message = "write repetitions as {3}, {2,3} or {2,}, with 32-bit numbers";
            let number = number(text, 10).map(u64::from);
            number.ok_or_else(|| fault(start, message))
        };
        match text.split_once(',') {
            None => Ok((number(&text)?, number(&text)?)),
            Some((least, "")) => {
                let least = number(least)?;
                if least > UNBOUNDED {
                    let message = format!(
                        "without an upper bound, repetition ends at {UNBOUNDED}; write {{{least},{}}} \
                         or another bound",
                        least + UNBOUNDED
                    );
                    return Err(fault(start, message));
                }
                Ok((least, UNBOUNDED))
            }
            Some((least, most)) => Ok((number(least)?, number(most)?)),
        }
    }

    /// Converts a class to an expression; a single character becomes a literal.
    fn class_of(
        &self,
        ranges: Vec<(char, char)>,
        start: usize,
    ) -> Result<Expression, PatternFault> {
        let Some(class) = CharacterClass::from_ranges(ranges) else {
            return Err(fault(start, "the class has no printable ASCII characters"));
        };
        Ok(match class.single() {
            Some(character) => Expression::Literal(character.to_string()),
            None => Expression::Class(class),
        })
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.next).copied()
    }

    fn take(&mut self) -> Result<char, PatternFault> {
        let character = self
            .peek()
            .ok_or_else(|| self.fault("the pattern ends too early"))?;
        self.next += 1;
        Ok(character)
    }

    /// Consumes `character` if it's next.
    fn skip(&mut self, character: char) -> bool {
        let is_next = self.peek() == Some(character);
        self.next += usize::from(is_next);
        is_next
    }

    fn fault(&self, message: &str) -> PatternFault {
        fault(self.next, message)
    }
}

/// Parses digits only; the standard library also accepts a sign.
fn number(digits: &str, radix: u32) -> Option<u32> {
    let is_digits = digits.chars().all(|c| c.is_digit(radix));
    u32::from_str_radix(digits, radix)
        .ok()
        .filter(|_| is_digits)
}

/// Creates a fault at the character with this index.
pub(super) fn fault(index: usize, message: impl Into<String>) -> PatternFault {
    PatternFault {
        position: index + 1,
        message: message.into(),
    }
}

/// Appends to a sequence and joins adjacent literals.
fn push(parts: &mut Vec<Expression>, part: Expression) {
    match (parts.last_mut(), part) {
        (Some(Expression::Literal(text)), Expression::Literal(more)) => text.push_str(&more),
        (_, part) => parts.push(part),
    }
}
