//! `.gitattributes` for the snapshot files of tdg.
//!
//! `linguist-generated` lets GitHub fold them in the diffs of pull requests, where a click unfolds
//! them. Nothing else: `-diff` would hide changes from `git diff` as well, and `-merge` would turn
//! changes of different rows into conflicts.

use std::collections::BTreeSet;
use std::fs;

use tdg_engine::config::display_path;
use tdg_engine::snapshot::{self, Header};

use super::read_or_empty;
use crate::error::Result;
use crate::workspace::Workspace;

/// The line above those that tdg writes.
const TITLE: &str = "# Snapshot files of tdg: cargo tdg init --gitattributes";
/// What is said of each file.
const ATTRIBUTE: &str = "linguist-generated";
/// All snapshot files, where no other tool has any.
const ALL: &str = "**/snapshots/*.snap";

/// Writes the lines, in place of those of an earlier time, and returns them.
pub(super) fn add(workspace: &Workspace) -> Result<Vec<String>> {
    let path = workspace.directory.join(".gitattributes");
    let before = read_or_empty(&path)?;
    let lines = lines(workspace);
    snapshot::save(&path, &replaced(&before, &lines))?;
    Ok(lines)
}

/// A line for all files, or for each if insta has files of the same form.
fn lines(workspace: &Workspace) -> Vec<String> {
    let packages = workspace.packages.iter();
    let files: BTreeSet<_> = packages
        .flat_map(|package| package.snapshot_files())
        .collect();
    let (own, others): (Vec<_>, Vec<_>) = files
        .into_iter()
        .filter(|file| file.is_file())
        .partition(|file| Header::read(file).is_some());
    let lock = fs::read_to_string(workspace.directory.join("Cargo.lock")).unwrap_or_default();
    let has_insta = lock.lines().any(|line| line == "name = \"insta\"");
    if others.is_empty() && !has_insta {
        return vec![format!("{ALL} {ATTRIBUTE}")];
    }
    let own = own.iter().map(|file| {
        let path = display_path(&workspace.directory, file);
        if path.contains(' ') {
            format!("\"{path}\" {ATTRIBUTE}")
        } else {
            format!("{path} {ATTRIBUTE}")
        }
    });
    own.collect()
}

/// The text with these lines in place of earlier ones, which end with the attribute.
fn replaced(before: &str, lines: &[String]) -> String {
    let mut text = String::new();
    let mut push = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let mut is_own = false;
    for line in before.lines() {
        is_own = line == TITLE || is_own && line.ends_with(ATTRIBUTE);
        if !is_own {
            push(line);
        }
    }
    if !lines.is_empty() {
        push(TITLE);
        lines.iter().for_each(|line| push(line));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_lines_are_replaced_and_others_stay() {
        let lines = |names: &[&str]| {
            let line = |name: &&str| format!("{name} {ATTRIBUTE}");
            names.iter().map(line).collect::<Vec<_>>()
        };
        let first = replaced("* text=auto", &lines(&["a", "b"]));
        assert_eq!(
            first,
            format!("* text=auto\n{TITLE}\na linguist-generated\nb linguist-generated\n")
        );
        let more = first + "*.png binary\n";
        assert_eq!(
            replaced(&more, &lines(&["c"])),
            format!("* text=auto\n*.png binary\n{TITLE}\nc linguist-generated\n")
        );
        assert_eq!(replaced(&more, &[]), "* text=auto\n*.png binary\n");
    }
}
