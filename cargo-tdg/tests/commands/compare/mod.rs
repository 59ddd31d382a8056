//! `cargo tdg compare`, on crates with a history.

mod drawn_calls;
mod ensembles;
mod sides;
mod test_calls;

use tdg_tests::{Finished, Project, Run, workspace};

use crate::compare::ensembles::compare_tests;
use crate::packages::SNAPSHOT;
use crate::{anonymous, tdg};

/// Returns the manifest of a package.
pub(crate) fn manifest(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
}

/// Returns a committed crate with one file.
pub(crate) fn committed(name: &str, library: &str) -> Project {
    committed_with(&manifest(name), library)
}

pub(crate) fn committed_with(manifest: &str, library: &str) -> Project {
    let project = Project::without_lock(&[
        ("Cargo.toml", manifest),
        ("src/lib.rs", library),
        (".gitignore", "target\n"),
    ]);
    init(&project);
    project
}

/// Creates a repository with a first commit.
pub(crate) fn init(project: &Project) {
    git(project, &["init", "--quiet", "--initial-branch=main"]);
    commit(project);
}

pub(crate) fn git(project: &Project, arguments: &[&str]) -> Finished {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    // Fixed dates, so that equal commits have equal hashes.
    let git = Run::new("git", project.folder()).arguments(&identity);
    let git = git.env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z");
    let git = git.env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
    git.arguments(arguments).passes()
}

pub(crate) fn commit(project: &Project) {
    git(project, &["add", "--all"]);
    git(project, &["commit", "--quiet", "--message=A"]);
}

/// Unconfined, so that the test runs on any machine; the functions are harmless. Without the calls
/// of tests, which take separate builds.
pub(crate) fn compare(project: &Project, arguments: &[&str]) -> Run {
    tdg(project, &["compare", "--unconfined", "--calls=drawn"]).arguments(arguments)
}

#[track_caller]
pub(crate) fn ended_with(code: i32, run: Run) -> Finished {
    let finished = run.finish();
    assert_eq!(finished.code, Some(code), "{finished}");
    finished
}

/// Returns the answer without its heading.
pub(crate) fn answer(project: &Project, run: &Finished) -> String {
    let text = anonymous(project, &run.stdout);
    text.split_once("\n\n")
        .map_or(text.clone(), |(_, rest)| rest.to_owned())
}

/// Returns the how-to's blocks in a language: the library and the test, or the answers.
fn of_how_to(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(workspace().join("docs/how-to/compare.md")).unwrap();
    let start = format!("```{language}\n");
    let blocks = page.split(&start).skip(1);
    let blocks = blocks.map(|it| it.split_once("```").unwrap().0.to_owned());
    blocks.collect()
}

/// Returns the how-to's library with its changes, in a package with this name.
fn changed_market(package: &str) -> Project {
    let library = &of_how_to("rust")[0];
    let library_name = "[lib]\nname = \"market\"\n";
    // Tests are built below another workspace.
    let manifest = format!("{}\n{library_name}\n[workspace]\n", manifest(package));
    let project = committed_with(&manifest, library);
    project.edit(
        "src/lib.rs",
        "sum / 2",
        "if lines.len() > 5 { sum / 2 + 100 } else { sum / 2 }",
    );
    project.edit("src/lib.rs", "> 20", ">= 20");
    project
}

#[test]
fn the_answer_of_the_how_to() {
    let shown = &of_how_to("text")[0];
    let project = changed_market("market");
    let run = ended_with(1, compare(&project, &["--html", "target/page.html"]));
    assert_eq!(answer(&project, &run), shown.trim_end());
    let page = project.read("target/page.html");
    for rule in [
        "exactly those with grams = 20",
        "exactly those with coupon = &quot;Half&quot; and length of lines &gt; 5",
    ] {
        assert!(page.contains(&format!("<h3>{rule}</h3>")), "{rule}");
    }
    let refused = ended_with(2, compare(&project, &["--html", "target/page.html"]));
    assert!(
        refused
            .stderr
            .contains("target/page.html already exists; add --force")
    );
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    for line in shown.lines().skip(1).take(3) {
        assert!(readme.contains(line), "{line} in README.md");
    }
    let status = git(&project, &["status", "--porcelain"]).stdout;
    assert_eq!(status, " M src/lib.rs\n");
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn the_answer_of_the_how_to_with_its_test() {
    let test = &of_how_to("rust")[1];
    let text = of_how_to("text");
    let (shown, shown_of_test) = (&text[0], &text[2]);
    let project = changed_market("tested-market");
    let tdg = workspace().join("tdg").display().to_string();
    let manifest = tdg_tests::manifest("tested-market", "name = \"market\"\ndoctest = false");
    project.write("Cargo.toml", &manifest.replace("{tdg}", &tdg));
    let lock = std::fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
    project.write("Cargo.lock", &lock);
    project.write("tests/ensembles.rs", test);
    let run = compare_tests(&project, &["--html", "target/page.html"]);
    let run = ended_with(1, run);
    assert_eq!(
        answer(&project, &run).replace("tested-market", "market"),
        format!("{shown}\n{}", shown_of_test.trim_end())
    );
    let page = project.read("target/page.html");
    for line in shown_of_test.trim_end().lines() {
        assert!(page.contains(line), "{line}");
    }
}

#[test]
fn functions_that_give_the_same_are_no_change() {
    let project = committed(
        "even",
        "pub fn double(x: i32) -> i64 { i64::from(x) * 2 }\n",
    );
    project.edit("src/lib.rs", "i64::from(x) * 2", "2 * i64::from(x)");
    let run = compare(&project, &["main"]).passes();
    insta::assert_snapshot!(answer(&project, &run), @"
    even: 1 public function; 1 compared on 1000 rows each
      1 function gave the same
    ");
}

#[test]
fn rows_reach_what_the_code_and_its_tests_name() {
    let project = committed(
        "reached",
        "const LIMIT: u64 = 86_400_000;
         pub struct Order { pub code: String, pub cents: u64 }
         pub fn fee(order: &Order) -> u64 { if is_large(order.cents) { 2 } else { 1 } }
         fn is_large(cents: u64) -> bool { cents > LIMIT }
         pub fn weight(grams: u32) -> u32 { if grams / 3 == 7 * 11 * 333 { 1 } else { 0 } }
         pub fn both(orders: &[Order], region: &str) -> bool {
             region == \"overseas\" && orders.iter().any(|it| it.code == \"X-RAY\")
         }
         /// `parse(\"1 yard\")`, for example.
         pub fn parse(text: &str) -> usize { text.split(' ').skip(1).map(str::len).sum() }
         #[cfg(test)]
         mod tests { #[test] fn parsed() { assert_eq!(super::parse(\"12 inches\"), 6) } }\n",
    );
    project.edit("src/lib.rs", "cents > LIMIT", "cents >= LIMIT");
    project.edit(
        "src/lib.rs",
        "it.code == ",
        "!it.code.starts_with('Y') && it.code != ",
    );
    project.edit(
        "src/lib.rs",
        "text.split(' ')",
        "if text.starts_with(\"12 i\") { return 7 } text.split(' ')",
    );
    // Neither an ordinary value nor near a constant.
    project.edit(
        "src/lib.rs",
        "{ 1 } else { 0 } }\n",
        "{ grams } else { 0 } }\n",
    );
    let snapshot = SNAPSHOT.replace("{name}", "weight").replace(
        "\"features\":[]",
        r#""features":[{"feature_name":"grams","type":"INTEGER","distribution":{"type":"uniform","min":76900,"max":76950}}]"#,
    );
    project.write(
        "tests/snapshots/weight__weight.snap",
        &format!("{snapshot}\n"),
    );
    let answer = answer(&project, &ended_with(1, compare(&project, &[])));
    for name in ["fee", "both", "parse", "weight"] {
        let start = format!("\n  {name} ");
        assert!(answer.contains(&start), "{name} in {answer}");
    }
}

#[test]
fn rare_changes_are_found_and_explained() {
    let project = committed(
        "near",
        "pub fn fee(grams: u32, name: &str, late: bool) -> usize {
             let _ = (grams, late);
             name.len()
         }
         pub fn larger(one: f64, other: f64) -> f64 { if one > other { one } else { other } }\n",
    );
    project.edit(
        "src/lib.rs",
        "name.len()",
        "if grams == 30 && late && name.len() > 3 { 0 } else { name.len() }",
    );
    let code = "if one > other { one } else { other }";
    project.edit("src/lib.rs", code, "one.max(other)");
    let run = ended_with(1, compare(&project, &["--json"]));
    // The code counts bytes, the condition characters.
    let near = "nearly those with grams = 30 and late = true and length of name > 3";
    assert!(run.stdout.contains(near), "{run}");
    let special = r#"have other = \"NaN\""#;
    assert!(run.stdout.contains(special), "{run}");
}

#[test]
fn only_changed_code_is_called_and_for_as_long_as_is_asked() {
    let project = committed(
        "rare",
        "pub fn kept(x: u32) -> u32 { x }
         pub fn rare(x: u32) -> u32 { hidden(x) }
         fn hidden(x: u32) -> u32 { x / 2 }\n",
    );
    project.edit(
        "src/lib.rs",
        "{ x / 2 }",
        "{ if x % 60 == 59 { 0 } else { x / 2 } }",
    );
    let seed = u64::MAX.to_string();
    let options = ["--changed", "--rows", "2", "--time", "600", "--seed", &seed];
    let shown = answer(&project, &ended_with(1, compare(&project, &options)));
    let counts = shown.find("rare: 2 public functions; 1 compared on 2 to ");
    assert!(
        counts.is_some() && shown.contains("rows each, 1 with the same code"),
        "{shown}"
    );
}

#[test]
fn functions_that_a_macro_writes_now_are_not_gone() {
    let project = committed(
        "written",
        "pub mod prices { pub fn net(x: u8) -> u8 { x } pub fn tax(x: u8) -> u8 { x } }
         pub fn kept(x: u8) -> u8 { x }
         pub fn gone(x: u8) -> u8 { x }\n",
    );
    project.write(
        "src/lib.rs",
        "macro_rules! written { ($($name:ident)*) => { pub mod prices; } }
         written!();
         pub fn kept(x: u8) -> u8 { x }\n",
    );
    project.write(
        "src/prices.rs",
        "pub fn net(x: u8) -> u8 { x }\npub fn taxes(x: u8) -> u8 { x }\n",
    );
    let run = ended_with(1, compare(&project, &["--all"]));
    insta::assert_snapshot!(answer(&project, &run), @"
    written: 2 public functions; 1 compared on 1000 rows each, 1 not compared, 2 removed
      gone         was removed
      prices::tax  was removed
      1 function gave the same
      not compared prices::net: is no longer found: a macro may write it, its type may be an alias or a trait now, or a feature leaves it out

    written: not looked at: 1 macro
      written! (macro)
    ");
}

#[test]
fn what_has_a_shorter_path_now_is_not_gone() {
    let library = "\
pub mod money {
    #[derive(Debug)]
    pub struct Cents(pub u8);
    impl Cents {
        pub fn doubled(&self) -> Cents { Cents(self.0.wrapping_mul(2)) }
    }
    pub fn sum(one: Cents, other: Cents) -> u16 { u16::from(one.0) + u16::from(other.0) }
}
";
    let project = committed("shorter", library);
    let exported = format!("pub use money::{{Cents, sum}};\n{library}");
    project.write("src/lib.rs", &exported);
    let run = compare(&project, &["main"]).passes();
    insta::assert_snapshot!(answer(&project, &run), @"
    shorter: 2 public functions; 2 compared on 1000 rows each
      2 functions gave the same
    ");
}

#[test]
fn functions_of_one_name_are_distinguished_by_their_blocks() {
    let project = committed(
        "alike",
        "pub struct Rate<T>(pub T);
         impl Rate<u8> { pub unsafe fn is_high(&self) -> bool { self.0 > 9 } }
         impl Rate<u16> { pub fn is_high(&self) -> bool { self.0 > 7777 } }
         impl Rate<u16> { pub fn is_huge(&self) -> bool { self.is_high() } }\n",
    );
    project.edit("src/lib.rs", "7777", "7778");
    // In front of the block that was the first.
    let of_u32 = "impl Rate<u32> { pub fn is_high(&self) -> bool { self.0 > 99 } }\n";
    project.edit(
        "src/lib.rs",
        "impl Rate<u8>",
        &format!("{of_u32}impl Rate<u8>"),
    );
    let allowed = ["--all", "--allow", "Rate::is_high of Rate<u16>"];
    let run = ended_with(1, compare(&project, &allowed));
    insta::assert_snapshot!(answer(&project, &run), @"
    alike: 4 public functions; 2 compared on 1000 rows each, 1 not compared, 1 new
      Rate::is_high of Rate<u16>  11 of 1000 cases changed
        exactly those with self = 7778
            1,000 more rows: no exception
        is_high(7778)
          before: true
          after:  false
      Rate::is_huge               11 of 1000 cases changed, like Rate::is_high of Rate<u16>
      not compared Rate::is_high of Rate<u8>: is `unsafe`
      new Rate::is_high of Rate<u32>
    ");
    // As the answer names it.
    let asked = ["--only", "Rate::is_high of Rate<u16>"];
    let run = ended_with(1, compare(&project, &asked));
    let answer = answer(&project, &run);
    assert!(answer.contains("alike: 1 public function;"), "{answer}");
}

#[test]
fn methods_are_not_blamed_for_a_constructor() {
    let project = committed(
        "blamed",
        "#[derive(Debug)] pub struct Ratio<T> { above: T, below: T }
         impl Ratio<u8> {
             pub fn new(above: u8, below: u8) -> Ratio<u8> { assert!(below > 0); Ratio { above, below } }
         }
         impl<T: Copy + std::ops::Div<Output = T>> Ratio<T> {
             pub fn whole(&self) -> T { self.above / self.below }
         }
         impl<T: std::fmt::Display> std::fmt::Display for Ratio<T> {
             fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                 write!(to, \"{}/{}\", self.above, self.below)
             }
         }\n",
    );
    project.edit("src/lib.rs", "assert!(below > 0)", "assert!(below > 9)");
    project.edit("src/lib.rs", "{}/{}", "{}:{}");
    let run = ended_with(1, compare(&project, &[]));
    insta::assert_snapshot!(answer(&project, &run), @r#"
    blamed: 3 public functions; 3 compared on 1000 rows each
      <Ratio as Display>::fmt  540 of 1000 cases changed; 540 rows were inputs
        all 540 that returned before changed
        actual = expected with ":" instead of "/" in all 540
        fmt({"above":0,"below":10})
          before: "0/10"
          after:  "0:10"
      Ratio::new               425 of 1000 cases changed
        337 cases panic:
        exactly those with 0 < below <= 9
            1,323 more rows on both sides of that line: no exception
        perhaps: all 88 that changed have below = 0   (88 of 88 such cases changed, 0 of the other 575; 337 with another outcome not counted)
        "assertion failed: below > 0" became "assertion failed: below > 9" in all 88
        new(0, 1)
          before: Ratio { above: 0, below: 1 }
          after:  panic: assertion failed: below > 9
      1 function gave the same; fewest inputs: 540 of 1000 rows (Ratio::whole)
      one version can't construct the arguments of some rows of <Ratio as Display>::fmt, Ratio::whole
    "#);
}

#[test]
fn the_effect_of_a_call_shows_in_a_later_one() {
    let library = "\
#[derive(Default)]
pub struct Till {
    cents: u64,
    tips: u64,
}

impl Till {
    pub fn pay(&mut self, cents: u16, tip: u8) {
        self.cents += u64::from(cents);
        self.tips += u64::from(tip);
    }

    pub fn close(&mut self) {
        self.cents = 0;
        self.tips = 0;
    }

    pub fn total(&self) -> u64 {
        self.cents + self.tips
    }

    pub fn is_open(&self) -> bool {
        self.cents > 0
    }
}
";
    let project = committed("till", library);
    project.edit("src/lib.rs", "        self.tips = 0;\n", "");
    let run = ended_with(1, compare(&project, &["main"]));
    let shown = answer(&project, &run);
    for part in [
        "Till::total  799 of 2000 cases changed\n",
        "actual > expected in all 799\n",
        "total({\"made\":[{\"cents\":",
        "\"calls\":[\"close\"]})\n",
        "3 functions gave the same\n",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    // If a call changed on its own, only that call is reported.
    project.write("src/lib.rs", library);
    project.edit(
        "src/lib.rs",
        "    pub fn close(&mut self) {",
        "    pub fn close(&mut self) -> bool {",
    );
    project.edit("src/lib.rs", "        self.tips = 0;\n", "        true\n");
    let run = ended_with(1, compare(&project, &["main"]));
    insta::assert_snapshot!(answer(&project, &run), @r#"
    till: 4 public functions; 4 compared on 1000 to 2000 rows each
      Till::close  1000 of 1000 cases changed
        /output added in all 1000
        close([])
          before: 
          after:  true
      3 functions gave the same

    till: not looked at: 1 type that derives traits (see --all)
    "#);
}

#[test]
fn arguments_that_can_not_be_made_any_more_are_a_change() {
    let project = committed(
        "refused",
        "pub struct Hidden(u8);
         impl Hidden {
             pub fn new(n: u8) -> Option<Self> { (n < 200).then_some(Hidden(n)) }
             pub fn half(&self) -> u8 { self.0 / 2 }
         }\n",
    );
    project.edit("src/lib.rs", "n < 200", "n > 254");
    let run = ended_with(1, compare(&project, &[]));
    insta::assert_snapshot!(answer(&project, &run), @"
    refused: 2 public functions; 2 compared on 1000 rows each
      Hidden::new  889 of 1000 cases changed
        exactly those with n < 200, or n = 255
            256 rows, nearly all that there are: no exception
        actual = None in 851 of the 889
        the other 38: all 38 have n = 255   (38 of 38 such cases changed otherwise, 0 of the other 851)
        the other 38: None became 127 in all 38
        new(0)
          before: half: 0
          after:  None
      one version can't construct the arguments of some rows of Hidden::half
    ");
}

#[test]
fn an_output_that_shows_nothing_is_compared_by_its_members() {
    let project = committed(
        "members",
        "pub struct Part { pub whole: u8, rest: u8 }
         impl Part { pub fn rest(&self) -> u8 { self.rest } }
         pub fn split(of: u8) -> Option<Part> { (of > 9).then_some(Part { whole: of / 10, rest: of % 10 }) }
         pub fn parted(whole: u8, rest: u8) -> Part { Part { whole, rest } }\n",
    );
    project.edit("src/lib.rs", "of % 10", "of % 9");
    let run = ended_with(1, compare(&project, &[]));
    insta::assert_snapshot!(answer(&project, &run), @"
    members: 3 public functions; 3 compared on 1000 rows each
      split       659 of 1000 cases changed
        perhaps: all 23 that did not change have expected/whole a multiple of 9 and last digit of of < 9   (23 of 23 such cases did not change, 0 of the other 659; 318 with another outcome not counted)
        only /rest changed
        split(10)
          before: whole: 1, rest: 0
          after:  whole: 1, rest: 1
      Part::rest  669 of 1000 cases changed; 694 rows were inputs
        no rule was found for the 669 cases that changed
        rest(10)
          before: 0
          after:  1
      1 function gave the same
    ");
}

#[test]
fn functions_that_are_not_compared_are_listed_with_the_reason() {
    let project = committed(
        "untold",
        "pub fn remove(path: &str) -> bool { std::fs::remove_dir_all(path).is_ok() }
         pub fn clean(path: &str) -> bool { remove(path) }
         pub fn apply(f: impl Fn(i32) -> i32) -> i32 { f(1) }
         pub struct Hidden(fn());
         impl Hidden { pub fn get(&self) -> i32 { 1 } pub fn set(&mut self, x: i32) -> i32 { x } }
         pub fn place() -> std::path::PathBuf { std::env::current_dir().unwrap() }
         pub fn opaque(x: i32) -> Hidden { let _ = x; Hidden(|| ()) }
         pub fn old(x: i32) -> i32 { x }
         pub fn moved(x: i32) -> i32 { x }
         pub unsafe fn raw(x: i32) -> i32 { x }
         pub fn limit() -> u8 { 1 }
         pub struct Options { pub size: u8 }
         pub fn size(of: &Options) -> u8 { of.size }
         pub fn narrow(x: i32) -> i32 { x }\n",
    );
    // A new field of a parameter's type leaves the signature as it is.
    project.edit(
        "src/lib.rs",
        "{ pub size: u8 }",
        "{ pub size: u8, pub more: bool }",
    );
    project.edit("src/lib.rs", "u8 { 1 }", "u8 { 2 }");
    project.edit("src/lib.rs", "pub fn old", "pub fn new");
    project.edit(
        "src/lib.rs",
        "pub fn narrow(x: i32)",
        "pub fn narrow(x: i16)",
    );
    project.edit(
        "src/lib.rs",
        "narrow(x: i16) -> i32 { x }",
        "narrow(x: i16) -> i32 { x.into() }",
    );
    let run = ended_with(1, compare(&project, &["--all"]));
    insta::assert_snapshot!(answer(&project, &run), @"
    untold: 13 public functions; 8 compared on 1000 to 2000 rows each, 4 not compared, 1 with a changed signature, 1 new, 1 removed
      limit   1 of 1 case changed
        limit()
          before: 1
          after:  2
      narrow  takes different arguments now
      old     was removed
      7 functions gave the same
      not compared clean: accesses files; to call it: --allow clean
      not compared raw: is `unsafe`
      not compared remove: accesses files; to call it: --allow remove
      not compared size: no arguments can be made for both sides
      new new
    ");
}

#[test]
fn a_type_that_can_be_shown_now_is_no_change() {
    let project = committed(
        "shown",
        "pub struct Queue { jobs: Vec<u8> }
         impl Queue {
             pub fn new(first: u8) -> Self { Self { jobs: vec![first] } }
             pub fn push(&mut self, job: u8) -> bool { self.jobs.push(job); true }
             pub fn parse(text: &str) -> Option<Self> { (text.len() > 3).then(|| Self::new(1)) }
             pub fn half(&self, at: u8) -> Result<Self, String> {
                 if at > 9 { Err(\"far\".to_owned()) } else { Ok(Self::new(at / 2)) }
             }
         }\n",
    );
    project.edit("src/lib.rs", "pub struct", "#[derive(Debug)] pub struct");
    let run = compare(&project, &[]).passes();
    insta::assert_snapshot!(answer(&project, &run), @"
    shown: 4 public functions; 3 compared on 1000 to 2000 rows each, 1 not compared (see --all)
      3 functions gave the same
    ");
}

#[test]
fn a_change_passed_on_by_one_call_is_reported_for_that_call_only() {
    let project = committed(
        "given",
        "pub struct Meter { steps: u64, calls: u8, name: String }
         impl Meter {
             pub fn new(steps: u8) -> Self { Self { steps: steps.into(), calls: 0, name: String::new() } }
             pub fn add(&mut self, n: u8) -> u64 {
                 self.calls += 1;
                 self.steps += u64::from(n);
                 self.steps
             }
             pub fn rename<T: Into<String> + Copy>(&mut self, name: T) { self.name = name.into(); }
             pub fn total(&self) -> u64 { self.steps }
             pub fn is_far(&self) -> bool { self.steps > 100 }
         }\n",
    );
    project.edit(
        "src/lib.rs",
        "u64::from(n);",
        "u64::from(n) + u64::from(self.calls > 2);",
    );
    let run = ended_with(1, compare(&project, &[]));
    insta::assert_snapshot!(answer(&project, &run), @r#"
    given: 5 public functions; 4 compared on 1000 to 2000 rows each, 1 not compared (see --all)
      Meter::add  737 of 2000 cases changed
        exactly those with length of self/calls > 1
            2,000 more rows on both sides of that line: no exception
        /output: actual > expected in all 737
        add({"made":0,"calls":[0,0]}, 0)
          before: 0
          after:  1
      3 functions gave the same
    "#);
}

#[test]
fn whether_there_is_an_output_is_compared_where_it_can_not_be_shown() {
    let project = committed(
        "unshown",
        "pub struct Hidden(fn());
         pub fn found(x: u8) -> Option<Hidden> { (x > 5).then_some(Hidden(|| ())) }
         pub fn parsed(text: &str) -> Result<Hidden, String> {
             if text.len() > 9 { Err(\"too long\".to_owned()) } else { Ok(Hidden(|| ())) }
         }\n",
    );
    project.edit("src/lib.rs", "x > 5", "x > 6");
    project.edit("src/lib.rs", "too long", "long");
    let run = ended_with(1, compare(&project, &[]));
    insta::assert_snapshot!(answer(&project, &run), @r#"
    unshown: 2 public functions; 2 compared on 1000 rows each
      parsed  350 of 1000 cases changed
        all 350 cases with /Err changed   (650 with another outcome not counted)
        /Err: "too long" became "long" in all 350
        parsed("7610,1:644")
          before: Err("too long")
          after:  Err("long")
      found   37 of 1000 cases changed
        exactly those with x = 6
            256 rows, nearly all that there are: no exception
        "Some(_)" became "None" in all 37
        found(6)
          before: Some(_)
          after:  None
    "#);
}

#[test]
fn a_row_that_ends_the_process_is_an_outcome_and_the_others_are_compared() {
    let project = committed(
        "ending",
        "pub fn checked(x: u8) -> u8 { if x == 7 { std::process::abort() } x }
         pub fn careful(x: u8) -> u8 { x }
         pub fn deep(x: u8) -> u8 { if x == 9 { deep_down(x) } else { x } }
         fn deep_down(x: u8) -> u8 { let room = [x; 4096]; room[usize::from(deep_down(x))] }\n",
    );
    project.edit("src/lib.rs", "if x == 7 { std::process::abort() } x", "x");
    project.edit(
        "src/lib.rs",
        "pub fn careful(x: u8) -> u8 { x }",
        "pub fn careful(x: u8) -> u8 { assert!(x != 5, \"five\"); x }",
    );
    let run = ended_with(1, compare(&project, &["--allow", "checked"]));
    insta::assert_snapshot!(answer(&project, &run), @r#"
    ending: 3 public functions; 3 compared on 1000 rows each
      careful  47 of 1000 cases changed
        exactly those with x = 5
            256 rows, nearly all that there are: no exception
        5 became a panic with "five" in all 47
        careful(5)
          before: 5
          after:  panic: five
      checked  38 of 1000 cases changed
        exactly those with x = 7
            256 rows, nearly all that there are: no exception
        no output: "aborted" became 7 in all 38
        checked(7)
          before: aborted
          after:  7
      1 function gave the same
    "#);
}

#[cfg(all(
    target_os = "linux",
    any(target_arch = "aarch64", target_arch = "x86_64")
))]
#[test]
fn a_function_that_removes_a_folder_removes_none() {
    crate::confine::needs_confinement();
    let project = committed("removing", "");
    let folder = project.path("kept/inside");
    std::fs::create_dir_all(&folder).unwrap();
    project.write(
        "src/lib.rs",
        &format!(
            "pub fn remove(x: bool) -> String {{ let _ = x; format!(\"{{:?}}\", \
             std::fs::remove_dir_all({folder:?}).map_err(|it| it.kind())) }}\n"
        ),
    );
    commit(&project);
    project.write("notes", "not in the repository\n");
    let run = tdg(&project, &["compare", "--allow", "remove"]).passes();
    insta::assert_snapshot!(answer(&project, &run), @"
    removing: 1 public function; 1 compared on 1000 rows each
      1 function gave the same
    ");
    assert!(folder.exists());
}

#[test]
fn outputs_that_change_from_run_to_run_are_no_change() {
    let project = committed(
        "unstable",
        "pub fn words(text: &str) -> std::collections::HashMap<String, usize> {
             text.split(' ').map(|it| (it.to_owned(), it.len())).collect()
         }
         pub fn order(text: &str) -> Vec<String> { words(text).into_keys().collect() }\n",
    );
    project.edit("src/lib.rs", "it.len()", "it.bytes().count()");
    let run = compare(&project, &[]).passes();
    let answer = answer(&project, &run);
    let lines: Vec<&str> = answer.lines().collect();
    let [_, order, same] = lines[..] else {
        panic!("{answer}")
    };
    assert!(order.ends_with("differ between two runs, so it can't be compared"));
    assert_eq!(same, "  1 function gave the same");
}

#[test]
fn sources_that_do_not_compile_are_named() {
    let project = committed("broken", "pub fn double(x: i32) -> i32 { x * }\n");
    project.write("src/lib.rs", "pub fn double(x: i32) -> i32 { x * 2 }\n");
    let run = ended_with(2, compare(&project, &[]));
    insta::assert_snapshot!(anonymous(&project, &run.stderr), @"
    note: main (c68c7f6): src/lib.rs: unexpected end of input, expected an expression; that code is not compared
    error: nothing was compared; --all lists the functions with the reasons
    ");
    project.write("src/lib.rs", "pub fn double(x: i32) -> i32 { y }\n");
    commit(&project);
    project.write("notes", "not in the repository\n");
    let run = ended_with(2, compare(&project, &["HEAD"]));
    insta::assert_snapshot!(anonymous(&project, &run.stderr), @"
    error: HEAD (8674866): its sources don't compile:
    error[E0425]: cannot find value `y` in this scope
     --> <shop>/target/tdg/compare/sources/a636baebd4a91134d6282eafbff76417ba5c481f/src/lib.rs:1:32
      |
    1 | pub fn double(x: i32) -> i32 { y }
      |                                ^
      |
    help: a local variable with a similar name exists
      |
    1 - pub fn double(x: i32) -> i32 { y }
    1 + pub fn double(x: i32) -> i32 { x }
      |
    ");
}

#[test]
fn a_revision_that_is_not_there() {
    let project = committed("absent", "pub fn double(x: i32) -> i32 { x * 2 }\n");
    let run = ended_with(2, compare(&project, &["nowhere"]));
    insta::assert_snapshot!(run.stderr, @"error: unknown revision `nowhere`; run `git fetch` if it is on a remote");
    let project = Project::without_lock(&[("Cargo.toml", &manifest("lone")), ("src/lib.rs", "")]);
    let run = ended_with(2, compare(&project, &[]));
    insta::assert_snapshot!(run.stderr.lines().next().unwrap(), @"error: comparing with a revision needs a git repository: git: fatal: not a git repository (or any of the parent directories): .git");
}

#[test]
fn another_directory_and_another_build_are_compared_too() {
    let library = "pub fn double(x: u8) -> u8 { if cfg!(feature = \"fast\") { x << 1 } else { x.saturating_mul(2) } }\n";
    let project = committed("other", library);
    let features = format!("{}\n[features]\nfast = []\n", manifest("other"));
    project.write("Cargo.toml", &features);
    let run = ended_with(1, compare(&project, &["--features", "fast", "--json"]));
    let json = tdg_definition::json::parse(&run.stdout).unwrap();
    let function = &json.get("packages").unwrap().as_array().unwrap()[0];
    let function = &function.get("functions").unwrap().as_array().unwrap()[0];
    assert_eq!(function.get("verdict").unwrap().as_str(), Some("changed"));
    project.write("other/Cargo.toml", &features);
    project.write(
        "other/src/lib.rs",
        &library.replace("x << 1", "x.saturating_mul(2)"),
    );
    let run = ended_with(1, compare(&project, &["--path", "other", "--markdown"]));
    insta::assert_snapshot!(answer(&project, &run), @"
    ### other

    1 public function; 1 compared on 1000 rows each

    <details><summary><code>double</code>: 166 of 1000 cases changed</summary>

    - exactly those with x > 127
    -     256 rows, nearly all that there are: no exception
    - actual < expected in all 166

    ```text
    double(128)
      before: 255
      after:  0
    ```

    </details>
    ");
}

/// `tests/rust-version` installs the toolchain.
#[test]
#[ignore = "compiles with another toolchain"]
fn a_crate_of_the_first_edition_is_compared_by_another_toolchain() {
    let project = committed_with(
        &manifest("early").replace("2024", "2015"),
        "mod money { #[derive(Debug)] pub struct Cents(pub u8); }
         pub use money::Cents;
         pub fn doubled(it: Cents) -> Cents { Cents(it.0.wrapping_mul(2)) }
         pub fn compiler() -> bool { option_env!(\"RUSTUP_TOOLCHAIN\").map_or(false, |it| it.starts_with(\"1.\")) }\n",
    );
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let run = ended_with(1, compare(&project, &["--toolchain", oldest]));
    insta::assert_snapshot!(answer(&project, &run), @"
    early: 2 public functions; 2 compared on 1000 rows each
      compiler  1 of 1 case changed
        compiler()
          before: false
          after:  true
      1 function gave the same
    ");
}

#[test]
fn nothing_compared_is_no_success() {
    let project = committed(
        "nothing",
        "pub fn apply(f: fn(i32) -> i32) -> i32 { f(1) }\n",
    );
    project.write("notes", "not in the repository\n");
    let run = ended_with(2, compare(&project, &[]));
    insta::assert_snapshot!(run.stderr, @"error: nothing was compared; --all lists the functions with the reasons");
    let run = ended_with(2, compare(&project, &["--only", "absent"]));
    insta::assert_snapshot!(run.stderr, @"error: nothing was compared with --only absent");
    let run = ended_with(2, compare(&project, &["--allow", "aply"]));
    insta::assert_snapshot!(run.stderr, @"error: --allow aply: no function of that name is on both sides; did you mean `apply`?");
    let run = ended_with(2, compare(&project, &["--changed", "--only", "absent"]));
    insta::assert_snapshot!(run.stderr, @"error: nothing was compared with --only absent");
    let run = ended_with(0, compare(&project, &["--changed", "--allow", "apply"]));
    insta::assert_snapshot!(answer(&project, &run), @"nothing: 1 public function; 0 compared on 1000 rows each, 1 with the same code");
}

#[test]
fn a_page_is_kept_where_nothing_was_compared() {
    let project = committed("kept", "pub fn double(x: i8) -> i16 { i16::from(x) * 2 }\n");
    let page = ["--html", "page.html", "--force"];
    project.write("page.html", "the page of before\n");
    ended_with(2, compare(&project, &page).arguments(&["--only", "absent"]));
    assert!(project.read("page.html") == "the page of before\n");
    ended_with(0, compare(&project, &page));
    assert!(project.read("page.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_store_that_can_not_be_read_is_no_reason_to_compare_nothing() {
    let project = committed(
        "stored",
        "pub fn double(x: i8) -> i16 { i16::from(x) * 2 }\n",
    );
    project.write("tdg.toml", "snapshots = false\n");
    project.write(".tdg/store.db", "no database\n");
    project.write(".tdg/.gitignore", "# The local store of tdg.\n*\n");
    let run = ended_with(0, compare(&project, &[]));
    let shown = "note: can't draw rows as the tests do: the store ";
    assert!(run.stderr.starts_with(shown), "{run}");
    assert_eq!(run.stderr.matches("note:").count(), 1, "{run}");
    project.write("tdg.toml", "");
    let newer = SNAPSHOT.replace("{\"tdg\":1", "{\"tdg\":9");
    project.write("tests/snapshots/a__newer.snap", &newer);
    project.write("tests/snapshots/a__damaged.snap", &SNAPSHOT[..60]);
    let run = ended_with(0, compare(&project, &[]));
    assert_eq!(run.stderr, "");
}

#[test]
fn a_long_output_is_compared_to_its_end() {
    let project = committed(
        "long",
        "pub fn long(x: bool) -> String { let _ = x; \"a\".repeat(1 << 17) + \"b\" }\n",
    );
    project.edit("src/lib.rs", "+ \"b\"", "+ \"c\"");
    ended_with(1, compare(&project, &[]));
}

#[test]
fn todays_lock_file_is_used_each_time() {
    let project = committed(
        "locked",
        "pub fn double(x: i8) -> i16 { i16::from(x) * 2 }\n",
    );
    project.write("notes", "not in the repository\n");
    compare(&project, &["HEAD"]).passes();
    project.write("Cargo.lock", "no lock file\n");
    let run = ended_with(2, compare(&project, &["HEAD"]));
    assert!(
        run.stderr.contains("failed to parse lock file"),
        "{}",
        run.stderr
    );
}

#[test]
fn comparisons_at_once_give_what_each_alone_would() {
    let project = committed(
        "atonce",
        "pub fn one(x: i32) -> i32 { x }\npub fn two(x: i32) -> i32 { x }\n",
    );
    project.edit(
        "src/lib.rs",
        "two(x: i32) -> i32 { x }",
        "two(x: i32) -> i32 { x / 2 }",
    );
    std::thread::scope(|scope| {
        let one = scope.spawn(|| ended_with(0, compare(&project, &["--only", "one"])));
        let two = scope.spawn(|| ended_with(1, compare(&project, &["--only", "two"])));
        one.join().unwrap();
        two.join().unwrap();
    });
}
