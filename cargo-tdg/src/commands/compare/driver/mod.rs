//! Writes and builds the program that calls a crate's functions, without calls that don't compile.

mod manifest;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use tdg_definition::json::{self, Value};

use crate::error::{Context as _, Result};
use crate::plan::PlannedCall;
use crate::sides::{ComparedSide, build_folder, first_error, write_changed};
use crate::workspace::Package;

const SUPPORT: &str = include_str!("support.rs.in");

/// The result of building the driver.
pub(super) enum Driver {
    /// The program, which makes calls by number.
    Built(PathBuf),
    /// The calls that don't compile, by number.
    Refused(BTreeMap<usize, RefusedCall>),
}

/// The reason why a call doesn't compile.
#[derive(Default)]
pub(super) struct RefusedCall {
    /// The compiler's first message.
    pub(super) reason: String,
    /// The source lines in the messages.
    pub(super) lines: Vec<String>,
}

impl Driver {
    /// Builds the program below `folder`. Calls that are `None` are left out.
    ///
    /// Each side has its own target directory, since the file name of a dynamic library depends
    /// neither on its path nor on its version.
    pub(super) fn build(
        side: &ComparedSide,
        package: &Package,
        calls: &[Option<&PlannedCall>],
        folder: &Path,
    ) -> Result<Self> {
        let target = build_folder(folder);
        let name = &format!("tdg-compare-{}", package.name);
        let folder = &folder.join("drivers").join(name);
        let named: BTreeSet<String> = calls.iter().flatten().flat_map(|it| it.roots()).collect();
        let manifest = manifest::manifest(name, side, package, &named)?;
        write_changed(&folder.join("Cargo.toml"), &manifest)?;
        // Written anew each time, since the versions may be what is compared.
        if let Some(from) = &side.lock {
            let text = fs::read_to_string(from).context(from.display())?;
            write_changed(&folder.join("Cargo.lock"), &text)?;
        }
        write_changed(&folder.join("src/support.rs"), SUPPORT)?;
        for (number, call) in calls.iter().enumerate() {
            if let Some(call) = call {
                write_changed(&module(folder, number), call.source())?;
            }
        }
        write_changed(&folder.join("src/main.rs"), main(calls))?;
        cargo_build(side, folder, &target)
    }
}

fn module(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("src/call_{number}.rs"))
}

fn main(calls: &[Option<&PlannedCall>]) -> String {
    let there = (0..calls.len()).filter(|it| calls[*it].is_some());
    let modules = there.map(|it| format!("mod call_{it};\n"));
    let entries = calls.iter().enumerate().map(|(it, call)| match call {
        Some(_) => format!("        call_{it}::call,\n"),
        None => "        |_| None,\n".to_owned(),
    });
    format!(
        "extern crate alloc;\nmod support;\n{}\nfn main() {{\n    support::run(&[\n{}    ]);\n}}\n",
        modules.collect::<String>(),
        entries.collect::<String>()
    )
}

fn cargo_build(side: &ComparedSide, folder: &Path, target: &Path) -> Result<Driver> {
    let mut command = side.cargo();
    command
        .args([
            "build",
            "--quiet",
            "--message-format=json",
            "--manifest-path",
        ])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target);
    if let Some(triple) = &side.build.target {
        command.args(["--target", triple]);
    }
    let mut cargo = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("can't run cargo")?;
    let stderr = cargo.stderr.take();
    let said = std::thread::spawn(move || stderr.map(std::io::read_to_string));
    let built = read_messages(side, &mut cargo)?;
    let status = cargo.wait().context("can't run cargo")?;
    let said = said.join().ok().flatten().and_then(|it| it.ok());
    match built {
        Driver::Refused(reasons) if reasons.is_empty() => {
            let reason = match status.success() {
                true => "cargo reported no executable".to_owned(),
                false => format!(
                    "cargo can't build it:\n{}",
                    first_error(&said.unwrap_or_default())
                ),
            };
            Err(side.error(&reason))
        }
        built => Ok(built),
    }
}

/// Reads all messages of cargo.
fn read_messages(side: &ComparedSide, cargo: &mut Child) -> Result<Driver> {
    let mut reasons = BTreeMap::new();
    let mut program = None;
    let mut foreign = None;
    for line in cargo
        .stdout
        .take()
        .map(BufReader::new)
        .into_iter()
        .flat_map(|it| it.lines())
    {
        let Ok(message) = json::parse(&line?) else {
            continue;
        };
        let text =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        match text(&message, "reason").as_deref() {
            Some("compiler-artifact") => program = text(&message, "executable").or(program),
            Some("compiler-message") => {
                let Some(inner) = message.get("message") else {
                    continue;
                };
                // A compiler crash also counts as an error of the call.
                if !text(inner, "level").is_some_and(|it| it.starts_with("error")) {
                    continue;
                }
                match call_of(inner) {
                    Some(number) => {
                        let reason = text(inner, "message").unwrap_or_default();
                        let refused: &mut RefusedCall = reasons.entry(number).or_default();
                        if refused.reason.is_empty() {
                            refused.reason = refusal(&reason);
                        }
                        refused.lines.extend(lines(inner));
                    }
                    None if foreign.is_none() => foreign = text(inner, "rendered"),
                    None => {}
                }
            }
            _ => {}
        }
    }
    match (program, foreign) {
        (Some(program), _) if reasons.is_empty() => Ok(Driver::Built(program.into())),
        (_, Some(error)) if reasons.is_empty() => {
            Err(side.error(&format!("its sources don't compile:\n{}", error.trim())))
        }
        _ => Ok(Driver::Refused(reasons)),
    }
}

/// Describes why a call doesn't compile, in terms of the function.
fn refusal(message: &str) -> String {
    let shown =
        message.strip_prefix("the method `shown` exists for reference `&&&&&&support::Output<");
    match shown.and_then(|it| it.split_once(">`")) {
        Some((kind, _)) => format!("`{kind}` implements neither `Debug` nor `Display`"),
        None => message.to_owned(),
    }
}

/// Returns the number of the call with the error.
fn call_of(message: &Value) -> Option<usize> {
    spans(message).find_map(|span| {
        let file = Path::new(span.get("file_name")?.as_str()?)
            .file_stem()?
            .to_str()?;
        file.strip_prefix("call_")?.parse().ok()
    })
}

/// Returns the source lines of an error.
fn lines(message: &Value) -> impl Iterator<Item = String> {
    let lines = spans(message).filter_map(|it| it.get("text")?.as_array());
    let lines = lines.flatten().filter_map(|it| it.get("text")?.as_str());
    lines.map(str::to_owned)
}

fn spans(message: &Value) -> impl Iterator<Item = &Value> {
    let spans = message.get("spans").and_then(Value::as_array);
    spans.into_iter().flatten()
}
