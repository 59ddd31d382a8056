//! Words about rows with a list, parsed and recomputed from the rows as JSON.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

use tdg_definition::Definition;
use tdg_definition::json::{Value, parse};

use super::super::attribute::Measure;
use super::super::condition::{AttributeCondition, Question};
use super::super::condition_text::{join, phrase};
use super::super::table::ExplanationTable;
use super::super::value::AttributeValue;
use super::super::{ExplainedRows, Rule, Vocabulary, families, rules};
use tdg_engine::Vectors;

/// The outer option is `None` for unsupported words, the inner one if the row has no answer.
type Said<T> = Option<Option<T>>;

/// A row with a list and a number. The list, its elements and the number may be null.
#[derive(Clone, Debug)]
struct Row {
    xs: Option<Rc<[Option<i64>]>>,
    n: Option<i64>,
    /// The current element.
    it: Option<i64>,
}

impl Row {
    fn from_json(row: &Value) -> Self {
        let row = row.as_array().unwrap();
        let elements = |xs: &[Value]| xs.iter().map(Value::as_i64).collect();
        Self {
            xs: row[0].as_array().map(elements),
            n: row[1].as_i64(),
            it: None,
        }
    }

    fn says(&self, text: &str) -> Said<bool> {
        let (quantifier, rest) = text.split_once("element of xs ").unwrap_or(("", text));
        let holds: fn([usize; 2]) -> bool = match quantifier {
            "an " => |[count, _]| count > 0,
            "no " => |[count, _]| count == 0,
            "every " => |[count, all]| count == all,
            "not every " => |[count, all]| count < all,
            _ => return self.flag(text).or_else(|| self.compares(text)),
        };
        let condition = match rest.strip_prefix("with ") {
            Some(condition) => condition,
            None => &format!("it {rest}"),
        };
        Some(self.count(condition)?.map(holds))
    }

    /// Returns the number of elements that meet all of it, and the number of all.
    fn count(&self, condition: &str) -> Said<[usize; 2]> {
        let Some(xs) = &self.xs else {
            return Some(None);
        };
        let mut count = 0;
        for it in xs.iter() {
            let row = Row {
                it: *it,
                ..self.clone()
            };
            count += usize::from(row.meets(condition)?);
        }
        Some(Some([count, xs.len()]))
    }

    /// Returns true if all parts of a text are true.
    fn meets(&self, text: &str) -> Option<bool> {
        let whole = self.says(text).map(|it| vec![it]);
        let parts = || text.split(" and ").map(|part| self.says(part)).collect();
        let parts = whole.or_else(parts)?;
        Some(parts.iter().all(|it| *it == Some(true)))
    }

    /// Evaluates a comparison: `n >= 3`, `1 < first of xs <= n`.
    fn compares(&self, text: &str) -> Said<bool> {
        let is_sign = |word: &&str| ["<", "<=", ">", ">=", "=", "!="].contains(word);
        // A condition in parentheses is part of a quantity.
        let (first, rest) = text.split_at(text.rfind(')').map_or(0, |at| at + 1));
        let words: Vec<&str> = rest.split(' ').collect();
        let mut sides: Vec<String> = words.split(is_sign).map(|side| side.join(" ")).collect();
        sides[0].insert_str(0, first);
        let signs: Vec<&str> = words.into_iter().filter(is_sign).collect();
        if let (["=" | "!="], "null") = (signs.as_slice(), sides.last()?.as_str()) {
            return Some(Some(
                self.quantity(&sides[0])?.is_none() == (signs == ["="]),
            ));
        }
        let values = sides.iter().map(|side| self.quantity(side));
        let values: Vec<Option<f64>> = values.collect::<Option<_>>()?;
        let holds = |(sign, pair): (&&str, &[Option<f64>])| match pair {
            [Some(left), Some(right)] => {
                let order = match (left - right).abs() < 1e-9 {
                    true => Ordering::Equal,
                    false => left.total_cmp(right),
                };
                Some(match *sign {
                    "=" => order.is_eq(),
                    "!=" => order.is_ne(),
                    "<" => order.is_lt(),
                    "<=" => order.is_le(),
                    ">" => order.is_gt(),
                    _ => order.is_ge(),
                })
            }
            // A null is unequal to any constant.
            _ => (*sign == "!=" && constant(&sides[1]).is_some()).then_some(true),
        };
        let holds = signs.iter().zip(values.windows(2)).map(holds);
        holds.reduce(|one, other| Some(one? & other?))
    }

    fn quantity(&self, text: &str) -> Said<f64> {
        if let Some(condition) = text.strip_prefix("number of elements of xs with (") {
            let count = self.count(condition.strip_suffix(')')?)?;
            return Some(count.map(|[count, _]| count as f64));
        }
        let (xs, n) = (self.xs.as_deref(), self.n);
        let known = || xs.unwrap_or_default().iter().flatten().copied();
        let (least, most) = (known().min(), known().max());
        let sum = xs
            .filter(|xs| known().count() == xs.len())
            .map(|_| known().sum::<i64>());
        let integer = match text {
            "n" => n,
            "it" => self.it,
            "|it|" => self.it.map(i64::abs),
            "it + n" => self.it.zip(n).map(|(it, n)| it + n),
            "it − n" => self.it.zip(n).map(|(it, n)| it - n),
            "|it − n|" => self.it.zip(n).map(|(it, n)| (it - n).abs()),
            "length of xs" => xs.map(|xs| xs.len() as i64),
            "first of xs" => xs.and_then(|xs| *xs.first()?),
            "last of xs" => xs.and_then(|xs| *xs.last()?),
            "largest of xs" => most,
            "smallest of xs" => least,
            "sum of xs" => sum,
            "range of xs" => sum.and(most.zip(least)).map(|(most, least)| most - least),
            "number of different elements of xs" => {
                xs.map(|xs| xs.iter().collect::<BTreeSet<_>>().len() as i64)
            }
            "index of n in xs" => xs.and_then(|xs| {
                let at = xs.iter().position(|it| it.is_some() && *it == n)?;
                Some(at as i64)
            }),
            "mean of xs" => {
                let mean = sum.map(|sum| sum as f64 / known().count() as f64);
                return Some(mean.filter(|mean| !mean.is_nan()));
            }
            _ => return Some(Some(constant(text)?)),
        };
        Some(integer.map(|integer| integer as f64))
    }

    /// Evaluates properties of an element, of the list's order, and of equal elements.
    fn flag(&self, text: &str) -> Said<bool> {
        let is = text.replace(" not ", " ").replace("without", "with");
        let xs = self.xs.as_deref();
        // Lists with nulls have no order.
        let known: Option<Vec<i64>> = xs.and_then(|xs| xs.iter().copied().collect());
        let pairs = |holds: fn(&i64, &i64) -> bool| Some(known.as_ref()?.is_sorted_by(holds));
        let end = |of: fn(&[i64]) -> Option<&i64>, holds: fn(&i64, &i64) -> bool| {
            let known = known.as_deref()?;
            Some(of(known).is_some_and(|end| known.iter().all(|it| holds(end, it))))
        };
        let is_twice = |at: usize, from: usize| xs.is_some_and(|xs| xs[from..at].contains(&xs[at]));
        let any = |holds: &dyn Fn(usize) -> bool| Some((1..xs?.len()).any(holds));
        let truth = match is.as_str() {
            "it even" => self.it.map(|it| it % 2 == 0),
            "it odd" => self.it.map(|it| it % 2 != 0),
            "xs empty" => xs.map(<[_]>::is_empty),
            "xs rising" => pairs(|one, next| one <= next),
            "xs strictly rising" => pairs(|one, next| one < next),
            "xs falling" => pairs(|one, next| one >= next),
            "xs strictly falling" => pairs(|one, next| one > next),
            "xs with its largest first" => end(<[i64]>::first, |end, it| end >= it),
            "xs with its largest last" => end(<[i64]>::last, |end, it| end >= it),
            "xs with its smallest first" => end(<[i64]>::first, |end, it| end <= it),
            "xs with its smallest last" => end(<[i64]>::last, |end, it| end <= it),
            "xs with equal elements" => any(&|at| is_twice(at, 0)),
            "xs with equal neighbours" => any(&|at| is_twice(at, at - 1)),
            "xs all equal" => xs.map(|xs| xs.iter().all(|it| *it == xs[0])),
            "xs the same backwards" => xs.map(|xs| xs.iter().eq(xs.iter().rev())),
            "xs containing n" => xs.zip(self.n).map(|(xs, n)| xs.contains(&Some(n))),
            _ => return None,
        };
        Some(truth.map(|truth| truth == (is == text)))
    }
}

fn constant(text: &str) -> Option<f64> {
    text.replace('−', "-").parse().ok()
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

/// Properties of the failing rows.
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
            let rows: Vec<Row> = json
                .as_array()
                .unwrap()
                .iter()
                .map(Row::from_json)
                .collect();
            let failing: Vec<Option<bool>> = rows.iter().map(|row| row.meets(fails)).collect();
            attributes += check_attributes(&vectors, &rows, &failing);
            texts += check_rules(&vectors, &rows, &failing);
        }
    }
    assert!(
        attributes > 100_000 && texts > 2_000,
        "{attributes} {texts}"
    );
}

/// Checks that conditions on one attribute of a row, and their negations, hold exactly if their
/// words are true. Returns their number.
fn check_attributes(vectors: &Vectors, rows: &[Row], failing: &[Option<bool>]) -> usize {
    let mut checked = 0;
    let table = ExplanationTable::new(vectors, None, rows.len());
    let attributes = families::attributes(&table, failing, Vocabulary::Full);
    let of_lists = attributes.iter().filter(|it| it.is_of_list);
    let some_rows = (0..rows.len()).step_by(5);
    for (attribute, at) in of_lists.flat_map(|it| some_rows.clone().map(move |at| (it, at))) {
        let question = match &attribute.measure {
            Measure::Flag(_) => Question::Holds,
            Measure::Number(_, of) => {
                Question::Is(AttributeValue::Number(of(at).unwrap_or(0.into())))
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
            let phrase = phrase(&table.names(), attribute, &condition, is_negated);
            let holds = condition.holds(attribute, at, is_negated);
            checked += check(holds, &rows[at], &join(vec![phrase]));
        }
    }
    checked
}

/// Checks that rules cover exactly the rows for which their words are true. Returns their number.
fn check_rules(vectors: &Vectors, rows: &[Row], failing: &[Option<bool>]) -> usize {
    let explanation = rules(&ExplainedRows {
        vectors,
        expected: None,
        failing,
        vocabulary: Vocabulary::Full,
        constants: &[],
    });
    let of_rule = |rule: &Rule| -> usize {
        let covered = rule.covered();
        let rows = rows.iter().enumerate();
        rows.map(|(at, row)| check(covered.contains(&at), row, &rule.text))
            .sum()
    };
    explanation.rules.iter().map(of_rule).sum()
}

/// Checks one row, and returns 1 if the words are supported.
fn check(holds: bool, row: &Row, text: &str) -> usize {
    let truth = row.meets(text);
    assert_eq!(truth.unwrap_or(holds), holds, "{text}: {row:?}");
    truth.map_or(0, |_| 1)
}
