//! The expected and actual values of a field, and the evidence for a pattern in them.

use tdg_definition::json::{Number, Value};
use tdg_definition::math::ln;
use tdg_definition::sort;

use super::ChangePattern;
use super::pattern::plain;
use crate::quoted_text::quoted;
use tdg_engine::Vectors;

/// Fewer outputs have no pattern, unless it holds for all.
const LEAST: usize = 3;
/// The evidence that a pattern needs in addition to its own cost, in nats: by chance, one in a
/// thousand sets of outputs has a pattern in the dozen families.
pub(super) const NEEDED: f64 = 6.9 + 2.5;
/// The maximum number of pairs among which patterns are searched.
const SAMPLE: usize = 256;
/// Fewer pairs are searched if they are long: this many characters or elements.
const CHARACTERS: usize = 50_000;
/// The number of pairs that are probed for a constant before all are searched.
const PROBE: usize = 16;
/// The number of shifts of actual values to other cases.
const SHIFTS: usize = 16;
/// The maximum information of one output, in nats.
const MOST: f64 = 6.0;
/// The information of a character or an element, in nats.
const CHARACTER: f64 = 2.3;
/// The information of a value of another kind than all expected ones, such as a null among numbers.
const OTHER_KIND: f64 = 3.9;

/// The values of a field in one case.
#[derive(Clone, Debug)]
pub(super) struct ValuePair<'a> {
    pub(super) row: usize,
    pub(super) expected: &'a Value,
    pub(super) actual: &'a Value,
}

/// The differing values of a field.
pub(super) struct Pairs<'a> {
    pub(super) vectors: &'a Vectors,
    pub(super) pairs: Vec<ValuePair<'a>>,
    /// The pairs to search.
    pub(super) sample: Vec<usize>,
    /// A subset of them to probe.
    pub(super) probe: Vec<usize>,
    /// The expected values of all cases if known, including equal ones.
    pub(super) known: Vec<&'a Value>,
    /// The maximum information of an actual number.
    number: f64,
    /// The maximum information of any value; fewer distinct values have less.
    any: f64,
}

/// A pattern that may hold.
pub(super) struct PatternCandidate<'a> {
    pub(super) pattern: ChangePattern,
    /// The number of outputs needed to find its constants.
    pub(super) fitted: usize,
    /// The number of patterns like it.
    pub(super) choices: usize,
    /// The uncertainty left about an output, in nats.
    pub(super) open: f64,
    /// The probability that it holds by coincidence; `None` if that is estimated from the pairs.
    pub(super) chance: Option<f64>,
    /// The minimum share of outputs for which it has to hold.
    pub(super) least: f64,
    /// True if it has to hold for all.
    pub(super) for_all: bool,
    /// A text that it removes from the expected one.
    pub(super) removed: Option<String>,
    /// Tests one case's expected value against another's actual value.
    pub(super) holds: Box<dyn Fn(usize, usize) -> bool + 'a>,
}

impl<'a> PatternCandidate<'a> {
    pub(super) fn new(pattern: ChangePattern, holds: impl Fn(usize, usize) -> bool + 'a) -> Self {
        Self {
            pattern,
            fitted: 0,
            choices: 1,
            open: 0.0,
            chance: None,
            least: 0.5,
            for_all: false,
            removed: None,
            holds: Box::new(holds),
        }
    }

    /// Creates a pattern for pairs of a certain type, such as two numbers or two texts.
    pub(super) fn from_values<L, R>(
        pattern: ChangePattern,
        both: impl Fn(usize, usize) -> Option<(L, R)> + 'a,
        holds: impl Fn(L, R) -> bool + 'a,
    ) -> Self {
        Self::new(pattern, move |left, right| {
            both(left, right).is_some_and(|(left, right)| holds(left, right))
        })
    }
}

impl<'a> Pairs<'a> {
    pub(super) fn new(
        vectors: &'a Vectors,
        pairs: Vec<ValuePair<'a>>,
        known: Vec<&'a Value>,
    ) -> Self {
        let longest = pairs
            .iter()
            .map(|it| size(it.expected).max(size(it.actual)));
        let sample = (CHARACTERS / longest.max().unwrap_or_default().max(1)).clamp(PROBE, SAMPLE);
        let step = pairs.len().div_ceil(sample).max(1);
        let sample: Vec<usize> = (0..pairs.len()).step_by(step).collect();
        let step = sample.len().div_ceil(PROBE).max(1);
        let probe = sample.iter().copied().step_by(step).collect();
        let of_sample = sample.iter().map(|index| &pairs[*index]);
        let mut values: Vec<&Value> = of_sample.flat_map(|it| [it.expected, it.actual]).collect();
        sort::by(&mut values, |left, right| left.cmp(right));
        let (number, any) = (of_numbers(&values), of_repeated(&values));
        Self {
            vectors,
            pairs,
            sample,
            probe,
            known,
            number,
            any,
        }
    }

    /// Returns the value or text that the pattern replaces, if no other expected value has it.
    pub(super) fn only(&self, candidate: &PatternCandidate<'_>) -> Option<String> {
        let is_only = |has: &dyn Fn(&Value) -> bool| {
            let having = self.known.iter().filter(|it| has(it)).count();
            having == self.pairs.len() && having < self.known.len()
        };
        match (&candidate.pattern, &candidate.removed) {
            (ChangePattern::Became { from, .. }, _) => {
                is_only(&|it| it == from).then(|| plain(from))
            }
            (_, Some(text)) => {
                let contains = |it: &Value| it.as_str().is_some_and(|it| it.contains(text));
                is_only(&contains).then(|| quoted(text))
            }
            _ => None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(super) fn expected(&self, index: usize) -> &'a Value {
        self.pairs[index].expected
    }

    pub(super) fn actual(&self, index: usize) -> &'a Value {
        self.pairs[index].actual
    }

    /// Returns the expected text of the first pair and the actual text of the second.
    pub(super) fn texts(&self, left: usize, right: usize) -> Option<(&'a str, &'a str)> {
        Some((self.expected(left).as_str()?, self.actual(right).as_str()?))
    }

    /// Returns both texts of the sampled pairs of texts.
    pub(super) fn own_texts(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.sample
            .iter()
            .filter_map(|index| self.texts(*index, *index))
    }

    /// Returns an upper estimate for the share of such expected values, by the rule of succession.
    pub(super) fn share(&self, is_such: impl Fn(&Value) -> bool) -> f64 {
        let of_sample = || self.sample.iter().map(|index| self.expected(*index));
        let known = || self.known.iter().copied();
        let (such, all) = match self.known.is_empty() {
            // The cases where the same value came are missing.
            true => (
                2 * of_sample().filter(|it| is_such(it)).count(),
                self.sample.len(),
            ),
            false => (known().filter(|it| is_such(it)).count(), self.known.len()),
        };
        ((such + 1) as f64 / (all + 2) as f64).min(1.0)
    }

    /// Returns the number of pairs for which a pattern holds.
    pub(super) fn count(&self, candidate: &PatternCandidate<'_>) -> usize {
        let holds = |index: &usize| (candidate.holds)(*index, *index);
        (0..self.len()).filter(holds).count()
    }

    /// Returns the pairs of each case: one, or one for each differing element.
    pub(super) fn by_case(&self) -> impl Iterator<Item = &[ValuePair<'a>]> {
        self.pairs.chunk_by(|left, right| left.row == right.row)
    }

    /// Returns the cases in which a pattern doesn't hold for all differences.
    pub(super) fn exceptions(&self, candidate: &PatternCandidate<'_>) -> Vec<usize> {
        let mut end = 0;
        let is_exception = |case: &&[ValuePair<'a>]| {
            let mut pairs = end..end + case.len();
            end = pairs.end;
            !pairs.all(|index| (candidate.holds)(index, index))
        };
        let exceptions = self.by_case().filter(is_exception);
        exceptions.map(|case| case[0].row).collect()
    }

    /// Returns the information of a pattern in excess of its cost and chance, if it holds often
    /// enough, and true if it holds for all pairs.
    pub(super) fn evidence(&self, candidate: &PatternCandidate<'_>) -> Option<(f64, bool)> {
        let holds = |index: &usize| (candidate.holds)(*index, *index);
        let held: Vec<usize> = self.sample.iter().copied().filter(holds).collect();
        let (size, count) = (self.sample.len(), held.len());
        let least = (candidate.least * size as f64).ceil() as usize;
        if count < LEAST.min(size).max(least) || candidate.for_all && count < size {
            return None;
        }
        let of_one: Box<dyn Fn(usize) -> f64> = match candidate.chance {
            Some(chance) => Box::new(move |_| -ln(chance)),
            None => {
                let chance = self.chance(candidate);
                let each = if chance > 0.0 { -ln(chance) } else { MOST };
                Box::new(move |index| {
                    let open = self.information(self.actual(index)) - candidate.open;
                    open.min(each).max(0.0)
                })
            }
        };
        let information: f64 = held.iter().map(|index| of_one(*index)).sum();
        let fitted = candidate.fitted as f64 / count as f64;
        let evidence = information * (1.0 - fitted)
            - ln_choose(size, count)
            - ln(candidate.choices.max(1) as f64);
        Some((evidence, count == size))
    }

    /// Returns how often a pattern holds if actual values are moved to other cases.
    fn chance(&self, candidate: &PatternCandidate<'_>) -> f64 {
        let size = self.sample.len();
        let mut held = 0;
        for shift in shifts(size) {
            for index in 0..size {
                let other = self.sample[(index + shift) % size];
                held += usize::from((candidate.holds)(self.sample[index], other));
            }
        }
        held as f64 / (shifts(size).count() * size) as f64
    }

    /// Returns the maximum information of a value, in nats.
    fn information(&self, value: &Value) -> f64 {
        self.of_kind(value).min(self.any)
    }

    /// Returns the maximum information of a value, in nats, regardless of the others.
    pub(super) fn of_kind(&self, value: &Value) -> f64 {
        let information = match value {
            Value::Null => OTHER_KIND,
            Value::Bool(_) => ln(2.0),
            Value::Number(number) if number.as_f64().is_finite() => self.number,
            Value::Number(_) => OTHER_KIND,
            Value::String(text) => CHARACTER * (text.chars().count() + 1) as f64,
            Value::Array(elements) => CHARACTER * (elements.len() + 1) as f64,
            Value::Object(_) => MOST,
        };
        information.min(MOST)
    }
}

/// Returns the distances by which values are moved to other cases.
pub(super) fn shifts(size: usize) -> impl Iterator<Item = usize> {
    let others = size.saturating_sub(1);
    let count = SHIFTS.min(others);
    (0..count).map(move |shift| 1 + shift * others / count)
}

/// Returns the information of a number, by the range and the decimals of all.
fn of_numbers(sorted: &[&Value]) -> f64 {
    let numbers: Vec<Number> = sorted
        .iter()
        .filter_map(|value| value.as_number())
        .filter(|number| number.as_f64().is_finite())
        .collect();
    let floats = || numbers.iter().map(|number| number.as_f64());
    let least = floats().fold(f64::INFINITY, f64::min);
    let most = floats().fold(f64::NEG_INFINITY, f64::max);
    let decimals = numbers.iter().map(|number| decimals(*number));
    match decimals.reduce(most_decimals).flatten() {
        Some(decimals) => {
            let steps = (most - least) * 10_u64.pow(decimals) as f64 + 1.0;
            if steps.is_finite() { ln(steps) } else { MOST }
        }
        None => MOST,
    }
}

/// Returns the most frequent value, the last one of equally frequent ones.
pub(super) fn most_frequent<T: Ord + Clone>(mut values: Vec<T>) -> Option<T> {
    sort::by(&mut values, Ord::cmp);
    let groups = values.chunk_by(|left, right| left == right);
    groups
        .max_by_key(|group| group.len())
        .map(|group| group[0].clone())
}

/// Returns the number of characters or elements.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(elements) => elements.len(),
        _ => 1,
    }
}

/// Returns the information that two of the values are equal.
fn of_repeated(sorted: &[&Value]) -> f64 {
    let groups = sorted.chunk_by(|left, right| left == right);
    let equal: usize = groups.map(|group| group.len() * (group.len() - 1)).sum();
    match equal {
        0 => MOST,
        _ => ln((sorted.len() * (sorted.len() - 1)) as f64 / equal as f64),
    }
}

/// Returns the logarithm of the number of ways to choose `count` of `size` pairs.
pub(super) fn ln_choose(size: usize, count: usize) -> f64 {
    let rest = size - count;
    let factor = |index: usize| ln((size - index) as f64 / (index + 1) as f64);
    (0..rest.min(count)).map(factor).sum()
}

/// Numbers with more decimals don't count as rounded.
const DECIMALS: u32 = 8;

/// Returns the number of decimals, or `None` if there are too many for a rounded number.
pub(super) fn decimals(number: Number) -> Option<u32> {
    if number.as_i128().is_some() {
        return Some(0);
    }
    let text = number.to_string();
    let (_, decimals) = text.split_once('.')?;
    let count = decimals.len() as u32;
    (count <= DECIMALS && decimals.bytes().all(|byte| byte.is_ascii_digit())).then_some(count)
}

pub(super) fn most_decimals(left: Option<u32>, right: Option<u32>) -> Option<u32> {
    Some(left?.max(right?))
}
