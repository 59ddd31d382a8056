//! From a test's options and the configuration to the plan of its run.

use std::path::PathBuf;
use std::{fs, thread};

use tdg_definition::json::Value;
use tdg_definition::limits::{DATA_BYTES, THREADS};
use tdg_definition::{Definition, Policy, SizeError, control, is_uuid, read_row};
use tdg_engine::config::{Environment, Settings, StoreKind, TestPlace, find_place, source_path};
use tdg_engine::snapshot::{named_snapshot_file, snapshot_file};
use tdg_engine::{Site, TestId};
use tdg_report::DefinitionForm;

use super::backend::{self, Backend};
use super::cases::run_options::{RunOptions, UnboundRows};
use super::cases::test_target::{TestedTarget, path_in_crate};
use super::error::{Result, RunError};
use super::plan::Plan;
use super::plan::retry::Retry;
use super::plan::rows_file::RowsFile;
use crate::test_options::{Source, TestOptions};

/// Returns the plan of a test, and the backend of its benchmark and history.
///
/// # Errors
/// Fails if the test's options, its definition or the configuration are wrong.
pub(super) fn prepare(
    test: &TestOptions,
    environment: Environment<'_>,
) -> Result<(Plan, Box<dyn Backend>)> {
    let package_directory = package_directory(&test.site, environment)?;
    let place = find_place(&package_directory, test.site.file)?;
    let settings = Settings::load(&place.root, environment)?;
    let package = package(&test.site, environment)?;
    let kind = test.store.unwrap_or(settings.store);
    check_beside_rows(test, kind)?;
    let backend = backend::open(kind, &settings, &package, environment)?;
    let (definition, definition_name) = definition(test, &place, &*backend)?;
    let name = test_name(test);
    check_name(&name, test.name.as_deref())?;
    let rows = match &test.rows {
        Some(path) => Some(RowsFile::read(path, test, &definition, &place)?),
        None => None,
    };
    let size = match &rows {
        Some(file) => file.vectors.size(),
        None => checked_size(test.drawn_size(), &definition, &definition_name)?,
    };
    check_threads(test.threads)?;
    let plan = Plan {
        stated: test.clone(),
        policy: test.policy.clone()?,
        requirements: test.requirements.clone()?,
        options: run_options(test, &name, &definition, &settings),
        test: TestId {
            package,
            source: source_path(&place.package, &place.source),
            name,
        },
        // A file's rows can't be drawn again, so they are always included.
        inputs: rows.is_some() || test.inputs.unwrap_or(settings.inputs),
        rows,
        size,
        seed: test.seed.unwrap_or_default(),
        keep: kept_rows(&test.keep, &definition, &definition_name)?,
        run_id: run_id(environment),
        retry: Retry::from_environment(environment),
        file: settings.snapshots.then(|| file(test, &place)),
        place,
        settings,
        definition_text: match test.definition.as_ref().map(|source| &source.0) {
            Some(Source::Embedded { canonical, .. }) => (*canonical).to_owned(),
            _ => definition.canonical(),
        },
        definition,
        definition_name,
        definition_form: definition_form(test),
    };
    Ok((plan, backend))
}

/// Returns the path of the snapshot file.
fn file(test: &TestOptions, place: &TestPlace) -> PathBuf {
    match &test.name {
        Some(name) => named_snapshot_file(&place.source, name),
        None => snapshot_file(&place.source, test.site.module_path, test.site.function),
    }
}

/// Returns the ID of the nextest run that this process belongs to, if any.
fn run_id(environment: Environment<'_>) -> Option<String> {
    let id = environment("NEXTEST_RUN_ID").filter(|id| !id.is_empty());
    id?.into_string().ok()
}

fn run_options(
    test: &TestOptions,
    name: &str,
    definition: &Definition,
    settings: &Settings,
) -> RunOptions {
    let features = definition.features().iter();
    let subject = TestedTarget {
        name: name.to_owned(),
        site: test.site,
        thread: thread::current(),
        takes: test.takes.among(features.map(|feature| feature.name())),
    };
    RunOptions {
        threads: test.threads,
        panics: test.panics,
        output_bytes: DATA_BYTES,
        unbound: UnboundRows::Refuse,
        tells_f32s: test.policy.as_ref().is_ok_and(Policy::has_ulps),
        subject,
        are_new: false,
        slow_row: settings.slow_row,
        // Without `tail`, each row would be a line.
        notes: settings.cases.is_some() && cfg!(unix),
    }
}

/// Returns the test's name for reports, even if the test is invalid.
pub(super) fn test_name(test: &TestOptions) -> String {
    match &test.name {
        Some(name) => control::escape(name).into_owned(),
        None => path_in_crate(&test.site),
    }
}

/// Returns cargo's directory at run time, which is right after the checkout moved, or else the
/// compiled one.
fn package_directory(site: &Site, environment: Environment<'_>) -> Result<PathBuf> {
    if let Some(directory) = environment("CARGO_MANIFEST_DIR").filter(|value| !value.is_empty()) {
        return Ok(directory.into());
    }
    if !site.manifest_dir.is_empty() {
        return Ok(site.manifest_dir.into());
    }
    std::env::current_dir().map_err(|error| {
        RunError::from(error).hint("set CARGO_MANIFEST_DIR to the package's directory")
    })
}

fn package(site: &Site, environment: Environment<'_>) -> Result<String> {
    if !site.package.is_empty() {
        return Ok(site.package.to_owned());
    }
    environment("CARGO_PKG_NAME")
        .and_then(|name| name.into_string().ok())
        .ok_or_else(|| {
            RunError::new("the package of this test is unknown: CARGO_PKG_NAME is not set")
                .hint("run the test with cargo, or use the attribute, which knows the package")
        })
}

/// Returns the definition of a test, and its name in the snapshot file.
fn definition(
    test: &TestOptions,
    place: &TestPlace,
    backend: &dyn Backend,
) -> Result<(Definition, String)> {
    let parse = |text: &str, path: String| match Definition::parse(text) {
        Ok(definition) => Ok((definition, path)),
        Err(faults) => Err(RunError::new(format!(
            "{path} is not a valid definition:\n{faults}"
        ))),
    };
    match test.definition.as_ref().map(|source| &source.0) {
        Some(Source::Embedded { path, canonical }) => parse(canonical, (*path).to_owned()),
        Some(Source::Remote(uuid)) => Ok((backend.definition(uuid)?, format!("definition {uuid}"))),
        Some(Source::File(path)) => {
            let shown = path.display().to_string();
            match fs::read_to_string(place.package.join(path)) {
                Ok(text) => parse(&text, shown),
                Err(error) => {
                    let unreadable = RunError::new(format!(
                        "the definition {shown} can't be read: {error}; paths are relative to {}",
                        place.package.display()
                    ));
                    Err(if is_uuid(&shown) {
                        unreadable
                            .hint("for a definition on a server, use DefinitionSource::remote")
                    } else {
                        unreadable
                    })
                }
            }
        }
        Some(
            Source::Signature(definition) | Source::Type(definition) | Source::Value(definition),
        ) => {
            let name = definition.name().unwrap_or("a definition in code");
            Ok((definition.clone(), name.to_owned()))
        }
        None => Err(
            RunError::new("the test has no definition, so there are no rows")
                .hint("add .definition(\"definitions/….json\")"),
        ),
    }
}

fn definition_form(test: &TestOptions) -> DefinitionForm {
    match test.definition.as_ref().map(|source| &source.0) {
        Some(Source::File(_) | Source::Embedded { .. }) => DefinitionForm::File,
        Some(Source::Signature(_)) => DefinitionForm::Signature,
        Some(Source::Type(_)) => DefinitionForm::Type,
        Some(Source::Remote(_) | Source::Value(_)) | None => DefinitionForm::Unknown,
    }
}

/// Refuses options that only apply to drawn rows if the rows come from a file.
fn check_beside_rows(test: &TestOptions, store: StoreKind) -> Result<()> {
    if test.rows.is_none() {
        return Ok(());
    }
    if test.seed.is_some() {
        return Err(
            RunError::new("the rows come from a file, so no seed draws them")
                .hint("remove the seed; `size` takes the first rows"),
        );
    }
    if test.inputs == Some(false) {
        return Err(RunError::new(
            "the rows of a file can't be drawn again, so the snapshot file has to keep them",
        )
        .hint("remove inputs = false; a test with `rows` needs no inputs setting"));
    }
    if store == StoreKind::Remote {
        return Err(RunError::new(
            "a server draws the rows of its benchmarks, and can't use a file's rows",
        )
        .hint("set store = \"local\" for this test"));
    }
    Ok(())
}

/// Refuses names with control characters, which a terminal would obey.
fn check_name(shown: &str, given: Option<&str>) -> Result<()> {
    if given.is_none_or(|given| given == shown) {
        return Ok(());
    }
    Err(RunError::new(format!(
        "the test's name has control characters: \"{shown}\""
    ))
    .hint("name it in plain text"))
}

fn checked_size(size: usize, definition: &Definition, name: &str) -> Result<usize> {
    let checked = definition.check_size(size).map_err(|error| match error {
        SizeError::Rows(_) => error.into(),
        SizeError::Cells { most, .. } => {
            RunError::from(error).hint(format!("use size = {most} or less"))
        }
        _ => RunError::new(format!("{name} does not have {size} rows:\n{error}")),
    });
    checked.map(|()| size)
}

/// Reads the kept rows of the test.
fn kept_rows(rows: &[String], definition: &Definition, name: &str) -> Result<Vec<Vec<Value>>> {
    let read = |(index, row): (usize, &String)| {
        let number = index + 1;
        read_row(definition.features(), row).map_err(|faults| {
            RunError::new(format!(
                "kept row {number} is not a row of {name}:\n{faults}"
            ))
        })
    };
    rows.iter().enumerate().map(read).collect()
}

fn check_threads(threads: usize) -> Result<()> {
    if THREADS.contains(&threads) {
        return Ok(());
    }
    Err(RunError::new(format!(
        "threads must be from {} to {}, but is {threads}",
        THREADS.start(),
        THREADS.end()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_with_too_few_unique_values_is_refused() {
        let dice = r#"{"features": [{"type": "INTEGER", "unique": true,
            "distribution": {"type": "uniform", "min": 1, "max": 6}}]}"#;
        let dice = Definition::parse(dice).unwrap();
        assert!(checked_size(6, &dice, "dice.json").is_ok());
        let reason = checked_size(7, &dice, "dice.json").unwrap_err().text();
        insta::assert_snapshot!(reason, @"
        dice.json does not have 7 rows:
        /features/0/unique: there are only 6 different values for 7 rows; use fewer rows, allow more values, or remove `unique`
        ");
    }

    #[test]
    fn a_name_with_control_characters_is_refused() {
        let site = Site {
            package: "shop",
            manifest_dir: env!("CARGO_MANIFEST_DIR"),
            file: "src/lib.rs",
            line: 1,
            module_path: "pricing",
            function: "total",
        };
        let mut test = TestOptions::new(site);
        test.name = Some("to\u{1b}[31mtal\n".to_owned());
        let dice = r#"{"features": [{"type": "BOOLEAN", "feature_name": "six",
            "distribution": {"type": "bernoulli", "p": 0.5}}]}"#;
        test.definition = Some(Definition::parse(dice).unwrap().into());
        let prepared = prepare(&test, &|_| None);
        let reason = prepared.map(|_| ()).unwrap_err().text();
        insta::assert_snapshot!(reason, @r#"
        the test's name has control characters: "to\u001b[31mtal\n"
        name it in plain text
        "#);
    }
}
