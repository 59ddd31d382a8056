//! Checks that the documentation shows actual behavior.
//!
//! Each page runs in one package: its ```` ```console ```` blocks are run in order, its
//! ```` ```diff ```` blocks are applied to the sources, and its blocks with `file=…` are written.
//! In the output a line `…` means any number of lines. `UPDATE_DOCS=1` writes what happens
//! into the pages, but for outputs with such a line.

mod page;
mod story;

use std::fs;

use story::Story;

/// Runs the page in the story's package.
fn holds(path: &str, story: &Story) {
    let path = tdg_tests::workspace().join(path);
    let text = fs::read_to_string(&path).unwrap();
    let replay = story.replay(&text);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, replay.updated).unwrap();
        return;
    }
    assert!(
        replay.differences.is_empty(),
        "{}",
        replay.differences.join("\n\n")
    );
}

#[test]
fn the_page_about_the_first_regression() {
    let story = Story::empty("shipping");
    holds("docs/tutorial/first-regression.md", &story);
}

#[test]
fn the_page_about_deciding() {
    let story = Story::of_quickstart("savings");
    holds("docs/tutorial/deciding.md", &story);
}

#[test]
fn the_page_about_nextest() {
    let story = Story::of_quickstart("plans");
    holds("docs/how-to/nextest.md", &story);
}

#[test]
fn the_page_about_the_command_line() {
    let story = Story::of_quickstart("bank");
    holds("docs/reference/command-line.md", &story);
}

#[test]
fn the_page_about_two_implementations() {
    let story = Story::empty("billing");
    holds("docs/how-to/two-implementations.md", &story);
}

#[test]
fn the_page_about_exploring() {
    let story = Story::empty("pieces");
    holds("docs/how-to/explore.md", &story);
}

#[test]
fn the_page_about_tables() {
    let story = Story::empty("tables");
    holds("docs/how-to/tables.md", &story);
}

#[test]
fn the_page_about_synchronising() {
    let story = Story::of_two_people("bakery");
    holds("docs/how-to/sync.md", &story);
}
