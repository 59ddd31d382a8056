//! `cargo tdg why`, on a crate with a history.

use std::fs;

use tdg_tests::{Project, Run, target_directory};

use crate::compare::{ended_with, git, init, manifest};
use crate::packages::SNAPSHOT;
use crate::tdg;
use crate::terminal::Terminal;

const LIBRARY: &str = "\
/// Returns the fee of a parcel.
pub fn fee(grams: u32, express: bool, member: bool) -> Result<u32, String> {
    if grams == 0 {
        return Err(\"empty\".to_owned());
    }
    let mut fee = base(grams);
    if express {
        fee += surcharge(grams);
    }
    if member {
        fee -= fee / 10;
    }
    Ok(fee)
}

fn base(grams: u32) -> u32 {
    if grams > 20_000 { 1_200 } else { 400 }
}

fn surcharge(grams: u32) -> u32 {
    if grams > 1_000 { 500 } else { 300 }
}
";
const TEST: &str = "\
#[tdg::ensemble_test(size = 400)]
fn parcel_fee(
    #[define(uniform(0..=31_500))] grams: u32,
    #[define(bernoulli(0.5))] express: bool,
    #[define(bernoulli(0.5))] member: bool,
) -> Result<u32, String> {
    parcel_fees::fee(grams, express, member)
}
";

/// Tests use the shared target directory, so that tdg is compiled only once.
fn why(project: &Project, arguments: &[&str]) -> Run {
    tdg(project, &["why"])
        .arguments(arguments)
        .env("CARGO_TARGET_DIR", target_directory())
}

fn parcels() -> Project {
    let project = Project::package(
        "parcel-fees",
        &[
            ("src/lib.rs", LIBRARY),
            ("tests/fees.rs", TEST),
            (".gitignore", "target\n.tdg\n"),
        ],
    );
    project.cargo(&["test"]).passes();
    init(&project);
    project
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn two_changes_have_their_own_rules_and_lines() {
    let project = parcels();
    project.edit(
        "src/lib.rs",
        "grams > 20_000 { 1_200 }",
        "grams > 17_431 { 1_200 }",
    );
    // Without an effect.
    project.edit(
        "src/lib.rs",
        "\"empty\".to_owned()",
        "String::from(\"empty\")",
    );
    project.edit("src/lib.rs", "{ 500 } else { 300 }", "{ 550 } else { 300 }");
    project.cargo(&["test"]).fails();
    let answer = ended_with(1, why(&project, &[])).stdout;
    insta::assert_snapshot!(without_hashes(&answer), @r#"
    parcel_fee: 218 of 400 cases changed since HEAD (…)

      exactly those with 17431 < grams <= 20000
          1,498 more rows on both sides of that line: no exception
      /Ok: actual = 3 × expected where express = false, 35/19 × expected where true in all 32
      smallest: {"grams": 17432, "express": false, "member": false}   {"Ok":400} → {"Ok":1200}
      call:     parcel_fees::fee(17432, false, false)
      lines: it makes the difference in 32 of the 218 cases
        src/lib.rs:17
          - if grams > 20_000 { 1_200 } else { 400 }
          + if grams > 17_431 { 1_200 } else { 400 }

      exactly those with express = true and grams > 1000
          2,000 more rows on both sides of that line: no exception
      /Ok: actual = expected + 50 where member = false, expected + 45 where true in all 200
      smallest: {"grams": 1001, "express": true, "member": false}   {"Ok":900} → {"Ok":950}
      call:     parcel_fees::fee(1001, true, false)
      lines: it makes the difference in 200 of the 218 cases
        src/lib.rs:21
          - if grams > 1_000 { 500 } else { 300 }
          + if grams > 1_000 { 550 } else { 300 }
    "#);
    let lines = ended_with(1, why(&project, &["parcel_fee", "--json"])).stdout;
    assert!(lines.contains(r#""since":"HEAD ("#), "{lines}");
    // A review shows the answer that is kept.
    let target = target_directory();
    let target = ("CARGO_TARGET_DIR", target.to_str().unwrap());
    let mut review = Terminal::start(&project, &["review"], &[target]);
    review.sees("exactly those with 17431 < grams <= 20000");
    review.sees("src/lib.rs:17");
    review.sees("quit");
    review.press("q");
    assert_eq!(review.ends(), 1);

    // Of a change that one rule explains, the history has the rule, once.
    project.edit("src/lib.rs", "{ 550 } else { 300 }", "{ 500 } else { 300 }");
    project.cargo(&["test"]).fails();
    for _ in 0..2 {
        ended_with(1, why(&project, &[]));
    }
    let history = tdg(&project, &["history", "parcel_fee", "--json"]).passes();
    let rule = r#""part":"value /Ok","rule":"exactly those with 17431 < grams <= 20000""#;
    let found = history.stdout.matches(rule).count();
    assert_eq!(found, 1, "{}", history.stdout);

    // Committed, the change is explained against the commit with the benchmark.
    git(
        &project,
        &["commit", "--quiet", "--all", "--message=changed"],
    );
    let answer = ended_with(1, why(&project, &["parcel_fee"])).stdout;
    assert!(answer.contains("of 400 cases changed since "), "{answer}");
    let answer = why(&project, &["parcel_fee", "--from", "HEAD"])
        .passes()
        .stdout;
    insta::assert_snapshot!(without_hashes(&answer), @r#"
    parcel_fee: all 400 cases are the same since HEAD (…)
    "#);
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn the_updated_package_that_changed_the_outputs_is_named() {
    let shelf = "registry = \"shelf\"";
    let manifest = tdg_tests::manifest("parcel-updates", "");
    let dependencies = format!(
        "[dependencies]\nlabels = {{ version = \"1\", {shelf} }}\nrates = {{ version = \"1\", {shelf} }}\n\
         zones = {{ version = \"1\", {shelf} }}\n\n"
    );
    let manifest = manifest.replacen(
        "[dev-dependencies]",
        &format!("{dependencies}[dev-dependencies]"),
        1,
    );
    let library = "pub fn fee(kilos: u32) -> u32 {
    labels::LABEL.len() as u32 + kilos * rates::per_kilo(kilos) + zones::ZONE
}
";
    let test = "#[tdg::ensemble_test]\nfn fee(#[define(uniform(0..=30))] kilos: u32) -> u32 \
                { parcel_updates::fee(kilos) }\n";
    let project = Project::new(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", library),
        ("tests/fees.rs", test),
        (".gitignore", "target\n.tdg\n"),
        (
            ".cargo/config.toml",
            "[registries.shelf]\nindex = \"https://shelf.invalid/\"\n\n[source.shelf]\n\
             registry = \"https://shelf.invalid/\"\nreplace-with = \"vendored\"\n\n\
             [source.vendored]\ndirectory = \"vendor\"\n",
        ),
    ]);
    let vendor = |name: &str, version: &str, source: &str| {
        let at = |file: &str| format!("vendor/{name}-{version}/{file}");
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\n");
        project.write(&at("Cargo.toml"), &manifest);
        project.write(&at("src/lib.rs"), source);
        project.write(&at(".cargo-checksum.json"), r#"{"files":{}}"#);
    };
    let vendor_all = |version: &str, heavy: u32| {
        vendor("labels", version, "pub const LABEL: &str = \"parcel\";\n");
        let rates = format!(
            "pub fn per_kilo(kilos: u32) -> u32 {{ if kilos > {heavy} {{ 9 }} else {{ 7 }} }}\n"
        );
        vendor("rates", version, &rates);
        vendor("zones", version, "pub const ZONE: u32 = 3;\n");
    };
    vendor_all("1.0.0", 20);
    project.cargo(&["test"]).passes();
    init(&project);
    vendor_all("1.1.0", 25);
    // As after `cargo vendor`, an older version is gone.
    fs::remove_dir_all(project.path("vendor/zones-1.0.0")).unwrap();
    let update = ["update", "--offline", "labels", "rates", "zones"];
    project.cargo(&update).passes();
    project.cargo(&["test"]).fails();
    let answer = ended_with(1, why(&project, &[])).stdout;
    insta::assert_snapshot!(without_hashes(&answer), @r#"
    fee: 18 of 100 cases changed since HEAD (…)

      exactly those with 20 < kilos <= 25
          125 more rows: no exception
      actual = expected − 2 × kilos in all 18
      smallest: {"kilos": 21}   198 → 156
      call:     parcel_updates::fee(21)
      lines: without it, all are as before
        Cargo.lock
          - rates 1.0.0
          + rates 1.1.0
      not taken back alone:
        Cargo.lock
          - zones 1.0.0
          + zones 1.1.0
          error: failed to select a version for the requirement `zones = "^1"` (locked to 1.0.0)
    "#);
}

#[test]
fn a_test_that_writes_files_has_to_be_allowed() {
    let test = "#[tdg::ensemble_test]\nfn saved(x: u8) -> bool { write(x) }\n\
                fn write(x: u8) -> bool { std::fs::write(\"a\", [x]).is_ok() }\n";
    let project = Project::without_lock(&[
        ("Cargo.toml", &manifest("saved-parcels")),
        ("src/lib.rs", ""),
        ("tests/fees.rs", test),
        (
            "tests/snapshots/fees__saved.snap",
            &SNAPSHOT.replace("{name}", "saved"),
        ),
    ]);
    let refused = ended_with(2, tdg(&project, &["why", "saved"]));
    insta::assert_snapshot!(refused.stderr, @"error: saved: the test uses files, for each of thousands of rows; to run it: --allow");
    let mut terminal = Terminal::start(&project, &["why", "saved"], &[]);
    terminal.sees("uses files, for each of thousands of rows. Run it? (y/n)");
    terminal.press("n");
    terminal.sees("to run it: --allow");
    assert_eq!(terminal.ends(), 2);
}

/// Replaces the hashes of commits.
fn without_hashes(answer: &str) -> String {
    let start = answer.find(" (").map_or(answer.len(), |it| it + 2);
    let (before, rest) = answer.split_at(start);
    let end = rest.find(')').unwrap_or(0);
    format!("{before}…{}", &rest[end..])
}
