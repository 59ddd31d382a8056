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
    let tests = "const _: () = assert!(!cfg!(all(test, feature = \"a\")), \"a has no tests\");\n\
                 #[test]\nfn fees() {\n    assert!(fee(20) > 0);\n}\n";
    let project = committed_with(&manifest, &format!("{FEES}{tests}"));
    project.edit("src/lib.rs", "> 20", ">= 20");
    let run = ended_with(1, compare_calls(&project, &[]));
    let note = "only the default features are on (see --features): with all, error";
    assert!(run.stderr.contains(note), "{run}");
    assert!(run.stderr.contains("a has no tests"), "{run}");
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
    project.write("notes", "not in the repository\n");
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
    assert!(answer.contains("ended early (now)"), "{answer}");
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
    rules: calls of its tests: 2 functions compared on 5 calls, 2 functions with arguments that can't be shown (see --all)
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

const HEAP: &str = "\
#![no_std]
#![deny(warnings)]
#![forbid(unsafe_code)]

extern crate alloc;

use alloc::string::String;
use alloc::vec::Vec;

pub struct Heap<T, const N: usize> {
    items: Vec<T>,
}

impl<T: Ord, const N: usize> Default for Heap<T, N> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T: Ord, const N: usize> Heap<T, N> {
    pub fn push(&mut self, item: T) -> Result<(), T> {
        if self.items.len() >= N {
            return Err(item);
        }
        self.items.push(item);
        Ok(())
    }

    pub fn largest(&self) -> Option<&T> {
        self.items.iter().max()
    }

    pub fn above<'h>(&'h self, least: &'h T) -> impl Iterator<Item = &'h T> {
        self.items.iter().filter(move |it| *it > least)
    }
}

pub fn joined<S: AsRef<str>>(parts: &[S], by: impl Into<String>) -> String {
    let by = by.into();
    let mut joined = String::new();
    for part in parts {
        joined.push_str(part.as_ref());
        joined.push_str(&by);
    }
    joined
}

pub fn mapped<T, R>(value: T, by: impl Fn(T) -> R) -> R {
    by(value)
}
";
const OF_HEAP: &str = "\
use heap::{Heap, joined, mapped};

#[test]
fn heaps_have_a_largest_item() {
    let mut bytes = Heap::<u8, 1>::default();
    let pushed = [bytes.push(1), bytes.push(2)];
    assert!(pushed[0].is_ok() && bytes.largest().is_some());
    let mut names = Heap::<String, 2>::default();
    assert!(names.push(\"b\".to_owned()).is_ok() && names.above(&\"a\".to_owned()).count() == 1);
}

#[test]
fn texts_are_joined() {
    assert_eq!(joined(&[\"a\", \"b\"], ','), joined(&[\"a\".to_owned(), \"b\".to_owned()], \",\"));
    assert_eq!(mapped(1, |it| it + 1), 2);
}
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn calls_of_generic_functions_are_compared_by_their_types() {
    let project = committed("heap", HEAP);
    project.write("tests/heap.rs", OF_HEAP);
    project.edit("src/lib.rs", "len() >= N", "len() > N");
    let run = ended_with(1, compare_calls(&project, &["--all"]));
    insta::assert_snapshot!(answer(&project, &run), @r"
    heap: calls of its tests: 4 functions compared on 8 calls, 1 function with arguments that can't be shown
      Heap::push  1 of 3 calls changed
        push(T = u8, N = 1, Heap { items: [1] }, 2)
          before: Err(2), self: Heap { items: [1] }
          after:  Ok(()), self: Heap { items: [1, 2] }
      not shown mapped
    ");
}

const PRICES: &str = "\
/** For example:
 * ```
 * assert!(prices::price(4) > 0);
 * ```
 */
pub fn price(grams: u32) -> u32 {
    grams * 2
}

pub fn total(text: &[u8], more: Vec<u8>) -> usize {
    (text.len() + more.len()) * 2
}
";
const OF_PRICES: &str = "
#[test]
fn one() {
    price(1);
}

#[cfg(all(test, not(miri)))]
mod tests {
    #[test]
    fn two() {
        crate::price(2);
        crate::total(b\"a\\n\", vec![1]);
    }
}

#[cfg(test)]
#[path = \"of_prices.rs\"]
mod others;

#[cfg(doctest)]
#[doc = include_str!(\"../README.md\")]
struct Readme;
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn tests_are_found_wherever_they_are() {
    let project = committed("prices", PRICES);
    let library = PRICES.replace("* 2", "* 3") + OF_PRICES;
    project.write("src/lib.rs", &library);
    project.write(
        "src/of_prices.rs",
        "#[test]\nfn three() {\n    super::price(3);\n}\n",
    );
    project.write(
        "README.md",
        "```rust\nassert!(prices::price(5) > 0);\n```\n",
    );
    let run = ended_with(1, compare_calls(&project, &["HEAD"]));
    let answer = answer(&project, &run);
    assert!(answer.contains("price  5 of 5 calls changed"), "{answer}");
    let bytes = "total(b\"a\\n\", b\"\\x01\")";
    assert!(answer.contains(bytes), "{answer}");
}

#[cfg(target_os = "linux")]
const UNSTABLE: &str = "\
use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};

pub fn count() -> u32 {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

pub fn process() -> u32 {
    std::process::id()
}

pub struct Own;

pub fn kind(_number: u8) -> std::any::TypeId {
    std::any::TypeId::of::<Own>()
}

pub fn address(text: &str) -> String {
    format!(\"{:p}\", &text)
}

pub fn order(text: &str) -> String {
    text.chars().collect::<HashSet<char>>().into_iter().collect()
}

pub fn contents(mut file: std::fs::File) -> String {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut file, &mut text).unwrap();
    text
}

pub struct Password(pub u8);

impl std::fmt::Debug for Password {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(\"Password(***)\")
    }
}

pub fn unlock(password: Password) -> u8 {
    password.0
}

pub fn half(number: u32) -> u32 {
    number / 2
}

pub fn length(text: &str) -> usize {
    text.len()
}

pub fn refused(__TDG: u8) -> u8 {
    __TDG / 2
}

pub const fn fixed() -> u8 {
    1
}

pub async fn later() -> u8 {
    2
}

pub unsafe fn raw() -> u8 {
    3
}

macro_rules! written {
    ($name:ident) => {
        pub fn $name() -> u8 {
            4
        }
    };
}
written!(by_macro);

#[test]
fn calls() {
    for number in 0..1500 {
        half(number);
    }
    for number in 0..100 {
        length(&format!(\"{number:02}{}\", \"x\".repeat(200_000)));
    }
    for _ in 0..3 {
        count();
    }
    (unlock(Password(1)), contents(std::fs::File::open(\"Cargo.toml\").unwrap()));
    order(\"\\\\\\\"***\");
    (process(), address(\"a\"), order(\"abcdefgh\"), refused(1), fixed(), by_macro(), kind(1));
}
";

#[cfg(target_os = "linux")]
#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn outcomes_that_differ_by_themselves_and_calls_that_are_left_out() {
    let target = "\n[[test]]\nname = \"own\"\nharness = false\n";
    let files = [
        ("Cargo.toml", &*(manifest("unstable") + target)),
        ("src/lib.rs", UNSTABLE),
        ("tests/own.rs", "fn main() {}\n"),
        (
            "tests/wait.rs",
            "#[test]\nfn waits() {\n    loop { std::thread::park(); }\n}\n",
        ),
    ];
    let project = Project::without_lock(&files);
    init(&project);
    // Another version has other `TypeId`s.
    project.edit("Cargo.toml", "version = \"0.1.0\"", "version = \"0.1.1\"");
    let options = ["HEAD", "--all", "--calls-time=6s"];
    let run = ended_with(0, compare_calls(&project, &options));
    // No two calls of `count` and `process` agree. The limit for `half` is 1000 calls. For `length`
    // it is 16 MB, which 84 texts of 200 KB exceed.
    insta::assert_snapshot!(answer(&project, &run), @r"
    unstable: calls of its tests: 5 functions compared on 1088 calls, 5 functions left out, 1 test left out, 2 functions with arguments that can't be shown
      tests/wait.rs ended early on both sides: out of time
      left out fixed: is `const`
      left out later: is `async`
      left out raw: is `unsafe`
      left out refused: doesn't compile when recorded
      left out written!: writes functions
      left out tests/own.rs: has `harness = false`
      not shown contents
      not shown unlock
    ");
}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "aarch64", target_arch = "x86_64")
))]
#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn tests_that_write_files_write_none() {
    crate::confine::needs_confinement();
    let project = committed("writing", FEES);
    let file = project.path("written");
    project.write(
        "tests/write.rs",
        &format!(
            "#[test]\nfn writes() {{\n    fees(20);\n    std::fs::write({file:?}, \"a\").unwrap();\n}}\n\
             fn fees(grams: u32) {{\n    assert!(writing::fee(grams) > 0);\n}}\n"
        ),
    );
    commit(&project);
    project.write("notes", "not in the repository\n");
    let run = tdg(&project, &["compare", "HEAD", "--calls=tests"]).passes();
    let answer = answer(&project, &run);
    assert!(answer.contains("1 function compared on 1 call"), "{answer}");
    assert!(!file.exists());
}
