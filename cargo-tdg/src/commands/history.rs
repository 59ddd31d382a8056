//! `cargo tdg history`: the runs of a test, and the decisions about it.

use clap::Args;
use tdg_definition::control::escape;
use tdg_definition::json::Value;
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{Assertion, DecisionRecord, Store};

use crate::error::Result;
use crate::exit::Exit;
use crate::record::{Record, Records};
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{Cell, Table, counted, note, print, time};
use crate::workspace::{Packages, Workspace};

/// Show the runs of a test and the decisions about it, newest first
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

/// A run, a decision, or a run that made one.
#[derive(Default)]
struct Event {
    decision: Option<DecisionRecord>,
    run: Option<Assertion>,
}

impl History {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = Records::of(&workspace)?.in_packages(&self.packages.chosen(&workspace)?);
        let record = records.named(&self.name)?;
        let (events, earlier) = match record.store()? {
            Some(store) => self.events(&store, record)?,
            None => Default::default(),
        };
        print(
            &match (self.json, events.is_empty() && earlier.is_empty()) {
                (true, _) => events.iter().chain(&earlier).flat_map(json_lines).collect(),
                (false, true) => "The store has no runs of this test yet.\n".to_owned(),
                (false, false) => {
                    let test = &record.test;
                    let left_out = match earlier.len() {
                        0 => String::new(),
                        count => {
                            format!("  … and {} (--limit)\n", counted(count, "earlier decision"))
                        }
                    };
                    let table = table(&events).text("  ");
                    format!("{STRONG}{test}{STRONG:#}\n{table}{left_out}")
                }
            },
        )?;
        if let Some(elsewhere) = elsewhere(record) {
            note(&elsewhere);
        }
        Ok(Exit::Fine)
    }

    /// The runs within the limit and the decisions since the first of them, and the decisions
    /// before, newest first.
    fn events(&self, store: &Store, record: &Record) -> Result<(Vec<Event>, Vec<Event>)> {
        let mut runs = store
            .history(&record.test, self.limit)?
            .into_iter()
            .peekable();
        let mut decisions = store.decisions(&record.test)?.into_iter().peekable();
        let mut events = Vec::new();
        let mut left = self.limit;
        while left > 0 {
            // At the same time, the run was there before the decision.
            let decision = decisions
                .next_if(|decision| runs.peek().is_none_or(|run| decision.time >= run.timestamp));
            let makes = |run: &Assertion| match &decision {
                Some(it) => it.time == run.timestamp && it.benchmark == Some(run.benchmark),
                None => true,
            };
            let run = runs.next_if(makes);
            if decision.is_none() && run.is_none() {
                break;
            }
            left -= usize::from(run.is_some());
            events.push(Event { decision, run });
        }
        let earlier = decisions.map(|decision| Event {
            decision: Some(decision),
            run: None,
        });
        Ok((events, earlier.collect()))
    }
}

/// The server that has the other runs of a test.
fn elsewhere(record: &Record) -> Option<String> {
    let file = Snapshot::read(record.file()?).ok()??;
    file.pin()?;
    let server = match &record.package.settings.url {
        Some(url) => format!("the server at {}", escape(url)),
        None => "a server (TDG_URL is not set)".to_owned(),
    };
    Some(format!(
        "{} is pinned to a benchmark on {server}; its runs there are not in this list",
        record.test
    ))
}

/// The columns of the table, of which those without content are left out.
const COLUMNS: [&str; 9] = [
    "when (UTC)",
    "run",
    "changed",
    "cases",
    "tolerance used",
    "decision",
    "commit",
    "by",
    "reason",
];

fn table(events: &[Event]) -> Table {
    let rows: Vec<[Cell; COLUMNS.len()]> = events.iter().map(row).collect();
    let is_used = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
    let used: Vec<usize> = (0..COLUMNS.len()).filter(is_used).collect();
    let mut table = Table::new(used.iter().map(|column| COLUMNS[*column]));
    for row in rows {
        let cells = row.into_iter().enumerate();
        let cells = cells.filter(|(column, _)| used.contains(column));
        table.row(cells.map(|(_, cell)| cell));
    }
    table
}

fn row(event: &Event) -> [Cell; COLUMNS.len()] {
    let (run, record) = (event.run.as_ref(), event.decision.as_ref());
    let decision = record.map(|record| &record.decision);
    let of_run = |text: fn(&Assertion) -> String| Cell::from(run.map(text).unwrap_or_default());
    let author = decision.and_then(|decision| decision.author.as_deref());
    [
        Cell::styled(time(event.time()), FAINT),
        match run {
            Some(run) if run.asserted => Cell::styled(run.verdict.as_str(), GOOD),
            Some(run) => Cell::styled(run.verdict.as_str(), BAD),
            None => "".into(),
        },
        of_run(|run| run.changed.to_string()),
        of_run(|run| run.cases.to_string()),
        of_run(|run| run.tolerance_use.map(gauge).unwrap_or_default()),
        Cell::styled(decision.map_or("", |it| it.kind.as_str()), STRONG),
        event.commit().into(),
        escape(author.unwrap_or_default()).into(),
        record.map(why).unwrap_or_default().into(),
    ]
}

impl Event {
    fn time(&self) -> i64 {
        let run = self.run.as_ref().map(|run| run.timestamp);
        let decision = self.decision.as_ref().map(|record| record.time);
        run.or(decision).unwrap_or_default()
    }

    /// `prices@1a2b3c4`, with a `+` if the tree was dirty.
    fn commit(&self) -> String {
        let decision = self.decision.as_ref().map(|record| &record.decision);
        let run = self.run.as_ref().map(|run| &run.checkout);
        let Some(checkout) = run.or(decision.map(|decision| &decision.checkout)) else {
            return String::new();
        };
        let mut text = escape(checkout.branch.as_deref().unwrap_or_default()).into_owned();
        if let Some(commit) = &checkout.commit {
            text.push('@');
            text.extend(escape(commit).chars().take(7));
        }
        if decision.is_some_and(|decision| decision.dirty == Some(true)) {
            text.push('+');
        }
        text
    }
}

/// The reason, and where a renamed test comes from.
fn why(record: &DecisionRecord) -> String {
    let from = record.renamed_from.as_ref();
    let from = from.map(|from| format!("from {from} in {}", escape(&from.source)));
    let reason = record.decision.reason.as_ref();
    let reason = reason.map(|reason| escape(reason).into_owned());
    let parts: Vec<String> = from.into_iter().chain(reason).collect();
    parts.join(": ")
}

/// `▕████      ▏ 40 %`
fn gauge(share: f64) -> String {
    const WIDTH: usize = 10;
    let filled = ((share * WIDTH as f64).ceil() as usize).min(WIDTH);
    let (bar, rest) = ("█".repeat(filled), " ".repeat(WIDTH - filled));
    format!("▕{bar}{rest}▏ {:.0} %", share * 100.0)
}

/// A line for the decision and one for the run.
fn json_lines(event: &Event) -> Vec<String> {
    let decision = event.decision.as_ref().map(decision_line);
    let run = event.run.as_ref().map(run_line);
    decision.into_iter().chain(run).collect()
}

fn run_line(run: &Assertion) -> String {
    let members = [
        ("when", when(run.timestamp)),
        ("verdict", Value::from(run.verdict.as_str())),
        ("asserted", Value::from(run.asserted)),
        ("cases", Value::from(run.cases as u64)),
        ("changed", Value::from(run.changed as u64)),
        ("tolerance_use", value(run.tolerance_use)),
        ("benchmark", Value::from(run.benchmark.to_string())),
        ("commit", value(run.checkout.commit.clone())),
        ("branch", value(run.checkout.branch.clone())),
    ];
    format!("{}\n", Value::object(members))
}

fn decision_line(record: &DecisionRecord) -> String {
    let decision = &record.decision;
    let renamed_from = record.renamed_from.as_ref().map(|from| {
        Value::object([
            ("package", Value::from(from.package.as_str())),
            ("source", Value::from(from.source.as_str())),
            ("name", Value::from(from.name.as_str())),
        ])
    });
    let members = [
        ("when", when(record.time)),
        ("decision", Value::from(decision.kind.as_str())),
        ("reason", value(decision.reason.clone())),
        ("author", value(decision.author.clone())),
        (
            "benchmark",
            value(record.benchmark.map(|it| it.to_string())),
        ),
        ("renamed_from", renamed_from.unwrap_or_default()),
        ("commit", value(decision.checkout.commit.clone())),
        ("branch", value(decision.checkout.branch.clone())),
        ("dirty", value(decision.dirty)),
        ("ci", value(decision.ci.clone())),
    ];
    format!("{}\n", Value::object(members))
}

fn when(milliseconds: i64) -> Value {
    Value::from(time(milliseconds).replace(' ', "T") + "Z")
}

fn value<T: Into<Value>>(value: Option<T>) -> Value {
    value.map(Into::into).unwrap_or_default()
}
