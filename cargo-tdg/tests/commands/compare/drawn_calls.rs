//! Drawn calls of functions that are hard to call, or to see a change in.

use crate::compare::{answer, commit, committed, committed_with, compare, ended_with, manifest};

const CHRONO: &str = "\
use std::str::FromStr;

pub mod prelude {
    pub use crate::{NaiveDate, TimeDelta};
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct NaiveDate(u32);

impl FromStr for NaiveDate {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.as_bytes() {
            [_, _, _, _, b'-', _, _, b'-', _, _] => {
                text.replace('-', \"\").parse().map(Self).map_err(|_| ())
            }
            _ => Err(()),
        }
    }
}

impl NaiveDate {
    pub fn number(self) -> u32 {
        self.0
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TimeDelta(i64);

impl TimeDelta {
    pub fn seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    pub fn number(self) -> i64 {
        self.0
    }
}

pub struct Odd(u8);

impl FromStr for Odd {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text.starts_with(\"20\") && text.ends_with(\"5Z\") | text.ends_with(\"7Z\") { Ok(Self(7)) } else { Err(()) }
    }
}

impl Odd {
    pub fn number(self) -> u8 {
        self.0
    }
}
";

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn most_rows_are_inputs_of_types_of_other_crates() {
    let package = format!(
        "{}[dependencies]\nchrono = {{ path = \"chrono\" }}\n[workspace]\n",
        manifest("foreign")
    );
    let project = committed_with(
        &package,
        "use chrono::prelude::*;
         pub fn ordered(x: NaiveDate, y: NaiveDate, z: NaiveDate) -> bool { x < y && y < z }
         pub fn month(it: NaiveDate) -> u32 { it.number() / 100 % 100 }
         pub fn hours(it: TimeDelta) -> i64 { it.number() / 3600 }
         pub fn seldom(it: chrono::Odd) -> u8 { it.number() }\n",
    );
    project.write("chrono/Cargo.toml", &manifest("chrono"));
    project.write("chrono/src/lib.rs", CHRONO);
    commit(&project);
    project.edit("src/lib.rs", "/ 3600", "/ 3601");
    let run = ended_with(1, compare(&project, &["--package=foreign"]));
    let shown = answer(&project, &run);
    assert!(shown.contains("\n  hours   "), "{shown}");
    assert!(
        shown.contains("3 compared on 1000 rows each, 1 with few inputs"),
        "{shown}"
    );
    assert!(shown.contains("seldom  the same, but only "), "{shown}");
    assert!(shown.contains("  2 functions gave the same"), "{shown}");
    // Few inputs don't count.
    let run = ended_with(
        2,
        compare(&project, &["--package=foreign", "--only=Seldom"]),
    );
    assert!(
        run.stderr
            .contains("nothing was compared with --only Seldom"),
        "{run}"
    );
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn a_result_is_compared_by_its_side_and_what_can_be_shown() {
    let project = committed(
        "either",
        "pub struct Never;
         pub struct Hidden;
         pub fn half(x: u8) -> Result<u8, Never> { if x > 200 { Err(Never) } else { Ok(x / 2) } }
         pub fn hidden(x: u8) -> Result<Hidden, Never> { if x > 90 { Err(Never) } else { Ok(Hidden) } }\n",
    );
    project.edit("src/lib.rs", "x / 2", "x / 2 + u8::from(x == 7)");
    project.edit("src/lib.rs", "x > 90", "x >= 90");
    let run = ended_with(1, compare(&project, &[]));
    let shown = answer(&project, &run);
    for part in [
        "2 compared on 1000 rows each",
        "exactly those with x = 7\n        201 rows, nearly all that there are: no exception",
        "before: Ok(3)\n      after:  Ok(4)",
        "exactly those with x = 90\n",
        "before: Ok(_)\n      after:  Err(_)",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn what_is_written_otherwise_or_behind_a_feature_is_not_gone() {
    let project = committed_with(
        &format!("{}[features]\nextra = []\n", manifest("otherwise")),
        "#[derive(Debug)] pub struct Rate(u8);
         impl Default for Rate { fn default() -> Self { Rate(0) } }
         pub struct Text(String);
         impl<'a> From<&'a str> for Text { fn from(it: &'a str) -> Self { Text(it.to_owned()) } }
         impl Text { pub fn len(&self) -> usize { self.0.len() } }
         #[cfg(feature = \"extra\")] pub mod extra { pub fn more(x: u8) -> u8 { x } }
         pub mod str {} pub mod inner { use super::*; pub fn size(it: &str) -> usize { it.len() } }\n",
    );
    project.edit(
        "src/lib.rs",
        "#[derive(Debug)] pub struct Rate(u8);
         impl Default for Rate { fn default() -> Self { Rate(0) } }",
        "#[derive(Debug, Default)] pub struct Rate(u8);",
    );
    project.edit("src/lib.rs", "impl<'a> From<&'a str>", "impl From<&str>");
    project.edit("src/lib.rs", "from(it: &'a str)", "from(it: &str)");
    let run = ended_with(0, compare(&project, &["--all"]));
    insta::assert_snapshot!(answer(&project, &run), @"
    otherwise: 5 public functions; 5 compared on 1000 rows each
      5 functions gave the same

    otherwise: not looked at: 1 type that derives traits
      Rate: Default (type that derives traits)
    ");
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn functions_behind_features_are_compared_if_all_features_build_together() {
    let library = "#[cfg(feature = \"fast\")] pub fn fast(x: u8) -> u8 { x / 2 }
         #[cfg(not(feature = \"fast\"))] pub fn slow(x: u8) -> u8 { x / 2 }
         #[cfg(feature = \"unstable\")] compile_error!(\"unstable\");
         pub fn plain(x: u8) -> u8 { x / 3 }\n";
    let project = committed_with(
        &format!(
            "{}[features]\nfast = []\nsafe = []\nunstable = []\n",
            manifest("features")
        ),
        library,
    );
    project.edit("src/lib.rs", "x / 2", "x / 4");
    let run = ended_with(1, compare(&project, &[]));
    let shown = answer(&project, &run);
    assert!(
        shown.contains("features: 2 public functions; 2 compared") && shown.contains("\n  fast "),
        "{shown}"
    );
    let note = "all features are on: code that is built without one isn't compared";
    assert!(run.stderr.contains(note), "{run}");
    let run = ended_with(1, compare(&project, &["HEAD", "--features", "default"]));
    let shown = answer(&project, &run);
    assert!(
        shown.contains("features: 2 public functions; 2 compared") && shown.contains("\n  slow "),
        "{shown}"
    );
    assert!(!run.stderr.contains(note), "{run}");
    let exclusive = "#[cfg(all(feature = \"fast\", feature = \"safe\"))] compile_error!(\"either fast or safe\");\n";
    project.write("src/lib.rs", &format!("{library}{exclusive}"));
    commit(&project);
    project.edit("src/lib.rs", "x / 3", "x / 5");
    let run = ended_with(1, compare(&project, &["HEAD"]));
    let note =
        "only the default features are on (see --features): with all, error: either fast or safe";
    assert!(run.stderr.contains(note), "{run}");
    assert!(
        answer(&project, &run).contains("features: 2 public functions; 2 compared"),
        "{run}"
    );
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn functions_whose_own_code_changed_come_before_their_callers() {
    let library = "pub fn all(x: u32) -> u32 { fee(x) + 1 }
         pub fn fee(x: u32) -> u32 { if x == 20 { 7 } else { 4 } }
         pub fn other(x: u32) -> u32 { x / 2 }\n";
    let project = committed("callers", library);
    project.edit("src/lib.rs", "{ 7 }", "{ 8 }");
    let run = ended_with(1, compare(&project, &[]));
    let shown = answer(&project, &run);
    let fee = shown.find("\n  fee ").unwrap();
    assert!(fee < shown.find("\n  all ").unwrap(), "{shown}");
    // The called functions don't run the changed code.
    project.write(
        "src/lib.rs",
        &format!("{library}pub unsafe fn raw(x: u8) -> u8 {{ x }}\n"),
    );
    commit(&project);
    project.edit(
        "src/lib.rs",
        "raw(x: u8) -> u8 { x }",
        "raw(x: u8) -> u8 { x + 1 }",
    );
    let run = ended_with(2, compare(&project, &["HEAD"]));
    let shown = answer(&project, &run);
    assert!(
        shown.contains("not compared, though changed code runs in raw"),
        "{shown}"
    );
    assert!(
        run.stderr
            .contains("nothing that runs the changed code was compared: raw; --all"),
        "{run}"
    );
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn literals_of_tests_and_nearly_equal_arguments_reach_what_differs() {
    let words: String = (0..250).map(|it| format!("\"word{it}\", ")).collect();
    let project = committed(
        "literals",
        &format!(
            "pub struct Unit(usize);
             impl std::str::FromStr for Unit {{
                 type Err = ();
                 fn from_str(text: &str) -> Result<Self, ()> {{
                     if [{words}].contains(&text) {{ return Err(()) }}
                     Ok(Unit(text.len()))
                 }}
             }}
             impl Unit {{ pub fn size(&self) -> usize {{ self.0 }} }}
             pub fn same(one: Vec<String>, other: Vec<String>) -> bool {{ one == other }}
             #[cfg(test)]
             mod tests {{
                 fn size(text: &str) -> usize {{ text.parse::<super::Unit>().map_or(0, |it| it.size()) }}
                 #[test] fn sized() {{ assert_eq!(size(\"12 cubic inches\"), 15) }}
             }}\n"
        ),
    );
    project.edit(
        "src/lib.rs",
        "Ok(Unit(text.len()))",
        "Ok(Unit(if text == \"12 cubic \\u{69}nches\" { 9 } else { text.len() }))",
    );
    project.edit(
        "src/lib.rs",
        "{ one == other }",
        "{ one == other && !one.is_empty() }",
    );
    let run = ended_with(1, compare(&project, &[]));
    let shown = answer(&project, &run);
    assert!(shown.contains("12 cubic inches"), "{shown}");
    assert!(shown.contains("\n  same "), "{shown}");
}
