//! `cargo tdg check`: the faults of definitions.

use std::path::PathBuf;

use clap::Args;
use tdg_definition::json::Value;
use tdg_definition::{Definition, Fault, Faults};

use crate::definition;
use crate::error::Result;
use crate::exit::Exit;
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{counted, print};

/// Check definitions and list all their faults
///
/// Exits with 1 if there are any.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Definition files
    #[arg(required = true)]
    definitions: Vec<PathBuf>,
    /// Print one line of JSON for each definition
    #[arg(long)]
    json: bool,
    /// Print each valid definition in canonical form instead of its number of features
    #[arg(long, conflicts_with = "json")]
    canonical: bool,
}

impl Check {
    pub(crate) fn run(self) -> Result<Exit> {
        let mut exit = Exit::Fine;
        let mut text = String::new();
        for path in &self.definitions {
            let path_text = path.display().to_string();
            let (features, faults) = match definition::read(path)? {
                Ok(definition) if self.canonical => {
                    text.push_str(&canonical(&definition));
                    continue;
                }
                Ok(definition) => (definition.features().len(), Faults::default()),
                Err(faults) => (0, faults),
            };
            if faults.count() > 0 {
                exit = Exit::Found;
            }
            text.push_str(&if self.json {
                json_line(&path_text, features, &faults)
            } else {
                paragraph(&path_text, features, &faults)
            });
        }
        print(&text)?;
        Ok(exit)
    }
}

fn paragraph(path: &str, features: usize, faults: &Faults) -> String {
    if faults.count() == 0 {
        let features = counted(features, "feature");
        return format!("{STRONG}{path}{STRONG:#}: {GOOD}valid{GOOD:#}, {features}\n");
    }
    let mut text = format!(
        "{STRONG}{path}{STRONG:#}: {BAD}{}{BAD:#}\n",
        counted(faults.count(), "fault")
    );
    for fault in faults.iter() {
        let pointer = if fault.pointer.is_root() {
            String::new()
        } else {
            format!("{FAINT}{}{FAINT:#}: ", fault.pointer)
        };
        text.push_str(&format!("  {pointer}{}\n", fault.message));
    }
    let more = faults.count() - faults.iter().count();
    if more > 0 {
        text.push_str(&format!("  and {more} more\n"));
    }
    text
}

/// Formats a definition canonically, with one line per feature and per relation.
fn canonical(definition: &Definition) -> String {
    let Value::Object(members) = definition.to_value() else {
        return definition.canonical();
    };
    let lines = |values: Vec<String>| format!("\n    {}", values.join(",\n    "));
    let member = |(key, value): &(String, Value)| match value {
        Value::Array(elements) => {
            let elements = elements.iter().map(Value::to_string).collect();
            format!("{}: [{}\n  ]", Value::from(key.as_str()), lines(elements))
        }
        value => format!("{}: {value}", Value::from(key.as_str())),
    };
    let members: Vec<String> = members.iter().map(member).collect();
    format!("{{\n  {}\n}}\n", members.join(",\n  "))
}

fn json_line(path: &str, features: usize, faults: &Faults) -> String {
    let fault = |fault: &Fault| {
        Value::object([
            ("pointer", Value::from(fault.pointer.to_string())),
            ("message", Value::from(fault.message.as_str())),
        ])
    };
    let line = Value::object([
        ("path", Value::from(path)),
        ("valid", Value::from(faults.count() == 0)),
        ("features", Value::from(features as u64)),
        ("faults", faults.iter().map(fault).collect()),
    ]);
    format!("{line}\n")
}
