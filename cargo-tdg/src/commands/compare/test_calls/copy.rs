//! A copy of a side's sources whose functions record their calls, without code that doesn't
//! compile.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::documentation::documentation_tests;
use super::functions::{SourceFunction, SourceFunctions, functions, module};
use super::instrumentation::{RecordedForm, instrumented};
use super::types::{SourceTypes, types};
use crate::error::{Context as _, Result};
use crate::sides::{
    ComparedSide, LaidTests, Overlay, TargetError, TestProgram, TestTargets, build_folder,
    write_changed,
};
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
    /// The folder of the side.
    place: PathBuf,
    /// The folder of the build.
    target: PathBuf,
    /// The root of the library or else of the program, in the folder `src`.
    root: PathBuf,
    /// The forms that the compiler accepts, by file and first line, unless it is the usual one.
    forms: RecordedForms,
    /// The names of types whose fields aren't shown: the compiler refuses that, or a side has their
    /// `Debug`, which may show something else.
    hidden: BTreeSet<String>,
}

type RecordedForms = BTreeMap<(PathBuf, usize), RecordedForm>;

/// A built copy.
pub(super) struct BuiltCopy {
    /// The folder of the side, and the directory of the package in it.
    pub(super) place: PathBuf,
    pub(super) directory: PathBuf,
    pub(super) programs: Vec<TestProgram>,
    /// All functions, the ones that record their calls last.
    pub(super) functions: Vec<SourceFunction>,
    /// The names of the structs.
    pub(super) structs: BTreeSet<String>,
    /// The functions that record nothing, and the tests that don't run, each with the reason.
    pub(super) plain: Vec<String>,
    pub(super) left_out: Vec<String>,
}

/// Copies both sides of a package, with today's tests.
pub(super) fn copies(
    sides: &[ComparedSide; 2],
    name: &str,
    folder: &Path,
) -> Result<[RecordedCopy; 2]> {
    let recorder = folder.join("recorder");
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
        let place = folder.join(at);
        let own_place = place.join("calls").join(name);
        let sources = folder.join("sources");
        let mut overlay = Overlay::new(side, &sources, own_place.join("sources"), LaidTests::All)?;
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
            root: root(own),
            // The file name of a dynamic library depends neither on its path nor on its version.
            target: match side.workspace.has_dynamic_library() {
                true => own_place.join("build"),
                false => build_folder(&place),
            },
            place,
            forms: BTreeMap::new(),
            hidden: BTreeSet::new(),
        })
    };
    let mut copies = [copy(&sides[0], "then")?, copy(&sides[1], "now")?];
    let shown = &copies[0].shown()? | &copies[1].shown()?;
    for copy in &mut copies {
        copy.hidden.clone_from(&shown);
    }
    Ok(copies)
}

/// Returns the root of a library or else of a program, in the folder `src`.
fn root(package: &Package) -> PathBuf {
    let library = package.library.as_ref();
    let root = library.and_then(|it| it.root.strip_prefix(package.directory.join("src")).ok());
    root.map_or_else(|| "main.rs".into(), Path::to_owned)
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
        sources.push((name.to_owned(), text));
    }
    let read = |path: &Path| fs::read_to_string(package.directory.join(path)).ok();
    Ok(documentation_tests(&library.name, &sources, read))
}

impl RecordedCopy {
    /// Returns the path of the package in the tree.
    fn at(&self) -> Result<PathBuf> {
        let workspace = &self.original.workspace;
        let package = workspace.package(&self.package)?;
        Ok(self.overlay.place(workspace, package))
    }

    /// Returns the names of the types with `Debug`.
    fn shown(&self) -> Result<BTreeSet<String>> {
        let sources = self.overlay.sources(&self.at()?)?;
        Ok(sources
            .iter()
            .flat_map(|(_, text)| types(text).shown)
            .collect())
    }

    /// Builds the tests, without code that the compiler refuses.
    pub(super) fn build(&mut self) -> Result<BuiltCopy> {
        let at = self.at()?;
        for _ in 0..ROUNDS {
            let sources = self.overlay.sources(&at)?;
            let files: Vec<_> = sources
                .iter()
                .map(|(path, text)| self.read(&at, path, text))
                .collect();
            let side = self.saved(&at, sources, &files)?;
            let TestTargets { programs, errors } = self.built(&side)?;
            let Some(error) = errors.first() else {
                return self.finished(&side, programs, files);
            };
            if !self.leave_out(&errors, &files)? && !self.hide_fields(&files) {
                let reason = format!("its tests don't compile:\n{}", error.rendered);
                return Err(side.error(&reason));
            }
        }
        Err(self
            .original
            .error("its tests don't compile with recorded calls"))
    }

    fn read(&self, at: &Path, path: &Path, text: &str) -> RecordedFile {
        let name = path.strip_prefix(at.join("src")).unwrap_or(path);
        RecordedFile {
            file: path.to_owned(),
            functions: functions(text, &module(name, &self.root)),
            types: types(text),
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
        files: &[RecordedFile],
    ) -> Result<ComparedSide> {
        let package = self.original.workspace.package(&self.package)?;
        // The edition of 2015 finds crates from the root.
        let roots = package.sources_of_2015.iter();
        let roots = roots.filter_map(|it| Some(at.join(it.strip_prefix(&package.directory).ok()?)));
        let roots: Vec<PathBuf> = roots.collect();
        let texts = sources
            .into_iter()
            .zip(files)
            .map(|((path, text), of_file)| {
                let form = |it: &SourceFunction| self.form(&path, it);
                let has_crate = roots.contains(&path);
                let unshown = of_file.types.unshown.iter();
                let shown = unshown.filter(|it| !self.hidden.contains(&it.name));
                let impls = shown.map(|it| (it.end, it.debug.clone())).collect();
                let text = instrumented(&text, &of_file.functions.recorded, impls, has_crate, form);
                (path, text)
            });
        self.overlay.save_with(&self.original, texts.collect())
    }

    fn built(&self, side: &ComparedSide) -> Result<TestTargets> {
        let package = side.workspace.package(&self.package)?;
        let features = side.features(package);
        let target = Some(&*self.target);
        let mut command = side.for_package(side.cargo(), "build", package, &features, target);
        command.arg("--examples");
        TestTargets::build_all(command, side, &self.package)
    }

    /// Leaves out the functions and the tests that errors are about. Returns false if nothing fits.
    fn leave_out(&mut self, errors: &[TargetError], files: &[RecordedFile]) -> Result<bool> {
        // A function with several errors gets the form after its former one.
        let former = &self.forms.clone();
        let (forms, hidden) = (&mut self.forms, &mut self.hidden);
        self.overlay.leave_out(errors, |file, line| {
            let Some(of_file) = files.iter().find(|it| it.file == file) else {
                return false;
            };
            let mut types = of_file.types.unshown.iter();
            if let Some(kind) = types.find(|it| it.lines.contains(&line)) {
                return hidden.insert(kind.name.clone());
            }
            let mut functions = of_file.functions.recorded.iter();
            let Some(function) = functions.find(|it| it.lines.contains(&line)) else {
                return false;
            };
            let key = (file.to_owned(), *function.lines.start());
            let form = former.get(&key).copied().unwrap_or_default();
            if form != RecordedForm::Plain {
                forms.insert(key, function.after(form));
            }
            form != RecordedForm::Plain
        })
    }

    /// Hides the fields of all types, since an impl elsewhere may be in the way. Returns false if
    /// they are hidden already.
    fn hide_fields(&mut self, files: &[RecordedFile]) -> bool {
        let before = self.hidden.len();
        let types = files.iter().flat_map(|it| &it.types.unshown);
        self.hidden.extend(types.map(|it| it.name.clone()));
        self.hidden.len() > before
    }

    fn finished(
        &self,
        side: &ComparedSide,
        mut programs: Vec<TestProgram>,
        files: Vec<RecordedFile>,
    ) -> Result<BuiltCopy> {
        programs.retain(|it| !self.overlay.is_left_out(&it.target.root));
        // Tests come first, since an example may wait for something.
        programs.sort_by_key(|it| !it.is_test);
        let mut built = BuiltCopy {
            place: self.place.clone(),
            directory: side.workspace.package(&self.package)?.directory.clone(),
            programs,
            functions: Vec::new(),
            structs: BTreeSet::new(),
            plain: Vec::new(),
            left_out: self.overlay.left_out(),
        };
        for of_file in files {
            built.structs.extend(of_file.types.structs);
            built.functions.extend(of_file.functions.others);
            built.plain.extend(of_file.functions.unrecorded);
            for mut function in of_file.functions.recorded {
                let form = self.form(&of_file.file, &function);
                function.is_recorded = form != RecordedForm::Plain;
                if !function.is_recorded {
                    let name = &function.name;
                    built
                        .plain
                        .push(format!("{name}: doesn't compile when recorded"));
                }
                built.functions.push(function);
            }
        }
        built.functions.sort_by_key(|it| it.is_recorded);
        Ok(built)
    }
}

struct RecordedFile {
    /// The file in the tree.
    file: PathBuf,
    functions: SourceFunctions,
    types: SourceTypes,
}
