//! The differences between the sources of both sides.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use tdg_engine::text::shorten;

use super::locked_packages::differing_packages;
use crate::error::{Context as _, Error, Result};
use crate::sides::ComparedSide;
use crate::sources::rust_files;

/// The maximum width of a shown line.
const WIDTH: usize = 90;
/// The most lines of a side that are shown.
const LINES: usize = 3;

/// The differing lines of two versions of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    /// The path in the workspace.
    pub(super) file: PathBuf,
    /// The earlier lines.
    before: Vec<String>,
    /// The lines today, counted from 0.
    now: Range<usize>,
    after: Vec<String>,
}

/// The differences between the sources of both sides.
pub(super) struct SourceChange {
    pub(super) hunks: Vec<Hunk>,
    /// The files of today with hunks.
    files: BTreeMap<PathBuf, String>,
    /// Earlier files that are gone. They are there again in every copy.
    gone: Vec<(PathBuf, String)>,
}

impl SourceChange {
    /// Compares the sources, and the packages of the lock files.
    pub(super) fn new(then: &ComparedSide, now: &ComparedSide) -> Result<Self> {
        let mut change = Self {
            hunks: Vec::new(),
            files: BTreeMap::new(),
            gone: Vec::new(),
        };
        for package in &now.workspace.packages {
            let Ok(earlier) = then.workspace.package(&package.name) else {
                continue;
            };
            for before in sources(&earlier.directory) {
                let path = before.strip_prefix(&earlier.directory).unwrap_or(&before);
                let after = package.directory.join(path);
                let place = after.strip_prefix(&now.workspace.directory);
                change.add(&before, &after, place.unwrap_or(&after))?;
            }
        }
        let locks = [then, now].map(|it| it.workspace.directory.join(LOCK_FILE));
        if locks.iter().all(|it| it.is_file()) {
            change.add(&locks[0], &locks[1], Path::new(LOCK_FILE))?;
        }
        Ok(change)
    }

    fn add(&mut self, before: &Path, after: &Path, place: &Path) -> Result<()> {
        let former = fs::read_to_string(before).context(before.display())?;
        let Ok(text) = fs::read_to_string(after) else {
            self.gone.push((place.to_owned(), former));
            return Ok(());
        };
        if former == text {
            return Ok(());
        }
        let (old, new): (Vec<&str>, Vec<&str>) = (former.lines().collect(), text.lines().collect());
        let differing = match is_lock_file(place) {
            true => differing_packages(&old, &new),
            false => differences(before, after)?,
        };
        for (then, now) in differing {
            let lines = new[now.clone()].iter().chain(&old[then.clone()]);
            if !lines.clone().all(|it| is_no_code(it)) {
                self.hunks.push(Hunk::new(place, &old[then], &new, now));
            }
        }
        self.files.insert(place.to_owned(), text);
        Ok(())
    }

    /// Returns the files with some of the hunks taken back.
    pub(super) fn without(&self, taken_back: &[usize]) -> Vec<(PathBuf, String)> {
        let mut texts = self.gone.clone();
        for (file, text) in &self.files {
            let mut lines: Vec<&str> = text.lines().collect();
            // From the end, so that earlier lines keep their numbers.
            for hunk in taken_back.iter().rev().map(|it| &self.hunks[*it]) {
                if hunk.file == *file {
                    let before = hunk.before.iter().map(String::as_str);
                    lines.splice(hunk.now.clone(), before);
                }
            }
            texts.push((file.clone(), lines.join("\n") + "\n"));
        }
        texts
    }
}

const LOCK_FILE: &str = "Cargo.lock";

fn is_lock_file(file: &Path) -> bool {
    file == Path::new(LOCK_FILE)
}

impl Hunk {
    /// Returns the versions of packages that only one of two lock files has.
    fn packages(&self) -> [Vec<String>; 2] {
        let packages = [&self.before, &self.after].map(|lines| {
            let value = |line: &str, key: &str| {
                let value = line.strip_prefix(key)?.strip_prefix(" = \"")?;
                Some(value.trim_end_matches('"').to_owned())
            };
            let pairs = lines.windows(2);
            let pairs =
                pairs.filter_map(|it| Some((value(&it[0], "name")?, value(&it[1], "version")?)));
            pairs
                .map(|(name, version)| format!("{name} {version}"))
                .collect::<Vec<_>>()
        });
        let [before, after] = &packages;
        let only = |own: &[String], other: &[String]| {
            let own = own.iter().filter(|it| !other.contains(it));
            own.cloned().collect()
        };
        [only(before, after), only(after, before)]
    }

    fn new(file: &Path, before: &[&str], all: &[&str], now: Range<usize>) -> Self {
        let owned = |lines: &[&str]| lines.iter().map(|it| (*it).to_owned()).collect();
        Self {
            file: file.to_owned(),
            before: owned(before),
            after: owned(&all[now.clone()]),
            now,
        }
    }

    /// Returns true if it is a package of the lock file.
    pub(super) fn is_locked(&self) -> bool {
        is_lock_file(&self.file)
    }

    /// Returns the place and the lines as a diff has them.
    pub(super) fn text(&self) -> String {
        let (mut text, [before, after]) = match self.is_locked() {
            true => (LOCK_FILE.to_owned(), self.packages()),
            false => {
                let place = format!("{}:{}", self.file.display(), self.now.start + 1);
                (place, [self.before.clone(), self.after.clone()])
            }
        };
        for (sign, lines) in [("-", before), ("+", after)] {
            let shown = lines.iter().filter(|it| !it.trim().is_empty());
            for line in shown.take(LINES) {
                text += &format!("\n  {sign} {}", shorten(line.trim(), WIDTH));
            }
            if lines.len() > LINES {
                text += &format!("\n  {sign} …");
            }
        }
        text
    }
}

/// Returns the source files of a package.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut files = rust_files(&directory.join("src"));
    let build = directory.join("build.rs");
    files.extend(build.is_file().then_some(build));
    files
}

fn is_no_code(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with("//")
}

/// Returns the ranges of lines that differ, from 0.
fn differences(before: &Path, after: &Path) -> Result<Vec<(Range<usize>, Range<usize>)>> {
    let options = [
        "diff",
        "--no-index",
        "--unified=0",
        "--no-color",
        "--no-ext-diff",
    ];
    let mut command = Command::new("git");
    let output = command
        .args(options)
        .arg("--")
        .args([before, after])
        .output();
    let output = output.context("can't run git")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let headers = text.lines().filter_map(|it| it.strip_prefix("@@ -"));
    let ranges = headers.map(|it| {
        // @@ -<line>,<count> +<line>,<count> @@
        let mut words = it.split(' ');
        let (then, now) = (words.next()?, words.next()?.strip_prefix('+')?);
        Some((range(then)?, range(now)?))
    });
    let ranges: Option<Vec<_>> = ranges.collect();
    ranges.ok_or_else(|| Error::new("`git diff` has an unknown format; please report this"))
}

/// Reads `17,2` or `17`. Without lines, it is the line before.
fn range(text: &str) -> Option<Range<usize>> {
    let (line, count) = text.split_once(',').unwrap_or((text, "1"));
    let (line, count): (usize, usize) = (line.parse().ok()?, count.parse().ok()?);
    let start = if count == 0 {
        line
    } else {
        line.checked_sub(1)?
    };
    Some(start..start + count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_of_a_lock_file_is_a_difference() {
        let folder = tempfile::tempdir().unwrap();
        let lock = |name: &str, packages: &[&str]| {
            let entries = packages.iter().map(|package| {
                let (name, version) = package.split_once(' ').unwrap();
                format!(
                    "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"r\"\n"
                )
            });
            let path = folder.path().join(name);
            fs::write(
                &path,
                "version = 4\n".to_owned() + &entries.collect::<String>(),
            )
            .unwrap();
            path
        };
        let then = lock(
            "then",
            &["aho 1.0.0", "semver 1.0.1", "serde 1.0.0", "syn 1.0.0"],
        );
        let now = lock(
            "now",
            &["semver 1.0.2", "serde 1.0.0", "syn 1.0.0", "syn 2.0.0"],
        );
        let mut change = SourceChange {
            hunks: Vec::new(),
            files: BTreeMap::new(),
            gone: Vec::new(),
        };
        change.add(&then, &now, Path::new(LOCK_FILE)).unwrap();
        let texts = change.hunks.iter().map(|it| it.text() + "\n");
        insta::assert_snapshot!(texts.collect::<String>(), @"
        Cargo.lock
          - aho 1.0.0
        Cargo.lock
          - semver 1.0.1
          + semver 1.0.2
        Cargo.lock
          + syn 2.0.0
        ");
        let taken_back = |hunks: &[usize]| change.without(hunks)[0].1.clone();
        let versions = |text: &str| {
            let lines = text.lines().filter_map(|it| it.strip_prefix("version = "));
            lines.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            versions(&taken_back(&[1])),
            r#"4 "1.0.1" "1.0.0" "1.0.0" "2.0.0""#
        );
        assert_eq!(taken_back(&[0, 1, 2]), fs::read_to_string(&then).unwrap());
    }

    #[test]
    fn some_differences_are_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let then = file("then.rs", "one\ntwo\nthree\nfour\nfive\nsix\n");
        let now = file(
            "now.rs",
            "one\n2\nthree\n// four\nfour\nsix\nseven\neight\n",
        );
        let mut change = SourceChange {
            hunks: Vec::new(),
            files: BTreeMap::new(),
            gone: Vec::new(),
        };
        change.add(&then, &now, Path::new("src/lib.rs")).unwrap();
        let texts = change.hunks.iter().map(|it| it.text() + "\n");
        insta::assert_snapshot!(texts.collect::<String>(), @r"
        src/lib.rs:2
          - two
          + 2
        src/lib.rs:6
          - five
        src/lib.rs:7
          + seven
          + eight
        ");
        let without = |hunks: &[usize]| change.without(hunks)[0].1.replace('\n', " ");
        assert_eq!(without(&[]), "one 2 three // four four six seven eight ");
        assert_eq!(
            without(&[0, 1]),
            "one two three // four four five six seven eight "
        );
        assert_eq!(without(&[0, 1, 2]), "one two three // four four five six ");
    }
}
