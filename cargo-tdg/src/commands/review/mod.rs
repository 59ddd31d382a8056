//! `cargo tdg review`: shows pending changes one by one and asks for decisions.

mod change_group;
mod pages;
mod shown_changes;

use std::path::Path;

use clap::Args;
use tdg_definition::control::escape;
use tdg_engine::text::shorten;
use tdg_explain::OfferedPart;

use super::Why;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::{
    ComparedChange, KeptCause, PendingChange, RecordedTest, RecordedTests, Shown, reason,
};
use crate::terminal::style::{FAINT, GOOD, STRONG};
use crate::terminal::{
    PressedKey, StyledCell, TerminalTable, ask, counted, extent, is_interactive, lines_and_columns,
    note, print, print_error, read_line,
};
use crate::workspace::{Packages, Workspace};
use change_group::ChangeGroup;
use shown_changes::ShownChanges;

/// Review pending changes one by one, in a terminal
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
    /// Some of its cases were accepted: show the rest.
    Again,
    /// Show the previous change that is still pending.
    Back,
    /// Accept all changes that were shown.
    AllShown,
    /// Show the tests of the group one by one.
    OneByOne,
    Quit,
}

/// The keys and their meanings. The question shows only some of them.
const KEYS: [(&str, &str); 13] = [
    ("a", "accept"),
    (
        "w",
        "enter a reason, then decide with a, r or a number; Escape goes back",
    ),
    ("r", "reject"),
    ("s", "skip: the change stays pending"),
    (
        "1–9",
        "accept only the part with that number, then show the rest",
    ),
    ("o", "show tests that changed by the same cause one by one"),
    ("c", "show all changed cases, page by page"),
    ("e", "find the cause by experiment, as `cargo tdg why` does"),
    ("b", "back to the previous pending change"),
    ("A", "accept this change and all others that were shown"),
    ("S", "skip all that are left"),
    ("q", "quit"),
    ("?", "show these keys"),
];

impl Review {
    /// Returns a review of the pending changes of these packages.
    pub(crate) fn new(packages: Packages) -> Self {
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
        // Checked before anything is decided.
        reason(self.reason.as_deref())?;
        let workspace = Workspace::find()?;
        let packages = if self.names.is_empty() {
            self.packages.select(&workspace)?
        } else {
            self.packages.chosen(&workspace)?
        };
        let records = RecordedTests::read(&workspace)?.in_packages(&packages);
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
        self.decide_all(&chosen, &workspace.target_directory)?;
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

    /// Shows the changes in order until all are decided or skipped; those with the same cause
    /// together.
    fn decide_all(&self, chosen: &[&RecordedTest], target: &Path) -> Result<()> {
        let mut groups = change_group::all_of(chosen);
        let mut is_decided = vec![false; groups.len()];
        let mut index = 0;
        while let Some(group) = groups.get(index) {
            if is_decided[index] {
                index += 1;
                continue;
            }
            let position = format!("{} of {}", index + 1, groups.len());
            let answer = match self.decide(group, &position, target) {
                Ok(answer) => answer,
                // The other changes can still be reviewed.
                Err(error) => {
                    print_error(error)?;
                    Answer::Skipped
                }
            };
            match answer {
                Answer::Again => {}
                Answer::Skipped => index += 1,
                Answer::Decided => is_decided[index] = true,
                Answer::OneByOne => {
                    let tests = groups.remove(index).one_by_one();
                    is_decided.splice(index..=index, tests.iter().map(|_| false));
                    groups.splice(index..index, tests);
                }
                Answer::Back => {
                    let before = (0..index).rfind(|index| !is_decided[*index]);
                    index = before.unwrap_or(index);
                }
                Answer::AllShown => {
                    let undecided = groups.iter().zip(&mut is_decided).filter(|it| !*it.1);
                    for (group, is_decided) in undecided {
                        *is_decided = self.accept_shown(group)?;
                    }
                }
                Answer::Quit => break,
            }
        }
        Ok(())
    }

    /// Accepts the changes that were shown; returns true if there are any.
    fn accept_shown(&self, group: &ChangeGroup<'_>) -> Result<bool> {
        let mut is_any = false;
        for (record, _) in group.tests() {
            let accepted = record.change().and_then(|change| {
                let Shown::ByCommand = record.shown(&change)? else {
                    return Ok(false);
                };
                record.check_origin(&change)?;
                let notice = record.accept(&change.pending, self.reason.as_deref())?;
                print(&format!("{GOOD}accepted{GOOD:#} {}\n", record.test))?;
                notice.iter().for_each(|notice| note(notice));
                Ok(true)
            });
            is_any |= accepted.or_else(|error| print_error(error).map(|_| false))?;
        }
        Ok(is_any)
    }

    /// Shows a change, or the first of a group, and asks until it is answered.
    fn decide(&self, group: &ChangeGroup<'_>, position: &str, target: &Path) -> Result<Answer> {
        let (record, _) = group.first;
        let change = record.change()?;
        record.check_origin(&change)?;
        let compared = change.compare()?;
        let (fits, (height, _)) = (extent(), lines_and_columns());
        let shown = ShownChanges::new(group, &change, &compared);
        let title = format!(
            "{STRONG}── {position} ──{STRONG:#} {FAINT}{}{FAINT:#}{}",
            record.location(),
            group
                .lines(|(record, _)| record.test.to_string())
                .trim_end()
        );
        let report = compared.report(record, fits);
        let offer = offer(&shown.parts);
        // Of the key `e`, or of the command.
        let cause = KeptCause::of_change(target, record, &change);
        let cause = cause.map_or_else(String::new, |it| it.text);
        print(&format!("\n{title}\n{report}\n{cause}{offer}"))?;
        shown.mark();
        // Includes lines for the question and the title.
        if report.lines().count() + cause.lines().count() + offer.lines().count() + 3 > height {
            let head = compared.head(record, fits).join("\n");
            print(&format!("\n{title}\n{STRONG}{head}{STRONG:#}\n"))?;
        }
        self.answer(&shown, (record, &change), &compared)
    }

    /// Asks until an answer is given.
    fn answer(
        &self,
        shown: &ShownChanges<'_>,
        (record, change): (&RecordedTest, &PendingChange),
        compared: &ComparedChange,
    ) -> Result<Answer> {
        let mut given = None;
        loop {
            let question = match &given {
                None => shown.question(compared),
                Some(_) => question_for_a_reason(&shown.parts),
            };
            match ask(&question)? {
                PressedKey::Character(digit @ '1'..='9') => {
                    let position = digit as usize - '1' as usize;
                    if let Some(offered) = shown.parts.get(position) {
                        return self.accept_part(record, change, offered, given.as_deref());
                    }
                }
                PressedKey::Character('a') => {
                    return shown.accept(given.as_deref().or(self.reason.as_deref()));
                }
                PressedKey::Character('w') => {
                    let reason = read_line("why? ")?.filter(|reason| !reason.is_empty());
                    given = reason.or(given);
                }
                PressedKey::Character('r') => return shown.reject(given.as_deref()),
                PressedKey::Character('o') if shown.are_many() => return Ok(Answer::OneByOne),
                PressedKey::Character('s') | PressedKey::Enter => return Ok(Answer::Skipped),
                PressedKey::Character('b') => return Ok(Answer::Back),
                PressedKey::Character('A') => return Ok(Answer::AllShown),
                PressedKey::Character('c') => {
                    let all = compared.report(record, extent().with_all_cases());
                    pages::show(&all)?;
                }
                PressedKey::Character('e') => {
                    if let Err(error) = Why::of_test(&record.test).run() {
                        print_error(error)?;
                    }
                }
                PressedKey::Quit if given.is_some() => given = None,
                PressedKey::Character('q' | 'S') | PressedKey::Quit => return Ok(Answer::Quit),
                PressedKey::Character('?') => print(&keys())?,
                PressedKey::Character(_) | PressedKey::Backspace => {}
            }
        }
    }

    /// Accepts only a part.
    fn accept_part(
        &self,
        record: &RecordedTest,
        change: &PendingChange,
        offered: &OfferedPart,
        given: Option<&str>,
    ) -> Result<Answer> {
        let outcome = record.outcome(change, &offered.part)?;
        let notice = record.accept_part(change, &outcome, given.or(self.reason.as_deref()))?;
        print(&format!(
            "{GOOD}accepted{GOOD:#} {}, {}{}{}\n",
            record.test,
            outcome.what,
            outcome.rest,
            offered.note()
        ))?;
        if let Some(notice) = notice {
            note(&notice);
        }
        Ok(Answer::Again)
    }
}

/// Returns a line for each part that can be accepted separately, with its rule.
fn offer(parts: &[OfferedPart]) -> String {
    let (_, columns) = lines_and_columns();
    let lines = parts.iter().zip(1..).map(|(offered, key)| {
        let key = format!("{key}  ");
        let sentence = offered.sentence();
        let sentence = shorten(&escape(&sentence), columns.saturating_sub(key.len()));
        format!("{STRONG}{key}{STRONG:#}{sentence}\n")
    });
    lines.collect()
}

/// Lists all keys, one per line.
fn keys() -> String {
    let mut table = TerminalTable::new(["", ""]);
    for (key, meaning) in KEYS {
        table.row([StyledCell::styled(key, STRONG), meaning.into()]);
    }
    table.text("  ")
}

/// Returns the question with the decisions that can have a reason.
fn question_for_a_reason(parts: &[OfferedPart]) -> String {
    let numbers = format!("1–{}", parts.len().min(9));
    let mut keys = vec![("a", "accept"), ("r", "reject"), ("Esc", "back")];
    if !parts.is_empty() {
        keys.insert(1, (&numbers, "accept that part"));
    }
    format!("for this reason: {}", question_of(&keys))
}

fn question_of(keys: &[(&str, &str)]) -> String {
    let keys = keys
        .iter()
        .map(|(key, meaning)| format!("{STRONG}{key}{STRONG:#} {meaning}"));
    format!("{} › ", keys.collect::<Vec<_>>().join(" · "))
}
