//! How a feature keeps its rows under another name.

use super::text::wrap;
use super::{Section, WIDTH};
use crate::generate::RenamedFeature;

/// The form of a test's definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefinitionForm {
    /// Each parameter of the function states a feature.
    Signature,
    /// Each field of a type states a feature.
    Type,
    /// A JSON file.
    File,
    /// Any of these.
    #[default]
    Unknown,
}

impl DefinitionForm {
    /// How to rename the feature and keep its rows.
    pub(super) fn lines(self, renamed: &RenamedFeature) -> Section {
        let RenamedFeature {
            old,
            new,
            is_redrawn,
        } = renamed;
        if *is_redrawn {
            let text = format!(
                "`{new}` may be `{old}`, renamed and drawn in another way, since no other feature of its \
                 type is new or gone. The recorded rows have the values of `{old}`."
            );
            return wrap(&text, WIDTH, 3);
        }
        let parameter = format!("#[feature({old:?})] before the parameter");
        let field = format!("#[serde(rename = {old:?})] before the field");
        let file = format!("\"feature_name\": {old:?} in the definition");
        let fix = match self {
            Self::Signature => parameter,
            Self::Type => field,
            Self::File => format!("{file}, and {parameter}"),
            Self::Unknown => format!("{parameter}, {field}, or {file}"),
        };
        let text = format!(
            "`{new}` is drawn as `{old}` was, but values depend on the name. To rename it and keep the \
             rows, write {fix}."
        );
        wrap(&text, WIDTH, 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fix_is_that_of_the_definition() {
        let line = |form| {
            let renamed = RenamedFeature {
                old: "unit price".to_owned(),
                new: "cost".to_owned(),
                is_redrawn: false,
            };
            DefinitionForm::lines(form, &renamed).join("\n")
        };
        insta::assert_snapshot!(line(DefinitionForm::Signature), @r#"
        `cost` is drawn as `unit price` was, but values depend on the name. To rename it and keep the rows, write
        #[feature("unit price")] before the parameter.
        "#);
        insta::assert_snapshot!(line(DefinitionForm::Type), @r#"
        `cost` is drawn as `unit price` was, but values depend on the name. To rename it and keep the rows, write
        #[serde(rename = "unit price")] before the field.
        "#);
        insta::assert_snapshot!(line(DefinitionForm::File), @r#"
        `cost` is drawn as `unit price` was, but values depend on the name. To rename it and keep the rows, write
        "feature_name": "unit price" in the definition, and #[feature("unit price")] before the parameter.
        "#);
        insta::assert_snapshot!(line(DefinitionForm::Unknown), @r#"
        `cost` is drawn as `unit price` was, but values depend on the name. To rename it and keep the rows, write
        #[feature("unit price")] before the parameter, #[serde(rename = "unit price")] before the field, or "feature_name":
        "unit price" in the definition.
        "#);
    }
}
