//! `cargo tdg check`: what is wrong with definitions.

use std::path::PathBuf;

use clap::Args;
use tdg::Fault;
use tdg::json::Value;

use crate::definition;
use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{counted, print};

/// Check definitions, and list everything that is wrong with them
///
/// Ends with 1 if something is.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Definition files
    #[arg(required = true)]
    definitions: Vec<PathBuf>,
    /// Print one line of JSON for each definition
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> Result<Exit> {
        let mut exit = Exit::Fine;
        let mut text = String::new();
        for path in &self.definitions {
            let shown = path.display().to_string();
            let (features, faults) = match definition::read(path)? {
                Ok(definition) => (definition.features().len(), Vec::new()),
                Err(faults) => (0, faults.iter().cloned().collect()),
            };
            if !faults.is_empty() {
                exit = Exit::Found;
            }
            text.push_str(&match self.json {
                true => json_line(&shown, features, &faults),
                false => paragraph(&shown, features, &faults),
            });
        }
        print(&text)?;
        Ok(exit)
    }
}

fn paragraph(path: &str, features: usize, faults: &[Fault]) -> String {
    if faults.is_empty() {
        let features = counted(features, "feature");
        return format!("{STRONG}{path}{STRONG:#}: {GOOD}valid{GOOD:#}, {features}\n");
    }
    let mut text = format!(
        "{STRONG}{path}{STRONG:#}: {BAD}{}{BAD:#}\n",
        counted(faults.len(), "fault")
    );
    for fault in faults {
        let pointer = match fault.pointer.is_root() {
            true => String::new(),
            false => format!("{FAINT}{}{FAINT:#}: ", fault.pointer),
        };
        text.push_str(&format!("  {pointer}{}\n", fault.message));
    }
    text
}

fn json_line(path: &str, features: usize, faults: &[Fault]) -> String {
    let fault = |fault: &Fault| {
        Value::object([
            ("pointer", Value::from(fault.pointer.to_string())),
            ("message", Value::from(fault.message.as_str())),
        ])
    };
    let line = Value::object([
        ("path", Value::from(path)),
        ("valid", Value::from(faults.is_empty())),
        ("features", Value::from(features as u64)),
        ("faults", Value::Array(faults.iter().map(fault).collect())),
    ]);
    format!("{line}\n")
}
