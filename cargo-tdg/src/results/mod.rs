//! The results of the last `cargo tdg test`: what its test processes said, one line of JSON a run.

mod unclaimed;

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tdg::compare::Policy;
use tdg::config::process_environment;
use tdg::json::{self, Value};
use tdg::{Test, Verdict};

use crate::error::{Context as _, Error, Result};
use crate::workspace::Workspace;

pub(crate) use unclaimed::unclaimed;

/// The variable by which test processes are told where to add their results.
pub(crate) const VARIABLE: &str = "TDG_RESULTS";

/// The lines of the runs.
const RUNS: &str = "runs.jsonl";

/// What one run of an ensemble test came to.
#[derive(Clone, Debug)]
pub(crate) struct TestRun {
    pub(crate) test: Test,
    /// The snapshot file that it claims, there or not.
    pub(crate) snapshot: Option<PathBuf>,
    pub(crate) verdict: Verdict,
    pub(crate) cases: usize,
    pub(crate) changed: usize,
    pub(crate) tolerance_use: Option<f64>,
    pub(crate) took: Duration,
    /// What the failing test said.
    pub(crate) report: Option<String>,
    /// How the test compares outputs.
    pub(crate) policy: Policy,
    /// The outputs as a snapshot file, where somebody has to decide about them.
    pub(crate) actual: Option<PathBuf>,
}

/// Where results are: where the variable says, else where cargo builds, apart for each of the workspaces
/// that build there.
pub(crate) fn directory(workspace: &Workspace) -> PathBuf {
    if let Some(directory) = process_environment(VARIABLE) {
        return directory.into();
    }
    let mut hasher = DefaultHasher::new();
    workspace.directory.hash(&mut hasher);
    let name = format!("results-{:016x}", hasher.finish());
    workspace.target_directory.join("tdg").join(name)
}

/// A directory without the results of an earlier run.
pub(crate) fn begin(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).context(directory.display())?;
    for entry in fs::read_dir(directory).context(directory.display())? {
        let path = entry?.path();
        let is_result = path.file_name().is_some_and(|name| name == RUNS)
            || path
                .extension()
                .is_some_and(|extension| extension == "snap");
        if is_result {
            fs::remove_file(&path).context(path.display())?;
        }
    }
    Ok(())
}

/// The results of the last run, by package, source file and name; none if there was no such run.
pub(crate) fn read(directory: &Path) -> Result<Option<Vec<TestRun>>> {
    let file = directory.join(RUNS);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        // A run without an ensemble test has written nothing.
        Err(_) if directory.is_dir() => return Ok(Some(Vec::new())),
        Err(_) => return Ok(None),
    };
    let run = |line: &str| {
        let value = json::parse(line).context(file.display())?;
        TestRun::read(&value, directory).ok_or_else(|| {
            let file = file.display();
            Error::new(format!(
                "{file} was written by another version of tdg; run `cargo tdg test` again"
            ))
        })
    };
    let mut runs = text.lines().map(run).collect::<Result<Vec<_>>>()?;
    runs.sort_by(|one, other| one.test.cmp(&other.test));
    Ok(Some(runs))
}

impl TestRun {
    fn read(line: &Value, directory: &Path) -> Option<Self> {
        let text = |key: &str| line.get(key)?.as_str().map(str::to_owned);
        let count = |key: &str| usize::try_from(line.get(key)?.as_u64()?).ok();
        Some(Self {
            test: Test {
                package: text("package")?,
                source: text("source")?,
                name: text("test")?,
            },
            snapshot: text("snapshot").map(PathBuf::from),
            verdict: Verdict::from_word(&text("verdict")?)?,
            cases: count("cases")?,
            changed: count("changed")?,
            tolerance_use: line.get("tolerance_use")?.as_f64(),
            took: Duration::from_micros(line.get("microseconds")?.as_u64()?),
            report: text("report"),
            policy: match line.get("policy")? {
                Value::Null => Policy::exact(),
                policy => Policy::from_json(policy).ok()?,
            },
            actual: text("actual").map(|name| directory.join(name)),
        })
    }
}
