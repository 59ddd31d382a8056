//! Snapshot files after a merge conflict, in a real repository.

use tdg_tests::{Finished, Project, Run, manifest, target_directory};

use crate::anonymous;

const DEFINITION: &str = r#"{"features": [
    {"feature_name": "amount", "type": "INTEGER", "distribution": {"type": "sequence", "start": 0}}
]}"#;

/// The combined result of both branches depends on the amount.
const LIBRARY: &str = "mod one;
mod other;

pub fn price(amount: i64) -> i64 {
    let (one, other) = (one::charge(amount), other::charge(amount));
    100 * amount + match amount {
        4 => if one == 0 { other } else { one },
        7 => if other == 0 { one } else { other },
        _ => one + other,
    }
}
";

const TEST: &str = r#"
#[tdg::ensemble_test(definition = "amounts.json", size = 12)]
fn price(amount: i64) -> i64 {
    prices::price(amount)
}
"#;

const SNAPSHOT: &str = "tests/snapshots/prices__price.snap";

fn charges(charges: &str) -> String {
    format!("pub fn charge(amount: i64) -> i64 {{ match amount {{ {charges} _ => 0 }} }}\n")
}

fn git(project: &Project, arguments: &[&str]) -> Run {
    Run::new("git", project.folder()).arguments(arguments)
}

fn test(project: &Project) -> Run {
    project.cargo(&["test"])
}

fn resolve(project: &Project, arguments: &[&str]) -> Run {
    crate::tdg(project, &["resolve"])
        .arguments(arguments)
        .env("CARGO_TARGET_DIR", target_directory())
}

/// Returns the output without commits.
fn shown(project: &Project, run: &Finished) -> String {
    let text = anonymous(project, &format!("{}{}", run.stdout, run.stderr));
    let is_commit = |word: &&str| word.len() == 7 && word.bytes().all(|it| it.is_ascii_hexdigit());
    let mut words: Vec<&str> = text
        .split([' ', '(', ')', '\n'])
        .filter(is_commit)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
        .iter()
        .fold(text.clone(), |text, word| text.replace(word, "c0ffee"))
}

/// Creates two branches with different changes, each accepted.
fn repository(name: &str, one: impl Fn(&Project), other: impl Fn(&Project)) -> Project {
    let manifest = manifest(name, "name = \"prices\"\ndoctest = false");
    let project = Project::new(&[
        ("Cargo.toml", &manifest),
        (".gitignore", "*.snap.new\n.tdg\n"),
        ("src/lib.rs", LIBRARY),
        ("src/one.rs", &charges("")),
        ("src/other.rs", &charges("")),
        ("amounts.json", DEFINITION),
        ("tests/prices.rs", TEST),
    ]);
    let commit = |subject: &str| {
        test(&project).env("TDG_UPDATE", "always").passes();
        git(&project, &["add", "."]).passes();
        git(&project, &["commit", "--quiet", "--message", subject]).passes();
    };
    git(&project, &["init", "--quiet", "--initial-branch", "main"]).passes();
    git(&project, &["config", "user.name", "A"]).passes();
    git(&project, &["config", "user.email", "a@example.com"]).passes();
    commit("Add prices");
    git(&project, &["checkout", "--quiet", "-b", "other"]).passes();
    other(&project);
    commit("Change the other charges");
    git(&project, &["checkout", "--quiet", "main"]).passes();
    one(&project);
    commit("Change some charges");
    project
}

#[test]
fn a_case_that_one_side_changed_is_taken_and_the_test_decides_about_the_others() {
    let project = repository(
        "tdg-resolve-cases",
        |project| {
            let text = charges("2 => 1, 4 => 10, 5 => 1, 6 => 3, 7 => 30,");
            project.write("src/one.rs", &text);
        },
        |project| {
            let text = charges("4 => 50, 5 => 20, 6 => 3, 7 => 40, 9 => 2,");
            project.write("src/other.rs", &text);
        },
    );
    git(&project, &["merge", "other"]).fails();
    let conflict = project.read(SNAPSHOT);

    // A failing test mentions the command.
    let failing = test(&project).fails();
    assert!(failing.report().contains("cargo tdg resolve"), "{failing}");

    // If the test can't run, nothing changes.
    let library = project.read("src/lib.rs");
    project.write("src/lib.rs", "<<<<<<<");
    let run = resolve(&project, &["price"]).finish();
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("is still in conflict"), "{run}");
    assert_eq!(project.read(SNAPSHOT), conflict);
    project.write("src/lib.rs", &library);

    let run = resolve(&project, &["price"]).finish();
    insta::assert_snapshot!(shown(&project, &run), @"
    resolved price
      7 cases: the same on both sides
      1 case: changed only in main (c0ffee)
      1 case: changed only in other (c0ffee)
      1 case: changed in both; the test agrees with main (c0ffee)
      1 case: changed in both; the test agrees with other (c0ffee)
      1 case: changed in both; the test agrees with neither, so the output of main (c0ffee) stays
      1 case: another output with both changes together
      the test's outputs are pending: cargo tdg review
      then: git add tests/snapshots/prices__price.snap
    ");
    assert_eq!(run.code, Some(1), "{run}");
    insta::assert_snapshot!(outputs(&project), @"
    0 100 201 300 410 501 603 740 800 902 1000 1100
    0 100 201 300 410 521 606 740 800 902 1000 1100
    ");
    // Git still has all versions.
    let unmerged = git(&project, &["ls-files", "--unmerged"]).passes();
    assert_eq!(unmerged.stdout.lines().count(), 3, "{unmerged}");

    // A file resolved by hand is final.
    project.edit(SNAPSHOT, "[[0],0]", "[[0],0.0]");
    let again = resolve(&project, &[]).finish();
    insta::assert_snapshot!(shown(&project, &again), @"error: tests/snapshots/prices__price.snap has no conflict markers any more; `git add` it, or restore the conflict with `git checkout --merge -- tests/snapshots/prices__price.snap`");
    git(&project, &["checkout", "--merge", "--", SNAPSHOT]).passes();
    resolve(&project, &[]).fails();
    crate::tdg(&project, &["accept", "price"]).passes();
    test(&project).passes();
    git(&project, &["add", "."]).passes();
    let run = resolve(&project, &[]).passes();
    insta::assert_snapshot!(run.stdout, @"No snapshot file is in conflict.");
    let run = resolve(&project, &["price"]).finish();
    insta::assert_snapshot!(shown(&project, &run), @"error: git has no conflict in tests/snapshots/prices__price.snap; if it was already added, `git checkout --merge -- tests/snapshots/prices__price.snap` restores the conflict");

    // In a rebase, the sides are the branch below and the commit being applied.
    git(&project, &["merge", "--abort"]).passes();
    git(&project, &["checkout", "--quiet", "other"]).passes();
    git(&project, &["rebase", "main"]).fails();
    let run = resolve(&project, &[]).finish();
    insta::assert_snapshot!(shown(&project, &run), @"
    resolved price
      7 cases: the same on both sides
      1 case: changed only in main (c0ffee)
      1 case: changed only in other (c0ffee)
      1 case: changed in both; the test agrees with main (c0ffee)
      1 case: changed in both; the test agrees with other (c0ffee)
      1 case: changed in both; the test agrees with neither, so the output of main (c0ffee) stays
      1 case: another output with both changes together
      the test's outputs are pending: cargo tdg review
      then: git add tests/snapshots/prices__price.snap
    ");
}

#[test]
fn of_different_rows_those_count_that_the_test_draws() {
    let project = repository(
        "tdg-resolve-rows",
        |project| project.write("src/one.rs", &charges("2 => 1, 9 => 1,")),
        |project| {
            project.edit("tests/prices.rs", "size = 12", "size = 10");
            project.write("src/other.rs", &charges("9 => 2,"));
        },
    );
    git(&project, &["merge", "other"]).fails();
    let run = resolve(&project, &[]).finish();
    insta::assert_snapshot!(shown(&project, &run), @"
    resolved price
      the sides have different rows; the rows of other (c0ffee) are used: the test draws them now
      8 cases: the same on both sides
      1 case: changed only in main (c0ffee)
      1 case: changed in both; the test agrees with neither, so the output of other (c0ffee) stays
      the test's outputs are pending: cargo tdg review
      then: git add tests/snapshots/prices__price.snap
    ");
    insta::assert_snapshot!(outputs(&project), @"
    0 100 201 300 400 500 600 700 800 902
    0 100 201 300 400 500 600 700 800 903
    ");
}

#[test]
fn a_file_that_one_side_removed_is_left_to_git() {
    let project = repository(
        "tdg-resolve-removed",
        |project| project.write("src/one.rs", &charges("2 => 1,")),
        |project| {
            project.edit("tests/prices.rs", "fn price", "#[cfg(any())]\nfn price");
            project.remove(SNAPSHOT);
        },
    );
    git(&project, &["merge", "other"]).fails();
    let run = resolve(&project, &[]).finish();
    insta::assert_snapshot!(shown(&project, &run), @"error: other (c0ffee) removed tests/snapshots/prices__price.snap, and main (c0ffee) changed it; `git rm` it or `git add` it");
}

/// Returns the outputs in the snapshot file and the pending outputs.
fn outputs(project: &Project) -> String {
    let of = |file: &str| {
        if !project.has(file) {
            return "–".to_owned();
        }
        let text = project.read(file);
        let cases = text.lines().filter(|line| line.starts_with("[["));
        let outputs = cases.map(|line| line.rsplit(',').next().unwrap().trim_end_matches(']'));
        outputs.collect::<Vec<_>>().join(" ")
    };
    format!("{}\n{}", of(SNAPSHOT), of(&format!("{SNAPSHOT}.new")))
}

/// One side has a feature that the function doesn't take.
#[test]
fn rows_differ_only_by_what_the_function_takes() {
    let project = repository(
        "tdg-resolve-takes",
        |project| {
            project.write("src/one.rs", &charges("2 => 1,"));
            let amount = "\"start\": 0}}";
            let more = format!(
                "{amount}, {{\"feature_name\": \"note\", \"type\": \"BOOLEAN\", \"distribution\": {{\"type\": \"bernoulli\", \"p\": 0.5}}}}"
            );
            project.edit("amounts.json", amount, &more);
        },
        |project| project.write("src/other.rs", &charges("9 => 2,")),
    );
    git(&project, &["merge", "other"]).fails();
    let run = resolve(&project, &[]).passes();
    insta::assert_snapshot!(shown(&project, &run), @"
    resolved price
      10 cases: the same on both sides
      1 case: changed only in main (c0ffee)
      1 case: changed only in other (c0ffee)
      then: git add tests/snapshots/prices__price.snap
    ");
    assert!(test(&project).env("CI", "1").passes().said().is_empty());
}
