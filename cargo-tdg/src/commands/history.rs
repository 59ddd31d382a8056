//! `cargo tdg history`: lists the runs of a test and the decisions about it.

use std::collections::BTreeSet;

use clap::Args;
use tdg_definition::control::escape;
use tdg_definition::json::{Object, Value};
use tdg_engine::snapshot::Snapshot;
use tdg_engine::store::{Channel, Decision, HistoryEntry, RunFacts, Store, StoredDecision, Uuid};

use crate::error::Result;
use crate::exit::Exit;
use crate::record::{RecordedTest, RecordedTests};
use crate::terminal::style::{BAD, FAINT, GOOD, STRONG};
use crate::terminal::{StyledCell, TerminalTable, counted, date_time, note, print, time};
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

/// A run, a decision, or both if the run made it.
#[derive(Default)]
struct Event {
    decision: Option<StoredDecision>,
    run: Option<HistoryEntry>,
    /// Set for the first run with a benchmark that wasn't decided.
    is_replaced: bool,
}

impl History {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let records = RecordedTests::read_chosen(&workspace, &self.packages)?;
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

    /// Returns the runs within the limit with the decisions since the oldest of them, and the
    /// earlier decisions. Both are newest first.
    fn events(&self, store: &Store, record: &RecordedTest) -> Result<(Vec<Event>, Vec<Event>)> {
        let mut runs = record.history(store, self.limit)?.into_iter().peekable();
        let decisions = store.decisions(&record.test)?;
        let decided = decisions.iter().filter_map(|decision| decision.benchmark);
        let decided: BTreeSet<Uuid> = decided.collect();
        let mut decisions = decisions.into_iter().peekable();
        let mut events = Vec::new();
        let mut left = self.limit;
        while left > 0 {
            // At equal times, the run precedes the decision.
            let decision = decisions
                .next_if(|decision| runs.peek().is_none_or(|run| decision.time >= run.timestamp));
            let makes = |run: &HistoryEntry| match &decision {
                Some(it) => it.time == run.timestamp && it.benchmark == Some(run.benchmark),
                None => true,
            };
            let run = runs.next_if(makes);
            if decision.is_none() && run.is_none() {
                break;
            }
            left -= usize::from(run.is_some());
            events.push(Event {
                decision,
                run,
                is_replaced: false,
            });
        }
        for at in 0..events.len() {
            events[at].is_replaced = is_replaced(&events[at..], &decided);
        }
        let earlier = decisions.map(|decision| Event {
            decision: Some(decision),
            ..Event::default()
        });
        Ok((events, earlier.collect()))
    }
}

/// Returns true if the first event is a run with another benchmark than the run before it, without
/// a decision. Pulled runs are ignored, since they are about other benchmarks.
fn is_replaced(events: &[Event], decided: &BTreeSet<Uuid>) -> bool {
    let benchmark = |event: &Event| {
        let run = event.run.as_ref();
        let run = run.filter(|run| run.origin.is_none());
        run.map(|run| run.benchmark)
    };
    let own = benchmark(&events[0]).filter(|own| !decided.contains(own));
    let before = events[1..].iter().find_map(benchmark);
    own.is_some() && before.is_some_and(|before| Some(before) != own)
}

/// Describes the server with the test's other runs, if any.
fn elsewhere(record: &RecordedTest) -> Option<String> {
    let file = Snapshot::read(record.file()?).ok()??;
    file.pin()?;
    let server = match &record.package.settings.url {
        Some(url) => format!("the server at {}", escape(url)),
        None => "a server (TDG_URL is not set)".to_owned(),
    };
    Some(format!(
        "{} is pinned to a benchmark on {server}; `cargo tdg pull` adds its new runs there to this list",
        record.test
    ))
}

/// The columns of the table. Empty ones are omitted.
const COLUMNS: [&str; 10] = [
    "when (UTC)",
    "run",
    "changed",
    "cases",
    "tolerance used",
    "decision",
    "commit",
    "by",
    "reason",
    "from",
];

fn table(events: &[Event]) -> TerminalTable {
    let rows: Vec<[StyledCell; COLUMNS.len()]> = events.iter().map(row).collect();
    let is_used = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
    let used: Vec<usize> = (0..COLUMNS.len()).filter(is_used).collect();
    let mut table = TerminalTable::new(used.iter().map(|column| COLUMNS[*column]));
    for row in rows {
        let cells = row.into_iter().enumerate();
        let cells = cells.filter(|(column, _)| used.contains(column));
        table.row(cells.map(|(_, cell)| cell));
    }
    table
}

fn row(event: &Event) -> [StyledCell; COLUMNS.len()] {
    let (run, record) = (event.run.as_ref(), event.decision.as_ref());
    let decision = record.map(|record| &record.decision);
    let facts = run.and_then(|run| run.facts.as_ref());
    let fact = |of: fn(&RunFacts) -> String| StyledCell::from(facts.map(of).unwrap_or_default());
    let by = decision.and_then(Decision::byline);
    [
        StyledCell::styled(time(event.time()), FAINT),
        match run {
            Some(run) if run.asserted => StyledCell::styled(run.verdict().as_str(), GOOD),
            Some(run) => StyledCell::styled(run.verdict().as_str(), BAD),
            None => "".into(),
        },
        fact(|run| match run.uncompared {
            all if all > 0 && all == run.cases => "–".to_owned(),
            _ => run.changed.to_string(),
        }),
        fact(|run| run.cases.to_string()),
        fact(|run| run.tolerance_use.map(gauge).unwrap_or_default()),
        match decision {
            None if event.is_replaced => StyledCell::styled("benchmark file replaced", FAINT),
            decision => StyledCell::styled(decision.map_or("", |it| it.kind.as_str()), STRONG),
        },
        event.commit().into(),
        by.unwrap_or_default().into(),
        record.map(why).unwrap_or_default().into(),
        StyledCell::styled(event.origin(), FAINT),
    ]
}

impl Event {
    fn facts(&self) -> Option<&RunFacts> {
        self.run.as_ref()?.facts.as_ref()
    }

    fn time(&self) -> i64 {
        let run = self.run.as_ref().map(|run| run.timestamp);
        let decision = self.decision.as_ref().map(|record| record.time);
        run.or(decision).unwrap_or_default()
    }

    /// Returns the source of pulled records: `https://tdg.example, linux x86_64`.
    fn origin(&self) -> String {
        let of_run = self.run.as_ref().and_then(|run| run.origin.as_deref());
        let of_decision = self.decision.as_ref().and_then(|it| it.origin.as_deref());
        let Some(origin) = of_run.or(of_decision) else {
            return String::new();
        };
        let platform = self.facts().and_then(|run| run.platform.as_ref());
        let platform = platform.map(|(os, arch)| format!(", {os} {arch}"));
        format!("{origin}{}", platform.unwrap_or_default())
    }

    /// Returns `prices@1a2b3c4`, with a `+` if the tree was dirty.
    fn commit(&self) -> String {
        let decision = self.decision.as_ref();
        let decision = decision.map(|it| (&it.decision.checkout, it.decision.dirty));
        let run = self.facts().map(|run| (&run.checkout, run.dirty));
        let Some((checkout, dirty)) = run.or(decision) else {
            return String::new();
        };
        let mut text = checkout.branch.clone().unwrap_or_default();
        if let Some(commit) = &checkout.commit {
            text.push('@');
            text.extend(commit.chars().take(7));
        }
        if dirty == Some(true) {
            text.push('+');
        }
        text
    }
}

/// Returns the reason and the former name of a renamed test.
fn why(record: &StoredDecision) -> String {
    let from = record.renamed_from.as_ref();
    let from = from.map(|from| format!("from {from} in {}", from.source));
    let reason = record.decision.reason.clone();
    let parts: Vec<String> = from.into_iter().chain(reason).collect();
    parts.join(": ")
}

/// Returns `▕████      ▏ 40 %`.
fn gauge(share: f64) -> String {
    const WIDTH: usize = 10;
    let filled = ((share * WIDTH as f64).ceil() as usize).min(WIDTH);
    let (bar, rest) = ("█".repeat(filled), " ".repeat(WIDTH - filled));
    format!("▕{bar}{rest}▏ {:.0} %", share * 100.0)
}

/// Returns a line for the decision and a line for the run.
fn json_lines(event: &Event) -> Vec<String> {
    let decision = event.decision.as_ref().map(decision_line);
    let run = event.run.as_ref().map(run_line);
    decision.into_iter().chain(run).collect()
}

fn run_line(run: &HistoryEntry) -> String {
    let own = [
        ("when", date_time(run.timestamp).into()),
        ("verdict", Value::from(run.verdict().as_str())),
        ("asserted", Value::from(run.asserted)),
        ("benchmark", Value::from(run.benchmark.to_string())),
        ("origin", Value::from(run.origin.clone())),
    ];
    let mut line: Object = own.into_iter().collect();
    // A line describes the run; `cargo tdg show` shows cases.
    let facts = run.facts.iter().flat_map(RunFacts::members);
    for (name, fact) in facts.filter(|(name, _)| *name != "changed_outputs") {
        line.insert(name, fact);
    }
    format!("{}\n", Value::from(line))
}

fn decision_line(record: &StoredDecision) -> String {
    let decision = &record.decision;
    let renamed_from = record.renamed_from.as_ref().map(|from| {
        Value::object([
            ("package", Value::from(from.package.as_str())),
            ("source", Value::from(from.source.as_str())),
            ("name", Value::from(from.name.as_str())),
        ])
    });
    let members = [
        ("when", date_time(record.time).into()),
        ("decision", Value::from(decision.kind.as_str())),
        ("reason", Value::from(decision.reason.clone())),
        ("author", Value::from(decision.author.clone())),
        (
            "benchmark",
            Value::from(record.benchmark.map(|it| it.to_string())),
        ),
        ("renamed_from", Value::from(renamed_from)),
        ("commit", Value::from(decision.checkout.commit.clone())),
        ("branch", Value::from(decision.checkout.branch.clone())),
        ("dirty", Value::from(decision.dirty)),
        ("ci", Value::from(decision.ci.clone())),
        ("origin", Value::from(record.origin.clone())),
    ];
    // Only pulled decisions have these members.
    let through = decision.through.as_ref().map(Channel::to_string);
    let others = [
        ("replaces", decision.replaces.clone()),
        ("through", through),
    ];
    let others = others
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?.into())));
    format!("{}\n", Value::object(members.into_iter().chain(others)))
}

#[cfg(test)]
mod tests {
    use tdg_engine::Verdict;

    use super::*;

    fn run(origin: Option<&str>, platform: Option<(&str, &str)>) -> HistoryEntry {
        HistoryEntry {
            uuid: Default::default(),
            benchmark: Default::default(),
            timestamp: 0,
            asserted: true,
            facts: platform.map(|(os, arch)| RunFacts {
                platform: Some((os.to_owned(), arch.to_owned())),
                ..RunFacts::new(Verdict::Same, 1)
            }),
            origin: origin.map(str::to_owned),
        }
    }

    #[test]
    fn outputs_that_a_server_compared_have_no_number_of_cases() {
        let run = run(Some("https://tdg.example"), None);
        insta::assert_snapshot!(run_line(&run), @r#"{"asserted":true,"benchmark":"00000000-0000-0000-0000-000000000000","origin":"https://tdg.example","verdict":"same","when":"1970-01-01T00:00:00Z"}"#);
        let event = Event {
            run: Some(run),
            decision: None,
            is_replaced: false,
        };
        let table = table(&[event]).text("");
        insta::assert_snapshot!(anstream::adapter::strip_str(&table), @r"
                 when (UTC)  run   from
        1970-01-01 00:00:00  same  https://tdg.example
        ");
    }

    #[test]
    fn a_run_that_was_pulled_says_from_where() {
        let origin = |run| {
            let event = Event {
                run: Some(run),
                decision: None,
                is_replaced: false,
            };
            event.origin()
        };
        let (server, platform) = (Some("https://tdg.example"), Some(("linux", "x86_64")));
        assert_eq!(origin(run(None, platform)), "");
        assert_eq!(origin(run(server, None)), "https://tdg.example");
        let expected = "https://tdg.example, linux x86_64";
        assert_eq!(origin(run(server, platform)), expected);
    }
}
