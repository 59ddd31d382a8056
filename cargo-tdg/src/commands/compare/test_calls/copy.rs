//! A copy of a side's sources whose functions record their calls, without code that doesn't
//! compile.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::documentation::documentation_tests;
use super::functions::{SourceFunction, functions, module, structs};
use super::instrumentation::{RecordedForm, instrumented};
use super::messages::{BuildMessages, CompilerError, TestProgram};
use crate::error::{Context as _, Result};
use crate::sides::{ComparedSide, write_changed};
use crate::sides::{LaidTests, Overlay};
use crate::sources::rust_files;
use crate::workspace::Package;

/// Several rounds are needed: type errors hide borrow errors, and a library that doesn't compile
/// hides the errors of its tests.
const ROUNDS: usize = 20;

/// A copy of a side's sources.
pub(super) struct RecordedCopy {
    overlay: Overlay,
    /// The side that the copy is made of, and its package.
    original: ComparedSide,
    package: String,
    /// The folder with the copied sources and the build.
    place: PathBuf,
    has_library: bool,
    /// The forms that the compiler accepts, by file and first line, unless it is the usual one.
    forms: RecordedForms,
}

type RecordedForms = BTreeMap<(PathBuf, usize), RecordedForm>;

/// A built copy.
pub(super) struct BuiltCopy {
    /// The folder of the copy, and the directory of the package in it.
    pub(super) place: PathBuf,
    pub(super) directory: PathBuf,
    pub(super) programs: Vec<TestProgram>,
    pub(super) functions: Vec<SourceFunction>,
    /// The names of the structs.
    pub(super) structs: BTreeSet<String>,
    /// The functions that record nothing, and the tests that don't compile.
    pub(super) plain: Vec<String>,
    pub(super) left_out: Vec<String>,
}

/// Copies both sides of a package, with today's tests.
pub(super) fn copies(
    sides: &[ComparedSide; 2],
    name: &str,
    folder: &Path,
) -> Result<[RecordedCopy; 2]> {
    let recorder = folder.join("calls/recorder");
    write_changed(
        &recorder.join("Cargo.toml"),
        include_str!("recorder.toml.in"),
    )?;
    write_changed(&recorder.join("src/lib.rs"), include_str!("recorder.rs.in"))?;
    let now = &sides[1].workspace;
    let package = now.package(name)?;
    let documentation = documentation(package)?;
    let copy = |side: &ComparedSide, at: &str| -> Result<RecordedCopy> {
        let own = side.workspace.package(name)?;
        let place = folder.join("calls").join(format!("{name}-{at}"));
        let sources = folder.join("sources");
        let mut overlay = Overlay::new(side, &sources, place.join("sources"), LaidTests::All)?;
        if at == "then" {
            overlay.lay(&side.workspace, own, (now, package))?;
        }
        overlay.add_recorder(
            &side.workspace,
            own,
            (recorder.as_path(), documentation.clone()),
        )?;
        Ok(RecordedCopy {
            overlay,
            original: ComparedSide::open(
                side.label.clone(),
                &side.workspace.directory.join("Cargo.toml"),
                side.build.clone(),
            )?,
            package: name.to_owned(),
            has_library: own.library.is_some(),
            place: place.clone(),
            forms: BTreeMap::new(),
        })
    };
    Ok([copy(&sides[0], "then")?, copy(&sides[1], "now")?])
}

/// Returns the tests in the documentation of a package's library.
fn documentation(package: &Package) -> Result<Option<String>> {
    let Some(library) = &package.library else {
        return Ok(None);
    };
    let mut sources = Vec::new();
    for file in rust_files(&package.directory.join("src")) {
        let text = fs::read_to_string(&file).context(file.display())?;
        let name = file.strip_prefix(&package.directory).unwrap_or(&file);
        sources.push((name.display().to_string(), text));
    }
    Ok(documentation_tests(&library.name, &sources))
}

impl RecordedCopy {
    /// Builds the tests, without code that the compiler refuses.
    pub(super) fn build(&mut self) -> Result<BuiltCopy> {
        let at = self.overlay.place(
            &self.original.workspace,
            self.original.workspace.package(&self.package)?,
        );
        for _ in 0..ROUNDS {
            let sources = self.overlay.sources(&at)?;
            let functions: Vec<_> = sources
                .iter()
                .map(|(path, text)| self.functions(&at, path, text))
                .collect();
            let side = self.saved(&at, sources, &functions)?;
            let messages = self.built(&side)?;
            if messages.errors.is_empty() {
                return self.finished(&side, messages.programs, functions);
            }
            let (mut is_less, former) = (false, self.forms.clone());
            for error in &messages.errors {
                is_less |= self.leave_out(error, &functions, &former)?;
            }
            if !is_less && !self.leave_out_file(&messages.errors) {
                let reason = format!("its tests don't compile:\n{}", messages.errors[0].rendered);
                return Err(side.error(&reason));
            }
        }
        Err(self
            .original
            .error("its tests don't compile with recorded calls"))
    }

    fn functions(&self, at: &Path, path: &Path, text: &str) -> FunctionsOfFile {
        let name = path.strip_prefix(at.join("src")).unwrap_or(path);
        FunctionsOfFile {
            file: path.to_owned(),
            functions: functions(text, &module(name, self.has_library)),
            structs: structs(text),
        }
    }

    fn form(&self, file: &Path, function: &SourceFunction) -> RecordedForm {
        let key = (file.to_owned(), *function.lines.start());
        self.forms.get(&key).copied().unwrap_or_default()
    }

    fn saved(
        &self,
        at: &Path,
        sources: Vec<(PathBuf, String)>,
        functions: &[FunctionsOfFile],
    ) -> Result<ComparedSide> {
        let package = self.original.workspace.package(&self.package)?;
        // The edition of 2015 finds crates from the root.
        let library = package.library.as_ref().filter(|it| it.imports_from_root);
        let root = library.and_then(|it| it.root.strip_prefix(&package.directory).ok());
        let root = root.map(|it| at.join(it));
        let texts = sources
            .into_iter()
            .zip(functions)
            .map(|((path, text), of_file)| {
                let form = |it: &SourceFunction| self.form(&path, it);
                let has_crate = root.as_ref() == Some(&path);
                let text = instrumented(&text, &of_file.functions, has_crate, form);
                (path, text)
            });
        self.overlay.save_with(&self.original, texts.collect())
    }

    fn built(&self, side: &ComparedSide) -> Result<BuildMessages> {
        let directory = &side.workspace.package(&self.package)?.directory;
        let mut command = side.cargo();
        command
            .args([
                "build",
                "--tests",
                "--keep-going",
                "--quiet",
                "--message-format=json",
            ])
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .arg("--manifest-path")
            .arg(directory.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.place.join("build"));
        // Else cargo builds the default members. A dependency may have the name as well.
        if side.workspace.packages.len() > 1 {
            command.args(["--package", &self.package]);
        }
        if let Some(triple) = &side.build.target {
            command.args(["--target", triple]);
        }
        if !side.build.features.is_empty() {
            command.args(["--features", &side.build.features.join(",")]);
        }
        let output = command.output().context("can't run cargo")?;
        let messages = BuildMessages::read(&String::from_utf8_lossy(&output.stdout), directory);
        if messages.errors.is_empty() && !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(side.error(&format!("cargo can't build its tests:\n{}", said.trim())));
        }
        Ok(messages)
    }

    /// Leaves out the function or the test that an error is about. Returns false if nothing fits.
    /// A function with several errors gets the form after its `former` one.
    fn leave_out(
        &mut self,
        error: &CompilerError,
        functions: &[FunctionsOfFile],
        former: &RecordedForms,
    ) -> Result<bool> {
        for (file, line) in &error.places {
            let named = self.overlay.named(file);
            let of_file = functions.iter().find(|it| it.file == named);
            let mut inside = of_file.iter().flat_map(|it| &it.functions);
            let inside = inside
                .find(|it| it.lines.contains(line) && self.form(&named, it) != RecordedForm::Plain);
            if let Some(function) = inside {
                let key = (named, *function.lines.start());
                let next = function.after(former.get(&key).copied().unwrap_or_default());
                self.forms.insert(key, next);
                return Ok(true);
            }
            if self.overlay.take_out(file, *line, &error.message)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Leaves out all tests of a file with an error. Returns false if nothing fits.
    fn leave_out_file(&mut self, errors: &[CompilerError]) -> bool {
        errors.iter().any(|error| {
            let mut files = error.places.iter().map(|(file, _)| file);
            files.any(|file| self.overlay.take_out_all(file, &error.message))
        })
    }

    fn finished(
        &self,
        side: &ComparedSide,
        programs: Vec<TestProgram>,
        functions: Vec<FunctionsOfFile>,
    ) -> Result<BuiltCopy> {
        let mut built = BuiltCopy {
            place: self.place.clone(),
            directory: side.workspace.package(&self.package)?.directory.clone(),
            programs,
            functions: Vec::new(),
            structs: BTreeSet::new(),
            plain: Vec::new(),
            left_out: self.overlay.left_out(),
        };
        for of_file in functions {
            let FunctionsOfFile {
                file,
                functions,
                structs,
            } = of_file;
            built.structs.extend(structs);
            for function in functions {
                match self.form(&file, &function) {
                    RecordedForm::Plain => built.plain.push(function.name),
                    _ => built.functions.push(function),
                }
            }
        }
        Ok(built)
    }
}

struct FunctionsOfFile {
    /// The file in the tree.
    file: PathBuf,
    functions: Vec<SourceFunction>,
    structs: BTreeSet<String>,
}
