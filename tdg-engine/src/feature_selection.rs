//! The features that a function takes.

use tdg_definition::json::{self, Value};

/// The features of a definition that a function takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Takes {
    /// All of them: the function takes the whole row, or its features are unknown.
    #[default]
    All,
    /// The features with these names. A definition may have more, or lack some.
    Named(Vec<String>),
}

impl Takes {
    /// Returns true if the function takes `feature` when the definition has it.
    pub fn has(&self, feature: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.iter().any(|name| name == feature),
        }
    }

    /// Returns the names as JSON, or `None` for all.
    pub fn to_json(&self) -> Option<String> {
        match self {
            Self::All => None,
            Self::Named(names) => {
                let names = names.iter().map(|name| Value::from(name.as_str()));
                Some(names.collect::<Value>().to_string())
            }
        }
    }

    /// Reads the names from [JSON](Self::to_json); all features if it isn't a list of names.
    pub fn from_json(text: Option<&str>) -> Self {
        let names = text.and_then(|text| json::parse(text).ok());
        let names = names.as_ref().and_then(Value::as_array);
        let names: Option<Vec<String>> = names.and_then(|names| {
            names
                .iter()
                .map(|name| Some(name.as_str()?.to_owned()))
                .collect()
        });
        names.map_or(Self::All, Self::Named)
    }
}

#[cfg(test)]
mod tests {
    use super::Takes;

    #[test]
    fn names_are_read_as_they_were_written() {
        let some = Takes::Named(vec!["unit price".to_owned(), "\"".to_owned()]);
        for takes in [Takes::All, Takes::Named(Vec::new()), some] {
            assert_eq!(Takes::from_json(takes.to_json().as_deref()), takes);
        }
        assert_eq!(Takes::from_json(Some("[1]")), Takes::All);
        assert_eq!(Takes::from_json(Some("[")), Takes::All);
    }
}
