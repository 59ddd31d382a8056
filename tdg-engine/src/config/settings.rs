//! The settings of a run, from the environment, `tdg.toml` and defaults.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::author::Author;
use super::cargo_insta::Insta;
use super::ci::ci_variable;
use super::display_path::display_path;
use super::environment::{Environment, variable};
use super::error::ConfigError;
use super::explore::{Exploration, explore};
use super::file::ConfigFile;
use super::slow_row::slow_row;
use super::update::Update;

/// The settings of a run. The environment overrides `tdg.toml`, which overrides the defaults.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The handling of new and changed benchmarks.
    pub update: UpdateMode,
    /// True if benchmarks are committed files; otherwise they are only in the store.
    pub snapshots: bool,
    /// True if snapshot files include the inputs of their cases.
    pub inputs: bool,
    /// The store for benchmarks and their history.
    pub store: StoreKind,
    /// The directory of the local store.
    pub directory: PathBuf,
    /// The URL of the server.
    pub url: Option<String>,
    /// The project on the server, if it isn't named after the package.
    pub project: Option<String>,
    /// The UUID of the project, the same for all copies of its records.
    pub project_uuid: Option<String>,
    /// The author that decisions record.
    pub author: Author,
    /// The cases to run, by `TDG_CASES`; `None` runs all.
    pub cases: Option<String>,
    /// The additional rows to run, from `TDG_SEED` and `TDG_SIZE`.
    pub explore: Option<Exploration>,
    /// The time after which a row that is still running is reported, or `None` to report none.
    pub slow_row: Option<Duration>,
    /// The settings from `cargo insta test`.
    pub insta: Insta,
    /// The variable that identifies this machine as CI.
    pub ci: Option<&'static str>,
}

/// An update mode and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateMode {
    /// The mode.
    pub mode: Update,
    /// The source, for reports: `TDG_UPDATE=no`, `CI is set`.
    pub because: String,
    /// A notice for runs that are affected because the chosen mode was overridden.
    pub notice: Option<String>,
}

/// The store for benchmarks and their history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreKind {
    /// The database in `.tdg`, in addition to the committed snapshot files.
    Local,
    /// A server.
    Remote,
}

impl StoreKind {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "local" => Some(Self::Local),
            "remote" => Some(Self::Remote),
            _ => None,
        }
    }
}

impl Settings {
    /// Loads the settings of the tests below `root`.
    ///
    /// # Errors
    /// If an entry of `tdg.toml` or a variable is invalid; the message lists the valid values.
    pub fn load(root: &Path, environment: Environment<'_>) -> Result<Self, ConfigError> {
        let file = ConfigFile::read(root)?;
        let insta = Insta::from_environment(environment)?;
        Ok(Self {
            update: update(root, environment, &insta, &file)?,
            ci: ci_variable(environment),
            snapshots: snapshots(environment, &file)?,
            inputs: file.boolean("inputs")?.unwrap_or(true),
            store: store(environment, &file)?,
            directory: directory(root, environment, &file)?,
            url: match variable(environment, "TDG_URL")? {
                Some(url) => Some(url),
                None => file.text("url")?.map(str::to_owned),
            },
            project: match variable(environment, "TDG_PROJECT")? {
                Some(project) => Some(project),
                None => file.text("project")?.map(str::to_owned),
            },
            project_uuid: project_uuid(&file)?,
            author: Author::from(environment, &file)?,
            cases: variable(environment, "TDG_CASES")?,
            explore: explore(environment)?,
            slow_row: slow_row(environment, &file)?,
            insta,
        })
    }

    /// Returns true if a run may write files and the store.
    #[must_use]
    pub fn may_write(&self) -> bool {
        self.update.mode != Update::No
    }
}

/// Returns the chosen mode, unless a variable forbids it.
fn update(
    root: &Path,
    environment: Environment<'_>,
    insta: &Insta,
    file: &ConfigFile,
) -> Result<UpdateMode, ConfigError> {
    let chosen = chosen_update(root, environment, insta, file)?;
    Ok(unless_forbidden_by(insta.forbids(), chosen))
}

fn unless_forbidden_by(variable: Option<&str>, chosen: UpdateMode) -> UpdateMode {
    let Some(variable) = variable.filter(|_| chosen.mode != Update::No) else {
        return chosen;
    };
    let because = format!("{variable} is set");
    let although = match chosen.because.as_str() {
        BY_DEFAULT => String::new(),
        choice => format!(", although {choice}"),
    };
    UpdateMode {
        mode: Update::No,
        notice: Some(format!(
            "{because}, so nothing is recorded or accepted{although}"
        )),
        because,
    }
}

const BY_DEFAULT: &str = "by default";

fn chosen_update(
    root: &Path,
    environment: Environment<'_>,
    insta: &Insta,
    file: &ConfigFile,
) -> Result<UpdateMode, ConfigError> {
    let mode = |mode, because: String| UpdateMode {
        mode,
        because,
        notice: None,
    };
    if let Some(name) = variable(environment, "TDG_UPDATE")? {
        let Ok(update) = name.parse::<Update>() else {
            return Err(ConfigError::choices("TDG_UPDATE", &name, &Update::names()));
        };
        let because = format!("TDG_UPDATE={update}");
        return Ok(
            match (
                ci_variable(environment),
                cargo_config_with("TDG_UPDATE", root),
            ) {
                (Some(variable), Some(config)) => {
                    let config = display_path(root, &config);
                    let because = format!("{config} sets {because}");
                    unless_forbidden_by(Some(variable), mode(update, because))
                }
                _ => mode(update, because),
            },
        );
    }
    if let Some(update) = insta.update() {
        return Ok(mode(update, "cargo insta requests it".to_owned()));
    }
    if let Some(name) = file.text("update")? {
        let Ok(update) = name.parse::<Update>() else {
            let what = format!("must be one of {}, but is {name:?}", Update::names());
            return Err(file.wrong("update", what));
        };
        let because = format!("tdg.toml says update = {:?}", update.as_str());
        let chosen = mode(update, because);
        return Ok(unless_forbidden_by(ci_variable(environment), chosen));
    }
    Ok(match ci_variable(environment) {
        Some(variable) => mode(Update::No, format!("{variable} is set")),
        None => mode(Update::Auto, BY_DEFAULT.to_owned()),
    })
}

/// Returns the cargo configuration that may set a variable by `[env]`. As in tdg.toml, a setting
/// shared by all users must not take effect on CI, where no one looks.
fn cargo_config_with(variable: &str, root: &Path) -> Option<PathBuf> {
    let names = ["config.toml", "config"];
    let configs = root.ancestors().flat_map(|directory| {
        let cargo = directory.join(".cargo");
        names.map(|name| cargo.join(name))
    });
    let mut with = configs.filter(|config| {
        let text = fs::read_to_string(config).unwrap_or_default();
        text.contains(variable)
    });
    with.next()
}

fn snapshots(environment: Environment<'_>, file: &ConfigFile) -> Result<bool, ConfigError> {
    match variable(environment, "TDG_SNAPSHOTS")?.as_deref() {
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(ConfigError::choices("TDG_SNAPSHOTS", other, "true, false")),
        None => Ok(file.boolean("snapshots")?.unwrap_or(true)),
    }
}

fn store(environment: Environment<'_>, file: &ConfigFile) -> Result<StoreKind, ConfigError> {
    const NAMES: &str = "local, remote";
    if let Some(name) = variable(environment, "TDG_STORE")? {
        return StoreKind::from_name(&name)
            .ok_or_else(|| ConfigError::choices("TDG_STORE", &name, NAMES));
    }
    let Some(name) = file.text("store")? else {
        return Ok(StoreKind::Local);
    };
    StoreKind::from_name(name)
        .ok_or_else(|| file.wrong("store", format!("must be one of {NAMES}, but is {name:?}")))
}

/// Reads the project's UUID. It has no variable, since another UUID means other records.
fn project_uuid(file: &ConfigFile) -> Result<Option<String>, ConfigError> {
    let Some(text) = file.text("project_uuid")? else {
        return Ok(None);
    };
    let is_digit = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    if text.len() != 36 || !text.bytes().enumerate().all(is_digit) {
        let what = format!("must be a UUID as `cargo tdg push` writes it, but is {text:?}");
        return Err(file.wrong("project_uuid", what));
    }
    Ok(Some(text.to_owned()))
}

/// Returns the store's directory. The environment belongs to the user, so it may name any
/// directory, also by a link; the file belongs to the repository.
fn directory(
    root: &Path,
    environment: Environment<'_>,
    file: &ConfigFile,
) -> Result<PathBuf, ConfigError> {
    if let Some(directory) = environment("TDG_DIR").filter(|value| !value.is_empty()) {
        let directory = root.join(directory);
        return Ok(match directory.is_symlink() {
            true => directory.canonicalize().unwrap_or(directory),
            false => directory,
        });
    }
    let path = file.text("dir")?.unwrap_or(".tdg");
    let wrong = |what: String| {
        let in_root = format!("must be a path in {}", root.display());
        let elsewhere = "to have the store elsewhere, set TDG_DIR";
        Err(file.wrong("dir", format!("{in_root} {what}; {elsewhere}")))
    };
    let mut directory = root.to_owned();
    for part in Path::new(path).components() {
        // The store itself refuses to be a link.
        if directory != root && directory.is_symlink() {
            return wrong(format!(
                "without symbolic links, but {} is one",
                directory.display()
            ));
        }
        match part {
            Component::CurDir => {}
            Component::Normal(name) => directory.push(name),
            _ => return wrong(format!("without `..`, but is {path:?}")),
        }
    }
    Ok(directory)
}
