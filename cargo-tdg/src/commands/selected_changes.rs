//! Pending changes that `accept` and `reject` decide.

use clap::Args;
use tdg_report::quoted;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::{Newer, PendingChange, RecordedTest, RecordedTests, Shown};
use crate::terminal::style::STRONG;
use crate::terminal::{counted, note, print};
use crate::workspace::{Packages, Workspace};

/// The arguments that choose pending changes.
#[derive(Args, Debug)]
pub(crate) struct ChangeArguments {
    /// Tests, by name, snapshot file, or pattern, such as 'pricing::*'
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    packages: Packages,
    /// Not supported, as the error says.
    #[arg(long, hide = true)]
    all: bool,
}

/// The changes to decide.
pub(crate) struct ChosenChanges<'r> {
    pub(crate) changes: Vec<(&'r RecordedTest, PendingChange)>,
    /// Tests whose change was neither shown nor named in full.
    unseen: Vec<Unseen<'r>>,
    /// Tests whose change is from a run on another branch, with the reason to skip it.
    elsewhere: Vec<(&'r RecordedTest, Error)>,
}

struct Unseen<'r> {
    record: &'r RecordedTest,
    newer: Newer,
    /// The reason why the store can't say if the change was shown.
    why: Option<String>,
}

impl ChangeArguments {
    /// Returns the records to choose from.
    pub(crate) fn records(&self) -> Result<RecordedTests> {
        let workspace = Workspace::find()?;
        RecordedTests::read_chosen(&workspace, &self.packages)
    }

    /// Returns the chosen changes, each once. All are read before anything is decided, so that a
    /// typo has no effect.
    pub(crate) fn among<'r>(&self, records: &'r RecordedTests) -> Result<ChosenChanges<'r>> {
        let (patterns, names): (Vec<&str>, Vec<&str>) = self
            .names
            .iter()
            .map(String::as_str)
            .partition(|name| name.contains('*'));
        if self.all {
            return Err(Error::new(ALL));
        }
        if self.names.is_empty() && !self.packages.are_given() {
            return Err(nothing_named(records)?);
        }
        let mut chosen = ChosenChanges {
            changes: Vec::new(),
            unseen: Vec::new(),
            elsewhere: Vec::new(),
        };
        for name in names {
            let record = records.named(name)?;
            if !chosen.has(record) {
                chosen.changes.push((record, record.change()?));
            }
        }
        for pattern in &patterns {
            let mut matching = records.like(pattern).peekable();
            if matching.peek().is_none() {
                return Err(Error::new(format!(
                    "no test matches `{pattern}`; `cargo tdg pending` lists the pending changes"
                )));
            }
            chosen.add_shown(matching)?;
        }
        if self.names.is_empty() {
            chosen.add_shown(records.iter())?;
        }
        Ok(chosen)
    }
}

const ALL: &str = "--all isn't supported, because an unreviewed benchmark proves nothing; review \
                   the changes with `cargo tdg review`, decide about the changes already shown \
                   with the pattern '*', or accept all unseen with `TDG_UPDATE=always cargo test`";

/// Lists the names that could have been given.
fn nothing_named(records: &RecordedTests) -> Result<Error> {
    let pending = records.pending()?;
    if pending.is_empty() {
        return Ok(Error::new("no test is named, and no changes are pending"));
    }
    let names = pending.iter().map(|record| {
        let what = record.change().and_then(|change| change.compare());
        let what = what.map_or_else(|error| error.to_string(), |compared| compared.headline());
        format!("\n  {}  {what}", record.test)
    });
    Ok(Error::new(format!(
        "no test is named; {}:{}\nname one of them, or '*' for all that were already shown; `cargo \
         tdg review` shows them one by one",
        match pending.len() {
            1 => "1 change is pending".to_owned(),
            count => format!("{} are pending", counted(count, "change")),
        },
        names.collect::<String>()
    )))
}

impl<'r> ChosenChanges<'r> {
    fn has(&self, record: &RecordedTest) -> bool {
        let decided = self.changes.iter().map(|(record, _)| *record);
        let unseen = self.unseen.iter().map(|unseen| unseen.record);
        let elsewhere = self.elsewhere.iter().map(|(record, _)| *record);
        let mut all = decided.chain(unseen).chain(elsewhere);
        all.any(|it| it.test == record.test)
    }

    /// Adds the tests whose pending change was shown.
    fn add_shown(&mut self, records: impl Iterator<Item = &'r RecordedTest>) -> Result<()> {
        for record in records {
            if self.has(record) || !record.is_pending()? {
                continue;
            }
            let change = record.change()?;
            if let Err(why) = record.check_origin(&change) {
                self.elsewhere.push((record, why));
                continue;
            }
            let (newer, why) = match record.shown(&change) {
                Ok(Shown::ByCommand) => {
                    self.changes.push((record, change));
                    continue;
                }
                Ok(Shown::ByTest(newer) | Shown::No(newer)) => (newer, None),
                Err(why) => (None, Some(why.to_string())),
            };
            self.unseen.push(Unseen { record, newer, why });
        }
        Ok(())
    }

    /// Lists the undecided changes with the commands that show them.
    pub(crate) fn finish(self) -> Result<Exit> {
        for (_, why) in &self.elsewhere {
            note(&why.to_string());
        }
        if self.unseen.is_empty() {
            if !self.elsewhere.is_empty() {
                return Ok(Exit::Found);
            }
            if self.changes.is_empty() {
                print("No changes are pending.\n")?;
            }
            return Ok(Exit::Fine);
        }
        let (verb, it) = match self.unseen.len() {
            1 => ("stays", "it"),
            _ => ("stay", "them"),
        };
        let count = counted(self.unseen.len(), "change");
        let mut text = format!("{count} {verb} pending, because no command has shown {it} yet:\n");
        for Unseen { record, newer, .. } in &self.unseen {
            let name = quoted(&format!("{}::{}", record.test.package, record.test));
            text.push_str(&format!(
                "  {STRONG}cargo tdg show {name} --changed{STRONG:#}\n"
            ));
            if let Some(newer) = newer {
                text.push_str(&format!("    {newer}\n"));
            }
        }
        print(&text)?;
        let mut reasons: Vec<&String> = self.unseen.iter().flat_map(|it| &it.why).collect();
        reasons.sort();
        reasons.dedup();
        for why in reasons {
            note(why);
        }
        Ok(Exit::Found)
    }
}
