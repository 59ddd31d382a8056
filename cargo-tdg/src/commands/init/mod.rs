//! `cargo tdg init`: adds tdg to a package, with a first test or a function's test.

mod all;
mod attributes;
mod costs;
mod drawn_input;
mod example;
mod function;
mod glue;
mod near_values;
mod notation;
mod parameter_constants;
mod profile;
mod test;
#[cfg(test)]
mod tests;
mod trial;
mod ways;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use tdg_engine::config::display_path;
use tdg_engine::snapshot;

use self::attributes::{EXPLAINED, FOLDED};
use self::costs::Costs;
use self::glue::DrawnAs;
use self::parameter_constants::ParameterConstants;
use self::profile::{profiles, with_profiles};
use self::ways::{FunctionToTest, Ways};
use crate::error::{Context as _, Error, Result};
use crate::exit::Exit;
use crate::git::git;
use crate::sources::{CallGraph, Effects, Examples, FunctionConstants, Sources};
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{confirm, is_interactive};
use crate::workspace::{Package, Workspace, cargo};

/// The file for tests, relative to the package.
const FILE: &str = "tests/ensembles.rs";
/// The main file if there are several.
const FOLDER: &str = "tests/ensembles/main.rs";
/// Shown if the user can't be asked.
const OPTIONS: &str = "Three options change its build: --dynamic links edited tests sooner, --no-sqlite compiles less, --optimize runs large ensembles faster";
const FIRST_TEST: &str = include_str!("ensembles.rs.in");

/// Add tdg to a package, with a first test
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The package (default: the one in the current directory)
    #[arg(long, short)]
    package: Option<String>,
    /// A clone of tdg, to use instead of the registry
    #[arg(long, value_name = "DIRECTORY")]
    path: Option<PathBuf>,
    /// Write a test of this function: `module::function`, `Type::function`, or
    /// `dependency::function`
    #[arg(long = "for", value_name = "FUNCTION")]
    function: Option<String>,
    /// Only add lines to .gitattributes that let GitHub fold the diffs of snapshot files
    #[arg(long, conflicts_with_all = ["package", "path", "function", "dynamic", "no_sqlite", "optimize"])]
    gitattributes: bool,
    /// Only set up `git diff` in this clone to explain changed benchmarks, with a line in
    /// .gitattributes and git's configuration
    #[arg(long, conflicts_with_all = ["package", "path", "function", "dynamic", "no_sqlite", "optimize", "gitattributes"])]
    git: bool,
    /// Write the test of a function without building it first
    ///
    /// By default, several ways to write it are built, and the first one that compiles and whose
    /// rows the function takes is written. Nothing is recorded.
    #[arg(long, requires = "function")]
    no_build: bool,
    /// Write and record tests of all public functions of the library that have none
    ///
    /// Each module has a file in `tests/functions`. Functions that access files, the network or the
    /// clock are left out, as are those that no test can call; a line names the reason.
    #[arg(long, conflicts_with_all = ["function", "dynamic", "no_sqlite", "optimize"])]
    all: bool,
    /// Only list the functions
    #[arg(long, requires = "all")]
    dry_run: bool,
    #[command(flatten)]
    costs: Costs,
    /// Set for a test with many ordinary numbers.
    #[arg(skip)]
    is_mixed: bool,
}

impl Init {
    /// Writes the test of a function, with many ordinary numbers.
    ///
    /// # Errors
    /// Fails if no test can be written for the function.
    pub(crate) fn for_function(
        workspace: &Workspace,
        package: &str,
        function: &str,
    ) -> Result<Self> {
        let init = Self {
            package: Some(package.to_owned()),
            path: None,
            function: Some(function.to_owned()),
            gitattributes: false,
            git: false,
            no_build: true,
            all: false,
            dry_run: false,
            costs: Costs::default(),
            is_mixed: true,
        };
        init.test_of(workspace, workspace.package(package)?, function)?
            .unbuilt()?;
        Ok(init)
    }

    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        if self.gitattributes {
            return confirm_attributes(&attributes::add(&workspace, &FOLDED)?, "");
        }
        if self.git {
            return add_driver(&workspace);
        }
        let package = self.package(&workspace)?;
        if self.all {
            return all::run(&self, &workspace, package);
        }
        let (mut written, ways) = match &self.function {
            None => (first_test(package)?, None),
            Some(function) => {
                let ways = self.test_of(&workspace, package, function)?;
                (ways.unbuilt()?, Some(ways))
            }
        };
        let manifest = workspace.directory.join("Cargo.toml");
        let is_new = !package.dependencies.iter().any(|it| it.name == "tdg");
        if !is_new {
            self.check_costs(package)?;
        }
        let costs = match is_new && is_interactive() {
            true => &self
                .costs
                .asked(with_profiles(&read(&manifest)?, false).is_some())?,
            false => &self.costs,
        };
        let tdg_compiles_sqlite =
            is_new && !costs.leave_out_sqlite() && !depends_on_sqlite(&workspace);
        let mut text = String::new();
        if self.function.is_none() || is_new {
            self.add_tdg(package, costs)?;
            let name = &package.name;
            text += &format!("{GOOD}added{GOOD:#} tdg to the dev-dependencies of {name}\n");
        }
        if let Some(ways) = ways.filter(|_| !self.no_build) {
            written = ways.built(&workspace, package)?;
        }
        written.notices.extend(unlisted(package, &written.path));
        snapshot::save(&written.path, &written.content)?;
        let path = display_path(&workspace.directory, &written.path);
        text += &format!("{GOOD}wrote{GOOD:#} {}{path}\n", written.test);
        if ignore_pending(&workspace.directory)? {
            text += &format!("{GOOD}added{GOOD:#} *.snap.new to .gitignore\n");
        }
        if costs.optimize {
            text += &optimize(&manifest, tdg_compiles_sqlite)?;
        }
        text += &written.what_next();
        if is_new && !is_interactive() && costs.is_default() {
            text += &format!("{FAINT}{OPTIONS}{FAINT:#}\n");
        }
        confirm(&text)?;
        Ok(Exit::Fine)
    }

    /// Fails if the package's dependency on tdg would have to change.
    fn check_costs(&self, package: &Package) -> Result<()> {
        let dynamic = match self.costs.dynamic {
            true => ", \"dynamic\"",
            false => "",
        };
        match self.costs.leave_out_sqlite() {
            false => Ok(()),
            true => Err(Error::new(format!(
                "{} depends on tdg already, so nothing was written; to leave SQLite out, add \
                 default-features = false, features = [\"explain\"{dynamic}] to tdg in its Cargo.toml",
                package.name
            ))),
        }
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

    /// Returns the file with the test of a function.
    fn test_of(&self, workspace: &Workspace, package: &Package, function: &str) -> Result<Ways> {
        let first = function.trim_start_matches("::").split("::").next();
        let dependency = package.library_of(first.unwrap_or_default())?;
        let Some(library) = dependency.as_ref().or(package.library.as_ref()) else {
            return Err(Error::new(format!(
                "{} has no library, and tests in `tests` can't call the functions of a binary; \
                 move `{function}` to src/lib.rs, or write an ensemble test next to it",
                package.name
            )));
        };
        let read = |path: &Path| fs::read_to_string(path);
        let sources = Sources::read_built(library, &[], &read)?;
        let function = function::find(&sources, function)?;
        let folder = package.directory.join(FOLDER);
        let path = if folder.exists() {
            folder
        } else {
            package.directory.join(FILE)
        };
        let before = match path.exists() {
            true => read(&path)?,
            false => FIRST_TEST.lines().take(1).collect::<String>() + "\n",
        };
        let display = display_path(&workspace.directory, &path);
        let taken = test::taken_names(&before).context(display)?;
        let calls = CallGraph::new(&sources, false);
        let of = |root: &Path| root.parent().and_then(Path::parent).map(Path::to_owned);
        let directory = of(&library.root).unwrap_or_else(|| package.directory.clone());
        let examples = Examples::new(&sources, &directory);
        let constants = FunctionConstants::new(&sources, &calls, &examples);
        let constants = ParameterConstants::new(&constants, &calls, &function);
        test::check(&function, &package.dependencies)?;
        let effects = Effects::new(&calls, &sources);
        let of = FunctionToTest {
            function: &function,
            dependencies: &package.dependencies,
            taken: &taken,
            constants: &constants,
            effects: &effects,
            examples: &examples,
        };
        let first = match self.is_mixed {
            true => DrawnAs::Mixed,
            false => DrawnAs::Any,
        };
        Ok(Ways::new((path, before), &of, first))
    }

    /// Adds the dependency with `cargo add`, which edits the manifest.
    fn add_tdg(&self, package: &Package, costs: &Costs) -> Result<()> {
        let mut command = cargo(&["add", "--quiet", "--dev", "--manifest-path"]);
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
        command.args(costs.features());
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

/// Returns the lines for a manifest that has to list its tests.
fn unlisted(package: &Package, file: &PathBuf) -> Option<String> {
    let is_unlisted = package.lists_tests() && !package.target_sources.contains(file);
    let notice = "add this to Cargo.toml, which has `autotests = false`, so that cargo builds the \
                  test:\n[[test]]\nname = \"ensembles\"";
    is_unlisted.then(|| notice.to_owned())
}

/// Returns true if the workspace already compiles SQLite.
fn depends_on_sqlite(workspace: &Workspace) -> bool {
    let lock = fs::read_to_string(workspace.directory.join("Cargo.lock"));
    lock.is_ok_and(|lock| lock.contains("\"libsqlite3-sys\""))
}

/// Adds the profiles to the workspace's manifest, unless it has its own. Returns what was done or
/// remains to do.
fn optimize(manifest: &Path, has_sqlite: bool) -> Result<String> {
    let text = read(manifest)?;
    let profiles = profiles(has_sqlite);
    Ok(match with_profiles(&text, has_sqlite) {
        Some(text) => {
            snapshot::save(manifest, &text)?;
            format!("{GOOD}added{GOOD:#} profiles for tdg to Cargo.toml\n")
        }
        None if profiles.lines().all(|line| text.contains(line)) => String::new(),
        None => format!(
            "{BAD}to do{BAD:#} Cargo.toml already has opt-levels or profiles, so add \
             these:\n{profiles}"
        ),
    })
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).context(path.display())
}

struct FileToWrite {
    path: PathBuf,
    content: String,
    /// The name of the new test, for the message.
    test: String,
    notices: Vec<String>,
    hint: &'static str,
}

impl FileToWrite {
    fn what_next(&self) -> String {
        let notices = self.notices.iter();
        let notices = notices.map(|notice| format!("{BAD}to do{BAD:#} {notice}\n"));
        format!(
            "{}\nRun `{STRONG}cargo test{STRONG:#}` to record the first benchmark; the next run compares with it.\n\
             {FAINT}{}\n\
             To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes{FAINT:#}\n",
            notices.collect::<String>(),
            self.hint
        )
    }
}

fn first_test(package: &Package) -> Result<FileToWrite> {
    for name in [FILE, FOLDER] {
        if package.directory.join(name).exists() {
            return Err(Error::new(format!(
                "{name} already exists, so nothing was written; `cargo tdg init --for FUNCTION` \
                 adds a test of one of your functions"
            )));
        }
    }
    Ok(FileToWrite {
        path: package.directory.join(FILE),
        content: FIRST_TEST.replace("{crate}", &package.name.replace('-', "_")),
        test: String::new(),
        notices: Vec::new(),
        hint: "Then call one of your functions in the test.",
    })
}

/// Registers tdg as git's diff driver for snapshot files.
fn add_driver(workspace: &Workspace) -> Result<Exit> {
    git(
        &workspace.directory,
        &["config", "diff.tdg.command", "cargo tdg git-diff"],
    )?;
    let lines = attributes::add(workspace, &EXPLAINED)?;
    confirm_attributes(
        &lines,
        &format!(
            "{GOOD}set{GOOD:#} diff.tdg.command in the configuration of this clone; others run \
             `cargo tdg init --git` in theirs\n\n\
             `git diff` explains changed benchmarks from now on; so do `git show` and `git log -p` \
             with --ext-diff.\n\
             {FAINT}The lines themselves: git diff --no-ext-diff\n\
             Undo it: git config --remove-section diff.tdg{FAINT:#}\n"
        ),
    )
}

fn confirm_attributes(lines: &[String], next: &str) -> Result<Exit> {
    let text = match lines {
        [] => "There are no snapshot files of tdg yet; run `cargo test` first.\n".to_owned(),
        lines => lines
            .iter()
            .map(|line| format!("{GOOD}added{GOOD:#} {line} to .gitattributes\n"))
            .collect(),
    };
    confirm(&(text + next))?;
    Ok(Exit::Fine)
}

/// Returns the directory of the crate `tdg`, given that directory or a clone of the repository.
fn crate_in(path: PathBuf) -> PathBuf {
    let inner = path.join("tdg");
    if inner.join("Cargo.toml").is_file() {
        inner
    } else {
        path
    }
}

/// Reads a file if it exists. An unreadable file is an error, so it isn't overwritten.
fn read_or_empty(path: &Path) -> Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => text.context(path.display()),
    }
}

/// Adds pending files to `.gitignore`; returns true if they were missing.
fn ignore_pending(directory: &Path) -> Result<bool> {
    const PATTERN: &str = "*.snap.new";
    let path = directory.join(".gitignore");
    let mut text = read_or_empty(&path)?;
    if text.lines().any(|line| line.trim() == PATTERN) {
        return Ok(false);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    snapshot::save(&path, &(text + PATTERN + "\n"))?;
    Ok(true)
}
