//! What is said of rows with a list, read from its words and recomputed of the rows as JSON.

use std::collections::BTreeSet;

use tdg_definition::Definition;
use tdg_definition::json::{Value, parse};

use super::attribute::Measure;
use super::condition::{AttributeCondition, Question};
use super::table::ExplanationTable;
use super::words::{join, phrase};
use super::{ExplainedRows, families, rules};
use crate::generate::Vectors;

/// `None` for words that are not known here; then `None` for what can't be said of the row.
type Said<T> = Option<Option<T>>;

/// A quantifier, and whether it holds of how many elements meet a condition and how many there are.
type Quantifier = (&'static str, fn([usize; 2]) -> bool);

/// Reads a condition: a comparison of these quantities.
fn compared(text: &str, quantity: &dyn Fn(&str) -> Said<f64>) -> Said<bool> {
    let signs = ["<", "<=", ">", ">=", "=", "!="];
    // A condition in parentheses belongs to a quantity.
    let after = text.rfind(')').map_or(0, |at| at + 1);
    let mut words = text[after..].split(' ');
    let sign = words.find(|word| signs.contains(word))?;
    let (left, right) = text[after..].split_once(&format!(" {sign} "))?;
    let left = &text[..after + left.len()];
    // `1 < a <= 3`
    let (middle, rest) = match right.split_once(" <") {
        Some((middle, _)) => (middle, compared(right, quantity)?),
        None => (right, Some(true)),
    };
    let is_constant = middle.replace('−', "-").parse::<f64>().is_ok();
    let here = match (sign, quantity(left)?, quantity(middle)?) {
        (sign, Some(left), Some(right)) => {
            let is_equal = (left - right).abs() < 1e-9;
            Some(match sign {
                "=" => is_equal,
                "!=" => !is_equal,
                "<" => left < right && !is_equal,
                "<=" => left < right || is_equal,
                ">" => left > right && !is_equal,
                _ => left > right || is_equal,
            })
        }
        ("!=", None, Some(_)) if is_constant => Some(true),
        _ => None,
    };
    Some(here.and_then(|here| Some(here & rest?)))
}

fn constant(text: &str) -> Said<f64> {
    text.replace('−', "-").parse().ok().map(Some)
}

/// A row of a list and a number, either of which may be null, as may elements.
struct Row {
    xs: Option<Vec<Option<i64>>>,
    n: Option<i64>,
}

impl Row {
    fn of(row: &Value) -> Self {
        let [xs, n] = row.as_array().unwrap() else {
            panic!("two features")
        };
        let elements = |xs: &[Value]| xs.iter().map(Value::as_i64).collect();
        Self {
            xs: xs.as_array().map(elements),
            n: n.as_i64(),
        }
    }

    fn says(&self, text: &str) -> Said<bool> {
        let quantifiers: [Quantifier; 4] = [
            ("an element of xs ", |[count, _]| count > 0),
            ("no element of xs ", |[count, _]| count == 0),
            ("every element of xs ", |[count, all]| count == all),
            ("not every element of xs ", |[count, all]| count < all),
        ];
        for (quantifier, holds) in quantifiers {
            if let Some(rest) = text.strip_prefix(quantifier) {
                return Some(self.count(rest)?.map(holds));
            }
        }
        match text.strip_prefix("xs ") {
            Some(said) => self.says_of_list(said),
            None => compared(text, &|text| self.quantity(text)),
        }
    }

    /// How many elements meet all of it, and how many there are.
    fn count(&self, text: &str) -> Said<[usize; 2]> {
        let meets =
            |element: Option<i64>, part: &str| match part.strip_prefix("it ").unwrap_or(part) {
                "= null" => Some(element.is_none()),
                "!= null" => Some(element.is_some()),
                "even" => Some(element.is_some_and(|it| it % 2 == 0)),
                "odd" => Some(element.is_some_and(|it| it % 2 != 0)),
                rest => {
                    let quantity = |text: &str| match text {
                        "it" => Some(element.map(|it| it as f64)),
                        "|it|" => Some(element.map(|it| it.abs() as f64)),
                        _ => self.quantity(text),
                    };
                    let is_whole = part.contains("it ") || part.contains("it|");
                    let text = if is_whole {
                        part.to_owned()
                    } else {
                        format!("it {rest}")
                    };
                    Some(compared(&text, &quantity)?.unwrap_or(false))
                }
            };
        let text = text.strip_prefix("with ").unwrap_or(text);
        let Some(elements) = &self.xs else {
            return Some(None);
        };
        let mut count = 0;
        for element in elements {
            let met = text.split(" and ").map(|part| meets(*element, part));
            count += usize::from(met.collect::<Option<Vec<bool>>>()?.iter().all(|it| *it));
        }
        Some(Some([count, elements.len()]))
    }

    fn quantity(&self, text: &str) -> Said<f64> {
        if text == "n" {
            return Some(self.n.map(|n| n as f64));
        }
        if let Some(condition) = text.strip_prefix("number of elements of xs with (") {
            let count = self.count(condition.strip_suffix(')')?)?;
            return Some(count.map(|[count, _]| count as f64));
        }
        let Some(what) = text.strip_suffix(" xs") else {
            return constant(text);
        };
        let Some(xs) = &self.xs else {
            return Some(None);
        };
        let known = || xs.iter().flatten().copied();
        let (least, most) = (known().min(), known().max());
        let sum = (known().count() == xs.len()).then(|| known().sum::<i64>());
        let index = |n: i64| xs.iter().position(|it| *it == Some(n));
        let different = xs.iter().collect::<BTreeSet<_>>().len();
        let integer = match what {
            "length of" => Some(xs.len() as i64),
            "first of" => xs.first().copied().flatten(),
            "last of" => xs.last().copied().flatten(),
            "largest of" => most,
            "smallest of" => least,
            "sum of" => sum,
            "range of" => sum.and(most.zip(least).map(|(most, least)| most - least)),
            "number of different elements of" => Some(different as i64),
            "index of n in" => self.n.and_then(index).map(|at| at as i64),
            "mean of" => {
                let sum = sum.filter(|_| !xs.is_empty());
                return Some(sum.map(|sum| sum as f64 / xs.len() as f64));
            }
            _ => return None,
        };
        Some(integer.map(|integer| integer as f64))
    }

    /// What is said of the order of the list, and of which elements are equal.
    fn says_of_list(&self, said: &str) -> Said<bool> {
        let Some(xs) = &self.xs else {
            return Some(None);
        };
        // Of nulls no order is known.
        let known: Option<Vec<i64>> = xs.iter().copied().collect();
        let pairs = |holds: fn(&i64, &i64) -> bool| Some(known.as_ref()?.is_sorted_by(holds));
        let end = |of: fn(&[i64]) -> Option<&i64>, holds: fn(&i64, &i64) -> bool| {
            let known = known.as_deref()?;
            Some(of(known).is_some_and(|end| known.iter().all(|it| holds(end, it))))
        };
        let is_twice = |at: usize, from: usize| xs[from..at].contains(&xs[at]);
        let is = said
            .strip_prefix("not ")
            .unwrap_or(said)
            .replace("without", "with");
        let truth = match is.as_str() {
            "empty" => Some(xs.is_empty()),
            "rising" => pairs(|one, next| one <= next),
            "strictly rising" => pairs(|one, next| one < next),
            "falling" => pairs(|one, next| one >= next),
            "strictly falling" => pairs(|one, next| one > next),
            "with its largest first" => end(<[i64]>::first, |end, it| end >= it),
            "with its largest last" => end(<[i64]>::last, |end, it| end >= it),
            "with its smallest first" => end(<[i64]>::first, |end, it| end <= it),
            "with its smallest last" => end(<[i64]>::last, |end, it| end <= it),
            "with equal elements" => Some((1..xs.len()).any(|at| is_twice(at, 0))),
            "with equal neighbours" => Some((1..xs.len()).any(|at| is_twice(at, at - 1))),
            "all equal" => Some(xs.iter().all(|it| *it == xs[0])),
            "the same backwards" => Some((0..xs.len()).all(|at| xs[at] == xs[xs.len() - 1 - at])),
            "containing n" => self.n.map(|n| xs.contains(&Some(n))),
            _ => return None,
        };
        Some(truth.map(|truth| truth == (is == said)))
    }

    /// Whether all parts of a rule are true.
    fn meets(&self, rule: &str) -> Option<bool> {
        if let Some(whole) = self.says(rule) {
            return Some(whole == Some(true));
        }
        let parts = rule.split(" and ").map(|part| self.says(part));
        let parts: Option<Vec<_>> = parts.collect();
        Some(parts?.iter().all(|it| *it == Some(true)))
    }
}

fn vectors(seed: u64, null_probability: f64) -> Vectors {
    let integer = format!(
        r#""type": "INTEGER", "null_probability": {null_probability},
        "distribution": {{"type": "uniform", "min": -3, "max": 6}}"#
    );
    let definition = format!(
        r#"{{"features": [
            {{"feature_name": "xs", "type": "LIST", "null_probability": {null_probability},
              "distribution": {{"type": "list", "length": {{"min": 0, "max": 5}},
                "element": {{{integer}}}}}}},
            {{"feature_name": "n", {integer}}}]}}"#
    );
    Vectors::generate(&Definition::parse(&definition).unwrap(), seed, 200)
}

/// What is true of the failing rows.
const FAILING: [&str; 7] = [
    "an element of xs = 0",
    "xs rising",
    "every element of xs > −1",
    "largest of xs > n",
    "xs containing n",
    "sum of xs > 4",
    "number of elements of xs with (it > n) > 1",
];

#[test]
fn what_is_said_of_rows_with_lists_is_true_of_them() {
    let (mut attributes, mut texts) = (0, 0);
    for (seed, fails) in (0..).zip(FAILING) {
        for null_probability in [0.0, 0.1] {
            let vectors = vectors(seed, null_probability);
            let json = parse(&vectors.to_json()).unwrap();
            let rows: Vec<Row> = json.as_array().unwrap().iter().map(Row::of).collect();
            let fails = |row: &Row| Some(row.says(fails).unwrap() == Some(true));
            let failing: Vec<Option<bool>> = rows.iter().map(fails).collect();
            attributes += check_attributes(&vectors, &rows, &failing);
            texts += check_rules(&vectors, &rows, &failing);
        }
    }
    assert!(
        attributes > 100_000 && texts > 2_000,
        "{attributes} {texts}"
    );
}

/// How many statements about one attribute of a row, and their negations, are true where it says
/// so, and neither where it says nothing.
fn check_attributes(vectors: &Vectors, rows: &[Row], failing: &[Option<bool>]) -> usize {
    let mut checked = 0;
    let table = ExplanationTable::new(vectors, None, rows.len());
    let attributes = families::attributes(&table, failing);
    let of_lists = attributes.iter().filter(|it| it.family >= families::LISTS);
    for (attribute, at) in of_lists.flat_map(|it| (0..rows.len()).map(move |at| (it, at))) {
        let (said, question) = match &attribute.measure {
            Measure::Flag(of) => (of(at), Question::Holds),
            Measure::Number(_, of) => {
                let limit = of(at).unwrap_or(0.into());
                (of(at).map(|_| true), Question::AtMost(limit))
            }
            _ => continue,
        };
        let condition = AttributeCondition {
            attribute: 0,
            question,
            has_negation: true,
            cost: 0.0,
        };
        for is_negated in [false, true] {
            let text = join(vec![phrase(
                &table.names(),
                attribute,
                &condition,
                is_negated,
            )]);
            if let Some(truth) = rows[at].says(&text) {
                checked += 1;
                let said = said.map(|said| said != is_negated);
                assert_eq!(said, truth, "{text}: {}", vectors.object(at));
            }
        }
    }
    checked
}

/// How many rows are covered by a rule if its words are true of them, and only then.
fn check_rules(vectors: &Vectors, rows: &[Row], failing: &[Option<bool>]) -> usize {
    let mut checked = 0;
    let explanation = rules(&ExplainedRows {
        vectors,
        expected: None,
        failing,
    });
    for rule in &explanation.rules {
        let covered = rule.covered();
        for (at, row) in rows.iter().enumerate() {
            if let Some(truth) = row.meets(&rule.text) {
                checked += 1;
                assert_eq!(
                    covered.contains(&at),
                    truth,
                    "{rule}: {}",
                    vectors.object(at)
                );
            }
        }
    }
    checked
}
