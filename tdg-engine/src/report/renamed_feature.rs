//! A feature that may only have another name.

use tdg_definition::json::Value;

use super::input_change::DefinitionParts;
use super::text::wrap;
use super::{Section, WIDTH};
use crate::ensemble::Ensemble;
use crate::takes::Takes;

/// A feature that is drawn as another one of the benchmark, which is gone: the same one, most
/// likely, under another name. Values depend on the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedFeature {
    /// Its name in the benchmark.
    pub old: String,
    /// Its current name.
    pub new: String,
    /// Where its name can be stated.
    pub form: DefinitionForm,
}

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

impl RenamedFeature {
    /// The feature of a benchmark's ensemble that has another name now, if one has and the function
    /// takes it.
    pub fn between(
        benchmark: &Ensemble,
        now: &Ensemble,
        takes: &Takes,
        form: DefinitionForm,
    ) -> Option<Self> {
        let features = |it: &Ensemble| DefinitionParts::of(&it.definition, &Takes::All).features;
        let (benchmark, now) = (features(benchmark), features(now));
        let (old, old_feature) = only_in(&benchmark, &now)?;
        let (new, new_feature) = only_in(&now, &benchmark)?;
        let is_renamed = without_name(old_feature) == without_name(new_feature);
        (is_renamed && takes.has(new)).then(|| Self {
            old: old.clone(),
            new: new.clone(),
            form,
        })
    }

    pub(super) fn lines(&self) -> Section {
        let Self { old, new, form } = self;
        let parameter = format!("#[feature({old:?})] before the parameter");
        let field = format!("#[serde(rename = {old:?})] before the field");
        let file = format!("\"feature_name\": {old:?} in the definition");
        let fix = match form {
            DefinitionForm::Signature => parameter,
            DefinitionForm::Type => field,
            DefinitionForm::File => format!("{file}, and {parameter}"),
            DefinitionForm::Unknown => format!("{parameter}, {field}, or {file}"),
        };
        let text = format!(
            "`{new}` is drawn as `{old}` was, but values depend on the name. To rename it and keep the \
             rows, write {fix}."
        );
        wrap(&text, WIDTH, 3)
    }
}

/// The only feature that the others lack.
fn only_in<'a>(
    features: &'a [(String, Value)],
    others: &[(String, Value)],
) -> Option<&'a (String, Value)> {
    let is_other = |(name, _): &&(String, Value)| others.iter().all(|(other, _)| other != name);
    let mut found = features.iter().filter(is_other);
    found.next().filter(|_| found.next().is_none())
}

fn without_name(feature: &Value) -> Vec<&(String, Value)> {
    let members = feature.as_object().into_iter().flat_map(|it| it.iter());
    members.filter(|(key, _)| key != "feature_name").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ensemble(features: &[(&str, i64)]) -> Ensemble {
        let feature = |(name, max): &(&str, i64)| {
            format!(r#"{{"distribution": {{"max": {max}}}, "feature_name": "{name}"}}"#)
        };
        let features: Vec<String> = features.iter().map(feature).collect();
        Ensemble {
            name: String::new(),
            size: 10,
            seed: 0,
            sampler_version: 1,
            digest: String::new(),
            definition: format!(r#"{{"features": [{}]}}"#, features.join(",")),
            rows: None,
        }
    }

    #[test]
    fn a_feature_is_renamed_if_only_its_name_differs() {
        let benchmark = ensemble(&[("amount", 9), ("quantity", 5)]);
        let renamed = |now: &[(&str, i64)], takes: &Takes| {
            RenamedFeature::between(&benchmark, &ensemble(now), takes, DefinitionForm::Unknown)
                .map(|renamed| (renamed.old, renamed.new))
        };
        let cost = Some(("amount".to_owned(), "cost".to_owned()));
        let now = [("quantity", 5), ("cost", 9)];
        assert_eq!(renamed(&now, &Takes::All), cost);
        assert_eq!(renamed(&now, &Takes::Named(vec!["cost".to_owned()])), cost);
        assert_eq!(
            renamed(&now, &Takes::Named(vec!["quantity".to_owned()])),
            None
        );
        assert_eq!(renamed(&[("quantity", 5), ("cost", 8)], &Takes::All), None);
        assert_eq!(renamed(&[("price", 9), ("count", 5)], &Takes::All), None);
        assert_eq!(
            renamed(&[("amount", 9), ("quantity", 6)], &Takes::All),
            None
        );
        assert_eq!(renamed(&[("quantity", 5)], &Takes::All), None);
    }

    #[test]
    fn the_fix_is_that_of_the_definition() {
        let line = |form| {
            let renamed = RenamedFeature {
                old: "unit price".to_owned(),
                new: "cost".to_owned(),
                form,
            };
            renamed.lines().join("\n")
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
