//! No change within the values of rows hides a regression that happens along with it.

use tdg_tests::{Program, workspace};

/// Returns the changes, which are the tests of the program.
fn changes() -> Vec<String> {
    let file = workspace().join("tests/fixtures/shop/tests/evolved.rs");
    let text = std::fs::read_to_string(file).unwrap();
    let pairs = text.lines().filter_map(|line| line.strip_prefix("pair!("));
    let names = pairs.filter_map(|pair| pair.split_once(':'));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// Returns the number of compared rows, and of those that were not compared.
fn counts(lines: &[&str]) -> (usize, usize) {
    let number = |text: &str, before: &str| -> usize {
        let number = text.split(before).next().unwrap();
        number.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let (changed, others) = lines.split_first().unwrap();
    let compared = match changed.contains(" cases changed") {
        true => number(changed, " cases changed"),
        false => 0,
    };
    let others = others.iter().map(|line| number(line, " recorded rows"));
    (compared, others.sum())
}

#[test]
fn a_regression_next_to_a_change_within_values_is_seen_or_counted_as_not_compared() {
    let shop = Program::shop().checkout();
    let test = |name: &str| shop.test("evolved", &["--exact", name]);
    let mut table = String::new();
    for name in changes() {
        test(&name).passes();
        let report = test(&name)
            .env("CHANGED", "1")
            .env("BREAK", "1")
            .fails()
            .report();
        let lines = report.lines().map(str::trim);
        let head = format!("{name}: ");
        let is_counted =
            |line: &&str| line.starts_with(&head) || line.starts_with("not compared: ");
        let rule = lines
            .clone()
            .find(|line| line.contains("such cases changed"));
        let counted: Vec<&str> = lines.filter(is_counted).collect();
        table += &format!("{}\n", counted.join("\n  "));
        let rule = rule.and_then(|rule| rule.split("  ").next());
        table.extend(rule.map(|rule| format!("  {rule}\n")));
        let (compared, others) = counts(&counted);
        assert_eq!(compared + others, 100, "{name}");
        // Without the regression, only the inputs changed.
        let said = test(&name).env("CHANGED", "1").finish().said();
        assert!(!said.contains("tdg: changed"), "{name}: {said}");
    }
    insta::assert_snapshot!(table, @"
    a_field_added: on the recorded rows, 17 of 100 cases changed; inputs changed: definition
    a_field_added_that_old_rows_lack: on the recorded rows, 17 of 100 cases changed; inputs changed: definition
    a_field_removed: on the recorded rows, 17 of 100 cases changed; inputs changed: definition
    a_field_renamed: on the recorded rows, with `x/quantity` as `x/count`, 17 of 100 cases changed; inputs changed: definition
    a_field_of_a_parameter_renamed: on the recorded rows, with `x/quantity` as `x/count`, 20 of 100 cases changed; inputs changed: definition
    all_fields_renamed: on the recorded rows, with `x/unit_weight` as `x/unitWeight`, `x/unit_count` as `x/unitCount`, 26 of 100 cases changed; inputs changed: definition
    a_field_renamed_beside_a_new_one: on the recorded rows, with `x/quantity` as `x/count`, 17 of 100 cases changed; inputs changed: definition
    a_field_replaced: on the recorded rows, 5 of 18 cases changed; inputs changed: definition
      not compared: 82 recorded rows, `x` (LIST) has no `day`, which the function takes
    fields_renamed_at_two_levels: on the recorded rows, with `x/lines` as `x/items`, `x/lines/quantity` as `x/items/count`, 23 of 100 cases changed; inputs changed: definition
    fields_grouped: on the recorded rows, with `x/unit_weight` as `x/parcel/unit_weight`, `x/unit_count` as `x/parcel/unit_count`, 11 of 100 cases changed; inputs changed: definition
    fields_ungrouped: on the recorded rows, with `x/parcel/unit_weight` as `x/unit_weight`, `x/parcel/unit_count` as `x/unit_count`, 18 of 100 cases changed; inputs changed: definition
    a_tuple_that_becomes_a_struct: on the recorded rows, with `x/0` as `x/quantity`, `x/1` as `x/is_wrapped`, 28 of 100 cases changed; inputs changed: definition
    a_map_that_becomes_a_list: on the recorded rows, with `x/key` as `x/0`, `x/value` as `x/1`, 25 of 100 cases changed; inputs changed: definition
    a_field_of_a_variant_renamed: on the recorded rows, with `x/Card/number` as `x/Card/no`, 17 of 100 cases changed; inputs changed: definition
    variants_of_another_form: 17 of 100 cases changed
    a_variant_renamed: on the recorded rows, with `x/Card` as `x/Plastic`, 20 of 100 cases changed; inputs changed: definition
    a_variant_added: on the recorded rows, 20 of 100 cases changed; inputs changed: definition
    a_variant_removed: on the recorded rows, 9 of 40 cases changed; inputs changed: definition
      not compared: 60 recorded rows, `x` (VARIANT) is not what the function takes
    a_variant_of_a_name: on the recorded rows, with `x/Card` as `x/Card/number`, 20 of 100 cases changed; inputs changed: definition
    variants_in_a_list: on the recorded rows, with `x/Card` as `x/Plastic`, 22 of 100 cases changed; inputs changed: definition
    longer: on the recorded rows, 25 of 100 cases changed; inputs changed: definition
    shorter: on the recorded rows, 21 of 100 cases changed; inputs changed: definition
    an_array_of_four: inputs changed: definition
      not compared: 100 recorded rows, `x` (LIST) is not what the function takes
    wider_elements: 25 of 100 cases changed
    elements_that_are_texts: on the recorded rows, 5 of 18 cases changed; inputs changed: definition
      not compared: 82 recorded rows, `x` (LIST) is not what the function takes
    elements_of_another_range: on the recorded rows, 25 of 100 cases changed; inputs changed: definition
    elements_that_may_be_null: on the recorded rows, 25 of 100 cases changed; inputs changed: definition
    elements_in_order: on the recorded rows, 25 of 100 cases changed; inputs changed: definition
    a_value_more_in_a_tuple: on the recorded rows, 28 of 100 cases changed; inputs changed: definition
    keys_of_another_type: on the recorded rows, 5 of 18 cases changed; inputs changed: definition
      not compared: 82 recorded rows, `x` (LIST) is not what the function takes
    values_of_another_type: on the recorded rows, 5 of 18 cases changed; inputs changed: definition
      not compared: 82 recorded rows, `x` (LIST) is not what the function takes
    one_that_becomes_a_list: on the recorded rows, 20 of 100 cases changed; inputs changed: definition
    numbers_that_become_bytes: on the recorded rows, 25 of 100 cases changed; inputs changed: definition
    ");
}
