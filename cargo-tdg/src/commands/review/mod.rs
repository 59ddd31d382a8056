//! `cargo tdg review`: one change after the other, and a decision about each.

mod pages;

use clap::Args;
use tdg_engine::explain::Rule;

use crate::commands::show;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::{Change, Compared, Record, Records};
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{Key, ask, counted, is_interactive, note, print, read_line};
use crate::workspace::Workspace;

/// Review the changes that wait for a decision, one after the other, in a terminal
///
/// Ends with 1 if some wait on.
#[derive(Args, Debug, Default)]
pub(crate) struct Review {
    /// Why changes are accepted; `cargo tdg history` shows it
    #[arg(long)]
    reason: Option<String>,
    /// Tests, by name or snapshot file; all that have a pending change if none is named
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// What is to become of a change.
enum Answer {
    Decided,
    Skipped,
    /// Some of its cases were accepted: look at what is left.
    Again,
    Left,
}

impl Review {
    pub(crate) fn run(self) -> Result<Exit> {
        if !is_interactive() {
            return Err(Error::new(
                "a review needs a terminal. Without one: `cargo tdg pending --json` lists what waits, \
                 `cargo tdg show NAME --changed` shows it, `cargo tdg accept NAME` and \
                 `cargo tdg reject NAME` decide",
            ));
        }
        let workspace = Workspace::find()?;
        let records = Records::of(&workspace)?;
        let chosen = match self.names.as_slice() {
            [] => records.pending()?,
            names => names
                .iter()
                .map(|name| records.named(name))
                .collect::<Result<_>>()?,
        };
        if chosen.is_empty() {
            print("Nothing waits for a decision.\n")?;
        }
        let count = chosen.len();
        for (index, record) in chosen.into_iter().enumerate() {
            let position = format!("{} of {count}", index + 1);
            let answer = loop {
                match self.decide(record, &position) {
                    Ok(Answer::Again) => {}
                    answer => break answer,
                }
            };
            match answer {
                Ok(Answer::Decided | Answer::Skipped | Answer::Again) => {}
                Ok(Answer::Left) => break,
                // Another one may be sound.
                Err(error) => {
                    error.complain()?;
                }
            }
        }
        Ok(match records.pending()?.len() {
            0 => Exit::Fine,
            left => {
                let verb = if left == 1 { "waits" } else { "wait" };
                print(&format!("{} {verb} on.\n", counted(left, "change")))?;
                Exit::Found
            }
        })
    }

    /// Shows a change, and asks until there is an answer.
    fn decide(&self, record: &Record, position: &str) -> Result<Answer> {
        let change = record.change()?;
        let compared = change.compare()?;
        print(&format!(
            "\n{STRONG}── {position} ──{STRONG:#} {FAINT}{}{FAINT:#}\n",
            record.shown()
        ))?;
        print(&format!("{}\n", compared.report(record)))?;
        let parts = parts(&compared);
        print(&offer(&parts))?;
        loop {
            match ask(&question(&compared))? {
                Key::Character(digit @ '1'..='9') => {
                    let position = digit as usize - '1' as usize;
                    if let Some(part) = parts.get(position) {
                        return self.accept_part(record, &change, part);
                    }
                }
                Key::Character('a') => return self.accept(record, &change, self.reason.clone()),
                Key::Character('w') => {
                    print("why? ")?;
                    let reason = read_line()?;
                    return self.accept(record, &change, reason);
                }
                Key::Character('r') => {
                    let notice = record.reject(&change.pending)?;
                    return decided(&format!("{BAD}rejected{BAD:#}"), record, notice);
                }
                Key::Character('s') | Key::Enter => return Ok(Answer::Skipped),
                Key::Character('c') => pages::show(&show::cases_table(&compared).text("  "))?,
                Key::Character('q') | Key::Leave => return Ok(Answer::Left),
                Key::Character(_) => {}
            }
        }
    }

    fn accept_part(&self, record: &Record, change: &Change, part: &Rule) -> Result<Answer> {
        let notice = record.accept_cases(change, &part.rows, self.reason.as_deref())?;
        let cases = counted(part.rows.len(), "case");
        decided(
            &format!("{GOOD}accepted{GOOD:#} {cases} of"),
            record,
            notice,
        )?;
        Ok(Answer::Again)
    }

    fn accept(&self, record: &Record, change: &Change, reason: Option<String>) -> Result<Answer> {
        let notice = record.accept(&change.pending, reason.as_deref())?;
        decided(&format!("{GOOD}accepted{GOOD:#}"), record, notice)
    }
}

/// The explanations that are about some of the changed cases and not about all.
fn parts(compared: &Compared) -> Vec<Rule> {
    let mut rules = compared.rules();
    rules.retain(|rule| rule.rows.len() < compared.differing.len());
    rules
}

/// A line for each part that can be accepted alone.
fn offer(parts: &[Rule]) -> String {
    let lines = parts.iter().enumerate().map(|(index, rule)| {
        let (key, cases) = (index + 1, counted(rule.rows.len(), "case"));
        format!("{STRONG}{key}{STRONG:#} accept only the {cases} with {rule}\n")
    });
    lines.collect()
}

fn decided(verb: &str, record: &Record, notice: Option<String>) -> Result<Answer> {
    print(&format!("{verb} {}\n", record.test))?;
    if let Some(notice) = notice {
        note(&notice);
    }
    Ok(Answer::Decided)
}

/// The keys that have a meaning for this change.
fn question(compared: &Compared) -> String {
    let mut keys = vec![
        ("a", "accept"),
        ("w", "accept and say why"),
        ("r", "reject"),
        ("s", "skip"),
    ];
    if !compared.differing.is_empty() {
        keys.push(("c", "changed cases"));
    }
    keys.push(("q", "quit"));
    let keys = keys
        .iter()
        .map(|(key, meaning)| format!("{STRONG}{key}{STRONG:#} {meaning}"));
    format!("{} › ", keys.collect::<Vec<_>>().join(" · "))
}
