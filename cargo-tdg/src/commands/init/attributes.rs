//! `.gitattributes` for the snapshot files of tdg.
//!
//! `linguist-generated` makes GitHub collapse them in pull requests. `diff=tdg` lets `git diff`
//! explain them in clones with the driver. Nothing else is set: `-diff` would hide changes from
//! `git diff` too, and `-merge` would turn changes of different rows into conflicts.

use std::collections::BTreeSet;
use std::fs;

use tdg_engine::config::display_path;
use tdg_engine::snapshot::{self, Header};

use super::read_or_empty;
use crate::error::Result;
use crate::workspace::Workspace;

/// An attribute for all snapshot files, and the title line that tdg writes above it.
pub(super) struct GitAttribute {
    title: &'static str,
    name: &'static str,
}

pub(super) const FOLDED: GitAttribute = GitAttribute {
    title: "# Snapshot files of tdg: cargo tdg init --gitattributes",
    name: "linguist-generated",
};
pub(super) const EXPLAINED: GitAttribute = GitAttribute {
    title: "# Snapshot files of tdg, explained by git diff: cargo tdg init --git",
    name: "diff=tdg",
};

/// The pattern for all snapshot files, if no other tool has files like that.
const ALL: &str = "**/snapshots/*.snap";

/// Writes the lines, replacing earlier ones, and returns them.
pub(super) fn add(workspace: &Workspace, attribute: &GitAttribute) -> Result<Vec<String>> {
    let path = workspace.directory.join(".gitattributes");
    let before = read_or_empty(&path)?;
    let lines = lines(workspace, attribute.name);
    snapshot::save(&path, &replaced(&before, attribute, &lines))?;
    Ok(lines)
}

/// Returns one line for all files, or a line per file if insta has files of the same form.
fn lines(workspace: &Workspace, attribute: &str) -> Vec<String> {
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
        return vec![format!("{ALL} {attribute}")];
    }
    let own = own.iter().map(|file| {
        let path = display_path(&workspace.directory, file);
        if path.contains(' ') {
            format!("\"{path}\" {attribute}")
        } else {
            format!("{path} {attribute}")
        }
    });
    own.collect()
}

/// Replaces earlier lines, which end with the attribute, by the given ones.
fn replaced(before: &str, attribute: &GitAttribute, lines: &[String]) -> String {
    let mut text = String::new();
    let mut push = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let mut is_own = false;
    for line in before.lines() {
        is_own = line == attribute.title || is_own && line.ends_with(attribute.name);
        if !is_own {
            push(line);
        }
    }
    if !lines.is_empty() {
        push(attribute.title);
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
            let line = |name: &&str| format!("{name} linguist-generated");
            names.iter().map(line).collect::<Vec<_>>()
        };
        let replaced = |before: &str, lines: &[String]| replaced(before, &FOLDED, lines);
        let title = FOLDED.title;
        let first = replaced("* text=auto", &lines(&["a", "b"]));
        assert_eq!(
            first,
            format!("* text=auto\n{title}\na linguist-generated\nb linguist-generated\n")
        );
        let more = first + "*.png binary\n";
        assert_eq!(
            replaced(&more, &lines(&["c"])),
            format!("* text=auto\n*.png binary\n{title}\nc linguist-generated\n")
        );
        assert_eq!(replaced(&more, &[]), "* text=auto\n*.png binary\n");
    }
}
