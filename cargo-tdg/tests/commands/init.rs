//! `cargo tdg init`.

use tdg_tests::{Project, Run, target_directory, workspace};

use crate::terminal::Terminal;
use crate::{TOTAL, ended, tdg};

const MANIFEST: &str = r#"[package]
name = "tdg-init-command"
version = "0.1.0"
edition = "2024"

[workspace]

[lints.rust]
warnings = "deny"

[profile.dev]
debug = 0
"#;

/// Returns the path of this clone of tdg.
fn sources() -> String {
    workspace().display().to_string()
}

#[test]
fn a_package_gets_a_first_test_that_passes() {
    let project = Project::new(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "//! Nothing yet.\n"),
        (".gitignore", "target"),
    ]);
    let run = tdg(&project, &["init", "--path", &sources()]).finish();
    insta::assert_snapshot!(ended(&project, &run), @"
    added tdg to the dev-dependencies of tdg-init-command
    wrote tests/ensembles.rs
    added *.snap.new to .gitignore

    Run `cargo test` to record the first benchmark; the next run compares with it.
    Then call one of your functions in the test.
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
    Three options change its build: --dynamic links edited tests sooner, --no-sqlite compiles less, --optimize runs large ensembles faster
    (0)
    ");
    assert_eq!(project.read(".gitignore"), "target\n*.snap.new\n");

    project.cargo(&["fmt", "--check"]).passes();
    let first = project.cargo(&["test"]).passes();
    insta::assert_snapshot!(first.said(), @"
    tdg: recorded total, 200 cases, tests/snapshots/ensembles__total.snap
       Doc-tests tdg_init_command
    ");
    assert_eq!(project.cargo(&["test"]).passes().said(), "");

    // A second run would overwrite the user's edits.
    let again = tdg(&project, &["init", "--path", &sources()]).finish();
    insta::assert_snapshot!(ended(&project, &again), @"
    error: tests/ensembles.rs already exists, so nothing was written; `cargo tdg init --for FUNCTION` adds a test of one of your functions
    (2)
    ");
}

/// Runs `cargo tdg init` in a terminal.
fn asking(project: &Project, more: &[&str]) -> Terminal {
    let sources = sources();
    let arguments = [&["init", "--path", &sources], more].concat();
    Terminal::start(project, &arguments, &[("NO_COLOR", "1")])
}

/// Returns a package and the new lines of its manifest after these answers.
fn answered(name: &str, [dynamic, sqlite, optimize]: [&str; 3]) -> (Project, String) {
    let manifest = MANIFEST.replace("tdg-init-command", name);
    let project = Project::new(&[("Cargo.toml", &manifest), ("src/lib.rs", "")]);
    let mut terminal = asking(&project, &[]);
    if cfg!(unix) {
        let question = terminal.sees(" [y/N] ");
        assert!(question.starts_with("Link tdg as a shared library? "));
        terminal.press(dynamic);
    }
    // A shared library has no SQLite.
    if !sqlite.is_empty() {
        let question = terminal.sees(" [Y/n] ");
        assert!(question.contains("Bundle SQLite (about 10 s)? "));
        terminal.press(sqlite);
    }
    terminal
        .sees("Optimise tdg's dev builds, about 1 min? Large ensembles run twice as fast. [y/N] ");
    terminal.press(optimize);
    let output = terminal.ends_with();
    assert!(
        output.contains("added tdg to the dev-dependencies"),
        "{output}"
    );
    assert!(!output.contains("--no-sqlite"), "{output}");
    let now = project.read("Cargo.toml");
    let path = now.split("tdg = { path = \"").nth(1).unwrap();
    let now = now.replace(path.split('"').next().unwrap(), "<tdg>");
    let new = now
        .lines()
        .filter(|it| !it.is_empty() && !manifest.contains(it));
    let new: Vec<&str> = new.collect();
    (project, new.join("\n"))
}

#[test]
fn on_a_terminal_costs_are_asked_for_and_enter_takes_the_default() {
    insta::assert_snapshot!(answered("tdg-init-enter", ["\r", "\r", "\r"]).1, @r#"
    [dev-dependencies]
    tdg = { path = "<tdg>" }
    "#);
    insta::assert_snapshot!(answered("tdg-init-letters", ["N", "Y", "N"]).1, @r#"
    [dev-dependencies]
    tdg = { path = "<tdg>" }
    "#);

    #[cfg(unix)]
    insta::assert_snapshot!(answered("tdg-init-dynamic", ["y", "", "n"]).1, @r#"
    [dev-dependencies]
    tdg = { path = "<tdg>", default-features = false, features = ["explain", "dynamic"] }
    "#);

    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-cancelled");
    let project = Project::new(&[("Cargo.toml", &manifest), ("src/lib.rs", "")]);
    // Other keys don't answer the question.
    for (key, question) in [("x", "[y/N] "), ("n", "[Y/n] ")] {
        let mut terminal = asking(&project, &[]);
        terminal.sees("[y/N] ");
        terminal.press(key);
        terminal.sees(question);
        terminal.press("\u{1b}");
        terminal.sees("error: nothing was written");
        assert_eq!(terminal.ends(), 2);
    }
    assert_eq!(project.read("Cargo.toml"), manifest);
    assert!(!project.has("tests") && !project.has(".gitignore"));
}

#[test]
#[ignore = "compiles a profile of its own; part of `./test all`"]
fn a_test_without_sqlite_that_is_optimised_passes() {
    let (project, manifest) = answered("tdg-init-other-costs", ["n", "n", "y"]);
    insta::assert_snapshot!(manifest, @r#"
    [dev-dependencies]
    tdg = { path = "<tdg>", default-features = false, features = ["explain"] }
    [profile.dev.package]
    # Dependencies without debug information: test binaries are much smaller, and linked sooner.
    "*" = { debug = false }
    # Large ensembles and explanations take less time.
    tdg-definition = { opt-level = 1 }
    tdg-engine = { opt-level = 1 }
    tdg-explain = { opt-level = 1 }
    tdg-report = { opt-level = 1 }
    tdg-run = { opt-level = 1 }
    "#);
    let first = project.cargo(&["test"]).passes();
    assert!(
        first.stderr.contains("tdg: recorded total, 200 cases"),
        "{first}"
    );
    assert_eq!(project.cargo(&["test"]).passes().said(), "");

    // The second test uses the existing dependency.
    project.write("src/lib.rs", "pub fn half(a: u8) -> u8 { a / 2 }");
    let output = asking(&project, &["--no-build", "--for", "half"]).ends_with();
    assert!(output.contains("the test half"), "{output}");
    let run = tdg(&project, &["init", "--no-sqlite", "--for", "half"]).finish();
    insta::assert_snapshot!(ended(&project, &run), @r#"
    error: tdg-init-other-costs depends on tdg already, so nothing was written; to leave SQLite out, add default-features = false, features = ["explain"] to tdg in its Cargo.toml
    (2)
    "#);
}

#[test]
fn options_decide_costs_and_profiles_in_the_workspace_stay() {
    let root = "[workspace]\nresolver = \"3\"\nmembers = [\"member\"]\n\n\
                [profile.dev.package.\"*\"]\nopt-level = 2\n";
    let member = MANIFEST.replace("tdg-init-command", "tdg-init-options");
    let member = member.split("[workspace]").next().unwrap();
    let project = Project::without_lock(&[
        ("Cargo.toml", root),
        ("member/Cargo.toml", member),
        ("member/src/lib.rs", ""),
    ]);
    let options = ["init", "--path", &sources(), "--no-sqlite", "--optimize"];
    insta::assert_snapshot!(ended(&project, &tdg(&project, &options).finish()), @r#"
    added tdg to the dev-dependencies of tdg-init-options
    wrote member/tests/ensembles.rs
    added *.snap.new to .gitignore
    to do Cargo.toml already has opt-levels or profiles, so add these:
    [profile.dev.package]
    # Dependencies without debug information: test binaries are much smaller, and linked sooner.
    "*" = { debug = false }
    # Large ensembles and explanations take less time.
    tdg-definition = { opt-level = 1 }
    tdg-engine = { opt-level = 1 }
    tdg-explain = { opt-level = 1 }
    tdg-report = { opt-level = 1 }
    tdg-run = { opt-level = 1 }

    Run `cargo test` to record the first benchmark; the next run compares with it.
    Then call one of your functions in the test.
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
    (0)
    "#);
    assert_eq!(project.read("Cargo.toml"), root);
    assert!(
        project
            .read("member/Cargo.toml")
            .contains("default-features = false")
    );
    // If the profile can't be added, the question is skipped.
    project.write("member/Cargo.toml", member);
    project.remove("member/tests");
    let mut terminal = asking(&project, &[]);
    for question in ["[y/N] ", "[Y/n] "] {
        terminal.sees(question);
        terminal.press("\r");
    }
    let output = terminal.ends_with();
    assert!(!output.contains("Optimise"), "{output}");
    project.remove("member/tests");
}

/// Functions with all kinds of parameters.
const PRICING: &str = r#"
type Amount = f64;

pub enum Error { Negative }
impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("negative") }
}

pub fn total(amount: Amount, quantity: &u32, coupon: Option<&str>) -> Result<Amount, Error> {
    let share = if coupon.is_some() { 0.5 } else { 1.0 };
    match amount {
        ..0.0 => Err(Error::Negative),
        _ => Ok(amount / f64::from(*quantity).max(1.0) * share),
    }
}
"#;
const TEXT: &str = r#"
use std::borrow::Cow;

pub fn words<'a>(text: &'a str) -> Vec<&'a str> { text.split(' ').collect() }
pub fn all(a: Box<str>, b: Cow<'_, str>, c: &String, d: char, e: Option<&i64>, f: &Option<bool>) -> String {
    format!("{a}{b}{c}{d}{e:?}{f:?}")
}
pub fn slice(amounts: &[f64]) -> f64 { amounts.iter().sum() }
"#;
/// Types that define how they are drawn.
const TYPES: &str = r#"
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use tdg::Define;

#[derive(Clone, Define, Deserialize, Serialize)]
pub enum Ward { Surgery, Maternity }
#[derive(Define, Deserialize)]
pub struct Stay { #[define(uniform(1..=9))] pub days: u8, pub ward: Ward }
#[derive(Serialize)]
pub struct Bill { ward: Ward, total: u32 }

impl Bill {
    pub fn of(stay: &Stay) -> Self { Bill { ward: stay.ward.clone(), total: stay.days.into() } }
}
pub fn label(ward: &Ward, other: Option<Ward>) -> &'static str {
    match (ward, other) { (Ward::Surgery, None) => "surgery", _ => "other" }
}
pub struct Bed { pub ward: u8, pub number: i64 }
pub fn count(wards: Vec<Ward>, pair: (Option<Ward>, [Stay; 2]), beds: &[Bed]) -> usize {
    wards.len() + pair.1.len() + beds.len()
}
#[derive(Define, Deserialize)]
pub struct Sku(#[define(any)] String);
#[derive(Define, Deserialize)]
pub enum Payment {
    Card(#[define(any)] u64),
    Invoice { #[define(uniform(7..=60))] days: u16 },
    Cash,
}
pub fn pay(payment: &Payment, all: Vec<Payment>, stay: Stay, more: Option<&Stay>) -> usize {
    let days = |it: &Payment| match it {
        Payment::Card(number) => usize::from(*number > 9),
        Payment::Invoice { days } => usize::from(*days),
        Payment::Cash => 0,
    };
    days(payment) + all.iter().map(days).sum::<usize>() + usize::from(stay.days) + usize::from(more.is_some())
}
pub fn code(sku: &Sku) -> usize { sku.0.len() }
pub fn bytes(a: &[u8], b: [u8; 4], c: &[Vec<u8>], d: Box<[u8]>) -> usize {
    a.len() + b.len() + c.len() + d.len()
}
pub fn collections(
    maps: &HashMap<String, f64>,
    nested: BTreeMap<u16, Vec<Stay>>,
    set: HashSet<bool>,
    bytes: BTreeSet<Vec<u8>>,
    words: &[&str],
    pairs: VecDeque<(char, Option<u8>)>,
) -> usize {
    maps.len() + nested.len() + set.len() + bytes.len() + words.len() + pairs.len()
}
pub fn sum(some: Option<&[f64]>, boxed: Box<[f64]>) -> f64 {
    boxed.iter().chain(some.unwrap_or_default()).sum()
}
"#;

/// Returns the command's output for a function.
fn test_of(project: &Project, function: &str) -> String {
    let path = sources();
    let arguments = ["init", "--no-build", "--path", &path, "--for", function];
    ended(project, &tdg(project, &arguments).finish())
}

fn is_formatted(project: &Project) {
    let run = Run::new("rustfmt", project.folder());
    run.arguments(&["--edition=2024", "--check", "tests/ensembles.rs"])
        .passes();
}

#[test]
fn a_function_gets_a_test() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-function");
    let project = Project::new(&[
        ("Cargo.toml", &manifest),
        (
            "src/lib.rs",
            "mod pricing;\npub mod text;\npub use pricing::{Error, total};\n",
        ),
        ("src/pricing.rs", PRICING),
        ("src/text.rs", TEXT),
    ]);
    insta::assert_snapshot!(test_of(&project, "totals"), @"
    error: no function `totals` in the sources of the crate `tdg_init_function`; did you mean `tdg_init_function::pricing::total`?
    (2)
    ");
    assert!(!project.has("tests") && project.read("Cargo.toml") == manifest);

    insta::assert_snapshot!(test_of(&project, "tdg_init_function::total"), @"
    added tdg to the dev-dependencies of tdg-init-function
    wrote the test total in tests/ensembles.rs
    added *.snap.new to .gitignore

    Run `cargo test` to record the first benchmark; the next run compares with it.
    `any` draws every value of a type; narrow it to the values that the function is for: #[define(uniform(1..=20))]
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
    Three options change its build: --dynamic links edited tests sooner, --no-sqlite compiles less, --optimize runs large ensembles faster
    (0)
    ");
    insta::assert_snapshot!(test_of(&project, "text::words"), @"
    wrote the test words in tests/ensembles.rs

    Run `cargo test` to record the first benchmark; the next run compares with it.
    `any` draws every value of a type; narrow it to the values that the function is for: #[define(uniform(1..=20))]
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
    (0)
    ");
    insta::assert_snapshot!(test_of(&project, "text::slice"), @"
    wrote the test slice in tests/ensembles.rs

    Run `cargo test` to record the first benchmark; the next run compares with it.
    `any` draws every value of a type; narrow it to the values that the function is for: #[define(uniform(1..=20))]
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
    (0)
    ");
    test_of(&project, "text::all");
    test_of(&project, "total");
    is_formatted(&project);
    insta::assert_snapshot!(project.read("tests/ensembles.rs"), @r#"
    //! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

    #[tdg::ensemble_test]
    fn total(
        #[define(any, edge_cases(probability = 0.1, values = [-1.0, -5e-324, 0.0, 5e-324, 1.0]))]
        amount: f64,
        #[define(any, edge_cases(probability = 0.06, values = [0, 1, 2]))] quantity: u32,
        #[define(any)] coupon: Option<&str>,
    ) -> Result<f64, tdg_init_function::Error> {
        tdg_init_function::total(amount, &quantity, coupon)
    }

    #[tdg::ensemble_test]
    fn words<'a>(
        #[define(any, edge_cases(probability = 0.05, values = [" "]))] text: &'a str,
    ) -> Vec<&'a str> {
        tdg_init_function::text::words(text)
    }

    #[tdg::ensemble_test]
    fn slice(#[define([any; 0..=8])] amounts: Vec<f64>) -> f64 {
        tdg_init_function::text::slice(&amounts)
    }

    #[tdg::ensemble_test]
    fn all(
        #[define(any)] a: Box<str>,
        #[define(any)] b: std::borrow::Cow<'_, str>,
        #[define(any)] c: String,
        #[define(any)] d: char,
        #[define(any)] e: Option<i64>,
        #[define(any)] f: Option<bool>,
    ) -> String {
        tdg_init_function::text::all(a, b, &c, d, e.as_ref(), &f)
    }

    #[tdg::ensemble_test]
    fn total_2(
        #[define(any, edge_cases(probability = 0.1, values = [-1.0, -5e-324, 0.0, 5e-324, 1.0]))]
        amount: f64,
        #[define(any, edge_cases(probability = 0.06, values = [0, 1, 2]))] quantity: u32,
        #[define(any)] coupon: Option<&str>,
    ) -> Result<f64, tdg_init_function::Error> {
        tdg_init_function::total(amount, &quantity, coupon)
    }
    "#);
    project.cargo(&["test"]).passes();
    assert_eq!(project.cargo(&["test"]).passes().said(), "");
}

#[test]
fn a_type_that_states_how_it_is_drawn_is_taken() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-types")
        + "\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\ntdg = { path = \"{tdg}\" }\n";
    let project = Project::new(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", TYPES),
        // An existing file is extended.
        ("tests/ensembles.rs", "#[test]\nfn label() {}"),
    ]);
    insta::assert_snapshot!(test_of(&project, "Bill::of"), @"
    wrote the test bill_of in tests/ensembles.rs
    added *.snap.new to .gitignore

    Run `cargo test` to record the first benchmark; the next run compares with it.
    The rows are drawn as the type states.
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
    (0)
    ");
    test_of(&project, "label");
    is_formatted(&project);
    test_of(&project, "count");
    for function in ["sum", "pay", "code", "bytes", "collections"] {
        test_of(&project, function);
    }
    insta::assert_snapshot!(project.read("tests/ensembles.rs"), @"
    #[test]
    fn label() {}

    #[tdg::ensemble_test(definition = tdg_init_types::Stay)]
    fn bill_of(stay: tdg_init_types::Stay) -> tdg_init_types::Bill {
        tdg_init_types::Bill::of(&stay)
    }

    #[tdg::ensemble_test]
    fn label_2(ward: tdg_init_types::Ward, other: Option<tdg_init_types::Ward>) -> &'static str {
        tdg_init_types::label(&ward, other)
    }

    #[tdg::ensemble_test]
    fn count(
        #[define([tdg_init_types::Ward; 0..=8])] wards: Vec<tdg_init_types::Ward>,
        #[define((Option<tdg_init_types::Ward>, [tdg_init_types::Stay]))] pair: (
            Option<tdg_init_types::Ward>,
            [tdg_init_types::Stay; 2],
        ),
        #[define([(any, any), via = |ward: u8, number: i64| tdg_init_types::Bed { ward, number }; 0..=8])]
        beds: Vec<tdg_init_types::Bed>,
    ) -> usize {
        tdg_init_types::count(wards, pair, &beds)
    }

    #[tdg::ensemble_test]
    fn sum(
        #[define([any; 0..=8], null_probability = 0.2)] some: Option<Vec<f64>>,
        #[define([any; 0..=8])] boxed: Box<[f64]>,
    ) -> f64 {
        tdg_init_types::sum(some.as_deref(), boxed)
    }

    #[tdg::ensemble_test]
    fn pay(
        payment: tdg_init_types::Payment,
        #[define([tdg_init_types::Payment; 0..=8])] all: Vec<tdg_init_types::Payment>,
        stay: tdg_init_types::Stay,
        more: Option<tdg_init_types::Stay>,
    ) -> usize {
        tdg_init_types::pay(&payment, all, stay, more.as_ref())
    }

    #[tdg::ensemble_test]
    fn code(sku: tdg_init_types::Sku) -> usize {
        tdg_init_types::code(&sku)
    }

    #[tdg::ensemble_test]
    fn bytes(
        #[define(any, length(0..=64))] a: Vec<u8>,
        #[define(any)] b: [u8; 4],
        #[define([any, length(0..=64); 0..=8])] c: Vec<Vec<u8>>,
        #[define(any, length(0..=64))] d: Box<[u8]>,
    ) -> usize {
        tdg_init_types::bytes(&a, b, &c, d)
    }

    #[tdg::ensemble_test]
    fn collections(
        #[define({any => any; 0..=8})] maps: std::collections::HashMap<String, f64>,
        #[define({any => [tdg_init_types::Stay; 0..=8]; 0..=8})] nested: std::collections::BTreeMap<
            u16,
            Vec<tdg_init_types::Stay>,
        >,
        #[define([any; 0..=8])] set: std::collections::HashSet<bool>,
        #[define([any, length(0..=64); 0..=8])] bytes: std::collections::BTreeSet<Vec<u8>>,
        #[define([any; 0..=8])] words: Vec<&str>,
        #[define([(any, any); 0..=8])] pairs: std::collections::VecDeque<(char, Option<u8>)>,
    ) -> usize {
        tdg_init_types::collections(&maps, nested, set, bytes, &words, pairs)
    }
    ");
    project.cargo(&["test"]).passes();
    assert_eq!(project.cargo(&["test"]).passes().said(), "");
}

#[test]
fn without_tdg_in_the_registry_the_error_suggests_a_clone() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-registry");
    let project = Project::new(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", ""),
        // A registry without crates.
        ("registry/index/.keep", ""),
        (
            ".cargo/config.toml",
            "[source.crates-io]\nreplace-with = \"none\"\n\n[source.none]\ndirectory = \"registry\"\n",
        ),
    ]);
    let run = tdg(&project, &["init"]).finish();
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.starts_with("error: can't add tdg: "), "{run}");
    assert!(
        run.stderr.trim_end().ends_with(
            "if the registry does not have tdg, use a clone: `cargo tdg init --path CLONE`"
        ),
        "{run}"
    );
    assert!(!project.has("tests/ensembles.rs"));
}

#[test]
fn in_a_workspace_the_package_is_named() {
    let member = "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let one = member.replace("{}", "tdg-init-one");
    let two = member.replace("{}", "tdg-init-two");
    let project = Project::without_lock(&[
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"one\", \"two\"]\n",
        ),
        ("one/Cargo.toml", &one),
        ("one/src/lib.rs", ""),
        ("two/Cargo.toml", &two),
        ("two/src/main.rs", "fn main() {}"),
    ]);
    let output = |arguments: &[&str]| ended(&project, &tdg(&project, arguments).finish());
    insta::assert_snapshot!(output(&["init"]), @"
    error: choose a package: `cargo tdg init --package NAME`
    (2)
    ");
    insta::assert_snapshot!(output(&["init", "-p", "tdg-init-tow"]), @"
    error: no package `tdg-init-tow` in this workspace; did you mean `tdg-init-two`?
    (2)
    ");
    insta::assert_snapshot!(output(&["init", "-p", "tdg-init-two", "--for", "main"]), @"
    error: tdg-init-two has no library, and tests in `tests` can't call the functions of a binary; move `main` to src/lib.rs, or write an ensemble test next to it
    (2)
    ");
    // The path may also point to the crate itself.
    let sources = workspace().join("tdg").display().to_string();
    let init = tdg(
        &project,
        &["init", "-p", "tdg-init-two", "--path", &sources],
    );
    init.env("CARGO_TARGET_DIR", target_directory()).passes();
    assert!(project.has("two/tests/ensembles.rs"));
    assert!(
        project
            .read("two/Cargo.toml")
            .contains("[dev-dependencies]\ntdg = ")
    );
    // Otherwise the cleanup of this project would remove another project's `ensembles` from the
    // target directory.
    project.remove("two/tests");
}

#[test]
fn snapshot_files_are_folded_on_github_if_asked_for() {
    let shop = crate::changed_shop();
    let init = || ended(&shop, &tdg(&shop, &["init", "--gitattributes"]).finish());
    let attribute = |file: &str| {
        let check = ["check-attr", "linguist-generated", "--", file];
        let run = Run::new("git", shop.folder()).arguments(&check).passes();
        run.stdout
            .trim_end()
            .rsplit(": ")
            .next()
            .unwrap()
            .to_owned()
    };
    Run::new("git", shop.folder())
        .arguments(&["init", "--quiet"])
        .passes();
    // Without insta, a pattern is enough.
    shop.write("Cargo.lock", "");
    insta::assert_snapshot!(init(), @"
    added **/snapshots/*.snap linguist-generated to .gitattributes
    (0)
    ");
    assert_eq!(attribute(TOTAL), "set");

    // Insta's files have similar names, so tdg's are listed one by one.
    let other = "tests/snapshots/pricing__text.snap";
    shop.write(other, "---\nsource: tests/pricing.rs\n---\nHello\n");
    shop.pricing("invoice").passes();
    insta::assert_snapshot!(init(), @"
    added tests/snapshots/pricing__invoice.snap linguist-generated to .gitattributes
    added tests/snapshots/pricing__total.snap linguist-generated to .gitattributes
    (0)
    ");
    assert_eq!(
        (attribute(TOTAL), attribute(other)),
        ("set".to_owned(), "unspecified".to_owned())
    );
    insta::assert_snapshot!(shop.read(".gitattributes"), @"
    # Snapshot files of tdg: cargo tdg init --gitattributes
    tests/snapshots/pricing__invoice.snap linguist-generated
    tests/snapshots/pricing__total.snap linguist-generated
    ");
}

#[test]
fn a_function_of_a_dependency_gets_a_test() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-dependency")
        + "\n[dependencies]\nnear = { package = \"near-by\", path = \"near\" }\n";
    let near = "[package]\nname = \"near-by\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[features]\nmore = []\n";
    let project = Project::without_lock(&[
        ("Cargo.toml", &manifest),
        ("src/main.rs", "fn main() {}\n"),
        ("near/Cargo.toml", near),
        (
            "near/src/lib.rs",
            "pub fn half(x: u8) -> u8 { if x > 100 { 50 } else { x / 2 } }\n#[cfg(feature = \"more\")] pub fn more(x: u8) -> u8 { x }",
        ),
    ]);
    let run = test_of(&project, "near::half");
    assert!(run.contains("wrote the test half"), "{run}");
    let run = test_of(&project, "near::more");
    assert!(run.contains("no function `near::more`"), "{run}");
    insta::assert_snapshot!(project.read("tests/ensembles.rs"), @"
    //! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

    #[tdg::ensemble_test]
    fn half(
        #[define(any, edge_cases(probability = 0.12, values = [1, 2, 3, 99, 100, 101]))] x: u8,
    ) -> u8 {
        near::half(x)
    }
    ");
}

#[test]
fn a_package_that_lists_its_tests_has_to_list_the_new_one() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-listed");
    let manifest = manifest.replace("edition", "autotests = false\nedition");
    let library = "pub fn half(x: u8) -> u8 { x / 2 }";
    let project = Project::new(&[("Cargo.toml", &manifest), ("src/lib.rs", library)]);
    let said = test_of(&project, "half");
    let notice = "to do add this to Cargo.toml, which has `autotests = false`, so that cargo builds \
                  the test:\n[[test]]\nname = \"ensembles\"\n";
    assert!(said.contains(notice), "{said}");
    let all = tdg(&project, &["init", "--all", "--path", &sources()]).finish();
    insta::assert_snapshot!(ended(&project, &all), @"
    error: cargo builds no trial with `autotests = false` in Cargo.toml; remove the line
    (2)
    ");
    let manifest = project.read("Cargo.toml");
    project.write(
        "Cargo.toml",
        &format!("{manifest}\n[[test]]\nname = \"ensembles\"\n"),
    );
    let said = test_of(&project, "half");
    assert!(!said.contains("to do"), "{said}");
}

/// Functions whose tests compile only in some ways.
const SHAPES: &str = r#"
#[derive(Debug, PartialEq)]
pub struct Size { width: u32, height: u32 }
impl Size {
    pub fn new(width: u32, height: u32) -> Option<Self> {
        (width < 100 && height < 100).then_some(Size { width, height })
    }
    pub fn grow(&mut self, by: u32) -> bool { self.width += by % 7; self.width > 50 }
}
pub enum Kind { Wide, High }
#[derive(Clone, Copy)]
pub struct View<'a>(&'a str);
impl<'a> View<'a> {
    pub fn new(text: &'a str) -> Self { View(text) }
    pub fn first(&self) -> Option<&'a str> { self.0.split(',').next() }
}
pub fn order(a: u8, b: u8) -> std::cmp::Ordering { a.cmp(&b) }
pub fn larger<T: PartialOrd>(a: T, b: T) -> T { if a > b { a } else { b } }
pub fn edge(size: &Size, kind: Kind) -> u32 {
    match kind { Kind::Wide => size.width, Kind::High => size.height }
}
pub fn steps(to: u8) -> impl Iterator<Item = u8> { (0..to).step_by(50) }
pub fn remove(path: &str) -> bool { std::fs::remove_file(path).is_ok() }
pub struct Part { pub whole: u8, rest: u8 }
impl Part { pub fn rest(&self) -> u8 { self.rest } }
pub fn split(of: u8) -> Option<Part> { (of > 9).then_some(Part { whole: of / 10, rest: of % 10 }) }
pub fn half(of: u32) -> u32 { assert!(of < 4_000_000_000, "too much"); of / 2 }
pub trait Seat { fn number(&self) -> u32; }
#[derive(Debug)]
pub struct Ticket(u32);
impl Ticket { pub fn new<S: Seat>(seat: &S) -> Self { Ticket(seat.number()) } }
/// ```
/// use tdg_init_shapes::{Seat, Ticket};
///
/// struct Box(u32);
/// impl Seat for Box { fn number(&self) -> u32 { self.0 } }
///
/// let ticket = Ticket::new(&Box(7));
/// assert_eq!(tdg_init_shapes::price(&ticket), 21);
/// ```
pub fn price(ticket: &Ticket) -> u32 { if ticket.0 > 10 { 34 } else { 21 } }
"#;

#[test]
fn the_way_that_compiles_and_whose_rows_run_is_written() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-shapes");
    let project = Project::new(&[("Cargo.toml", &manifest), ("src/lib.rs", SHAPES)]);
    let path = sources();
    for function in [
        "order",
        "larger",
        "edge",
        "steps",
        "half",
        "View::first",
        "Size::grow",
        "split",
        "price",
    ] {
        let run = tdg(&project, &["init", "--path", &path, "--for", function]);
        let run = run.env("CARGO_TARGET_DIR", target_directory()).finish();
        assert!(run.success && !run.stdout.contains("to do"), "{run}");
    }
    let run = tdg(&project, &["init", "--path", &path, "--for", "remove"]).finish();
    let reason = "the test was not built, since the function accesses files";
    assert!(run.success && run.stdout.contains(reason), "{run}");
    is_formatted(&project);
    let tests = project.read("tests/ensembles.rs");
    let (tests, of_files) = tests
        .split_once("\n#[tdg::ensemble_test]\nfn remove")
        .unwrap();
    assert!(
        of_files.contains("tdg_init_shapes::remove(path)"),
        "{of_files}"
    );
    project.write("tests/ensembles.rs", tests);
    insta::assert_snapshot!(tests, @r#"
    //! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

    #[tdg::ensemble_test(output = "debug")]
    fn order(
        #[define(any, edge_cases(probability = 0.4, values = [100]))] a: u8,
        #[define(any, edge_cases(probability = 0.4, values = [100, 101, 99]))] b: u8,
    ) -> std::cmp::Ordering {
        tdg_init_shapes::order(a, b)
    }

    #[tdg::ensemble_test]
    fn larger(
        #[define(any, edge_cases(probability = 0.4, values = [100]))] a: i64,
        #[define(any, edge_cases(probability = 0.4, values = [100, 101, 99]))] b: i64,
    ) -> i64 {
        tdg_init_shapes::larger::<i64>(a, b)
    }

    #[tdg::ensemble_test]
    fn edge(
        #[define((uniform(0..=30), uniform(0..=30)), via = |width: u32, height: u32| tdg_init_shapes::Size::new(width, height))]
        size: tdg_init_shapes::Size,
        #[define(categorical("Wide", "High"))] kind: &str,
    ) -> u32 {
        let kind = match kind {
            "Wide" => tdg_init_shapes::Kind::Wide,
            _ => tdg_init_shapes::Kind::High,
        };
        tdg_init_shapes::edge(&size, kind)
    }

    #[tdg::ensemble_test(output = "debug")]
    fn steps(#[define(any)] to: u8) -> impl std::fmt::Debug {
        tdg_init_shapes::steps(to).collect::<Vec<_>>()
    }

    #[tdg::ensemble_test(panics = "record")]
    fn half(
        #[define(any, edge_cases(probability = 0.12, values = [1, 2, 3, 3999999999, 4000000000, 4000000001]))]
        of: u32,
    ) -> u32 {
        tdg_init_shapes::half(of)
    }

    #[tdg::ensemble_test]
    fn view_first(
        #[define(any, via = |text: &str| tdg_init_shapes::View::new(text))] view: tdg_init_shapes::View,
    ) -> Option<String> {
        tdg_init_shapes::View::first(&view).map(str::to_owned)
    }

    #[tdg::ensemble_test(output = "debug")]
    fn size_grow(
        #[define((uniform(0..=30), uniform(0..=30)), via = |width: u32, height: u32| tdg_init_shapes::Size::new(width, height))]
        size: tdg_init_shapes::Size,
        #[define(uniform(0..=30))] by: u32,
    ) -> impl std::fmt::Debug {
        let mut size = size;
        let result = tdg_init_shapes::Size::grow(&mut size, by);
        (result, size)
    }

    #[tdg::ensemble_test(output = [whole, rest()])]
    fn split(
        #[define(any, edge_cases(probability = 0.08, values = [8, 9, 10, 11]))] of: u8,
    ) -> Option<tdg_init_shapes::Part> {
        tdg_init_shapes::split(of)
    }

    #[tdg::ensemble_test]
    fn price(#[define(uniform(0..=14))] value: u32) -> u32 {
        use tdg_init_shapes::{Seat, Ticket};
        struct Box(u32);
        impl Seat for Box {
            fn number(&self) -> u32 {
                self.0
            }
        }
        let ticket = Ticket::new(&Box(value as _));
        tdg_init_shapes::price(&ticket)
    }
    "#);
    assert!(!project.has("tests/tdg_init_trial.rs") && !project.has("tests/snapshots"));
    project.cargo(&["test"]).passes();
    assert_eq!(project.cargo(&["test"]).passes().said(), "");
}

#[test]
fn all_functions_without_a_test_get_one() {
    let manifest = MANIFEST.replace("tdg-init-command", "tdg-init-all");
    let library = "pub mod sizes {
            pub struct Size(u8);
            impl Size {
                pub fn new(of: u8) -> Self { Size(of) }
                pub fn is_large(&self) -> bool { self.0 > 50 }
            }
        }
        pub fn half(x: u8) -> u8 { x / 2 }
        pub fn double(x: u8) -> u16 { u16::from(x) * 2 }
        pub fn nothing() {}
        pub fn remove(path: &str) -> bool { std::fs::remove_file(path).is_ok() }
        pub fn ticks(x: u8) -> u8 {
            static COUNT: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
            COUNT.fetch_add(x | 1, std::sync::atomic::Ordering::Relaxed)
        }
        pub fn refused(x: u8) -> Result<u8, String> { Err(x.to_string()) }
        pub fn later(f: &dyn std::any::Any) -> bool { f.is::<u8>() }
    ";
    let test = "#[tdg::ensemble_test]\nfn half(#[define(any)] x: u8) -> u8 {\n    tdg_init_all::half(x)\n}\n";
    let project = Project::new(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", library),
        ("tests/own.rs", test),
    ]);
    let path = sources();
    let all = |more: &[&str]| {
        let arguments = [&["init", "--all", "--path", &path], more].concat();
        let run = tdg(&project, &arguments).env("CARGO_TARGET_DIR", target_directory());
        ended(&project, &run.finish())
    };
    insta::assert_snapshot!(all(&["--dry-run"]), @"
    test double in tests/functions/root.rs
    test ticks in tests/functions/root.rs
    test refused in tests/functions/root.rs
    test later in tests/functions/root.rs
    test sizes::Size::new in tests/functions/sizes.rs
    test sizes::Size::is_large in tests/functions/sizes.rs
    left out nothing: it takes no arguments, so there are no rows to draw; write a plain `#[test]`
    left out remove: accesses files
    2 functions left out, 1 function tested before
    (0)
    ");
    assert!(!project.has("tests/functions") && project.read("Cargo.toml") == manifest);
    insta::assert_snapshot!(all(&[]), @"
    left out nothing: it takes no arguments, so there are no rows to draw; write a plain `#[test]`
    left out refused: 0 of 100 rows are inputs
    left out remove: accesses files
    left out ticks: unstable: 100 of 100 cases differ between two runs of the same row
    recorded 4 tests in tests/functions; 4 functions left out, 1 function tested before
    (0)
    ");
    insta::assert_snapshot!(project.read("tests/functions/main.rs"), @"
    //! A test of each public function: `cargo tdg init --all` adds new ones.

    mod root;
    mod sizes;
    ");
    insta::assert_snapshot!(project.read("tests/functions/sizes.rs"), @"
    #[tdg::ensemble_test(output = [is_large()])]
    fn size_new(#[define(any)] of: u8) -> tdg_init_all::sizes::Size {
        tdg_init_all::sizes::Size::new(of)
    }

    #[tdg::ensemble_test]
    fn size_is_large(
        #[define(any, via = |of: u8| tdg_init_all::sizes::Size::new(of))]
        size: tdg_init_all::sizes::Size,
    ) -> bool {
        tdg_init_all::sizes::Size::is_large(&size)
    }
    ");
    assert!(project.has("tests/functions/snapshots/root__double.snap"));
    // A second run adds only new ones.
    project.edit(
        "src/lib.rs",
        "pub fn nothing",
        "pub fn third(x: u8) -> u8 { x / 3 } pub fn nothing",
    );
    insta::assert_snapshot!(all(&[]), @"
    left out nothing: it takes no arguments, so there are no rows to draw; write a plain `#[test]`
    left out refused: 0 of 100 rows are inputs
    left out remove: accesses files
    left out ticks: unstable: 100 of 100 cases differ between two runs of the same row
    recorded 1 test in tests/functions; 4 functions left out, 5 functions tested before
    (0)
    ");
    let root = project.read("tests/functions/root.rs");
    assert!(
        root.contains("fn third") && !root.contains("fn ticks"),
        "{root}"
    );
    project.cargo(&["test"]).passes();
}
