//! `cargo tdg resolve` for branches that changed different fields, with tests that are already
//! built.

use tdg_tests::{Checkout, Finished, Program, Run, Server};

use crate::{anonymous, tdg};

const SNAPSHOT: &str = "tests/snapshots/inputs__priced.snap";
/// The variable for a branch's change: a new field in all cases.
const OTHER: &str = "TAX";
/// The variable for the other branch's change: prices in 45 cases.
const OWN: &str = "BREAK";

/// A repository with two branches that have each accepted a change.
struct Repository {
    shop: Checkout<'static>,
    /// The value of `TDG_API_KEY`.
    key: String,
}

impl Repository {
    fn new(program: &'static Program, settings: &str, key: String) -> Self {
        let shop = program.checkout();
        shop.write("tdg.toml", settings);
        shop.write(".gitignore", "*.snap.new\n.tdg\n");
        let repository = Self { shop, key };
        repository.git(&["init", "--quiet", "--initial-branch", "main"]);
        repository.git(&["config", "user.name", "A"]);
        repository.git(&["config", "user.email", "a@example.com"]);
        repository.commit("Add prices", "NONE");
        repository.git(&["checkout", "--quiet", "-b", "other"]);
        repository.commit("Add taxes", OTHER);
        repository.git(&["checkout", "--quiet", "main"]);
        repository.commit("Lower prices", OWN);
        repository
    }

    fn local() -> Self {
        Self::new(Program::shop(), "", String::new())
    }

    /// Accepts and commits the change of a variable.
    fn commit(&self, subject: &str, variable: &str) {
        let run = self.run(self.shop.inputs("priced"));
        run.env(variable, "1").env("TDG_UPDATE", "always").passes();
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", subject]);
    }

    fn run(&self, run: Run) -> Run {
        run.env("TDG_API_KEY", &self.key)
    }

    fn git(&self, arguments: &[&str]) -> Finished {
        let git = Run::new("git", self.shop.folder()).arguments(arguments);
        let git = git.env("GIT_EDITOR", "true").finish();
        assert!(git.code != Some(128), "{git}");
        git
    }

    /// Resolves with the changes of these variables.
    fn resolve(&self, variables: &[&str]) -> Run {
        let run = self.run(tdg(&self.shop, &["resolve"]));
        let run = self.shop.with_built_tests(run, "inputs");
        let variables = variables.iter();
        variables.fold(run, |run, variable| run.env(variable, "1"))
    }

    fn said(&self, run: &Finished) -> String {
        let text = anonymous(&self.shop, &format!("{}{}", run.stdout, run.stderr));
        let is_hexadecimal =
            |word: &str| word.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-');
        let words = text.split_inclusive([' ', '(', ')', '\n', ';', ':', ',']);
        let words = words.map(|word| {
            let bare = word.trim_end_matches([' ', '(', ')', '\n', ';', ':', ',']);
            match bare.len() {
                7 if is_hexadecimal(bare) => word.replace(bare, "c0ffee"),
                36 if is_hexadecimal(bare) => word.replace(bare, "<benchmark>"),
                _ => word.to_owned(),
            }
        });
        format!("{}\n({})", words.collect::<String>(), run.code.unwrap())
    }

    /// Returns the first cases.
    fn outputs(&self) -> String {
        let text = self.shop.read(SNAPSHOT);
        let outputs = text.lines().filter_map(|line| line.strip_prefix('['));
        outputs.take(3).collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn changes_of_different_fields_are_both_taken_if_the_test_gives_both() {
    let repository = Repository::local();
    repository.git(&["merge", "other"]);
    let run = repository.resolve(&[OWN, OTHER]).finish();
    insta::assert_snapshot!(repository.said(&run), @"
    resolved priced
      155 cases: changed only in other (c0ffee)
      45 cases: changed in both in different fields; the test gives both
      then: git add tests/snapshots/inputs__priced.snap
    (0)
    ");
    insta::assert_snapshot!(repository.outputs(), @r#"
    [5,8,3],{"price":38.8,"tax":0.0}]
    [8,2,2],{"price":16.0,"tax":0.0}]
    [2,8,8],{"price":15.52,"tax":0.0}]
    "#);
    let both = repository
        .shop
        .inputs("priced")
        .env(OWN, "1")
        .env(OTHER, "1");
    assert_eq!(both.env("CI", "1").passes().said(), "");

    // One of the changes is missing.
    repository.git(&["checkout", "--merge", "--", SNAPSHOT]);
    let run = repository.resolve(&[OTHER]).finish();
    insta::assert_snapshot!(repository.said(&run), @"
    resolved priced
      155 cases: changed only in other (c0ffee)
      45 cases: changed in both; the test agrees with other (c0ffee)
      then: git add tests/snapshots/inputs__priced.snap
    (0)
    ");
}

#[test]
fn a_file_that_was_added_with_its_conflict_markers_is_resolved_as_before() {
    for start in [
        &["merge", "other"][..],
        &["cherry-pick", "other"],
        &["rebase", "other"],
        &["stash", "pop"],
    ] {
        let repository = Repository::local();
        if start[0] == "stash" {
            repository.git(&["checkout", "--quiet", "HEAD^"]);
            let theirs = repository
                .git(&["show", &format!("other:{SNAPSHOT}")])
                .stdout;
            repository.shop.write(SNAPSHOT, &theirs);
            repository.git(&["stash"]);
            repository.git(&["checkout", "--quiet", "main"]);
        }
        repository.git(start);
        assert!(
            repository.shop.read(SNAPSHOT).contains("<<<<<<<"),
            "{start:?}"
        );
        repository.git(&["add", "--all"]);
        let run = repository.resolve(&[OWN, OTHER]).finish();
        assert!(
            run.stdout.contains("; the test gives both\n"),
            "{start:?}: {run}"
        );
        assert_eq!(run.code, Some(0), "{start:?}: {run}");
        repository.git(&["add", "--all"]);
        let run = repository.resolve(&[]).passes();
        assert_eq!(run.stdout, "No snapshot file is in conflict.\n");
    }
}

#[test]
fn conflict_markers_of_a_merge_that_git_has_forgotten_are_an_error_with_the_way_out() {
    let repository = Repository::local();
    repository.git(&["merge", "other"]);
    repository.git(&["commit", "--quiet", "--all", "--message", "Merge"]);
    repository.shop.remove(".git/index");
    repository.git(&["reset", "--quiet"]);
    let run = repository.resolve(&[OWN, OTHER]).finish();
    insta::assert_snapshot!(repository.said(&run), @"
    error: tests/snapshots/inputs__priced.snap has conflict markers, and git no longer has the versions of both sides; take one whole side, for example with `git checkout HEAD^ -- tests/snapshots/inputs__priced.snap`, then run the test
    (2)
    ");
    repository.git(&["checkout", "HEAD^", "--", SNAPSHOT]);
    repository.resolve(&[]).passes();
}

#[test]
fn pinned_benchmarks_are_merged_and_the_file_pins_what_came_of_it() {
    let server = Server::start();
    let key = server.bound(&server.key("team", "read,assert,write"));
    let settings = format!("url = \"{}\"\nstore = \"remote\"\n", server.url);
    let repository = Repository::new(Program::remote_shop(), &settings, key);
    repository.git(&["merge", "other"]);
    let conflict = repository.shop.read(SNAPSHOT);
    assert_eq!(
        conflict.matches("\"benchmark_uuid\"").count(),
        2,
        "{conflict}"
    );

    // The outputs are neither in the store nor on the server.
    repository.shop.remove(".tdg");
    let foreign = server.bound(&server.key("foreign", "read,assert,write"));
    let run = repository
        .resolve(&[OWN, OTHER])
        .env("TDG_API_KEY", foreign);
    let said = repository.said(&run.finish()).replace(&server.url, "<url>");
    insta::assert_snapshot!(said, @"
    error: tests/snapshots/inputs__priced.snap in main (c0ffee): it pins the benchmark <benchmark>, which the account foreign does not have at <url>; use the server and key that it was pinned with, or restore the file with its cases from version control; or take one side whole (git checkout --ours or --theirs), then run the test
    (2)
    ");
    assert_eq!(repository.shop.read(SNAPSHOT), conflict);

    // The missing change is pending, and cases replace the pin until it is decided.
    let run = repository.resolve(&[OWN]).finish();
    insta::assert_snapshot!(repository.said(&run), @"
    resolved priced
      155 cases: changed only in other (c0ffee)
      45 cases: changed in both; the test agrees with main (c0ffee)
      155 cases: another output with both changes together
      the test's outputs are pending: cargo tdg review
      then: git add tests/snapshots/inputs__priced.snap
    note: tests/snapshots/inputs__priced.snap has cases in place of the benchmark <benchmark>; before you commit it, run the test with the server, or `cargo tdg push --pin priced`, so that it pins them
    (1)
    ");
    assert!(repository.shop.read(SNAPSHOT).contains("\"replaces\":"));
    repository.git(&["checkout", "--merge", "--", SNAPSHOT]);

    let run = repository.resolve(&[OWN, OTHER]).finish();
    insta::assert_snapshot!(repository.said(&run), @"
    resolved priced
      155 cases: changed only in other (c0ffee)
      45 cases: changed in both in different fields; the test gives both
      then: git add tests/snapshots/inputs__priced.snap
    (0)
    ");
    let merged = repository.shop.read(SNAPSHOT);
    assert_eq!(merged.matches("\"benchmark_uuid\"").count(), 1, "{merged}");
    let both = repository.run(repository.shop.inputs("priced"));
    let both = both.env(OWN, "1").env(OTHER, "1").env("CI", "1");
    assert_eq!(both.passes().said(), "");
}
