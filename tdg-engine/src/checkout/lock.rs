//! The dependencies in `Cargo.lock` that changed since a commit.
//!
//! Only failing tests query them, and only certain changes are listed. A lock file is read line by
//! line, since cargo writes each member on its own line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::Git;

const FILE: &str = "Cargo.lock";

/// How far git walks back: in a long history, walking further would take longer than the test.
const SINCE: &str = "--since=1 year ago";

/// Lists the dependencies of a package that changed since its snapshot file was committed, such as
/// `strsim 0.10.0 → 0.11.1`; empty if git can't say. Starts git.
pub fn changed_dependencies(snapshot_file: &Path, package: &Path, name: &str) -> Vec<String> {
    let since_commit = || {
        let directory = package
            .ancestors()
            .find(|directory| directory.join(FILE).is_file())?;
        let now = fs::read_to_string(directory.join(FILE)).ok()?;
        let git = Git::around(directory);
        // Outputs that aren't committed yet may come from any lock file.
        let file = snapshot_file.to_str().filter(|_| git.has(snapshot_file))?;
        let commit = git.ask(&["log", "-1", "--format=%H", SINCE, "--", file])?;
        let before = git.ask(&["show", &format!("{commit}:./{FILE}")])?;
        Some(changes(&before, &now, name))
    };
    since_commit().unwrap_or_default()
}

/// Lists the packages below `package` whose versions differ.
fn changes(before: &str, now: &str, package: &str) -> Vec<String> {
    let [before, now] = [before, now].map(|text| Lock::parse(text).versions_below(package));
    let names: BTreeSet<&str> = before.keys().chain(now.keys()).copied().collect();
    let change = |name: &str| {
        let [before, now] = [&before, &now].map(|side| side.get(name).map(|it| it.join(", ")));
        match (before, now) {
            (before, now) if before == now => None,
            (Some(before), Some(now)) => Some(format!("{name} {before} → {now}")),
            (None, now) => Some(format!("{name} {} is new", now.unwrap_or_default())),
            (Some(before), None) => Some(format!("{name} {before} is gone")),
        }
    };
    names.into_iter().filter_map(change).collect()
}

/// The packages of a lock file.
struct Lock<'t>(Vec<LockedPackage<'t>>);

#[derive(Default)]
struct LockedPackage<'t> {
    name: &'t str,
    version: &'t str,
    /// True for packages from elsewhere. The versions of workspace members are irrelevant.
    is_external: bool,
    dependencies: Vec<&'t str>,
}

impl<'t> Lock<'t> {
    fn parse(text: &'t str) -> Self {
        let mut packages: Vec<LockedPackage<'t>> = Vec::new();
        for line in text.lines() {
            if line == "[[package]]" {
                packages.push(LockedPackage::default());
            }
            let Some(package) = packages.last_mut() else {
                continue;
            };
            let quoted = |text: &'t str| text.trim_matches(['"', ',', ' ']);
            match line.split_once(" = ") {
                Some(("name", name)) => package.name = quoted(name),
                Some(("version", version)) => package.version = quoted(version),
                Some(("source", _)) => package.is_external = true,
                // `"strsim"`, or `"strsim 0.11.1"` if there are several versions.
                None if line.starts_with(" \"") => {
                    let name = quoted(line).split(' ').next();
                    package.dependencies.extend(name);
                }
                _ => {}
            }
        }
        Self(packages)
    }

    /// Returns the versions of the external packages that `package` depends on, by name.
    fn versions_below(&self, package: &str) -> BTreeMap<&'t str, Vec<&'t str>> {
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut left = vec![package];
        while let Some(name) = left.pop() {
            if !seen.insert(name) {
                continue;
            }
            for found in self.0.iter().filter(|it| it.name == name) {
                left.extend(&found.dependencies);
                if found.is_external {
                    versions.entry(found.name).or_default().push(found.version);
                }
            }
        }
        versions
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const BEFORE: &str = r#"version = 4

[[package]]
name = "itoa"
version = "1.0.9"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "af"

[[package]]
name = "names"
version = "0.1.0"
dependencies = [
 "strsim 0.10.0",
 "ryu",
]

[[package]]
name = "ryu"
version = "1.0.1"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "strsim"
version = "0.10.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
"#;

    #[test]
    fn only_dependencies_of_the_package_whose_version_is_another_are_named() {
        let changed = BEFORE
            .replace("0.10.0", "0.11.1")
            .replace("1.0.9", "1.0.10");
        assert_eq!(
            changes(BEFORE, &changed, "names"),
            ["strsim 0.10.0 → 0.11.1"]
        );
        assert_eq!(changes(BEFORE, BEFORE, "names"), [""; 0]);
        let own = BEFORE.replace("version = \"0.1.0\"", "version = \"0.2.0\"");
        assert_eq!(changes(BEFORE, &own, "names"), [""; 0]);
    }

    #[test]
    fn a_dependency_may_be_new_or_gone() {
        let with = BEFORE.replace(" \"ryu\",\n", " \"ryu\",\n \"itoa\",\n");
        assert_eq!(changes(BEFORE, &with, "names"), ["itoa 1.0.9 is new"]);
        assert_eq!(changes(&with, BEFORE, "names"), ["itoa 1.0.9 is gone"]);
    }

    #[test]
    fn the_lock_file_of_the_commit_that_has_the_outputs_is_the_former_one() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]);
            git.arg("-C").arg(&folder).args(arguments);
            assert!(git.output().unwrap().status.success(), "{arguments:?}");
        };
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        let changed = || changed_dependencies(&folder.join("a.snap"), &folder, "names");
        git(&["init", "--quiet"]);
        write("a.snap", "1");
        write(FILE, BEFORE);
        assert_eq!(changed(), [""; 0], "nothing is committed");
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", "outputs"]);
        assert_eq!(changed(), [""; 0]);
        write(FILE, &BEFORE.replace("0.10.0", "0.11.1"));
        assert_eq!(changed(), ["strsim 0.10.0 → 0.11.1"]);
        git(&["commit", "--quiet", "-am", "update"]);
        assert_eq!(changed(), ["strsim 0.10.0 → 0.11.1"]);
        write("a.snap", "2");
        assert_eq!(changed(), [""; 0], "accepted with these dependencies");
    }
}
