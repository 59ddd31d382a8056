//! `cargo tdg check`.

use tdg_tests::Project;

use crate::tdg;

const DICE: &str = r#"{"features": [
    {"feature_name": "dice", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 6}}
]}"#;
const FAULTY: &str = r#"{"features": [
    {"feature_name": "dice", "type": "INTEGER", "distribution": {"type": "uniform", "min": 6, "max": 1}},
    {"feature_name": "dice", "type": "FLOT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}}
]}"#;

fn project() -> Project {
    Project::new(&[("dice.json", DICE), ("faulty.json", FAULTY)])
}

#[test]
fn a_valid_definition_is_reported_as_valid() {
    let run = tdg(&project(), &["check", "dice.json"]).finish();
    assert_eq!(run.code, Some(0), "{run}");
    insta::assert_snapshot!(run.stdout, @"dice.json: valid, 1 feature");
}

#[test]
fn all_faults_of_all_files_are_listed_at_once() {
    let run = tdg(&project(), &["check", "faulty.json", "dice.json"]).finish();
    assert_eq!(run.code, Some(1), "{run}");
    insta::assert_snapshot!(run.stdout, @"
    faulty.json: 3 faults
      /features/0/distribution: `min` must not be greater than `max`
      /features/1/feature_name: `dice` is also the name of /features/0; names must be unique
      /features/1/type: unknown type `FLOT`; did you mean `FLOAT`?
    dice.json: valid, 1 feature
    ");
}

#[test]
fn scripts_get_a_line_of_json_for_each_file() {
    let run = tdg(&project(), &["check", "--json", "dice.json", "faulty.json"]).finish();
    assert_eq!(run.code, Some(1), "{run}");
    insta::assert_snapshot!(run.stdout, @r#"
    {"faults":[],"features":1,"path":"dice.json","valid":true}
    {"faults":[{"message":"`min` must not be greater than `max`","pointer":"/features/0/distribution"},{"message":"`dice` is also the name of /features/0; names must be unique","pointer":"/features/1/feature_name"},{"message":"unknown type `FLOT`; did you mean `FLOAT`?","pointer":"/features/1/type"}],"features":0,"path":"faulty.json","valid":false}
    "#);
}

#[test]
fn a_definition_is_shown_as_it_was_understood() {
    let commented = r#"{
        // What a shop sells.
        "definition_name": "orders",
        "features": [
            {"type": "float", "distribution": {"type": "normal", "mean": 20, /* cents */ "sd": 5},},
            {"feature_name": "quantity", "type": "INTEGER", "distribution": {"type": "any", "max": 20}},
        ],
        "sampling": "random",
    }"#;
    let project = Project::new(&[("orders.json", commented), ("faulty.json", FAULTY)]);
    let run = tdg(&project, &["check", "--canonical", "orders.json"]).finish();
    assert_eq!(run.code, Some(0), "{run}");
    insta::assert_snapshot!(run.stdout, @r#"
    {
      "definition_name": "orders",
      "features": [
        {"distribution":{"mu":20.0,"sigma":5.0,"type":"gaussian"},"feature_name":"feature_1","type":"FLOAT"},
        {"distribution":{"max":20,"min":-9223372036854775808,"type":"any"},"edge_cases":{"probability":0.25},"feature_name":"quantity","type":"INTEGER"}
      ]
    }
    "#);
    let again = Project::new(&[("again.json", &run.stdout)]);
    let again = tdg(&again, &["check", "--canonical", "again.json"]).finish();
    assert_eq!(again.stdout, run.stdout);
    let run = tdg(
        &project,
        &["check", "--canonical", "faulty.json", "orders.json"],
    )
    .finish();
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stdout.starts_with("faulty.json: 3 faults\n"), "{run}");
    let run = tdg(&project, &["generate", "--size", "1", "orders.json"]).finish();
    assert_eq!(run.code, Some(0), "{run}");
}

#[test]
fn a_missing_file_is_an_error_not_a_fault() {
    let run = tdg(&project(), &["check", "none.json"]).finish();
    assert_eq!(run.code, Some(2), "{run}");
    insta::assert_snapshot!(run.stderr, @"error: can't read the definition none.json: No such file or directory (os error 2)");
}

#[test]
fn colours_are_for_terminals_unless_forced() {
    let project = project();
    let check = || tdg(&project, &["check", "dice.json"]);
    let plain = check().finish();
    assert!(!plain.stdout.contains('\u{1b}'), "{plain}");
    let asked = check().env("CLICOLOR_FORCE", "1").finish();
    assert!(asked.stdout.contains("\u{1b}[32mvalid"), "{asked}");
    let refused = check().env("NO_COLOR", "1").finish();
    assert_eq!(refused.stdout, plain.stdout);
}
