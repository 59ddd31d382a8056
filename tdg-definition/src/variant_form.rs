//! The written forms of variants: serde's four representations of enums.

use crate::fields::{Fields, kind};
use crate::json::{Object, Value};

/// The members that state the form.
pub(crate) const TAG: &str = "tag";
pub(crate) const CONTENT: &str = "content";
pub(crate) const UNTAGGED: &str = "untagged";

/// The written form of variants, like in serde.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariantForm {
    /// `{"Card": "1234"}`, or `"Cash"` for a variant without a value
    External,
    /// `{"kind": "Invoice", "days": 14}`, with the name among the members of the value, an object
    Internal {
        /// The member with the name
        tag: String,
    },
    /// `{"kind": "Card", "value": "1234"}`
    Adjacent {
        /// The member with the name
        tag: String,
        /// The member with the value
        content: String,
    },
    /// Just the value, which identifies the variant
    Untagged,
}

impl VariantForm {
    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let tag = fields.optional_text(TAG);
        let content = fields.optional_text(CONTENT);
        let is_untagged = match fields.optional(UNTAGGED) {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(other) => {
                let message = format!("must be true or false, but is {}", kind(other));
                fields.fault(UNTAGGED, message);
                return None;
            }
        };
        match (tag.ok()?, content.ok()?, is_untagged) {
            (None, None, false) => Some(Self::External),
            (None, None, true) => Some(Self::Untagged),
            (Some(tag), None, false) => Some(Self::Internal {
                tag: tag.to_owned(),
            }),
            (Some(tag), Some(content), false) if tag != content => Some(Self::Adjacent {
                tag: tag.to_owned(),
                content: content.to_owned(),
            }),
            (Some(_), Some(_), false) => {
                fields.fault(CONTENT, "must differ from `tag`");
                None
            }
            (None, Some(_), false) => {
                fields.fault(CONTENT, "needs a `tag`, the member for the variant's name");
                None
            }
            (_, _, true) => {
                fields.fault(
                    UNTAGGED,
                    "can't be combined with `tag` or `content`; remove one of them",
                );
                None
            }
        }
    }

    /// Returns the members in canonical form.
    pub(crate) fn members(&self) -> Vec<(&'static str, Value)> {
        match self {
            Self::External => Vec::new(),
            Self::Internal { tag } => vec![(TAG, tag.as_str().into())],
            Self::Adjacent { tag, content } => vec![
                (TAG, tag.as_str().into()),
                (CONTENT, content.as_str().into()),
            ],
            Self::Untagged => vec![(UNTAGGED, true.into())],
        }
    }

    /// Returns the JSON of a variant with its value.
    #[must_use]
    pub fn join(&self, name: &str, value: Option<Value>) -> Value {
        match (self, value) {
            (Self::External, None) => name.into(),
            (Self::External, Some(value)) => Value::object([(name, value)]),
            (Self::Internal { tag }, value) => {
                let mut members = Object::new();
                members.insert(tag.as_str(), Value::from(name));
                if let Some(Value::Object(value)) = value {
                    for (name, value) in value.iter() {
                        members.insert(name, value.clone());
                    }
                }
                Value::Object(members)
            }
            (Self::Adjacent { tag, .. }, None) => Value::object([(tag.as_str(), name.into())]),
            (Self::Adjacent { tag, content }, Some(value)) => {
                Value::object([(tag.as_str(), name.into()), (content.as_str(), value)])
            }
            (Self::Untagged, value) => value.unwrap_or(Value::Null),
        }
    }

    /// Returns the member of the JSON that contains the value of a variant with that name, if any.
    pub(crate) fn place_of_value<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match self {
            Self::External => Some(name),
            Self::Adjacent { content, .. } => Some(content),
            Self::Internal { .. } | Self::Untagged => None,
        }
    }
}
