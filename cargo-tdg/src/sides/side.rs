//! One of the two sides of a comparison.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::error::{Error, Result};
use crate::sources::rust_files;
use crate::workspace::{Package, Workspace, cargo};

/// Sources, and how cargo builds them.
pub(crate) struct ComparedSide {
    /// For example `main (5d6e7f8)`.
    pub(crate) label: String,
    pub(crate) workspace: Workspace,
    /// Files that the sources lack.
    pub(crate) gaps: Vec<String>,
    /// Set for a revision if nothing has changed since.
    pub(crate) is_today: bool,
    /// The lock file, if any.
    pub(crate) lock: Option<PathBuf>,
    pub(crate) build: BuildOptions,
}

/// Options for cargo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BuildOptions {
    pub(crate) features: Vec<String>,
    /// Turns on all features of a package that aren't named as unstable.
    pub(crate) has_all_features: bool,
    pub(crate) toolchain: Option<String>,
    pub(crate) target: Option<String>,
}

impl ComparedSide {
    /// Returns the side with the sources of a manifest.
    pub(crate) fn open(label: String, manifest: &Path, build: BuildOptions) -> Result<Self> {
        let workspace = Workspace::load(manifest)?;
        let lock = workspace.directory.join("Cargo.lock");
        Ok(Self {
            label,
            gaps: Vec::new(),
            is_today: false,
            lock: lock.is_file().then_some(lock),
            workspace,
            build,
        })
    }

    /// Returns cargo as a user would call it in these sources.
    pub(crate) fn plain_cargo(&self) -> Command {
        let mut command = match &self.build.toolchain {
            Some(toolchain) => {
                let mut command = Command::new("cargo");
                command
                    .env("RUSTUP_TOOLCHAIN", toolchain)
                    .env_remove("RUSTC");
                command
            }
            None => cargo(&[]),
        };
        command.current_dir(&self.workspace.directory);
        command
    }

    /// Returns cargo with flags that make these sources build.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = self.plain_cargo();
        // Wherever dependencies are built, since some are built anew if it changes.
        command.env(UNSTABLE, unstable(env::var(UNSTABLE).ok()));
        // For hash maps whose seeds a macro draws when they are built, such as ahash's.
        command.env("CONST_RANDOM_SEED", "tdg");
        // Nothing reads debug information here, and it takes a sixth of a build.
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
        // Caps lints as for registry crates, since another compiler may warn about earlier code.
        match env::var_os("RUSTFLAGS") {
            Some(flags) => {
                let mut flags: OsString = flags;
                flags.push(" --cap-lints=warn");
                command.env("RUSTFLAGS", flags);
            }
            None => {
                command.args(["--config", r#"build.rustflags=["--cap-lints=warn"]"#]);
            }
        }
        command
    }

    /// Returns the features to turn on in addition to the default ones.
    pub(crate) fn features(&self, package: &Package) -> Vec<String> {
        match self.build.has_all_features {
            true => package.stable_features.clone(),
            false => self.build.features.clone(),
        }
    }

    /// Returns true if features are on that no option names.
    pub(crate) fn has_more_features(&self) -> bool {
        let packages = self.workspace.packages.iter();
        self.build.has_all_features
            && packages
                .map(|it| self.features(it))
                .any(|it| !it.is_empty())
    }

    /// Returns true if code is left out because a feature is on.
    pub(crate) fn leaves_out_code(&self) -> bool {
        let packages = self.workspace.packages.iter();
        let packages = packages.filter(|it| !self.features(it).is_empty());
        let sources =
            packages.map(
                |it| match it.library.as_ref().and_then(|it| it.root.parent()) {
                    Some(folder) => folder.to_owned(),
                    None => it.directory.join("src"),
                },
            );
        let mut files = sources.flat_map(|it| rust_files(&it));
        files.any(|it| fs::read_to_string(it).is_ok_and(|code| code.contains("not(feature")))
    }

    /// Adds a package, features and the build options to a cargo command.
    pub(crate) fn for_package(
        &self,
        mut command: Command,
        subcommand: &str,
        package: &Package,
        features: &[String],
        target: Option<&Path>,
    ) -> Command {
        command
            .args([subcommand, "--quiet", "--manifest-path"])
            .arg(package.directory.join("Cargo.toml"))
            // Without it, cargo builds the default members.
            .args(["--package", &package.spec]);
        if let Some(target) = target {
            command.arg("--target-dir").arg(target);
        }
        if !features.is_empty() {
            command.args(["--features", &features.join(",")]);
        }
        if let Some(triple) = &self.build.target {
            command.args(["--target", triple]);
        }
        command
    }

    /// Returns true if it has today's sources, built in the same way.
    pub(crate) fn is_built_as(&self, today: &Self) -> bool {
        let lock = |side: &Self| side.lock.as_ref().and_then(|it| fs::read(it).ok());
        self.is_today && self.build == today.build && lock(self) == lock(today)
    }

    /// Returns its label, with a remark if nothing has changed since.
    pub(crate) fn heading(&self) -> String {
        match self.is_today {
            true => format!("{}: nothing has changed since", self.label),
            false => self.label.clone(),
        }
    }

    /// Describes missing files and the fix.
    pub(crate) fn gaps(&self) -> Option<String> {
        (!self.gaps.is_empty()).then(|| {
            format!(
                "{} doesn't contain {}; check out the whole repository, and compare with --path \
                 DIRECTORY",
                self.label,
                self.gaps.join(", ")
            )
        })
    }

    /// Returns an error about this side.
    pub(crate) fn error(&self, reason: &str) -> Error {
        Error::new(format!("{}: {reason}", self.label))
    }
}

/// Returns the folder of a side's builds below its folder.
pub(crate) fn build_folder(side: &Path) -> PathBuf {
    side.join("build")
}

/// The crate that records calls.
pub(super) const RECORDER: &str = "tdg_calls";

/// The variable with the crates that may use unstable features.
const UNSTABLE: &str = "RUSTC_BOOTSTRAP";

/// Adds the recorder to these crates, which finds `Debug` by specialization. Alone, it changes
/// nothing for dependencies whose build scripts ask for features.
fn unstable(others: Option<String>) -> String {
    match others {
        Some(all) if all == "1" => all,
        Some(others) => format!("{others},{RECORDER}"),
        None => RECORDER.to_owned(),
    }
}
