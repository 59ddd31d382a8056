//! Everything that a run has to know before it begins.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use super::cases::Manner;
use super::invalid;
use super::remote::{DefinitionId, Remote};
use crate::ensemble_test::{EnsembleTest, Source};
use tdg_definition::Policy;
use tdg_definition::limits::{DATA_BYTES, THREADS};
use tdg_definition::{Definition, SizeError, is_identifier};
use tdg_engine::Site;
use tdg_engine::Test;
use tdg_engine::config::{
    Environment, Place, Settings, StoreKind, find_place, parse_cases, shown_from,
};
use tdg_engine::report::Invalid;
use tdg_engine::snapshot::{named_snapshot_file, snapshot_file};

/// Everything that a run has to know before it begins.
pub(super) struct Plan {
    pub(super) test: Test,
    pub(super) site: Site,
    pub(super) place: Place,
    pub(super) settings: Settings,
    pub(super) definition: Definition,
    /// What the definition is called in the snapshot file.
    pub(super) definition_name: String,
    /// Its identifier, if it is on a server.
    #[cfg_attr(
        not(feature = "remote"),
        expect(dead_code, reason = "there is no server")
    )]
    pub(super) definition_id: Option<DefinitionId>,
    pub(super) size: usize,
    pub(super) seed: u64,
    pub(super) policy: Policy,
    pub(super) manner: Manner,
    /// The snapshot file, unless benchmarks are kept in the store alone.
    pub(super) file: Option<PathBuf>,
    /// The only cases to run, if some are chosen.
    pub(super) cases: Option<Vec<usize>>,
    /// The server that holds the benchmark, if it isn't the local store.
    pub(super) remote: Option<Remote>,
    /// What names the whole run of all test processes, where there is something that does.
    #[cfg_attr(
        not(feature = "sqlite-system"),
        expect(dead_code, reason = "there is no history")
    )]
    pub(super) run_id: Option<String>,
}

/// What a report calls the test, whatever else is wrong with it.
pub(super) fn test_name(test: &EnsembleTest) -> String {
    match &test.name {
        Some(name) => name.clone(),
        None => path_in_crate(&test.site),
    }
}

/// The command that runs the test alone.
pub(super) fn command(test: &EnsembleTest) -> String {
    let site = &test.site;
    // At the root of a workspace cargo has to be told which member it is.
    let is_member =
        !site.package.is_empty() && !Path::new(site.manifest_dir).join(site.file).is_file();
    let package = if is_member {
        format!("-p {} ", site.package)
    } else {
        String::new()
    };
    let filter = if test.site.function.is_empty() {
        // libtest names its threads after the tests.
        let name = thread::current().name().map(str::to_owned);
        name.filter(|name| name != "main").unwrap_or_default()
    } else {
        path_in_crate(&test.site)
    };
    format!("cargo test {package}{filter}")
        .trim_end()
        .to_owned()
}

/// `pricing::total` for the function `total` in the module `shop::pricing`.
fn path_in_crate(site: &Site) -> String {
    match site.module_path.split_once("::") {
        Some((_, modules)) => format!("{modules}::{}", site.function),
        None => site.function.to_owned(),
    }
}

impl Plan {
    pub(super) fn of(test: &EnsembleTest, environment: Environment<'_>) -> Result<Self, Invalid> {
        let package_directory = package_directory(&test.site, environment)?;
        let place =
            find_place(&package_directory, test.site.file).map_err(|error| invalid(error, ""))?;
        let settings =
            Settings::load(&place.root, environment).map_err(|error| invalid(error, ""))?;
        let package = package(&test.site, environment)?;
        let remote = match test.store.unwrap_or(settings.store) {
            StoreKind::Local => check_local_store(&settings).map(|()| None)?,
            StoreKind::Remote => Some(Remote::of(&settings, &package, environment)?),
        };
        let (definition, definition_name, definition_id) =
            definition(test, &place, remote.as_ref())?;
        let name = test_name(test);
        check_size(test.size, &definition, &definition_name)?;
        check_threads(test.threads)?;
        let file = settings.snapshots.then(|| match &test.name {
            Some(name) => named_snapshot_file(&place.source, name),
            None => snapshot_file(&place.source, test.site.module_path, test.site.function),
        });
        let cases = match &settings.cases {
            Some(text) => Some(
                parse_cases("TDG_CASES", text, test.size).map_err(|error| invalid(error, ""))?,
            ),
            None => None,
        };
        Ok(Self {
            test: Test {
                package,
                source: shown_from(&place.package, &place.source),
                name,
            },
            site: test.site,
            policy: test.policy.clone().map_err(|error| invalid(error, ""))?,
            manner: Manner {
                threads: test.threads,
                panics: test.panics,
                output_bytes: DATA_BYTES,
            },
            size: test.size,
            seed: test.seed,
            run_id: environment("NEXTEST_RUN_ID").and_then(|id| id.into_string().ok()),
            place,
            settings,
            definition,
            definition_name,
            definition_id,
            file,
            cases,
            remote,
        })
    }

    /// Where the benchmark is, as messages say it.
    pub(super) fn benchmark_place(&self) -> String {
        match &self.file {
            Some(file) => self.shown(file),
            None => "the benchmark in the store".to_owned(),
        }
    }

    /// A path as messages show it: from the root.
    pub(super) fn shown(&self, path: &Path) -> String {
        shown_from(&self.place.root, path)
    }
}

/// As cargo says at run time, which holds when the checkout has moved; else as it was compiled.
fn package_directory(site: &Site, environment: Environment<'_>) -> Result<PathBuf, Invalid> {
    if let Some(directory) = environment("CARGO_MANIFEST_DIR").filter(|value| !value.is_empty()) {
        return Ok(directory.into());
    }
    if !site.manifest_dir.is_empty() {
        return Ok(site.manifest_dir.into());
    }
    std::env::current_dir()
        .map_err(|error| invalid(error, "set CARGO_MANIFEST_DIR to the package's directory"))
}

fn package(site: &Site, environment: Environment<'_>) -> Result<String, Invalid> {
    if !site.package.is_empty() {
        return Ok(site.package.to_owned());
    }
    environment("CARGO_PKG_NAME")
        .and_then(|name| name.into_string().ok())
        .ok_or_else(|| {
            invalid(
                "it is not known which package this test belongs to: CARGO_PKG_NAME is not set",
                "run the test by cargo, or use the attribute, which knows it",
            )
        })
}

fn check_local_store(settings: &Settings) -> Result<(), Invalid> {
    if settings.snapshots || cfg!(feature = "sqlite-system") {
        return Ok(());
    }
    Err(invalid(
        "tdg.toml says snapshots = false, so benchmarks are in the local store, and this tdg is built \
         without one",
        "enable the feature `sqlite` of tdg (it is on by default)",
    ))
}

/// The definition, what it is called, and its identifier if it is on a server.
fn definition(
    test: &EnsembleTest,
    place: &Place,
    remote: Option<&Remote>,
) -> Result<(Definition, String, Option<DefinitionId>), Invalid> {
    let parse = |text: &str, path: String| match Definition::parse(text) {
        Ok(definition) => Ok((definition, path, None)),
        Err(faults) => Err(invalid(
            format!("{path} is no valid definition:\n{faults}"),
            "",
        )),
    };
    match test.definition.as_ref().map(|source| &source.0) {
        Some(Source::Embedded { path, text }) => parse(text, (*path).to_owned()),
        Some(Source::Remote(uuid)) => {
            let Some(remote) = remote else {
                return Err(invalid(
                    format!("the definition {uuid} is on a server"),
                    "add store = \"remote\" to the test, or set TDG_STORE=remote",
                ));
            };
            let (definition, id) = remote.definition(uuid)?;
            Ok((definition, format!("definition {uuid}"), Some(id)))
        }
        Some(Source::File(path)) => {
            let shown = path.display().to_string();
            match fs::read_to_string(place.package.join(path)) {
                Ok(text) => parse(&text, shown),
                Err(error) => Err(invalid(
                    format!(
                        "the definition {shown} can't be read: {error}; paths are from {}",
                        place.package.display()
                    ),
                    match is_identifier(&shown) {
                        true => "for a definition on a server, use DefinitionSource::remote",
                        false => "",
                    },
                )),
            }
        }
        Some(Source::Value(definition)) => {
            let name = definition.name().unwrap_or("a definition in code");
            Ok((definition.clone(), name.to_owned(), None))
        }
        None => Err(invalid(
            "the test has no definition, so there are no rows",
            "add .definition(\"definitions/….json\")",
        )),
    }
}

fn check_size(size: usize, definition: &Definition, name: &str) -> Result<(), Invalid> {
    definition.check_size(size).map_err(|error| match error {
        SizeError::Rows(_) => invalid(error, ""),
        SizeError::Cells { most, .. } => invalid(error, format!("use size = {most} or less")),
        SizeError::Definition(faults) => {
            invalid(format!("{name} does not have {size} rows:\n{faults}"), "")
        }
    })
}

fn check_threads(threads: usize) -> Result<(), Invalid> {
    if THREADS.contains(&threads) {
        return Ok(());
    }
    Err(invalid(
        format!(
            "the rows are shared by {} to {} threads, not by {threads}",
            THREADS.start(),
            THREADS.end()
        ),
        "",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command_of(manifest_dir: &'static str, file: &'static str) -> String {
        command(&EnsembleTest::at(Site {
            package: "shop",
            manifest_dir,
            file,
            line: 1,
            module_path: "pricing",
            function: "total",
        }))
    }

    #[test]
    fn a_definition_with_too_few_unique_values_does_not_have_so_many_rows() {
        let dice = r#"{"features": [{"type": "INTEGER", "unique": true,
            "distribution": {"type": "uniform", "min": 1, "max": 6}}]}"#;
        let dice = Definition::parse(dice).unwrap();
        assert!(check_size(6, &dice, "dice.json").is_ok());
        let reason = check_size(7, &dice, "dice.json").unwrap_err().reason;
        insta::assert_snapshot!(reason, @"
        dice.json does not have 7 rows:
        /features/0/unique: there are only 6 different values for 7 rows; ask for fewer rows, allow more values, or leave `unique` out
        ");
    }

    #[test]
    fn the_command_names_the_package_where_cargo_starts_in_a_workspace() {
        let member = env!("CARGO_MANIFEST_DIR");
        assert_eq!(
            command_of(member, "tdg/src/lib.rs"),
            "cargo test -p shop total"
        );
        assert_eq!(command_of(member, "src/lib.rs"), "cargo test total");
    }
}
