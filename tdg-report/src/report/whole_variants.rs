//! Changes of a variant as one difference.

use tdg_definition::json::Pointer;
use tdg_engine::compare::{Comparison, DifferingCase, FieldDifference};
use tdg_engine::output::unmarked;

/// Returns the cases with one difference for a value of `Debug` that has another name, such as
/// `None` for `Some(3)`, in place of its name and its fields. Returns `None` if there is none.
pub(super) fn with_whole_variants(differing: &[DifferingCase]) -> Option<Vec<DifferingCase>> {
    let has_any = |it: &DifferingCase| it.comparison.differences.iter().any(is_name);
    differing.iter().any(has_any).then(|| {
        let mut whole = differing.to_vec();
        whole.iter_mut().for_each(merge);
        whole
    })
}

/// Returns true for the name of a value that both outputs have.
fn is_name(difference: &FieldDifference) -> bool {
    let last = difference.pointer.segments().next_back();
    last == Some("$name") && difference.expected.is_some() && difference.actual.is_some()
}

fn merge(case: &mut DifferingCase) {
    let Comparison {
        differences, count, ..
    } = &mut case.comparison;
    let named: Vec<Pointer> = differences
        .iter()
        .filter(|it| is_name(it))
        .map(|it| unmarked(&it.pointer))
        .collect();
    for place in named {
        let (expected, actual) = (place.find_in(&case.expected), place.find_in(&case.actual));
        let Some(first) = differences.iter().position(|it| place.covers(&it.pointer)) else {
            continue;
        };
        if expected.is_none() || actual.is_none() {
            continue;
        }
        let whole = FieldDifference {
            pointer: place.clone(),
            expected: expected.cloned(),
            actual: actual.cloned(),
        };
        let before = differences.len();
        differences.retain(|it| !place.covers(&it.pointer));
        *count = count.saturating_sub(before - differences.len()) + 1;
        differences.insert(first, whole);
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::Policy;
    use tdg_engine::output;

    use super::*;

    fn merged(expected: &str, actual: &str) -> String {
        let read = |debug: &str| {
            let text = tdg_definition::json::Value::from(debug).to_string();
            output::read(&format!(r#"{{"$debug":{text}}}"#)).unwrap()
        };
        let case = DifferingCase::compared(&Policy::exact(), 3, read(expected), read(actual));
        let cases = with_whole_variants(std::slice::from_ref(&case)).unwrap_or_else(|| vec![case]);
        let comparison = &cases[0].comparison;
        let line = |it: &FieldDifference| {
            let cells = crate::DifferenceText::new(it);
            format!("{} {} → {}", it.pointer, cells.expected, cells.actual)
        };
        let lines: Vec<String> = comparison.differences.iter().map(line).collect();
        format!("{}: {}", comparison.count, lines.join("; "))
    }

    #[test]
    fn an_option_and_a_variant_are_shown_as_debug_writes_them() {
        insta::assert_snapshot!(merged("Some(3)", "None"), @"1:  Some(3) → None");
        insta::assert_snapshot!(merged("None", "Some(Line { sku: \"a\" })"), @r#"1:  None → Some(Line { sku: "a" })"#);
        insta::assert_snapshot!(merged("Ship { by: Free, days: 2 }", "Ship { by: Paid(5), days: 3 }"), @"2: /by Free → Paid(5); /days 2 → 3");
        insta::assert_snapshot!(merged("[Red, Red]", "[Red, Rgb(1, 2, 3)]"), @"1: /1 Red → Rgb(1, 2, 3)");
        insta::assert_snapshot!(merged("Circle { radius: 2 }", "Square { side: 3 }"), @"1:  Circle { radius: 2 } → Square { side: 3 }");
        // Without another name, fields are compared.
        insta::assert_snapshot!(merged("Some(3)", "Some(4)"), @"1: /0 3 → 4");
    }
}
