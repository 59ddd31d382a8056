//! The circumstances of a test run: time, commit, compiler and remarks.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use tdg_definition::json::{self, Value};
use tdg_engine::checkout::Checkout;
use tdg_engine::config::process_environment;
use tdg_engine::snapshot;

use super::Remark;
use crate::error::Result;
use crate::terminal::time;

const FILE: &str = "circumstances.json";

/// The time, commit and compiler of a test run, along with its remarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Circumstances {
    /// Milliseconds since 1970 UTC.
    pub(crate) time: Option<i64>,
    pub(crate) checkout: Checkout,
    /// `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub(crate) compiler: Option<String>,
    /// Empty until the tests have ended.
    pub(crate) remarks: Vec<Remark>,
}

impl Circumstances {
    /// Returns the circumstances of tests that start now in this directory.
    pub(crate) fn now(directory: &Path) -> Self {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        Self {
            time: time.and_then(|time| time.as_millis().try_into().ok()),
            checkout: Checkout::read(directory, &process_environment),
            compiler: compiler(directory),
            remarks: Vec::new(),
        }
    }

    /// Returns the known parts of `2026-03-01 12:00:05 UTC, commit 1a2b3c4d5e, branch main`.
    pub(crate) fn text(&self) -> String {
        let Checkout { commit, branch } = &self.checkout;
        let commit = commit.as_ref().map(|it| it.get(..10).unwrap_or(it));
        let known = [
            self.time
                .map(|started| format!("{} UTC", time(started * 1000))),
            commit.map(|commit| format!("commit {commit}")),
            branch.as_ref().map(|branch| format!("branch {branch}")),
        ];
        known.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Writes the circumstances into the directory of results.
    pub(crate) fn save(&self, results: &Path) -> Result<()> {
        let value = Value::object([
            ("time", Value::from(self.time)),
            ("commit", Value::from(self.checkout.commit.clone())),
            ("branch", Value::from(self.checkout.branch.clone())),
            ("compiler", Value::from(self.compiler.clone())),
            (
                "remarks",
                self.remarks.iter().map(Remark::to_value).collect(),
            ),
        ]);
        Ok(snapshot::save(&results.join(FILE), &format!("{value}\n"))?)
    }

    /// Reads the circumstances of the last run; all empty if `cargo tdg test` didn't start it.
    pub(crate) fn read(results: &Path) -> Self {
        let read = || {
            let value = json::parse(&fs::read_to_string(results.join(FILE)).ok()?).ok()?;
            let text = |key| value.get(key)?.as_str().map(str::to_owned);
            Some(Self {
                time: value.get("time")?.as_i64(),
                checkout: Checkout {
                    commit: text("commit"),
                    branch: text("branch"),
                },
                compiler: text("compiler"),
                remarks: remarks(&value),
            })
        };
        read().unwrap_or_default()
    }
}

fn remarks(value: &Value) -> Vec<Remark> {
    let remarks = value.get("remarks").and_then(Value::as_array);
    let remarks = remarks.unwrap_or_default().iter();
    remarks.filter_map(Remark::from_value).collect()
}

/// Returns the version of the compiler that cargo uses.
fn compiler(directory: &Path) -> Option<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("--version")
        .current_dir(directory)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let directory = env::temp_dir().join(format!("tdg-circumstances-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        assert_eq!(Circumstances::read(&directory), Circumstances::default());
        let remark = |fails, file: Option<&str>| Remark {
            fails,
            text: "no test uses it".to_owned(),
            file: file.map(str::to_owned),
            command: file.map(|file| format!("git rm {file}")),
        };
        let circumstances = Circumstances {
            remarks: vec![remark(true, None), remark(false, Some("a.snap"))],
            ..Circumstances::now(&directory)
        };
        assert!(
            circumstances
                .compiler
                .as_deref()
                .unwrap()
                .starts_with("rustc ")
        );
        circumstances.save(&directory).unwrap();
        assert_eq!(Circumstances::read(&directory), circumstances);
        fs::remove_dir_all(&directory).unwrap();
    }
}
