//! The calls of a crate's own tests, compared by `cargo tdg compare`.

use tdg_tests::{Project, Run};

use crate::compare::{
    answer, commit, committed, committed_with, ended_with, init, manifest, of_how_to,
};
use crate::tdg;

/// Unconfined, so that the test runs on any machine; the tests are harmless.
fn compare_calls(project: &Project, arguments: &[&str]) -> Run {
    tdg(project, &["compare", "--unconfined", "--calls=tests"]).arguments(arguments)
}

const LIBRARY: &str = "\
//! ```
//! use parsed::parse;
//! assert_eq!(parse(\"width=3\").unwrap(), Some(3));
//! ```

pub struct Field<'t> {
    name: &'t str,
    value: &'t str,
}

pub fn parse(text: &str) -> Result<Option<u32>, String> {
    let field = split(text).ok_or(\"no field\")?;
    match field.name {
        \"width\" => number(field.value),
        name => Err(format!(\"no field {name}\")),
    }
}

fn split(text: &str) -> Option<Field<'_>> {
    let (name, value) = text.split_once('=')?;
    Some(Field { name, value })
}

fn number(text: &str) -> Result<Option<u32>, String> {
    text.parse().map(Some).map_err(|_| format!(\"{text} is no number\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read() {
        assert!(parse(\"width\").is_err() && parse(\"height=4\").is_err());
        for width in 0..40 {
            assert_eq!(parse(&format!(\"width={width}\")), Ok(Some(width)));
        }
    }
}
";
const TESTS: &str = "\
use parsed::{area, parse};

#[test]
fn null_is_none() {
    assert_eq!(parse(\"width=null\"), Ok(None));
}

#[test]
fn areas_are_new() {
    assert_eq!(area(2), 4);
}
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn the_private_function_that_changed_is_found_by_todays_tests() {
    let project = committed("parsed", LIBRARY);
    project.write("tests/null.rs", TESTS);
    let number = "fn number(text: &str) -> Result<Option<u32>, String> {\n";
    let null = "    if text == \"null\" {\n        return Ok(None);\n    }\n";
    project.edit("src/lib.rs", number, &format!("{number}{null}"));
    let area = "pub fn area(width: u32) -> u32 {\n    width * width\n}\n\nfn split";
    project.edit("src/lib.rs", "fn split", area);
    let run = ended_with(1, compare_calls(&project, &["--all"]));
    let answer = answer(&project, &run);
    let (shown, left_out) = answer.split_once("\n  left out").unwrap();
    let shown = shown.replace("left out", "left out (see --all)");
    assert_eq!(shown, of_how_to("text")[1].trim_end());
    assert!(
        left_out.contains("areas_are_new in tests/null.rs: doesn't compile there"),
        "{left_out}"
    );
    let json = ended_with(1, compare_calls(&project, &["--json"])).stdout;
    assert!(json.contains("\"test_calls\":[{"), "{json}");
    assert!(json.contains("\"callers\":{\"parse\":1}"), "{json}");
    // The innermost function comes first, with drawn calls too.
    let run = tdg(&project, &["compare", "--unconfined"]);
    let answer = self::answer(&project, &ended_with(1, run));
    let (first, drawn) = answer.split_once("\n\n").unwrap();
    assert!(
        first.contains("\n  number  1 of 41 calls changed\n"),
        "{answer}"
    );
    let callers = "  1 caller changed because of number: parse (";
    assert!(
        drawn.lines().nth(1).unwrap().starts_with(callers),
        "{answer}"
    );
}

const PROGRAM: &str = "\
use std::collections::HashMap;
use std::time::Instant;

fn main() {
    println!(\"{:?}\", counted(\"a\"));
}

fn counted(text: &str) -> HashMap<char, usize> {
    let mut counts = HashMap::new();
    for letter in text.chars() {
        add(&mut counts, letter);
    }
    counts
}

fn add(counts: &mut HashMap<char, usize>, letter: char) {
    *counts.entry(letter).or_default() += 1;
}

struct Timed(Instant);

fn timed() -> Timed {
    Timed(Instant::now())
}

#[cfg(all(test, feature = \"tested\"))]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted() {
        for text in [\"abc\", \"Abc\", \"aBC\", \"ABCDEFGHI\"] {
            assert_eq!(counted(text).values().sum::<usize>(), text.len());
        }
        timed();
    }
}
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn a_program_is_compared_by_its_tests_alone() {
    let manifest = manifest("letters").replace("2024", "2015") + "[features]\ntested = []\n";
    // In the edition of 2015, the root of each program names the recorder.
    let files = [("Cargo.toml", &*manifest), ("src/main.rs", PROGRAM)];
    let project = Project::without_lock(&files);
    init(&project);
    let same = ended_with(0, compare_calls(&project, &["HEAD"]));
    assert!(
        answer(&project, &same).contains("3 functions compared"),
        "{same}"
    );
    project.edit("src/main.rs", "counted(\"a\")", "counted(\"b\")");
    let missed = ended_with(2, compare_calls(&project, &["HEAD"]));
    assert!(
        missed
            .stderr
            .contains("nothing that runs the changed code was compared: main;"),
        "{missed}"
    );
    project.edit(
        "src/main.rs",
        "entry(letter)",
        "entry(letter.to_ascii_lowercase())",
    );
    let run = ended_with(1, compare_calls(&project, &["HEAD"]));
    insta::assert_snapshot!(answer(&project, &run), @r"
    letters: calls of its tests: 3 functions compared on 10 calls
      add  2 of 5 calls changed
        /counts/'A' removed in 1 of 5
        /counts/'B' removed in 1 of 5
        /counts/'a' added in 1 of 5
        /counts/'b' added in 1 of 5
        add({}, 'A')
          before: counts: {'A': 1}
          after:  counts: {'a': 1}
      1 caller changed because of these: counted (3 calls)
      no compared call runs the changed code of main
    ");
}

const LEXER: &str = "\
mod lexer {
    pub fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }
}

pub fn counted(text: &str) -> usize {
    lexer::words(text).iter().filter(|it| !it.is_empty()).count()
}

pub fn untested(n: u8) -> u8 {
    n
}

#[test]
fn words_are_counted() {
    assert_eq!(counted(\"a  b\"), 2);
}
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn a_public_function_of_a_private_module_may_change_inside() {
    let project = committed("lexed", LEXER);
    let words = "split(' ').filter(|it| !it.is_empty())";
    project.edit("src/lib.rs", "split(' ')", words);
    let run = ended_with(0, compare_calls(&project, &[]));
    insta::assert_snapshot!(answer(&project, &run), @r"
    lexed: calls of its tests: 2 functions compared on 2 calls
      1 function changed inside, but all callers gave the same: lexer::words
    ");
    commit(&project);
    project.edit("src/lib.rs", "    n\n", "    n / 2\n");
    let run = ended_with(2, compare_calls(&project, &["HEAD"]));
    let reason = "nothing that runs the changed code was compared: untested;";
    assert!(run.stderr.contains(reason), "{run}");
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn tests_that_build_without_a_feature_alone_are_compared() {
    let manifest = manifest("featured") + "[features]\na = []\n";
    let tests = "#[cfg(all(test, feature = \"a\"))]\ncompile_error!(\"a has no tests\");\n\
                 #[test]\nfn fees() {\n    assert!(fee(20) > 0);\n}\n";
    let project = committed_with(&manifest, &format!("{FEES}{tests}"));
    project.edit("src/lib.rs", "> 20", ">= 20");
    let run = ended_with(1, compare_calls(&project, &[]));
    let note = "only the default features are on (see --features): with all, error: a has no tests";
    assert!(run.stderr.contains(note), "{run}");
    assert!(answer(&project, &run).contains("fee(20)"), "{run}");
}

const DEPTH: &str = "\
use std::mem::ManuallyDrop;

#[derive(Debug)]
struct Guard(ManuallyDrop<String>);

impl Drop for Guard {
    fn drop(&mut self) {
        unsafe { ManuallyDrop::drop(&mut self.0) }
    }
}

pub fn depth(text: &str) -> usize {
    let _guard = Guard(ManuallyDrop::new(text.to_owned()));
    match text.strip_prefix('(') {
        Some(rest) => 1 + depth(rest),
        None => 0,
    }
}

#[test]
fn depths_are_counted() {
    assert_eq!(depth(\"((\"), 2);
}
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn a_crash_of_todays_code_is_a_change() {
    let project = committed("deep", DEPTH);
    let same = ended_with(0, compare_calls(&project, &["HEAD"]));
    assert!(
        answer(&project, &same).contains("1 function compared"),
        "{same}"
    );
    project.edit(
        "src/lib.rs",
        "1 + depth(rest)",
        "1 + depth(text) + rest.len()",
    );
    let run = ended_with(1, compare_calls(&project, &["HEAD"]));
    let answer = answer(&project, &run);
    assert!(
        answer.contains("test depths_are_counted (src/lib.rs)"),
        "{answer}"
    );
    assert!(answer.contains("ended early on now"), "{answer}");
}

const FEES: &str = "\
pub fn fee(grams: u32) -> u32 {
    if grams > 20 { 700 } else { 400 }
}
";
const EXAMPLE: &str = "\
fn main() {
    for grams in [10, 20, 30] {
        println!(\"{}\", fees::fee(grams));
    }
    assert_eq!(fees::fee(20), 700, \"of 20\");
}
";
const LATER: &str = "fn main() {\n    println!(\"{}\", fees::later());\n}\n";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn examples_make_calls_as_tests_do() {
    let project = committed("fees", FEES);
    project.edit("src/lib.rs", "> 20", ">= 20");
    let later = "pub fn later() -> u32 {\n    1\n}\n";
    project.write("src/lib.rs", &(project.read("src/lib.rs") + later));
    project.write("examples/prices.rs", EXAMPLE);
    project.write("examples/later.rs", LATER);
    let run = ended_with(1, compare_calls(&project, &["--all"]));
    insta::assert_snapshot!(answer(&project, &run), @r"
    fees: calls of its tests: 1 function compared on 3 calls, 1 test left out
      fee  1 of 3 calls changed
        fee(20)
          before: 400
          after:  700
      1 test passed on one side only, because of these
      left out examples/later.rs: doesn't compile there: cannot find function `later` in crate `fees`
    ");
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn the_package_is_built_among_others_of_its_workspace_and_of_its_name() {
    let workspace = "\n[workspace]\nexclude = [\"former\"]\nmembers = [\"other\"]\ndefault-members = [\"other\"]\n\
                     [dev-dependencies]\nformer = { path = \"former\", package = \"namesake\" }\n";
    let files = [
        ("Cargo.toml", &*(manifest("namesake") + workspace)),
        ("src/lib.rs", FEES),
        (
            "tests/fees.rs",
            "#[test]\nfn f() {\n    assert!(namesake::fee(20) > 0 && former::F);\n}\n",
        ),
        ("former/src/lib.rs", "pub const F: bool = true;\n"),
        ("other/Cargo.toml", &*manifest("other")),
        ("other/src/lib.rs", ""),
    ];
    let project = Project::without_lock(&files);
    let former = manifest("namesake").replace("0.1.0", "0.0.9") + "\n[workspace]\n";
    project.write("former/Cargo.toml", &former);
    init(&project);
    project.edit("src/lib.rs", "> 20", ">= 20");
    let version = Run::new("rustc", project.folder())
        .arguments(&["-vV"])
        .passes()
        .stdout;
    let host = version
        .lines()
        .find_map(|it| it.strip_prefix("host: "))
        .unwrap();
    let options = ["HEAD", "--package=namesake", "--target", host];
    let run = ended_with(1, compare_calls(&project, &options));
    assert!(answer(&project, &run).contains("fee(20)"), "{run}");
}

const RULES: &str = "\
use std::cell::RefCell;
use std::rc::Rc;

pub struct Rule<T> {
    name: &'static str,
    limits: Vec<Limit<T>>,
}

enum Limit<T> {
    Any,
    Below(T),
}

pub struct Hook(Box<dyn Fn() -> bool>);

pub struct Ring(RefCell<Option<Rc<Ring>>>);

pub struct Tag(u8);

pub fn tag(number: u8) -> Tag {
    Tag(number)
}

pub fn rule(limit: u32) -> Result<Rule<u32>, String> {
    let limits = vec![Limit::Any, Limit::Below(limit)];
    Ok(Rule { name: \"weight\", limits })
}

pub fn allows(rule: &Rule<u32>, grams: u32) -> bool {
    rule.limits.iter().all(|it| match it {
        Limit::Any => true,
        Limit::Below(limit) => grams < *limit,
    })
}

pub fn is_hooked(hook: &Hook) -> bool {
    hook.0()
}

pub fn is_ring(ring: &Ring) -> bool {
    ring.0.borrow().is_some()
}

#[test]
fn rules_are_kept() {
    let rule = rule(20).unwrap_or_else(|it| panic!(\"{it}\"));
    assert!(rule.name == \"weight\" && tag(1).0 == 1);
    for grams in 18..22 {
        allows(&rule, grams);
    }
    let ring = Rc::new(Ring(RefCell::new(None)));
    *ring.0.borrow_mut() = Some(ring.clone());
    assert!(is_hooked(&Hook(Box::new(|| true))) && is_ring(&ring));
}
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn values_without_debug_are_shown_by_their_fields() {
    let project = committed("rules", RULES);
    project.edit("src/lib.rs", "grams < *limit", "grams <= *limit");
    // Its fields would be compared with an empty text.
    project.edit("src/lib.rs", "Tag(u8);", "Tag(u8);\n\nimpl std::fmt::Debug for Tag {\n    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {\n        Ok(())\n    }\n}");
    let run = ended_with(1, compare_calls(&project, &["HEAD"]));
    insta::assert_snapshot!(answer(&project, &run), @r#"
    rules: calls of its tests: 2 functions compared on 5 calls
      allows  1 of 4 calls changed
        allows(Rule { name: "weight", limits: [Any, Below(20)] }, 20)
          before: false
          after:  true
    "#);
    // The types can't have an impl of `Debug` then.
    let impls = "trait Named {}\nimpl<T: std::fmt::Debug> Named for T {}\nimpl Named for Hook {}\n";
    project.write("src/lib.rs", &(project.read("src/lib.rs") + impls));
    let run = compare_calls(&project, &["HEAD"]).finish();
    assert!(run.stdout.contains("0 functions compared"), "{run}");
}
