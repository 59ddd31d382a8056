//! Requests as text, and the JSON form of the objects.

use tdg_definition::json;

use super::*;
use tdg_engine::output::Outputs;

fn refused<T: std::fmt::Debug>(read: Result<T>) -> String {
    match read.unwrap_err() {
        ServiceError::Malformed(message) => format!("400 {message}"),
        ServiceError::Invalid(faults) => format!("422 {faults}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_project_needs_nothing() {
    for text in ["", "{}", r#"{"project_name": null}"#] {
        assert_eq!(NewProject::parse(text), Ok(NewProject::default()), "{text}");
    }
    let named = NewProject::parse(r#"{"project_name": "shop"}"#).unwrap();
    assert_eq!(named.project_name.as_deref(), Some("shop"));
}

#[test]
fn text_that_is_not_json_is_distinguished_from_a_wrong_request() {
    insta::assert_snapshot!(refused(NewProject::parse("{")), @"400 not valid JSON: line 1, column 2: expected a key in double quotes, found the end of the text");
    insta::assert_snapshot!(refused(NewProject::parse(r#"{"project_name":"a","project_name":"b"}"#)), @r#"400 not valid JSON: line 1, column 21: duplicate key "project_name""#);
    insta::assert_snapshot!(refused(NewAssertion::parse(r#"{"output_to_assert":[1,2"#)), @"400 not valid JSON: line 1, column 25: expected `,` or `]`, found the end of the text");
    insta::assert_snapshot!(refused(NewAssertion::parse(r#"{"output_to_assert":[],"output_to_assert":[]}"#)), @"400 not valid JSON: line 1, column 24: duplicate key \"output_to_assert\"");
    insta::assert_snapshot!(refused(NewProject::parse("[]")), @"422 a request must be an object, but this is a list");
}

#[test]
fn every_fault_of_a_request_is_said_at_once() {
    insta::assert_snapshot!(refused(NewEnsemble::parse(r#"{"ensemble_name": 1, "size": "ten", "seed": -1, "sise": 3}"#)), @r#"
    422 /ensemble_name: must be a string, but is 1
    /size: must be a 64-bit integer, but is the string "ten"
    /seed: must be an integer from 0 to 18446744073709551615
    /sise: unknown; did you mean `size`?
    "#);
    insta::assert_snapshot!(refused(NewEnsemble::parse(r#"{"size": -5}"#)), @"422 /size: must be from 1 to 10000, but is -5");
    insta::assert_snapshot!(refused(NewDefinition::parse(r#"{"project_uuid": null, "definition": {"features": [{"type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": -1}}]}}"#)), @"
    422 /project_uuid: must be a string, but is null
    /definition/features/0/distribution/sigma: must be greater than 0, but is -1
    ");
    insta::assert_snapshot!(refused(NewDefinition::parse("{}")), @"
    422 `project_uuid` is missing
    `definition` is missing
    ");
    insta::assert_snapshot!(refused(NewDefinition::parse("{} /**/")), @"400 not valid JSON: line 1, column 4: expected the end of the text, found a comment, which JSON doesn't have");
    insta::assert_snapshot!(refused(NewBenchmark::parse(r#"{"expected_output": 1, "policy": {"tolerance": {"rel": -1}}}"#)), @"
    422 /expected_output: must be a list with one output for each row, but is a number
    /policy/tolerance/rel: must be 0 or greater, but is -1.0; write rel = 1.0
    ");
    insta::assert_snapshot!(refused(NewAssertion::parse("{}")), @"422 `output_to_assert` is missing");
}

#[test]
fn an_identifier_in_a_request_has_the_one_form_that_it_has_in_a_path() {
    let read = |uuid: &str| {
        let definition = r#"{"features": [{"type": "STRING", "distribution": {"type": "uuid"}}]}"#;
        NewDefinition::parse(&format!(
            r#"{{"project_uuid": "{uuid}", "definition": {definition}}}"#
        ))
    };
    const UUID: &str = "6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10";
    assert_eq!(read(UUID).unwrap().project_uuid.to_string(), UUID);
    assert!(read(&UUID.to_uppercase()).is_ok());
    for other in [
        format!("urn:uuid:{UUID}"),
        format!("{{{UUID}}}"),
        UUID.replace('-', ""),
    ] {
        insta::allow_duplicates!(
            insta::assert_snapshot!(refused(read(&other)), @r#"422 /project_uuid: must be a UUID with hyphens: "6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10""#)
        );
    }
    insta::assert_snapshot!(refused(read("shop")), @r#"422 /project_uuid: must be a UUID such as "6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10""#);
}

#[test]
fn a_definition_that_the_service_has_shown_can_be_added() {
    let shown = r#"{"definition_uuid": "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        "definition_name": "orders", "project_uuid": "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        "added": "Mon, 08 Mar 2021 22:14:28 GMT", "ensembles": [],
        "features": [{"feature_name": "n", "feature_uuid": "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
            "added": "2021-03-08 22:14:28.473646", "type": "INTEGER",
            "distribution": {"type": "uniform", "min": 1, "max": 6}}]}"#;
    let read = |definition: &str| {
        NewDefinition::parse(&format!(
            r#"{{"project_uuid": "6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10", "definition": {definition}}}"#
        ))
    };
    assert_eq!(
        read(shown).unwrap().definition.canonical(),
        r#"{"definition_name":"orders","features":[{"distribution":{"max":6,"min":1,"type":"uniform"},"feature_name":"n","type":"INTEGER"}]}"#
    );
    insta::assert_snapshot!(refused(read(r#"{"added": 1, "features": [4, {"added": 2, "type": "BOOLEAN"}]}"#)), @"
    422 /definition/features/0: a feature must be an object, but this is 4
    /definition/features/1: `distribution` is missing
    ");
}

#[test]
fn a_stored_definition_is_drawn_that_would_be_refused_today() {
    let narrow = r#"{"features": [{"type": "FLOAT", "distribution":
        {"type": "gaussian", "mu": 0, "sigma": 1e16, "min": 0, "max": 1}}]}"#;
    let request = format!(
        r#"{{"project_uuid": "6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10", "definition": {narrow}}}"#
    );
    insta::assert_snapshot!(refused(NewDefinition::parse(&request)), @"422 /definition/features/0/distribution/sigma: must be at most a billion times max - min, or values between the bounds can't be distinguished; use uniform, which is equivalent there");
    let recorded = tdg_definition::Definition::parse_recorded(narrow).unwrap();
    let stored = Definition::new(Uuid::nil(), Uuid::nil(), time(), recorded.to_value()).unwrap();
    let drawn = stored.to_definition().unwrap();
    assert_eq!(drawn.features(), recorded.features());
    let rows = "[[0.0],[1.0]]";
    assert_eq!(
        rules::stored_rows(&recorded.canonical(), rows)
            .unwrap()
            .to_json(),
        rows
    );
}

#[test]
fn a_request_is_read_back_as_it_was_written() {
    let project = NewProject {
        project_name: Some("a \"shop\"".to_owned()),
    };
    assert_eq!(NewProject::parse(&project.to_json()), Ok(project));
    let ensemble = NewEnsemble {
        ensemble_name: Some("small".to_owned()),
        size: 7,
        seed: Some(u64::MAX),
    };
    assert_eq!(NewEnsemble::parse(&ensemble.to_json()), Ok(ensemble));
    let benchmark = NewBenchmark {
        expected_output: Outputs::parse(r#"[1.5,{"a":[]}]"#).unwrap(),
        policy: Some(tdg_definition::Policy::exact().ignore("/a").unwrap()),
    };
    assert_eq!(NewBenchmark::parse(&benchmark.to_json()), Ok(benchmark));
}

fn time() -> Timestamp {
    Timestamp::from_micros(1_615_241_668_473_646)
}

fn benchmark() -> Benchmark {
    Benchmark {
        benchmark_uuid: Uuid::from_u128(4),
        ensemble_uuid: Uuid::from_u128(3),
        definition_uuid: Uuid::from_u128(2),
        added: time(),
        digest: "0123".to_owned(),
        policy: None,
        history: vec![AssertionEntry {
            assertion_uuid: Uuid::from_u128(5),
            timestamp: time(),
            asserted: true,
            run: None,
        }],
        history_complete: true,
    }
}

fn definition(text: &str) -> Definition {
    let definition = tdg_definition::Definition::parse(text).unwrap();
    let (uuid, project) = (Uuid::from_u128(2), Uuid::from_u128(1));
    Definition::new(uuid, project, time(), definition.to_value()).unwrap()
}

fn project() -> Project {
    let definition = definition(
        r#"{"definition_name": "orders", "features": [
            {"feature_name": "n", "type": "INTEGER", "distribution": {"type": "constant", "value": 1}}
        ]}"#,
    );
    Project {
        project_uuid: Uuid::from_u128(1),
        project_name: "shop".to_owned(),
        added: time(),
        definitions: vec![Definition {
            ensembles: vec![Ensemble {
                ensemble_uuid: Uuid::from_u128(3),
                ensemble_name: "eagle-top-arty-door".to_owned(),
                definition_uuid: Uuid::from_u128(2),
                added: time(),
                size: 1,
                seed: u64::MAX,
                sampler_version: 1,
                digest: "abcd".to_owned(),
                benchmarks: vec![benchmark()],
            }],
            ..definition
        }],
    }
}

#[test]
fn a_project_has_the_form_of_the_interface() {
    insta::assert_snapshot!(project().to_json().replace(",\"", ",\n\""), @r#"
    {"project_uuid":"00000000-0000-0000-0000-000000000001",
    "project_name":"shop",
    "added":"Mon, 08 Mar 2021 22:14:28 GMT",
    "definitions":[{"definition_uuid":"00000000-0000-0000-0000-000000000002",
    "definition_name":"orders",
    "project_uuid":"00000000-0000-0000-0000-000000000001",
    "added":"Mon, 08 Mar 2021 22:14:28 GMT",
    "features":[{"feature_uuid":"7ca371ca-7e03-8b35-9be4-fe9de7d1584f",
    "added":"2021-03-08 22:14:28.473646",
    "distribution":{"type":"constant",
    "value":1},
    "feature_name":"n",
    "type":"INTEGER"}],
    "ensembles":[{"ensemble_uuid":"00000000-0000-0000-0000-000000000003",
    "ensemble_name":"eagle-top-arty-door",
    "definition_uuid":"00000000-0000-0000-0000-000000000002",
    "added":"Mon, 08 Mar 2021 22:14:28 GMT",
    "size":1,
    "seed":18446744073709551615,
    "sampler_version":1,
    "digest":"abcd",
    "benchmarks":[{"benchmark_uuid":"00000000-0000-0000-0000-000000000004",
    "ensemble_uuid":"00000000-0000-0000-0000-000000000003",
    "definition_uuid":"00000000-0000-0000-0000-000000000002",
    "added":"Mon, 08 Mar 2021 22:14:28 GMT",
    "digest":"0123",
    "history":[{"assertion_uuid":"00000000-0000-0000-0000-000000000005",
    "timestamp":"Mon, 08 Mar 2021 22:14:28 GMT",
    "asserted":true}],
    "history_complete":true}]}]}]}
    "#);
}

#[test]
fn relations_are_additional_members_of_a_definition() {
    let text = r#"{"definition_name": "stay", "features": [
        {"type": "DATE", "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}},
        {"type": "DATE", "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}}
    ], "sampling": "STRATIFIED", "order": [["feature_1", "feature_2"]]}"#;
    let shown = definition(text).to_json();
    let (_, after_features) = shown.rsplit_once("}]").unwrap();
    insta::assert_snapshot!(after_features, @r#","order":[["feature_1","feature_2"]],"sampling":"stratified","ensembles":[]}"#);
    let read = Definition::from_json(&json::parse(&shown).unwrap()).unwrap();
    assert_eq!(
        read.to_definition(),
        tdg_definition::Definition::parse(text)
    );
}

#[test]
fn a_definition_that_only_a_later_tdg_understands_is_shown() {
    let members = r#""features":[{"feature_name":"n","type":"QUARK"}],"parallax":[["n"]]"#;
    let stored = json::parse(&format!("{{{members}}}")).unwrap();
    let later = Definition::new(Uuid::nil(), Uuid::nil(), time(), stored).unwrap();
    let shown = later.to_json();
    let rest = r#""feature_name":"n","type":"QUARK"}],"parallax":[["n"]],"ensembles":[]}"#;
    assert!(shown.ends_with(rest), "{shown}");
    assert!(later.to_definition().is_err());
}

#[test]
fn a_stored_definition_that_is_none_is_said_to_be_damaged() {
    let read = |text| {
        let stored = json::parse(text).unwrap();
        Definition::new(Uuid::nil(), Uuid::nil(), time(), stored)
            .unwrap_err()
            .to_string()
    };
    insta::assert_snapshot!(read("[]"), @"expected an object");
    insta::assert_snapshot!(read("{}"), @"expected a list as `features`");
    insta::assert_snapshot!(read(r#"{"features": [{}]}"#), @"expected a member `feature_name`");
}

#[test]
fn a_relation_that_is_null_is_none() {
    let text = project().definitions[0].to_json();
    let with_null = text.replacen('{', r#"{"order":null,"#, 1);
    let read = Definition::from_json(&json::parse(&with_null).unwrap()).unwrap();
    assert_eq!(read.to_json(), text);
}

#[test]
fn an_assertion_has_the_form_of_the_interface() {
    let outputs = |text| Outputs::parse(text).unwrap();
    let mut assertion = Assertion {
        entry: benchmark().history.remove(0),
        benchmark_uuid: Uuid::from_u128(4),
        ensemble_uuid: Uuid::from_u128(3),
        diff: None,
    };
    insta::assert_snapshot!(assertion.to_json(), @r#"{"assertion_uuid":"00000000-0000-0000-0000-000000000005","timestamp":"Mon, 08 Mar 2021 22:14:28 GMT","benchmark_uuid":"00000000-0000-0000-0000-000000000004","ensemble_uuid":"00000000-0000-0000-0000-000000000003","asserted":true,"diff":null}"#);
    assertion.entry.asserted = false;
    assertion.diff = Some(Diff {
        indices: vec![0, 7],
        inputs: outputs(r#"[[1,"a"],[2,null]]"#),
        expected: outputs("[1,2]"),
        actual: outputs("[1.5,null]"),
        differing: None,
        size: 8,
        explanation: vec!["all 2 have coupon = \"HALF\"".to_owned()],
    });
    insta::assert_snapshot!(assertion.to_json(), @r#"{"assertion_uuid":"00000000-0000-0000-0000-000000000005","timestamp":"Mon, 08 Mar 2021 22:14:28 GMT","benchmark_uuid":"00000000-0000-0000-0000-000000000004","ensemble_uuid":"00000000-0000-0000-0000-000000000003","asserted":false,"diff":{"indices":[0,7],"inputs":[[1,"a"],[2,null]],"expected":[1,2],"actual":[1.5,null],"size":8,"explanation":["all 2 have coupon = \"HALF\""]}}"#);
    let read = Assertion::from_json(&json::parse(&assertion.to_json()).unwrap()).unwrap();
    assert_eq!(read.to_json(), assertion.to_json());
}

#[test]
fn a_diff_that_was_cut_says_how_many_rows_differ() {
    let text = r#"{"indices":[0],"inputs":[[1]],"expected":[1],"actual":[2],"differing":5,"size":9,"explanation":[]}"#;
    let read = Diff::from_json(&json::parse(text).unwrap()).unwrap();
    assert_eq!(read.differing, Some(5));
    assert_eq!(read.to_json(), text);
}

#[test]
fn a_diff_may_come_without_an_explanation() {
    let text = r#"{"indices":[0],"inputs":[[1]],"expected":[1],"actual":[2],"size":1}"#;
    let read = |text: &str| Diff::from_json(&json::parse(text).unwrap());
    assert!(read(text).unwrap().explanation.is_empty());
    let other = text.replacen('{', r#"{"explanation":[1],"#, 1);
    insta::assert_snapshot!(read(&other).unwrap_err(), @"expected a string as each of `explanation`");
}

#[test]
fn an_object_is_read_back_and_what_is_new_in_it_passed_over() {
    let text = project().to_json();
    let read = |text: &str| Project::from_json(&json::parse(text).unwrap());
    assert_eq!(read(&text).unwrap().to_json(), text);
    let later = text.replacen('{', r#"{"colour":"red","#, 1);
    assert_eq!(read(&later).unwrap().to_json(), text);
}

#[test]
fn an_object_of_another_form_is_said_to_be_one() {
    let read = |text| {
        Project::from_json(&json::parse(text).unwrap())
            .unwrap_err()
            .to_string()
    };
    insta::assert_snapshot!(read("[]"), @"expected a member `project_uuid`");
    insta::assert_snapshot!(read(r#"{"project_uuid": 1}"#), @"expected a UUID as `project_uuid`");
    insta::assert_snapshot!(read(&project().to_json().replace("Mon, 08", "Monday")), @"expected a date such as \"Mon, 08 Mar 2021 22:14:28 GMT\" as `added`");
}
