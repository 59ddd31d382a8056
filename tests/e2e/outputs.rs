//! Outputs of every form are recorded and recognised again.

use std::collections::BTreeMap;
use std::fs;

use tdg_tests::{Checkout, Program};

/// Returns all snapshot files by name.
fn snapshots(shop: &Checkout<'_>) -> BTreeMap<String, String> {
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read_to_string(entry.path()).unwrap())
    };
    let entries = fs::read_dir(shop.path("tests/snapshots")).unwrap();
    entries.map(|entry| read(entry.unwrap())).collect()
}

/// Returns the outputs of a test's first cases.
fn outputs(shop: &Checkout<'_>, test: &str, cases: usize) -> String {
    let text = shop.read(&format!("tests/snapshots/outputs__{test}.snap"));
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with("{\"tdg\""));
    assert!(lines.next().is_some(), "{text}");
    lines.take(cases).collect::<Vec<_>>().join("\n")
}

#[test]
fn outputs_of_every_form_are_recorded_and_are_the_same_again() {
    let shop = Program::shop().checkout();
    shop.test("outputs", &[]).passes();
    assert_eq!(shop.test("outputs", &[]).passes().stderr, "");
    for (test, expected) in [
        (
            "floats",
            "{\"$float\":\"NaN\"},{\"$float\":\"Infinity\"},{\"$float\":\"-Infinity\"},-0.0,5e-324",
        ),
        (
            "integers",
            "[18446744073709551615,-9223372036854775808,170141183460469231731687303715884105727,",
        ),
        ("values", "{\"$$float\":{\"b\":-0.0},\"a\":["),
        ("maps", "[[[-1,false],\"no\"],"),
    ] {
        let line = outputs(&shop, test, 1);
        assert!(line.contains(expected), "{test}: {line}");
    }
    insta::assert_snapshot!(outputs(&shop, "outcomes", 4), @r#"
    [[22.71352883427666,14,null],{"Err":"invalid digit found in string"}]
    [[14.284702351596176,8,"NONE"],{"Ok":8}]
    [[27.33974349100699,7,"NONE"],{"Ok":7}]
    [[17.88339819072339,6,"NONE"],{"Ok":6}]
    "#);
    insta::assert_snapshot!(outputs(&shop, "panics", 4), @r#"
    [[22.71352883427666,14,null],{"$panic":"14 is too much"}]
    [[14.284702351596176,8,"NONE"],8]
    [[27.33974349100699,7,"NONE"],7]
    [[17.88339819072339,6,"NONE"],6]
    "#);
    insta::assert_snapshot!(outputs(&shop, "texts", 1), @r#"[[22.71352883427666,14,null],["---\n\n---\n","\"\"\r\n\t\\","𝄞\u2028\u0000","<<<<<<< HEAD"]]"#);
    assert!(!shop.has("tests/snapshots/outputs__nothing.snap"));
}

#[test]
fn texts_by_debug_that_hold_for_one_run_alone_are_not_recorded() {
    let shop = Program::shop().checkout();
    let refused = |test: &str| {
        let run = shop.test("outputs", &["--exact", test]);
        run.env("UNSTABLE", "1").fails().report()
    };
    let (set, address) = (refused("set"), refused("address"));
    assert!(
        set.starts_with("set: unstable: 4 of 4 cases differ"),
        "{set}"
    );
    assert!(
        set.contains(r#"unordered("/0/$set") in the attribute"#),
        "{set}"
    );
    assert!(
        address.starts_with("address: unstable: 4 of 4 cases"),
        "{address}"
    );
    assert!(address.contains("another address"), "{address}");
    // Without it, nothing of the output would be left to compare.
    assert!(!address.contains("ignore("), "{address}");
    assert!(!shop.has("tests/snapshots"));
}

/// See `docs/reference/outputs-by-debug.md`.
#[test]
fn what_a_process_makes_once_is_found_by_the_next_process() {
    let shop = Program::shop().checkout();
    let run = || shop.test("outputs", &["--exact", "process"]);
    run().env("UNSTABLE", "1").passes();
    let report = run().env("UNSTABLE", "1").fails().report();
    assert!(
        report.starts_with("process: 4 of 4 cases changed"),
        "{report}"
    );
    assert!(report.contains("/0/$set"), "{report}");
}

#[test]
fn a_function_without_an_output_fails_when_it_panics() {
    let shop = Program::shop().checkout();
    let run = shop
        .test("outputs", &["--exact", "nothing"])
        .env("PANIC", "1")
        .fails();
    insta::assert_snapshot!(run.report().lines().next().unwrap(), @"nothing: 4 of 10 cases panicked");
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn features_of_shared_crates_change_no_byte() {
    let (plain, loaded) = (
        Program::shop().checkout(),
        Program::loaded_shop().checkout(),
    );
    for target in ["pricing", "outputs"] {
        let arguments = [
            "--skip",
            "alike",
            "--skip",
            "refused",
            "--skip",
            "of_the_wrong_type",
        ];
        plain.test(target, &arguments).passes();
        loaded.test(target, &arguments).passes();
    }
    let (plain, loaded) = (snapshots(&plain), snapshots(&loaded));
    assert!(plain.len() > 15, "{:?}", plain.keys());
    for (name, text) in &plain {
        assert_eq!(Some(text), loaded.get(name), "{name}");
    }
    assert_eq!(plain.len(), loaded.len());
}
