//! The brackets, separators and quoted texts of a `{:?}` text.

use super::literal;

/// A structural part of the text. Everything between these parts has no token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An opening bracket, with the index of the token that closes it.
    Open(usize),
    Close,
    /// `, `
    Comma,
    /// `: `
    Colon,
    /// A bracket without a partner.
    Unpaired,
}

/// Returns the tokens of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        tokens: Vec::new(),
        open: Vec::new(),
        count: [0; 4],
        is_quote_missing: false,
    };
    let (mut at, mut starts_value) = (0, true);
    while let Some(&byte) = lexer.bytes.get(at) {
        let quoted = starts_value.then(|| lexer.quoted(text, at)).flatten();
        if let Some(end) = quoted {
            (at, starts_value) = (end, false);
            continue;
        }
        let next = lexer.bytes.get(at + 1);
        let is_spaced = next == Some(&b' ');
        match byte {
            b'(' | b'[' | b'{' => lexer.open(at),
            b'<' if starts_value || lexer.follows_name(at) => lexer.open(at),
            b')' | b']' | b'}' | b'>' => lexer.close(at),
            b',' if is_spaced => lexer.push(TokenKind::Comma, at),
            b':' if is_spaced => lexer.push(TokenKind::Colon, at),
            _ => {}
        }
        starts_value = match byte {
            b'(' | b'[' | b'<' => true,
            b'{' | b',' | b':' => {
                at += usize::from(is_spaced);
                byte == b'{' || is_spaced
            }
            _ => false,
        };
        at += 1;
    }
    lexer.tokens
}

struct Lexer<'t> {
    bytes: &'t [u8],
    tokens: Vec<Token>,
    /// The indices of the open brackets, outermost first.
    open: Vec<usize>,
    /// The number of open brackets of each kind.
    count: [usize; 4],
    /// Set once no further closing quote was found, so that the search runs only once.
    is_quote_missing: bool,
}

impl Lexer<'_> {
    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start });
    }

    fn open(&mut self, at: usize) {
        self.count[kind(self.bytes[at])] += 1;
        self.open.push(self.tokens.len());
        self.push(TokenKind::Unpaired, at);
    }

    /// Pairs a bracket with the last open one of its kind. Open brackets in between stay unpaired.
    fn close(&mut self, at: usize) {
        let closed = kind(self.bytes[at]);
        let of = |token: usize| kind(self.bytes[self.tokens[token].start]);
        // A `>` may be plain text: it ends an arrow or closes nothing.
        let is_sign = self.bytes[at] == b'>'
            && (matches!(self.bytes[at.saturating_sub(1)], b'-' | b'=')
                || self.open.last().is_none_or(|last| of(*last) != closed));
        if self.count[closed] == 0 || is_sign {
            return;
        }
        while let Some(token) = self.open.pop() {
            let kind = kind(self.bytes[self.tokens[token].start]);
            self.count[kind] -= 1;
            if kind == closed {
                self.tokens[token].kind = TokenKind::Open(self.tokens.len());
                return self.push(TokenKind::Close, at);
            }
        }
    }

    fn follows_name(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| self.bytes[before]);
        before.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'))
    }

    /// Returns the end of the quoted text that begins at `at`: `"…"`, `b"…"` or `'c'`. Unless it is
    /// followed by something that can follow a value, the quote is plain text.
    fn quoted(&mut self, text: &str, at: usize) -> Option<usize> {
        let end = match &self.bytes[at..] {
            [b'"', ..] => self.string_end(at + 1)?,
            [b'b' | b'c', b'"', ..] => self.string_end(at + 2)?,
            [b'\'', ..] => at + literal::char_length(&text[at..])?,
            _ => return None,
        };
        let ends_value = match &self.bytes[end..] {
            [] | [b')' | b']' | b'}' | b'>', ..] => true,
            [b',', next, ..] => matches!(next, b' ' | b')'),
            [b':', next, ..] => *next == b' ',
            [b' ', next, ..] => *next == b'}',
            _ => false,
        };
        ends_value.then_some(end)
    }

    fn string_end(&mut self, mut at: usize) -> Option<usize> {
        while !self.is_quote_missing {
            match self.bytes.get(at) {
                Some(b'"') => return Some(at + 1),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => self.is_quote_missing = true,
            }
        }
        None
    }
}

/// Returns the index of a bracket's kind.
fn kind(bracket: u8) -> usize {
    match bracket {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        b'{' | b'}' => 2,
        _ => 3,
    }
}
