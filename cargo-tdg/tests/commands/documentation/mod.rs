//! The pages show what happens.
//!
//! A page is a story in one package: its ```` ```console ```` blocks are run in their order, its
//! ```` ```diff ```` blocks are applied to the sources, and its blocks with `file=…` are written.
//! In the output a line `…` means any number of lines. `UPDATE_DOCS=1` writes what happens
//! into the pages, but for outputs with such a line.

mod page;
mod story;

use std::fs;

use story::Story;

/// Runs the page in a package of that name.
fn holds(path: &str, package: &str) {
    let path = tdg_tests::workspace().join(path);
    let text = fs::read_to_string(&path).unwrap();
    let replay = Story::new(package).replay(&text);
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
fn the_page_about_deciding() {
    holds("docs/tutorial/deciding.md", "savings");
}

#[test]
fn the_page_about_the_command_line() {
    holds("docs/reference/command-line.md", "bank");
}
