//! docs/reference/definitions.md against the catalogue.

use tdg_definition::distribution::Support;
use tdg_definition::json::Value;
use tdg_definition::{Cells, Column, Definition, FeatureType, ObjectForm, calendar};

const PAGE: &str = include_str!("../../../docs/reference/definitions.md");

/// The names of all distributions, as listed for an unknown one.
fn catalogue() -> Vec<String> {
    let text =
        r#"{"features": [{"type": "FLOAT", "distribution": {"type": "no such distribution"}}]}"#;
    let faults = Definition::parse(text).unwrap_err().to_string();
    let (_, names) = faults.split_once("; the distributions are ").unwrap();
    names.split(", ").map(str::to_owned).collect()
}

fn examples(page: &str) -> Vec<&str> {
    let blocks = page.split("\n```json").skip(1);
    blocks
        .map(|block| block.split_once('\n').unwrap().1)
        .map(|block| block.split_once("```").unwrap().0)
        .collect()
}

#[test]
fn every_example_of_the_page_can_be_drawn() {
    for example in examples(PAGE) {
        let definition = Definition::parse(example).unwrap_or_else(|faults| {
            panic!("{example}\n{faults}");
        });
        for column in definition.columns(0, 100, 0..100) {
            assert_eq!(column.cells().len(), 100);
        }
    }
}

#[test]
fn every_distribution_has_a_section_with_an_example_of_it() {
    let catalogue = catalogue();
    assert!(catalogue.len() >= 25, "{catalogue:?}");
    for name in &catalogue {
        let (_, rest) = PAGE
            .split_once(&format!("\n### {name}\n"))
            .unwrap_or_else(|| panic!("{name} has no section"));
        let section = rest.split("\n## ").next().unwrap();
        let section = section.split("\n### ").next().unwrap();
        let type_of = format!(r#""type": "{name}""#);
        assert!(
            examples(section).iter().any(|text| text.contains(&type_of)),
            "{name} has no example"
        );
    }
    let distributions = PAGE.split("\n## Modifiers\n").next().unwrap();
    let sections = distributions
        .lines()
        .filter(|line| line.starts_with("### "));
    assert_eq!(sections.count(), catalogue.len());
}

#[test]
fn the_page_says_which_distributions_draw_a_type() {
    for feature_type in FeatureType::ALL {
        let line = PAGE
            .lines()
            .find(|line| line.starts_with(&format!("| `{feature_type}` |")))
            .unwrap();
        let drawn_by = line.trim_end_matches(" |").rsplit("| ").next().unwrap();
        let mut stated: Vec<&str> = drawn_by.split(", ").collect();
        stated.sort_unstable();
        let mut draws: Vec<String> = catalogue()
            .into_iter()
            .filter(|name| draws(name, feature_type))
            .collect();
        draws.sort_unstable();
        assert_eq!(stated, draws, "{feature_type}");
    }
}

/// Without parameters, a distribution is rejected either for the combination with the type, or for
/// the missing parameters.
fn draws(name: &str, feature_type: FeatureType) -> bool {
    let text = format!(
        r#"{{"features": [{{"type": "{feature_type}", "distribution": {{"type": "{name}"}}}}]}}"#
    );
    match Definition::parse(&text) {
        Ok(_) => true,
        Err(faults) => !faults.to_string().contains("can't draw"),
    }
}

#[test]
fn the_page_says_how_many_rows_its_coverage_takes() {
    let covers = |example: &&str| example.contains(r#""coverage""#);
    let example = examples(PAGE).into_iter().find(covers).unwrap();
    let definition = Definition::parse(example).unwrap();
    let takes = |size: &usize| definition.check_size(*size).is_ok();
    let rows = (1..100).find(takes).unwrap();
    assert!(
        PAGE.contains(&format!("are in the first {rows} rows")),
        "{rows}"
    );
}

#[test]
fn a_definition_admits_what_it_draws() {
    let mut admitted = 0;
    for text in examples(PAGE) {
        let definition = Definition::parse(text).unwrap();
        let columns = definition.columns(7, 100, 0..100);
        for (feature, column) in definition.features().iter().zip(&columns) {
            let is_drawn_only = matches!(feature.support(), Support::Drawn);
            let has_edges = feature.to_value().get("edge_cases").is_some();
            if is_drawn_only || has_edges {
                continue;
            }
            for row in 0..100 {
                let value = value(column, row);
                assert!(feature.admits(&value), "{value} of {}", feature.to_value());
                admitted += 1;
            }
        }
    }
    assert!(admitted > 2000, "{admitted}");
}

fn value(column: &Column, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    let text = |write: fn(&mut String, i64), number: i64| {
        let mut text = String::new();
        write(&mut text, number);
        Value::from(text)
    };
    match column.cells() {
        Cells::Float(values) => Value::from(values[row]),
        Cells::Integer(values) => Value::from(values[row]),
        Cells::Unsigned(values) => Value::from(values[row]),
        Cells::Boolean(values) => Value::from(values[row]),
        Cells::Text(texts) => Value::from(texts.get(row)),
        Cells::Bytes(bytes) => Value::from(bytes.escaped().get(row)),
        Cells::DateTime(values) => text(calendar::write_datetime, values[row]),
        Cells::Date(values) => text(calendar::write_date, values[row]),
        Cells::Variant(variants) => {
            let of_row = variants
                .value(row)
                .map(|(values, place)| value(values, place));
            variants.form().join(variants.name(row), of_row)
        }
        Cells::List(lists) if lists.entries().is_some() => {
            let (keys, values) = lists.entries().unwrap();
            let key = |it| match value(keys, it) {
                Value::String(key) => key,
                other => other.to_string(),
            };
            Value::object(lists.range(row).map(|it| (key(it), value(values, it))))
        }
        Cells::List(lists) => {
            let elements = lists.range(row);
            Value::Array(elements.map(|it| value(lists.elements(), it)).collect())
        }
        Cells::Object(objects) => {
            let member = |(name, member): (&str, &Column)| (name.to_owned(), value(member, row));
            let members = objects.members().map(member);
            match objects.form() {
                ObjectForm::Array => Value::Array(members.map(|(_, value)| value).collect()),
                _ => Value::object(members),
            }
        }
    }
}
