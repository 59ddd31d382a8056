//! `cargo tdg history`: the runs of a test, and the reasons for accepted changes.

use clap::Args;
use tdg_definition::json::Value;
use tdg_engine::store::{Assertion, DecisionRecord};

use crate::error::Result;
use crate::exit::Exit;
use crate::record::Records;
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{Cell, Table, print, time};
use crate::workspace::{Packages, Workspace};

/// Show the runs of a test, and the reasons for accepted changes, newest first
#[derive(Args, Debug)]
pub(crate) struct History {
    #[command(flatten)]
    packages: Packages,
    /// A test, by name or snapshot file
    name: String,
    /// Maximum number of runs
    #[arg(long, default_value_t = 20)]
    limit: usize,
    /// Print one line of JSON for each run or decision
    #[arg(long)]
    json: bool,
}

/// Something that happened to a test.
enum Event {
    Ran(Assertion),
    Decided(DecisionRecord),
}

impl Event {
    fn time(&self) -> i64 {
        match self {
            Self::Ran(assertion) => assertion.timestamp,
            Self::Decided(record) => record.time,
        }
    }
}

impl History {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = Records::of(&workspace)?.in_packages(&self.packages.chosen(&workspace)?);
        let record = records.named(&self.name)?;
        let Some(store) = record.store()? else {
            print(if self.json { "" } else { NO_HISTORY })?;
            return Ok(Exit::Fine);
        };
        let runs = store.history(&record.test, self.limit)?;
        let oldest = runs
            .last()
            .filter(|_| runs.len() == self.limit)
            .map(|it| it.timestamp);
        let mut events: Vec<Event> = runs.into_iter().map(Event::Ran).collect();
        let decisions = store.decisions(&record.test)?.into_iter();
        // A decision without a reason adds nothing to the runs.
        let with_reason = decisions.filter(|it| {
            it.decision.reason.is_some() && oldest.is_none_or(|oldest| it.time >= oldest)
        });
        events.extend(with_reason.map(Event::Decided));
        events.sort_by_key(|event| std::cmp::Reverse(event.time()));
        print(&match (self.json, events.is_empty()) {
            (true, _) => events.iter().map(json_line).collect(),
            (false, true) => NO_HISTORY.to_owned(),
            (false, false) => {
                format!(
                    "{STRONG}{}{STRONG:#}\n{}",
                    record.test.name,
                    table(&events).text("  ")
                )
            }
        })?;
        Ok(Exit::Fine)
    }
}

const NO_HISTORY: &str = "The store has no runs of this test yet.\n";

fn table(events: &[Event]) -> Table {
    let mut table = Table::new([
        "when (UTC)",
        "verdict",
        "changed",
        "cases",
        "tolerance used",
        "",
    ]);
    for event in events {
        let when = Cell::styled(time(event.time()), FAINT);
        table.row(match event {
            Event::Ran(run) => {
                let style = if run.asserted { GOOD } else { BAD };
                vec![
                    when,
                    Cell::styled(run.verdict.as_str(), style),
                    run.changed.to_string().into(),
                    run.cases.to_string().into(),
                    run.tolerance_use.map(gauge).unwrap_or_default().into(),
                ]
            }
            Event::Decided(record) => {
                let reason = record.decision.reason.as_deref().unwrap_or_default();
                let empty = || Cell::from("");
                vec![
                    when,
                    Cell::styled(record.decision.kind.as_str(), STRONG),
                    empty(),
                    empty(),
                    empty(),
                    reason.into(),
                ]
            }
        });
    }
    table
}

/// `▕████      ▏ 40 %`
fn gauge(share: f64) -> String {
    const WIDTH: usize = 10;
    let filled = ((share * WIDTH as f64).ceil() as usize).min(WIDTH);
    let (bar, rest) = ("█".repeat(filled), " ".repeat(WIDTH - filled));
    format!("▕{bar}{rest}▏ {:.0} %", share * 100.0)
}

fn json_line(event: &Event) -> String {
    let when = Value::from(time(event.time()).replace(' ', "T") + "Z");
    let line = match event {
        Event::Ran(run) => Value::object([
            ("when", when),
            ("verdict", Value::from(run.verdict.as_str())),
            ("asserted", Value::from(run.asserted)),
            ("cases", Value::from(run.cases as u64)),
            ("changed", Value::from(run.changed as u64)),
            (
                "tolerance_use",
                run.tolerance_use.map(Value::from).unwrap_or_default(),
            ),
            ("benchmark", Value::from(run.benchmark.to_string())),
        ]),
        Event::Decided(record) => {
            let reason = record.decision.reason.clone();
            Value::object([
                ("when", when),
                ("decision", Value::from(record.decision.kind.as_str())),
                ("reason", reason.map(Value::from).unwrap_or_default()),
            ])
        }
    };
    format!("{line}\n")
}
