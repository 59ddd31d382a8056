//! `cargo tdg init`: adds tdg to a package, with a first definition and a first test.

mod attributes;
mod files;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use tdg_engine::config::display_path;

use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::terminal::confirm;
use crate::terminal::style::{FAINT, GOOD, STRONG};
use crate::workspace::{Package, Workspace};

/// Add tdg to a package, with a first definition and a first test
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The package (default: the one in the current directory)
    #[arg(long, short)]
    package: Option<String>,
    /// A clone of tdg, to use instead of the registry
    #[arg(long, value_name = "DIRECTORY")]
    path: Option<PathBuf>,
    /// Only add lines to .gitattributes that let GitHub fold the diffs of snapshot files
    #[arg(long, conflicts_with_all = ["package", "path"])]
    gitattributes: bool,
}

impl Init {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        if self.gitattributes {
            return add_attributes(&workspace);
        }
        let package = self.package(&workspace)?;
        let files = files::of(&package.name);
        if let Some((path, _)) = files
            .iter()
            .find(|(path, _)| package.directory.join(path).exists())
        {
            return Err(Error::new(format!(
                "{path} already exists, so nothing was written; move it, or add tdg by hand with \
                 `cargo add --dev tdg`"
            )));
        }
        self.add_tdg(package)?;
        let mut text = format!(
            "{GOOD}added{GOOD:#} tdg to the dev-dependencies of {}\n",
            package.name
        );
        for (path, content) in &files {
            write(&package.directory.join(path), content)?;
            text.push_str(&format!(
                "{GOOD}wrote{GOOD:#} {}\n",
                display_path(&workspace.directory, &package.directory.join(path))
            ));
        }
        if ignore_pending(&workspace.directory)? {
            text.push_str(&format!("{GOOD}added{GOOD:#} *.snap.new to .gitignore\n"));
        }
        text.push_str(&format!(
            "\nRun `{STRONG}cargo test{STRONG:#}` to record the first benchmark; the next run compares with it.\n\
             {FAINT}Then call a function of your own in the test.\n\
             To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes{FAINT:#}\n"
        ));
        confirm(&text)?;
        Ok(Exit::Fine)
    }

    fn package<'w>(&self, workspace: &'w Workspace) -> Result<&'w Package> {
        let names: Vec<&str> = match &self.package {
            Some(name) => vec![name],
            None => workspace.default_packages().into_iter().collect(),
        };
        let [name] = names.as_slice() else {
            return Err(Error::new(
                "choose a package: `cargo tdg init --package NAME`",
            ));
        };
        workspace.package(name)
    }

    /// Adds the dependency with `cargo add`, which edits the manifest.
    fn add_tdg(&self, package: &Package) -> Result<()> {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["add", "--quiet", "--dev", "--manifest-path"]);
        command.arg(package.directory.join("Cargo.toml"));
        match &self.path {
            Some(path) => {
                let path = path.canonicalize().context(path.display())?;
                command.arg("tdg").arg("--path").arg(crate_in(path));
            }
            None => {
                command.arg(concat!("tdg@", env!("CARGO_PKG_VERSION")));
            }
        }
        let output = command.output().context("can't run cargo")?;
        if output.status.success() {
            return Ok(());
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        let reason = stderr.trim().trim_start_matches("error: ");
        let hint = if self.path.is_none() {
            "\nif the registry does not have tdg, use a clone: `cargo tdg init --path CLONE`"
        } else {
            ""
        };
        Err(Error::new(format!("can't add tdg: {reason}{hint}")))
    }
}

fn add_attributes(workspace: &Workspace) -> Result<Exit> {
    let lines = attributes::add(workspace)?;
    let text = match lines.as_slice() {
        [] => "There are no snapshot files of tdg yet; run `cargo test` first.\n".to_owned(),
        lines => lines
            .iter()
            .map(|line| format!("{GOOD}added{GOOD:#} {line} to .gitattributes\n"))
            .collect(),
    };
    confirm(&text)?;
    Ok(Exit::Fine)
}

/// The directory of the crate `tdg`, given itself or a clone of the repository.
fn crate_in(path: PathBuf) -> PathBuf {
    let inner = path.join("tdg");
    if inner.join("Cargo.toml").is_file() {
        inner
    } else {
        path
    }
}

fn write(path: &Path, content: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).context(folder.display())?;
    }
    fs::write(path, content).context(path.display())
}

/// Adds pending files to `.gitignore`; returns whether they were missing there.
fn ignore_pending(directory: &Path) -> Result<bool> {
    const PATTERN: &str = "*.snap.new";
    let path = directory.join(".gitignore");
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    if text.lines().any(|line| line.trim() == PATTERN) {
        return Ok(false);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    write(&path, &(text + PATTERN + "\n"))?;
    Ok(true)
}
