//! The commit and branch in git's files, compared with git's own answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tdg_engine::checkout::{Checkout, Git};
use tempfile::TempDir;

/// A repository in a folder `shop`, with room for others next to it.
struct Repository(TempDir);

impl Repository {
    fn empty(options: &[&str]) -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        fs::create_dir(repository.shop()).unwrap();
        repository.git(&[&["init", "--quiet", "--initial-branch=main"], options].concat());
        repository.git(&["config", "user.name", "Ada Lovelace"]);
        repository
    }

    fn new() -> Self {
        let repository = Self::empty(&[]);
        repository.commit("first");
        repository
    }

    fn shop(&self) -> PathBuf {
        self.0.path().join("shop")
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.shop(), arguments)
    }

    fn commit(&self, message: &str) {
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
    }

    /// Returns git's answer, after checking that the files agree.
    #[track_caller]
    fn agrees(&self) -> Checkout {
        agrees(&self.shop())
    }
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let email = ["-c", "user.email=ada@example.org"];
    let output = Command::new("git")
        .args(email)
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text
}

fn read(directory: &Path) -> Checkout {
    Checkout::read(directory, &|_| None)
}

#[track_caller]
fn agrees(directory: &Path) -> Checkout {
    let branch = git(directory, &["branch", "--show-current"]);
    let said = Checkout {
        commit: Some(git(directory, &["rev-parse", "HEAD"])),
        branch: Some(branch).filter(|branch| !branch.is_empty()),
    };
    assert_eq!(read(directory), said);
    said
}

#[test]
fn the_commit_and_branch_match_git() {
    let repository = Repository::new();
    let first = repository.agrees();
    assert_eq!(first.branch.as_deref(), Some("main"));

    repository.git(&["switch", "--quiet", "-c", "prices/of-2024"]);
    repository.commit("second");
    let second = repository.agrees();
    assert_eq!(second.branch.as_deref(), Some("prices/of-2024"));
    assert_ne!(second.commit, first.commit);

    fs::create_dir_all(repository.shop().join("crates/pricing")).unwrap();
    agrees(&repository.shop().join("crates/pricing"));

    repository.git(&["switch", "--quiet", "--detach"]);
    assert_eq!(repository.agrees().branch, None);
}

#[test]
fn a_detached_head_is_of_the_branch_that_ci_names() {
    let repository = Repository::new();
    let of_ci = || {
        let pull_request = |name: &str| match name {
            "GITHUB_ACTIONS" => Some("true".into()),
            "GITHUB_HEAD_REF" => Some("rates".into()),
            _ => None,
        };
        Checkout::read(&repository.shop(), &pull_request).branch
    };
    assert_eq!(of_ci().as_deref(), Some("main"));
    repository.git(&["switch", "--quiet", "--detach"]);
    assert_eq!(of_ci().as_deref(), Some("rates"));
}

#[test]
fn packed_and_symbolic_refs_are_followed() {
    let repository = Repository::new();
    for name in ["a", "main-2", "z"] {
        repository.git(&["branch", name]);
    }
    repository.git(&["tag", "-a", "-m", "one", "v1"]);
    repository.commit("second");
    repository.git(&["pack-refs", "--all"]);
    assert!(!repository.shop().join(".git/refs/heads/main").exists());
    repository.agrees();

    repository.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/a"]);
    fs::write(
        repository.shop().join(".git/HEAD"),
        "ref: refs/heads/alias\n",
    )
    .unwrap();
    let commit = repository.git(&["rev-parse", "HEAD"]);
    assert_eq!(read(&repository.shop()).commit, Some(commit));

    // A ref that leads to itself has no target.
    let alias = repository.shop().join(".git/refs/heads/alias");
    fs::write(alias, "ref: refs/heads/alias\n").unwrap();
    assert_eq!(read(&repository.shop()).commit, None);
}

#[test]
fn worktrees_and_submodules_have_their_own_commit() {
    let repository = Repository::new();
    let first = repository.agrees();
    repository.git(&["worktree", "add", "--quiet", "-b", "other", "../other"]);
    repository.commit("second");
    let other = agrees(&repository.0.path().join("other"));
    assert_eq!(
        (other.commit, other.branch.as_deref()),
        (first.commit, Some("other"))
    );
    repository.git(&["pack-refs", "--all"]);
    agrees(&repository.0.path().join("other"));

    let within = Repository::new();
    let from = repository.shop();
    let from = from.to_str().unwrap();
    let allow = ["-c", "protocol.file.allow=always"];
    within.git(&[&allow[..], &["submodule", "--quiet", "add", from, "part"]].concat());
    let part = agrees(&within.shop().join("part"));
    assert_ne!(part.commit, within.agrees().commit);
}

#[test]
fn a_branch_without_a_commit_has_none() {
    let repository = Repository::empty(&[]);
    let unborn = Checkout {
        commit: None,
        branch: Some("main".to_owned()),
    };
    assert_eq!(read(&repository.shop()), unborn);
}

#[test]
fn hashes_may_be_sha_256() {
    let repository = Repository::empty(&["--object-format=sha256"]);
    repository.commit("first");
    assert_eq!(repository.agrees().commit.unwrap().len(), 64);
}

#[test]
fn what_is_not_understood_is_unknown() {
    let nowhere = tempfile::tempdir().unwrap();
    assert_eq!(read(nowhere.path()), Checkout::default());

    let repository = Repository::new();
    let head = repository.shop().join(".git/HEAD");
    for text in [
        // The placeholder in a repository with reftable.
        "ref: refs/heads/.invalid\n",
        "ref: ../../secrets\n",
        "c0ffee\n",
        "",
    ] {
        fs::write(&head, text).unwrap();
        assert_eq!(read(&repository.shop()), Checkout::default(), "{text:?}");
    }
    fs::remove_file(&head).unwrap();
    assert_eq!(read(&repository.shop()), Checkout::default());
}

#[test]
fn a_tree_is_dirty_unless_only_snapshots_changed() {
    let dirty = |change: &dyn Fn(&Path)| {
        let repository = Repository::empty(&[]);
        let write = |path: &str, text: &str| {
            let path = repository.shop().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("src/lib.rs", "");
        write("src/snapshots/lib__total.snap", "1");
        repository.git(&["add", "."]);
        repository.commit("first");
        change(&repository.shop());
        let within = repository.shop().join("src");
        Git::around(&within).is_dirty()
    };
    let write = |path: &'static str| {
        move |shop: &Path| {
            let path = shop.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "2").unwrap();
        }
    };
    assert_eq!(dirty(&|_| ()), Some(false));
    assert_eq!(dirty(&write("src/snapshots/lib__total.snap")), Some(false));
    assert_eq!(dirty(&write("tests/snapshots/new.snap")), Some(false));
    assert_eq!(dirty(&write("tests/snapshots/new.snap.new")), Some(false));
    assert_eq!(dirty(&write("src/lib.rs")), Some(true));
    assert_eq!(dirty(&write("tests/new.rs")), Some(true));

    let nowhere = tempfile::tempdir().unwrap();
    assert_eq!(Git::around(nowhere.path()).is_dirty(), None);
}

#[test]
fn git_knows_the_name_of_its_user() {
    let repository = Repository::new();
    let git = Git::around(&repository.shop());
    assert_eq!(git.user(), Some("Ada Lovelace"));
    assert_eq!(git.checkout(), &repository.agrees());
}
