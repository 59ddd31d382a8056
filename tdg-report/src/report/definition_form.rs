//! Advice on renaming a feature without changing its rows.

use super::{Section, WIDTH};
use tdg_engine::generate::RenamedFeature;
use tdg_engine::text::wrap;

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
    /// Explains how to rename the feature and keep its rows. Returns `None` if it became part of
    /// another value, or if it is a member of a tuple.
    pub(super) fn lines(self, renamed: &RenamedFeature) -> Option<Section> {
        let RenamedFeature { old, new, .. } = renamed;
        let [depth, new_depth] = [old, new].map(|place| place.split('/').count());
        let [name, new_name] = [old, new].map(|place| place.rsplit('/').next().unwrap_or(place));
        let is_position = |name: &str| name.parse::<usize>().is_ok();
        if depth != new_depth || is_position(name) || is_position(new_name) {
            return None;
        }
        if renamed.is_redrawn {
            let text = format!(
                "`{new}` may be `{old}`, renamed and drawn in another way, since no other feature of its \
                 type is new or gone. The recorded rows have the values of `{old}`."
            );
            return Some(wrap(&text, WIDTH, 3));
        }
        let file = format!("\"feature_name\": {name:?} in the definition");
        let field = format!("#[serde(rename = {name:?})] before the field");
        let parameter = match depth {
            1 => format!("#[feature({name:?})] before the parameter"),
            _ => field.clone(),
        };
        let fix = match self {
            Self::Signature => parameter,
            Self::Type => field,
            Self::File => format!("{file}, and {parameter}"),
            Self::Unknown if parameter == field => format!("{field}, or {file}"),
            Self::Unknown => format!("{parameter}, {field}, or {file}"),
        };
        let text = format!(
            "`{new}` is drawn as `{old}` was, but values depend on the name. To rename it and keep the \
             rows, write {fix}."
        );
        Some(wrap(&text, WIDTH, 3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(form: DefinitionForm, old: &str, new: &str) -> Option<String> {
        let renamed = RenamedFeature {
            old: old.to_owned(),
            new: new.to_owned(),
            is_redrawn: false,
        };
        form.lines(&renamed).map(|lines| lines.join("\n"))
    }

    #[test]
    fn the_fix_fits_the_definition() {
        let line = |form| lines(form, "unit price", "cost").unwrap();
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

    #[test]
    fn a_member_is_renamed_where_it_is_stated() {
        let line = |form| lines(form, "lines/qty", "lines/quantity").unwrap();
        insta::assert_snapshot!(line(DefinitionForm::Signature), @r#"
        `lines/quantity` is drawn as `lines/qty` was, but values depend on the name. To rename it and keep the rows, write
        #[serde(rename = "qty")] before the field.
        "#);
        insta::assert_snapshot!(line(DefinitionForm::File), @r#"
        `lines/quantity` is drawn as `lines/qty` was, but values depend on the name. To rename it and keep the rows, write
        "feature_name": "qty" in the definition, and #[serde(rename = "qty")] before the field.
        "#);
        insta::assert_snapshot!(line(DefinitionForm::Unknown), @r#"
        `lines/quantity` is drawn as `lines/qty` was, but values depend on the name. To rename it and keep the rows, write
        #[serde(rename = "qty")] before the field, or "feature_name": "qty" in the definition.
        "#);
        assert_eq!(lines(DefinitionForm::Type, "qty", "line/qty"), None);
        assert_eq!(lines(DefinitionForm::Type, "at/0", "at/x"), None);
    }
}
