//! serde's `rename_all`: the spelling of names in the data.

/// A spelling with serde's name for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    pub(crate) const ALL: [(&str, Case); 8] = [
        ("lowercase", Case::Lower),
        ("UPPERCASE", Case::Upper),
        ("PascalCase", Case::Pascal),
        ("camelCase", Case::Camel),
        ("snake_case", Case::Snake),
        ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
        ("kebab-case", Case::Kebab),
        ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
    ];

    /// Converts a field's name, which is assumed to be in `snake_case`.
    pub(crate) fn of_field(self, name: &str) -> String {
        match self {
            Case::Lower | Case::Snake => name.to_owned(),
            Case::Upper | Case::ScreamingSnake => name.to_ascii_uppercase(),
            Case::Pascal => name.split('_').map(capitalised).collect(),
            Case::Camel => uncapitalised(&Case::Pascal.of_field(name)),
            Case::Kebab => name.replace('_', "-"),
            Case::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Converts a variant's name, which is assumed to be in `PascalCase`.
    pub(crate) fn of_variant(self, name: &str) -> String {
        match self {
            Case::Lower => name.to_ascii_lowercase(),
            Case::Upper => name.to_ascii_uppercase(),
            Case::Pascal => name.to_owned(),
            Case::Camel => uncapitalised(name),
            Case::Snake => separated(name),
            Case::ScreamingSnake => separated(name).to_ascii_uppercase(),
            Case::Kebab => separated(name).replace('_', "-"),
            Case::ScreamingKebab => separated(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn capitalised(word: &str) -> String {
    with_first(word, |first| first.to_ascii_uppercase())
}

fn uncapitalised(word: &str) -> String {
    with_first(word, |first| first.to_ascii_lowercase())
}

fn with_first(word: &str, change: impl Fn(char) -> char) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(change);
    first.into_iter().chain(characters).collect()
}

/// Converts `TwoWords` to `two_words`.
fn separated(name: &str) -> String {
    let mut separated = String::with_capacity(name.len() + 4);
    for (index, character) in name.char_indices() {
        if index > 0 && character.is_uppercase() {
            separated.push('_');
        }
        separated.push(character.to_ascii_lowercase());
    }
    separated
}
