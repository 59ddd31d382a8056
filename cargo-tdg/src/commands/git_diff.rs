//! `cargo tdg git-diff`: git's driver for the diffs of snapshot files.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use tdg_engine::snapshot::Snapshot;
use tdg_report::Extent;

use super::differences::{BenchmarkDifference, ContentDifference};
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::terminal::print;
use crate::terminal::style::STRONG;

/// Explain the difference between two versions of a snapshot file, for `git diff`
///
/// `cargo tdg init --git` makes it git's driver.
#[derive(Args, Debug)]
pub(crate) struct GitDiff {
    /// The path of the file
    path: String,
    /// The old version, its object and mode, the same for the new one, and the renaming
    #[arg(num_args = 0..=8, allow_hyphen_values = true)]
    versions: Vec<String>,
}

impl GitDiff {
    pub(crate) fn run(self) -> Result<Exit> {
        let [former, _, _, now, _, _, renamed @ ..] = self.versions.as_slice() else {
            // Git has no versions to compare.
            print(&format!("* Unmerged path {}\n", self.path))?;
            return Ok(Exit::Fine);
        };
        let (former, now) = (PathBuf::from(former), PathBuf::from(now));
        let file = renamed.first().unwrap_or(&self.path);
        match difference(file.clone(), [&former, &now].map(fs::read_to_string)) {
            Some(difference) => {
                let (headline, sections) =
                    (difference.headline(), difference.sections(Extent::SCREEN).0);
                print(&format!(
                    "{STRONG}{file}\n{headline}{STRONG:#}\n{sections}\n"
                ))?;
            }
            None => {
                let mut lines = Command::new("git");
                let options = ["--no-pager", "diff", "--no-index", "--no-ext-diff", "--"];
                lines.args(options).args([former, now]);
                // Git exits with 1 if there are differences.
                lines.status().context("can't run git")?;
            }
        }
        Ok(Exit::Fine)
    }
}

/// Compares two versions; `None` if one is damaged or another tool's. A missing version is empty.
fn difference(
    file: String,
    versions: [std::io::Result<String>; 2],
) -> Option<BenchmarkDifference<'static>> {
    let snapshot = |text: std::io::Result<String>| match text.ok()? {
        text if text.is_empty() => Some(None),
        text => Snapshot::parse(text).ok().map(Some),
    };
    let [former, now] = versions.map(snapshot);
    let (former, now) = (former?, now?);
    let name = |it: &Option<Snapshot>| it.as_ref().map(|it| it.ensemble().name.clone());
    let (former_test, test) = (name(&former), name(&now));
    let content = match (former, now) {
        (None, None) => return None,
        (None, Some(now)) => ContentDifference::New(now.ensemble().size),
        (Some(former), None) => ContentDifference::Gone(former.ensemble().size),
        (Some(former), Some(now)) if ContentDifference::is_same_pin(&former, &now) => {
            ContentDifference::Same
        }
        (Some(former), Some(now)) if former.pin().or(now.pin()).is_some() => {
            let name = &now.ensemble().name;
            ContentDifference::Unknown(Error::new(format!(
                "it pins a benchmark on a server; `cargo tdg show {name} --since REVISION` compares \
                 its outputs"
            )))
        }
        (Some(former), Some(now)) => {
            ContentDifference::between(former, now).unwrap_or_else(ContentDifference::Unknown)
        }
    };
    Some(BenchmarkDifference {
        record: None,
        from: former_test
            .clone()
            .filter(|former| test.as_ref().is_some_and(|it| it != former)),
        test: test.or(former_test)?,
        file,
        content,
        decisions: Vec::new(),
    })
}
