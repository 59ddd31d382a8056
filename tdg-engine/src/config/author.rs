//! The author that decisions record.

use tdg_definition::control;

use super::environment::Environment;
use super::error::ConfigError;
use super::file::ConfigFile;

/// The author that decisions record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Author {
    /// The author of git's commits.
    Git,
    /// The name in `TDG_AUTHOR`.
    Named(String),
    /// No one.
    Nobody,
}

impl Author {
    /// Reads the author. Unlike other variables, `TDG_AUTHOR` counts as set when it is empty.
    pub(super) fn from(
        environment: Environment<'_>,
        file: &ConfigFile,
    ) -> Result<Self, ConfigError> {
        let uses_git = file.boolean("author")?.unwrap_or(true);
        let Some(value) = environment("TDG_AUTHOR") else {
            return Ok(if uses_git { Self::Git } else { Self::Nobody });
        };
        if value.is_empty() {
            return Ok(Self::Nobody);
        }
        match value.to_str().and_then(name).filter(|name| value == **name) {
            Some(name) => Ok(Self::Named(name)),
            None => Err(ConfigError::new(format!(
                "TDG_AUTHOR must be a name without an e-mail address, but is {value:?}"
            ))),
        }
    }
}

/// Returns the name in a text that may include an email address: `Ada` for `Ada <ada@example.org>`.
pub(crate) fn name(text: &str) -> Option<String> {
    let text = text.split('<').next().unwrap_or_default();
    // git leaves an address in a name, without its brackets.
    let is_of_name = |word: &&str| !word.trim_matches('@').contains('@');
    let words: Vec<&str> = text.split_whitespace().filter(is_of_name).collect();
    let is_name = !words.is_empty() && !text.contains(control::is_control);
    is_name.then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_has_no_address() {
        for (text, expected) in [
            ("Ada Lovelace", Some("Ada Lovelace")),
            ("  Ada\u{a0} Lovelace ", Some("Ada Lovelace")),
            ("Ada <ada@example.org>", Some("Ada")),
            ("Größe", Some("Größe")),
            ("@ada", Some("@ada")),
            ("github-actions[bot]", Some("github-actions[bot]")),
            ("ada@example.org", None),
            ("Ada ada@localhost", Some("Ada")),
            ("<ada@example.org>", None),
            ("\u{1b}[31mAda", None),
            (" ", None),
        ] {
            assert_eq!(name(text).as_deref(), expected, "{text:?}");
        }
    }
}
