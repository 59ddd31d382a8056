//! The expected and actual values of a field, and what a pattern of them is worth.

use tdg_definition::json::{Number, Value};
use tdg_definition::math::ln;
use tdg_definition::sort;

use super::ChangePattern;
use tdg_engine::Vectors;

/// Fewer outputs have no pattern.
pub(super) const LEAST: usize = 3;
/// The evidence that a pattern needs beyond its own length, in nats: chance gives one of a thousand
/// sets of outputs a pattern, of the dozen families.
const NEEDED: f64 = 6.9 + 2.5;
/// Patterns are searched among at most so many pairs.
const SAMPLE: usize = 256;
/// And among fewer if they are long: so many characters or elements.
const CHARACTERS: usize = 50_000;
/// A constant that doesn't fit these is not looked for among all.
const PROBE: usize = 16;
/// How often the actual values are moved to other cases.
const SHIFTS: usize = 16;
/// The most that one output says, in nats.
const MOST: f64 = 6.0;
/// What a character or an element says, in nats.
const CHARACTER: f64 = 2.3;
/// What a value says that is of another kind than all expected ones: a null among numbers.
const OTHER_KIND: f64 = 3.9;

/// The values of a field in one case.
#[derive(Clone, Debug)]
pub(super) struct ValuePair<'a> {
    pub(super) row: usize,
    pub(super) expected: &'a Value,
    pub(super) actual: &'a Value,
}

/// The values of a field that differ.
pub(super) struct Pairs<'a> {
    pub(super) vectors: &'a Vectors,
    pub(super) pairs: Vec<ValuePair<'a>>,
    /// The pairs that are searched.
    pub(super) sample: Vec<usize>,
    /// Some of these.
    pub(super) probe: Vec<usize>,
    /// The expected values of all cases, if they are known: those that don't differ too.
    pub(super) known: Vec<&'a Value>,
    /// What an actual number says at most.
    number: f64,
    /// What any value says at most: less, the fewer values there are.
    any: f64,
}

/// A pattern that may hold.
pub(super) struct PatternCandidate<'a> {
    pub(super) pattern: ChangePattern,
    /// The number of outputs that it takes to find its constants.
    pub(super) fitted: usize,
    /// The number of patterns like it.
    pub(super) choices: usize,
    /// What is left open of an output, in nats.
    pub(super) open: f64,
    /// The probability that it holds by coincidence; `None` if that is estimated from the pairs.
    pub(super) chance: Option<f64>,
    /// The least share of the outputs for which it has to hold.
    pub(super) least: f64,
    /// Whether it has to hold for all.
    pub(super) for_all: bool,
    /// Whether what is expected in the first case and came in the second is as it says.
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
            holds: Box::new(holds),
        }
    }

    /// A pattern of what some pairs have: two numbers, two texts.
    pub(super) fn of<L, R>(
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

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(super) fn expected(&self, index: usize) -> &'a Value {
        self.pairs[index].expected
    }

    pub(super) fn actual(&self, index: usize) -> &'a Value {
        self.pairs[index].actual
    }

    /// The expected text of the first pair and the actual text of the second.
    pub(super) fn texts(&self, left: usize, right: usize) -> Option<(&'a str, &'a str)> {
        Some((self.expected(left).as_str()?, self.actual(right).as_str()?))
    }

    /// How often such a value is expected, at most: by the rule of succession.
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

    /// The pairs for which a pattern holds.
    pub(super) fn count(&self, candidate: &PatternCandidate<'_>) -> usize {
        let holds = |index: &usize| (candidate.holds)(*index, *index);
        (0..self.len()).filter(holds).count()
    }

    /// The pairs of each case: one, or one for each element that differs.
    pub(super) fn by_case(&self) -> impl Iterator<Item = &[ValuePair<'a>]> {
        self.pairs.chunk_by(|left, right| left.row == right.row)
    }

    /// The cases in which a pattern holds for all that differs.
    pub(super) fn cases(&self, candidate: &PatternCandidate<'_>) -> usize {
        let mut end = 0;
        let holds = |case: &&[ValuePair<'a>]| {
            let mut pairs = end..end + case.len();
            end = pairs.end;
            pairs.all(|index| (candidate.holds)(index, index))
        };
        self.by_case().filter(holds).count()
    }

    /// How much more a pattern tells than it takes to say it, beyond chance; `None` if no more.
    pub(super) fn evidence(&self, candidate: &PatternCandidate<'_>) -> Option<f64> {
        let holds = |index: &usize| (candidate.holds)(*index, *index);
        let held: Vec<usize> = self.sample.iter().copied().filter(holds).collect();
        let (size, count) = (self.sample.len(), held.len());
        let least = (candidate.least * size as f64).ceil() as usize;
        if count < LEAST.max(least) || candidate.for_all && count < size {
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
        (evidence > NEEDED).then_some(evidence)
    }

    /// How often a pattern holds if actual values are moved to other cases.
    fn chance(&self, candidate: &PatternCandidate<'_>) -> f64 {
        let size = self.sample.len();
        let shifts = SHIFTS.min(size - 1);
        let mut held = 0;
        for shift in 0..shifts {
            let shift = 1 + shift * (size - 1) / shifts;
            for index in 0..size {
                let other = self.sample[(index + shift) % size];
                held += usize::from((candidate.holds)(self.sample[index], other));
            }
        }
        held as f64 / (shifts * size) as f64
    }

    /// What a value says at most, in nats.
    fn information(&self, value: &Value) -> f64 {
        self.of_kind(value).min(self.any)
    }

    /// What a value says at most, in nats, whatever the others are.
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

/// The numbers between the smallest and the largest, as finely as they are given.
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

/// Of equally frequent ones the last.
pub(super) fn most_frequent<T: Ord + Clone>(mut values: Vec<T>) -> Option<T> {
    sort::by(&mut values, Ord::cmp);
    let groups = values.chunk_by(|left, right| left == right);
    groups
        .max_by_key(|group| group.len())
        .map(|group| group[0].clone())
}

/// The number of characters or elements.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(elements) => elements.len(),
        _ => 1,
    }
}

/// How seldom two of the values are equal.
fn of_repeated(sorted: &[&Value]) -> f64 {
    let groups = sorted.chunk_by(|left, right| left == right);
    let equal: usize = groups.map(|group| group.len() * (group.len() - 1)).sum();
    match equal {
        0 => MOST,
        _ => ln((sorted.len() * (sorted.len() - 1)) as f64 / equal as f64),
    }
}

/// The number of ways to choose some of the pairs, as a logarithm.
fn ln_choose(size: usize, count: usize) -> f64 {
    let rest = size - count;
    let factor = |index: usize| ln((size - index) as f64 / (index + 1) as f64);
    (0..rest.min(count)).map(factor).sum()
}

/// Numbers with more decimals are not considered rounded.
const DECIMALS: u32 = 8;

/// The number of decimals; `None` if there are too many for a rounded number.
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
