//! The code that a device shows while it waits for approval (RFC 8628).

use std::fmt;

/// Letters that are easy to distinguish and don't form words (RFC 8628, section 6.1).
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const LENGTH: usize = 8;

/// The code that a user types: `WDJB-MJHT`, one of 20^8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserCode(String);

impl UserCode {
    /// Generates a code.
    ///
    /// # Errors
    ///
    /// If the random number generator of the operating system fails.
    pub(crate) fn generate() -> Result<Self, getrandom::Error> {
        let mut code = String::with_capacity(LENGTH);
        while code.len() < LENGTH {
            let mut bytes = [0; 2 * LENGTH];
            getrandom::fill(&mut bytes)?;
            // Larger bytes would make some letters more frequent.
            let even = bytes.iter().filter(|byte| **byte < 240);
            let letters = even.map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
            code.extend(letters.take(LENGTH - code.len()));
        }
        Ok(UserCode(code))
    }

    /// Parses a code in any case, with or without the hyphen.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let letters = text.chars().filter(|char| !matches!(char, '-' | ' '));
        let code: String = letters.map(|char| char.to_ascii_uppercase()).collect();
        let is_one = code.len() == LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte));
        is_one.then_some(UserCode(code))
    }

    /// Returns the stored form.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.0.split_at(LENGTH / 2);
        write!(f, "{first}-{second}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = UserCode::generate().unwrap();
        let text = code.to_string();
        assert_eq!((text.len(), text.find('-')), (9, Some(4)));
        for typed in [
            text.clone(),
            text.to_lowercase(),
            text.replace('-', " "),
            text.replace('-', ""),
        ] {
            assert_eq!(UserCode::parse(&typed), Some(code.clone()), "{typed}");
        }
        for wrong in ["", &text[1..], "AAAA-AAAA", "ÉÉÉÉ-ÉÉÉÉ", "%00"] {
            assert_eq!(UserCode::parse(wrong), None, "{wrong}");
        }
        assert_ne!(UserCode::generate().unwrap(), code);
    }
}
