//! Names and their defaults.

use tdg_definition::limits::NAME_BYTES;
use tdg_engine::identifier;
use uuid::Uuid;

use super::default_names::WORDS;
use super::records::check_text;
use crate::{NewEnsemble, NewProject, Result};

/// Returns the project's name, or `New project` if it is missing or blank.
///
/// # Errors
///
/// [`Invalid`](crate::ServiceError::Invalid) if it is too long or contains control characters.
pub fn project_name(request: &NewProject) -> Result<String> {
    let name = name("project_name", request.project_name.as_deref())?;
    Ok(name.unwrap_or("New project").to_owned())
}

/// Returns the ensemble's name, or four random words if it is missing or blank.
///
/// # Errors
///
/// See [`project_name`].
pub fn ensemble_name(request: &NewEnsemble) -> Result<String> {
    let name = name("ensemble_name", request.ensemble_name.as_deref())?;
    Ok(name.map_or_else(four_words, str::to_owned))
}

fn name<'a>(member: &str, name: Option<&'a str>) -> Result<Option<&'a str>> {
    let name = name.filter(|name| !name.trim().is_empty());
    name.map(|name| check_text(member, name, NAME_BYTES).map(|()| name))
        .transpose()
}

/// Returns a name such as `eagle-top-amber-door`.
fn four_words() -> String {
    let random = Uuid::from_bytes(identifier::random());
    let words: Vec<_> = random.as_bytes()[..4]
        .iter()
        .map(|byte| WORDS[usize::from(*byte) % WORDS.len()])
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(name: &str) -> Result<String> {
        project_name(&NewProject {
            project_name: Some(name.to_owned()),
        })
    }

    #[test]
    fn a_blank_name_is_replaced_and_others_are_kept_as_they_are() {
        assert_eq!(project_name(&NewProject::default()).unwrap(), "New project");
        assert_eq!(project(" \t\n").unwrap(), "New project");
        assert_eq!(project(" péché 🦀 ").unwrap(), " péché 🦀 ");
    }

    #[test]
    fn names_have_a_length_and_no_control_characters() {
        assert!(project(&"é".repeat(128)).is_ok());
        insta::assert_snapshot!(project(&format!("{}.", "é".repeat(128))).unwrap_err(), @"/project_name: must be at most 256 bytes long, but has 257");
        insta::assert_snapshot!(project("a\0b").unwrap_err(), @"/project_name: must not contain control characters");
        assert!(project("a\u{9f}").is_err());
    }

    #[test]
    fn an_ensemble_without_a_name_gets_four_words() {
        let name = ensemble_name(&NewEnsemble::default()).unwrap();
        let words: Vec<_> = name.split('-').collect();
        assert_eq!(words.len(), 4);
        assert!(words.iter().all(|word| WORDS.contains(word)));
    }

    #[test]
    fn every_word_is_lowercase_and_there_once() {
        let mut words = WORDS.to_vec();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), WORDS.len());
        let lowercase = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(words.iter().all(lowercase));
    }
}
