//! The functions under test, and their versions over the commits.

use tdg_definition::json::{self, Value};
use tdg_definition::{Cells, calendar, math};
use tdg_engine::Vectors;
use tdg_engine::store::DecisionKind;

/// A test, and the versions of its function over time.
pub(super) struct DemoTest {
    pub(super) package: &'static str,
    pub(super) source: &'static str,
    pub(super) name: &'static str,
    pub(super) definition: &'static str,
    pub(super) size: usize,
    /// The versions, oldest first. The oldest is recorded.
    pub(super) versions: &'static [Version],
}

/// A version of a function.
pub(super) struct Version {
    /// The first commit with this version.
    pub(super) from: usize,
    pub(super) output: fn(&DemoRow<'_>) -> Value,
    /// The decision about its change.
    pub(super) decision: Option<DemoDecision>,
}

impl Version {
    const fn undecided(from: usize, output: fn(&DemoRow<'_>) -> Value) -> Self {
        Self {
            from,
            output,
            decision: None,
        }
    }
}

pub(super) struct DemoDecision {
    /// The commit after which it was made.
    pub(super) after: usize,
    pub(super) kind: DecisionKind,
    pub(super) author: &'static str,
    pub(super) reason: &'static str,
}

/// A row with cells by name.
pub(super) struct DemoRow<'v> {
    pub(super) vectors: &'v Vectors,
    pub(super) row: usize,
}

impl DemoRow<'_> {
    /// Returns a cell as a JSON value.
    fn cell(&self, name: &str) -> Value {
        let position = self.vectors.names().position(|known| known == name);
        let mut text = String::new();
        if let Some(position) = position {
            self.vectors.write_cell(self.row, position, &mut text);
        }
        json::parse(&text).unwrap_or(Value::Null)
    }

    fn number(&self, name: &str) -> f64 {
        self.cell(name).as_f64().unwrap_or_default()
    }

    fn is(&self, name: &str, text: &str) -> bool {
        self.cell(name).as_str() == Some(text)
    }

    /// Returns a date in days since 1970.
    fn days(&self, name: &str) -> i64 {
        let position = self.vectors.names().position(|known| known == name);
        match position.map(|position| self.vectors.column(position).cells()) {
            Some(Cells::Date(days)) => days[self.row],
            _ => 0,
        }
    }
}

/// The first and last commits of each branch.
const BRANCHES: [(usize, usize, &str); 5] = [
    (58, 60, "home-advantage"),
    (88, 91, "interest-day"),
    (120, 123, "invoices"),
    (150, 151, "round-monthly"),
    (198, 199, "island-surcharge"),
];

/// Returns the branch of a commit.
pub(super) fn branch(commit: usize) -> &'static str {
    let found = BRANCHES
        .iter()
        .find(|(first, last, _)| (*first..=*last).contains(&commit));
    found.map_or("main", |(.., branch)| branch)
}

/// All tests.
pub(super) const TESTS: [DemoTest; 4] = [
    DemoTest {
        package: "quickstart",
        source: "tests/savings.rs",
        name: "balance",
        definition: r#"{"features": [
            {"feature_name": "opening", "type": "INTEGER", "null_probability": 0.3,
             "distribution": {"type": "uniform", "min": 100, "max": 20000}},
            {"feature_name": "monthly", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 25, "max": 500}},
            {"feature_name": "years", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 1, "max": 30}},
            {"feature_name": "percent", "type": "FLOAT",
             "distribution": {"type": "categorical", "categories": [
                {"value": 0.0, "probability": 0.1}, {"value": 0.5, "probability": 0.2},
                {"value": 1.25, "probability": 0.3}, {"value": 2.5, "probability": 0.3},
                {"value": 4.0, "probability": 0.1}]}},
            {"feature_name": "day", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 1, "max": 28}}
        ]}"#,
        size: 500,
        versions: &[
            Version::undecided(0, |row| balance(row, 15.0, false)),
            Version {
                from: 88,
                output: |row| balance(row, 14.0, false),
                decision: Some(DemoDecision {
                    after: 90,
                    kind: DecisionKind::Rejected,
                    author: "Ada",
                    reason: "what arrives on the 15th still earns interest for the whole month",
                }),
            },
            Version::undecided(91, |row| balance(row, 15.0, false)),
            Version {
                from: 150,
                output: |row| balance(row, 15.0, true),
                decision: Some(DemoDecision {
                    after: 151,
                    kind: DecisionKind::Accepted,
                    author: "Grace",
                    reason: "the bank rounds the balance every month",
                }),
            },
        ],
    },
    DemoTest {
        package: "companions",
        source: "tests/rows.rs",
        name: "parcels::price",
        definition: r#"{"features": [
            {"feature_name": "weight", "type": "FLOAT",
             "distribution": {"type": "gamma", "shape": 2, "scale": 6}},
            {"feature_name": "zone", "type": "STRING",
             "distribution": {"type": "categorical", "categories": [
                {"value": "city", "probability": 0.4}, {"value": "land", "probability": 0.4},
                {"value": "islands", "probability": 0.2}]}},
            {"feature_name": "express", "type": "BOOLEAN",
             "distribution": {"type": "bernoulli", "p": 0.25}}
        ]}"#,
        size: 400,
        versions: &[
            Version::undecided(0, |row| price(row, 0.0)),
            Version::undecided(198, |row| price(row, 4.5)),
        ],
    },
    DemoTest {
        package: "scoring",
        source: "tests/season.rs",
        name: "chance",
        definition: r#"{"features": [
            {"feature_name": "home", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 1000, "max": 2000}},
            {"feature_name": "away", "type": "INTEGER",
             "distribution": {"type": "uniform", "min": 1000, "max": 2000}}
        ]}"#,
        size: 300,
        versions: &[
            Version::undecided(0, |row| chance(row, 0.0)),
            Version {
                from: 58,
                output: |row| chance(row, 65.0),
                decision: Some(DemoDecision {
                    after: 60,
                    kind: DecisionKind::Accepted,
                    author: "Ada",
                    reason: "home teams win more often than their rating says",
                }),
            },
        ],
    },
    DemoTest {
        package: "calendar",
        source: "tests/invoices.rs",
        name: "due",
        definition: r#"{"features": [
            {"feature_name": "issued", "type": "DATE",
             "distribution": {"type": "uniform", "min": "2024-01-01", "max": "2026-12-31"}},
            {"feature_name": "terms", "type": "INTEGER",
             "distribution": {"type": "categorical", "categories": [
                {"value": 14, "probability": 0.3}, {"value": 30, "probability": 0.5},
                {"value": 60, "probability": 0.2}]}}
        ]}"#,
        size: 300,
        versions: &[
            Version::undecided(0, |row| due(row, true)),
            Version::undecided(120, |row| due(row, false)),
            Version::undecided(123, |row| due(row, true)),
        ],
    },
];

/// Returns the final balance of a savings plan. Deposits up to this day of the month earn interest
/// for the whole month.
fn balance(row: &DemoRow<'_>, until: f64, is_rounded_monthly: bool) -> Value {
    let rate = row.number("percent") / 100.0 / 12.0;
    let monthly = row.number("monthly");
    let mut balance = row.number("opening");
    for _ in 0..row.number("years") as usize * 12 {
        balance = match row.number("day") <= until {
            true => (balance + monthly) * (1.0 + rate),
            false => balance * (1.0 + rate) + monthly,
        };
        if is_rounded_monthly {
            balance = cents(balance);
        }
    }
    cents(balance).into()
}

/// Returns the price of sending a parcel, with a surcharge for heavy ones to islands.
fn price(row: &DemoRow<'_>, surcharge: f64) -> Value {
    let weight = row.number("weight");
    let is_island = row.is("zone", "islands");
    let base = match is_island {
        true => 9.0,
        false if row.is("zone", "land") => 5.5,
        false => 4.0,
    };
    let express = if row.cell("express") == Value::from(true) {
        1.5
    } else {
        1.0
    };
    let heavy = if is_island && weight > 15.0 {
        surcharge
    } else {
        0.0
    };
    cents((base + 0.4 * weight) * express + heavy).into()
}

/// Returns the home team's chance of winning, given both ratings.
fn chance(row: &DemoRow<'_>, advantage: f64) -> Value {
    let ahead = row.number("home") + advantage - row.number("away");
    let chance = 1.0 / (1.0 + math::pow(10.0, -ahead / 400.0));
    let favourite = match chance {
        chance if chance > 0.55 => "home",
        chance if chance < 0.45 => "away",
        _ => "nobody",
    };
    Value::object([
        ("chance", ((chance * 1e4).round() / 1e4).into()),
        ("favourite", favourite.into()),
    ])
}

/// Returns the due date of an invoice, moved from a weekend to Monday if requested.
fn due(row: &DemoRow<'_>, on_working_days: bool) -> Value {
    let day = row.days("issued") + row.number("terms") as i64;
    // 1970 January 1 was a Thursday.
    let weekday = (day + 3).rem_euclid(7);
    let later = if on_working_days {
        (7 - weekday).rem_euclid(7).min(2)
    } else {
        0
    };
    let later = if weekday >= 5 { later } else { 0 };
    let mut text = String::new();
    calendar::write_date(&mut text, day + later);
    text.as_str().into()
}

fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}
