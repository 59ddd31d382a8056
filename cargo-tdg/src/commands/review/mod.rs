//! `cargo tdg review`: shows one pending change after the other, and asks for a decision.

mod pages;

use clap::Args;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::{
    AcceptedPart, ComparedChange, OfferedPart, Part, PendingChange, Record, Records, reason,
};
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{
    Key, ask, counted, extent, is_interactive, note, print, print_error, read_line,
};
use crate::workspace::{Packages, Workspace};

/// Review pending changes one after the other, in a terminal
///
/// Exits with 1 if any are still pending.
#[derive(Args, Debug, Default)]
pub(crate) struct Review {
    #[command(flatten)]
    packages: Packages,
    /// The reason for accepting changes, shown by `cargo tdg history`
    #[arg(long)]
    reason: Option<String>,
    /// Tests, by name or snapshot file (default: all with a pending change)
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// The user's answer to a change.
enum Answer {
    Decided,
    Skipped,
    /// Some of its cases were accepted: show the others.
    Again,
    Quit,
}

impl Review {
    /// A review of the pending changes of these packages.
    pub(crate) fn of(packages: Packages) -> Self {
        Self {
            packages,
            ..Self::default()
        }
    }

    pub(crate) fn run(self) -> Result<Exit> {
        if !is_interactive() {
            return Err(Error::new(
                "a review needs a terminal; without one, use `cargo tdg pending --json`, \
                 `cargo tdg show NAME --changed`, `cargo tdg accept NAME` and \
                 `cargo tdg reject NAME`",
            ));
        }
        // Before anything is decided.
        reason(self.reason.as_deref())?;
        let workspace = Workspace::find()?;
        let packages = if self.names.is_empty() {
            self.packages.of(&workspace)?
        } else {
            self.packages.chosen(&workspace)?
        };
        let records = Records::of(&workspace)?.in_packages(&packages);
        let chosen = match self.names.as_slice() {
            [] => records.pending()?,
            names => names
                .iter()
                .map(|name| records.named(name))
                .collect::<Result<_>>()?,
        };
        if chosen.is_empty() {
            print("No changes are pending.\n")?;
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
                Ok(Answer::Quit) => break,
                // The other changes can still be reviewed.
                Err(error) => {
                    print_error(error)?;
                }
            }
        }
        Ok(match records.pending()?.len() {
            0 => Exit::Fine,
            left => {
                let verb = if left == 1 { "is" } else { "are" };
                print(&format!(
                    "{} {verb} still pending.\n",
                    counted(left, "change")
                ))?;
                Exit::Found
            }
        })
    }

    /// Shows a change, and asks until an answer is given.
    fn decide(&self, record: &Record, position: &str) -> Result<Answer> {
        let change = record.change()?;
        let compared = change.compare()?;
        print(&format!(
            "\n{STRONG}── {position} ──{STRONG:#} {FAINT}{}{FAINT:#}\n",
            record.location()
        ))?;
        print(&format!("{}\n", compared.report(record, extent())))?;
        record.mark_shown(&change);
        let parts = compared.parts();
        print(&offer(&parts))?;
        loop {
            match ask(&question(&compared))? {
                Key::Character(digit @ '1'..='9') => {
                    let position = digit as usize - '1' as usize;
                    if let Some(offered) = parts.get(position) {
                        return self.accept_part(record, &change, &offered.part);
                    }
                }
                Key::Character('a') => {
                    let reason = self.reason.as_deref().unwrap_or_default();
                    return self.accept(record, &change, reason.to_owned());
                }
                Key::Character('w') => {
                    if let Some(reason) = read_line("why? ")? {
                        return self.accept(record, &change, reason);
                    }
                }
                Key::Character('r') => {
                    let notice = record.reject(&change.pending, None)?;
                    return decided(&format!("{BAD}rejected{BAD:#}"), record, notice);
                }
                Key::Character('s') | Key::Enter => return Ok(Answer::Skipped),
                Key::Character('c') => {
                    let all = compared.report(record, extent().with_all_cases());
                    pages::show(&all)?;
                }
                Key::Character('q') | Key::Quit => return Ok(Answer::Quit),
                Key::Character(_) | Key::Backspace => {}
            }
        }
    }

    /// Accepts a part alone.
    fn accept_part(&self, record: &Record, change: &PendingChange, part: &Part) -> Result<Answer> {
        let accepted = record.accept_part(change, part, self.reason.as_deref())?;
        let AcceptedPart { what, rest, notice } = accepted;
        print(&format!(
            "{GOOD}accepted{GOOD:#} {}, {what}{rest}\n",
            record.test
        ))?;
        if let Some(notice) = notice {
            note(&notice);
        }
        Ok(Answer::Again)
    }

    fn accept(&self, record: &Record, change: &PendingChange, given: String) -> Result<Answer> {
        let notice = record.accept(&change.pending, Some(&given))?;
        decided(&format!("{GOOD}accepted{GOOD:#}"), record, notice)
    }
}

/// A line for each part that can be accepted alone.
fn offer(parts: &[OfferedPart]) -> String {
    let lines = parts.iter().enumerate().map(|(index, offered)| {
        let (key, text) = (index + 1, &offered.text);
        format!("{STRONG}{key}{STRONG:#} accept only {text}\n")
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
fn question(compared: &ComparedChange) -> String {
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
