//! A table with features of all types, and planted rules over all families of conditions.

use std::collections::HashSet;

use tdg_definition::json::Value;
use tdg_definition::{Definition, calendar};
use tdg_engine::Vectors;

use super::planted_rules::Row;

const DEFINITION: &str = r#"{"features": [
    {"feature_name": "low", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 30}},
    {"feature_name": "mid", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 30}},
    {"feature_name": "high", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 30}},
    {"feature_name": "amount", "type": "INTEGER", "distribution": {"type": "mixture", "components": [
        {"weight": 1, "distribution": {"type": "uniform", "min": -99, "max": 99}},
        {"weight": 1, "distribution": {"type": "uniform", "min": -99999, "max": 99999}}]}},
    {"feature_name": "width", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 8}},
    {"feature_name": "price", "type": "FLOAT", "decimals": 1,
     "distribution": {"type": "uniform", "min": 1, "max": 100}},
    {"feature_name": "cost", "type": "FLOAT", "decimals": 1,
     "distribution": {"type": "uniform", "min": 1, "max": 100}},
    {"feature_name": "limit", "type": "FLOAT", "null_probability": 0.1,
     "distribution": {"type": "gaussian", "mu": 50, "sigma": 20}},
    {"feature_name": "due", "type": "DATE",
     "distribution": {"type": "uniform", "min": "2024-01-01", "max": "2024-12-31"}},
    {"feature_name": "paid", "type": "DATE",
     "distribution": {"type": "uniform", "min": "2024-01-01", "max": "2024-12-31"}},
    {"feature_name": "at", "type": "DATETIME",
     "distribution": {"type": "uniform", "min": "2024-01-01T00:00:00Z", "max": "2024-12-31T23:59:59Z"}},
    {"feature_name": "code", "type": "STRING",
     "distribution": {"type": "pattern", "regex": "[A-Z]{2}-[0-9]{2,4}|[a-z]{2,6}( [a-z]{2,6})?|[A-Za-z0-9]{3,10}"}},
    {"feature_name": "label", "type": "STRING", "distribution": {"type": "pattern", "regex": "[a-z]{1,8}"}},
    {"feature_name": "kind", "type": "STRING", "distribution": {"type": "pattern", "regex": "[a-l]"}},
    {"feature_name": "member", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}},
    {"feature_name": "open", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.7}}
]}"#;

/// A rule with its name.
pub(crate) type Planted = (&'static str, fn(&Cells<'_>) -> bool);

/// Rules about relations, differences, several features, numbers, texts, dates, sets of values and
/// expected outputs; then a disjunction and an exclusive or.
pub(crate) const RULES: [Planted; 25] = [
    ("low > high", |row| row.number("low") > row.number("high")),
    ("low = mid", |row| row.number("low") == row.number("mid")),
    ("length of label > width", |row| {
        row.text("label").len() as f64 > row.number("width")
    }),
    ("paid < due", |row| row.days("paid") < row.days("due")),
    ("high - low > 10", |row| {
        row.number("high") - row.number("low") > 10.0
    }),
    ("paid more than 90 days after due", |row| {
        row.days("paid") - row.days("due") > 90
    }),
    ("price + cost > 150", |row| {
        row.number("price") + row.number("cost") > 150.0
    }),
    ("mid between low and high", |row| {
        let [low, mid, high] = row.three();
        low.min(high) < mid && mid < low.max(high)
    }),
    ("two of three are equal", |row| {
        let [low, mid, high] = row.three();
        low == mid || mid == high || low == high
    }),
    ("mid the largest", |row| {
        let [low, mid, high] = row.three();
        mid >= low.max(high)
    }),
    ("amount a multiple of 10", |row| {
        row.number("amount") % 10.0 == 0.0
    }),
    ("amount negative and even", |row| {
        let amount = row.number("amount");
        amount < 0.0 && amount % 2.0 == 0.0
    }),
    ("price whole", |row| row.number("price").fract() == 0.0),
    ("code contains -", |row| row.text("code").contains('-')),
    ("label starts with a vowel", |row| {
        row.text("label").starts_with(['a', 'e', 'i', 'o', 'u'])
    }),
    ("label has a letter twice", |row| {
        let label = row.text("label");
        label.chars().collect::<HashSet<_>>().len() < label.len()
    }),
    ("due on a weekend", |row| {
        (row.days("due") + 3).rem_euclid(7) >= 5
    }),
    ("due on the last day of a month", |row| {
        calendar::date_of(row.days("due") + 1).2 == 1
    }),
    ("at before 6 o'clock", |row| {
        row.text("at")[11..13].parse::<u32>().unwrap() < 6
    }),
    ("kind in b, e, h, k", |row| {
        row.text("kind").starts_with(['b', 'e', 'h', 'k'])
    }),
    ("last digit of amount rounds up", |row| {
        row.number("amount").abs() % 10.0 >= 5.0
    }),
    ("expected an Err", |row| row.expected().get("Err").is_some()),
    ("expected total > 500 and member", |row| {
        let total = row.expected().get("Ok").and_then(Value::as_f64);
        total.is_some_and(|total| total > 500.0) && row.is("member")
    }),
    ("amount < 0 and member, or kind = b", |row| {
        row.number("amount") < 0.0 && row.is("member") || row.text("kind") == "b"
    }),
    ("member xor open", |row| row.is("member") != row.is("open")),
];

/// A row, by the names of its features.
pub(crate) struct Cells<'a>(Row<'a>);

impl Cells<'_> {
    fn json(&self, name: &str) -> String {
        let position = self.0.vectors.names().position(|other| other == name);
        self.0.json(position.unwrap())
    }

    /// Returns a number; NaN for null.
    fn number(&self, name: &str) -> f64 {
        self.json(name).parse().unwrap_or(f64::NAN)
    }

    fn text(&self, name: &str) -> String {
        self.json(name).trim_matches('"').to_owned()
    }

    fn days(&self, name: &str) -> i64 {
        calendar::parse_date(&self.text(name)).unwrap()
    }

    fn is(&self, name: &str) -> bool {
        self.json(name) == "true"
    }

    fn three(&self) -> [f64; 3] {
        ["low", "mid", "high"].map(|name| self.number(name))
    }

    /// Returns the output of a function of the row: a price, or an `Err` above the limit.
    fn expected(&self) -> Value {
        let total = self.number("price") * self.number("width");
        if self.number("price") > self.number("limit") + 20.0 {
            Value::object([("Err", Value::from("above the limit"))])
        } else {
            Value::object([("Ok", Value::from((total * 10.0).round() / 10.0))])
        }
    }
}

pub(crate) fn mixed(seed: u64, size: usize) -> Vectors {
    Vectors::generate(&Definition::parse(DEFINITION).unwrap(), seed, size)
}

pub(crate) fn expected(vectors: &Vectors) -> Vec<Value> {
    let rows = (0..vectors.size()).map(|row| Cells(Row { vectors, row }));
    rows.map(|row| row.expected()).collect()
}

/// Returns true for each row for which the rule holds.
pub(crate) fn holds(rule: &Planted, vectors: &Vectors) -> Vec<bool> {
    let rows = (0..vectors.size()).map(|row| Cells(Row { vectors, row }));
    rows.map(|row| (rule.1)(&row)).collect()
}
