//! The conditions of a search: for each attribute, the ones that divide the rows, with their rows.

use std::collections::HashMap;
use std::f64::consts::LN_2;
use std::ops::Range;

use tdg_definition::json::{Number, Value};
use tdg_definition::math::ln;
use tdg_definition::sort;

use super::attribute::{Attribute, Measure, Notation};
use super::bits;
use super::condition::{AttributeCondition, Literal, Question};
use super::order;
use super::threshold::{Cut, class};
use super::value::AttributeValue;
use tdg_engine::common_prefix;

/// Values, prefixes and suffixes of fewer rows are skipped.
const VALUE_ROWS: usize = 2;
const PREFIX_ROWS: usize = 3;
/// Sets are only tested for attributes with this many values.
const SET_VALUES: std::ops::RangeInclusive<usize> = 4..=100;
/// The number of thresholds for a feature, and for any other attribute.
pub(super) const COARSE: [usize; 2] = [128, 32];
/// The same limits when a description is polished.
pub(super) const FINE: [usize; 2] = [1024, 1024];

/// The thresholds to test.
#[derive(Clone, Copy)]
pub(super) struct Thresholds<'a> {
    /// The maximum number for a feature, and for any other attribute.
    counts: [usize; 2],
    /// The preferred numbers and texts, in order.
    constants: &'a [Value],
}

impl<'a> Thresholds<'a> {
    pub(super) fn new(counts: [usize; 2], constants: &'a [Value]) -> Self {
        Self { counts, constants }
    }
}

/// Conditions with the rows that satisfy them.
pub(super) struct Catalogue<'a, 't> {
    pub(super) attributes: &'a [Attribute<'t>],
    pub(super) conditions: Vec<AttributeCondition<'t>>,
    /// The rows being divided.
    pub(super) rows: &'a [u32],
    /// A bit set for each condition, of the rows that satisfy it.
    bits: Vec<u64>,
    /// Conditions by a hash of the rows that satisfy them, or of the complement.
    known: HashMap<u64, Vec<u32>>,
    /// The values of attributes that are tested with sets.
    pub(super) sets: Vec<AttributeValues<'t>>,
    /// The numbers and texts in the code, in order.
    pub(super) constants: &'a [Value],
}

/// The values of an attribute, each with its rows.
pub(super) struct AttributeValues<'t> {
    pub(super) attribute: usize,
    pub(super) cost: f64,
    pub(super) values: Vec<(AttributeValue<'t>, Vec<u64>)>,
}

impl<'a, 't> Catalogue<'a, 't> {
    /// Collects the conditions that divide `rows`, for the attributes in use. Naming an attribute
    /// costs `costs`.
    pub(super) fn new(
        attributes: &'a [Attribute<'t>],
        costs: &[f64],
        rows: &'a [u32],
        thresholds: Thresholds<'a>,
        is_used: impl Fn(usize) -> bool,
    ) -> Self {
        let mut catalogue = Self {
            attributes,
            conditions: Vec::new(),
            rows,
            bits: Vec::new(),
            known: HashMap::new(),
            sets: Vec::new(),
            constants: thresholds.constants,
        };
        for (position, attribute) in attributes.iter().enumerate() {
            if !is_used(position) {
                continue;
            }
            let limit = thresholds.counts[usize::from(attribute.family > 0)];
            let mut of = OfAttribute {
                catalogue: &mut catalogue,
                position,
                cost: costs[position],
                constants: thresholds.constants,
            };
            match &attribute.measure {
                Measure::Flag(flag) => of.flag(flag),
                Measure::Number(notation, number) => of.number(*notation, number, limit),
                Measure::Text(has_parts, text) => of.text(*has_parts, text),
                Measure::Texts(texts) => of.texts(texts),
            }
        }
        catalogue
    }

    pub(super) fn words(&self) -> usize {
        bits::words(self.rows.len())
    }

    /// Returns the cost of writing a condition: the choice of the condition, and of its negation.
    pub(super) fn cost(&self, literal: Literal) -> f64 {
        self.conditions[literal.condition as usize].cost + LN_2
    }

    /// Returns the rows that satisfy a condition.
    pub(super) fn bits(&self, condition: usize) -> &[u64] {
        let words = self.words();
        &self.bits[condition * words..(condition + 1) * words]
    }

    /// Adds a condition and returns its literal, or the literal of a cheaper equivalent. Returns
    /// `None` if the condition holds for all rows or for none.
    pub(super) fn add(
        &mut self,
        condition: AttributeCondition<'t>,
        bits: &[u64],
    ) -> Option<Literal> {
        let count = bits::count(bits);
        if count == 0 || count == self.rows.len() {
            return None;
        }
        let full = bits::full(self.rows.len());
        let words = self.words();
        let like = self.known.entry(hash(bits, &full)).or_default();
        for &other in like.iter() {
            let start = other as usize * words;
            let same = &self.bits[start..start + words];
            let known = &mut self.conditions[other as usize];
            let is_cheaper = condition.cost < known.cost;
            if same == bits && (known.has_negation || !condition.has_negation) {
                let is_kept = is_value(known, self.attributes)
                    || is_limit_at(known, &condition)
                    || is_plainer(known, &condition, self.attributes);
                if is_cheaper && is_kept {
                    known.cost = condition.cost;
                } else if is_cheaper {
                    *known = condition;
                }
                return Some(literal(other, false));
            }
            let mut flipped = same.iter().zip(bits).zip(&full);
            let is_complement = flipped.all(|((left, right), full)| left ^ right == *full);
            let is_turned = is_complement && known.has_negation && condition.has_negation;
            if is_turned && (!is_cheaper || is_plainer(known, &condition, self.attributes)) {
                known.cost = known.cost.min(condition.cost);
                return Some(literal(other, true));
            }
        }
        let index = self.conditions.len() as u32;
        like.push(index);
        self.conditions.push(condition);
        self.bits.extend_from_slice(bits);
        Some(literal(index, false))
    }

    /// Adds a condition, or its negation, from another catalogue of the same attributes.
    pub(super) fn add_known(
        &mut self,
        condition: &AttributeCondition<'t>,
        is_negated: bool,
    ) -> Option<Literal> {
        let attribute = &self.attributes[condition.attribute];
        let rows = self.rows.iter().zip(0..);
        let holding = rows.filter(|(row, _)| condition.holds(attribute, **row as usize, false));
        let bits = bits::from_rows(holding.map(|(_, at)| at), self.words());
        let literal = self.add(condition.clone(), &bits)?;
        Some(if is_negated {
            literal.negated()
        } else {
            literal
        })
    }
}

/// Returns true if a condition is plainer than a cheaper one that holds for the same rows, or for
/// all others: it tests the value of a feature, or a value instead of a limit.
fn is_plainer(
    condition: &AttributeCondition<'_>,
    other: &AttributeCondition<'_>,
    attributes: &[Attribute<'_>],
) -> bool {
    let [family, of_other] = [condition, other].map(|it| attributes[it.attribute].family);
    match condition.question {
        Question::OneOf(_) | Question::StartsWith(_) | Question::EndsWith(_) => false,
        Question::Is(_) if family > 0 => family == of_other && other.question.limit().is_some(),
        _ => family == 0 && of_other > 0,
    }
}

/// Returns true if the other condition tests for the least value, whose negation the limit says in
/// plainer words.
fn is_limit_at(limit: &AttributeCondition<'_>, other: &AttributeCondition<'_>) -> bool {
    let value = limit.question.limit().map(AttributeValue::Number);
    let is_value = value.is_some_and(|value| other.question == Question::Is(value));
    is_value && limit.attribute == other.attribute
}

/// Returns true if it tests for one value of a feature.
fn is_value(condition: &AttributeCondition<'_>, attributes: &[Attribute<'_>]) -> bool {
    let family = attributes[condition.attribute].family;
    family == 0 && matches!(condition.question, Question::Is(_))
}

fn literal(condition: u32, is_negated: bool) -> Literal {
    Literal {
        condition,
        is_negated,
    }
}

/// Hashes a bit set. A set and its complement have the same hash.
fn hash(bits: &[u64], full: &[u64]) -> u64 {
    let is_flipped = bits[0] & 1 == 1;
    bits.iter().zip(full).fold(0, |hash: u64, (word, full)| {
        let word = if is_flipped { word ^ full } else { *word };
        (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

/// Adds the conditions of one attribute.
struct OfAttribute<'c, 'a, 't> {
    catalogue: &'c mut Catalogue<'a, 't>,
    position: usize,
    cost: f64,
    /// The numbers and texts that are preferred, in order.
    constants: &'c [Value],
}

impl<'t> OfAttribute<'_, '_, 't> {
    fn add(&mut self, question: Question<'t>, has_negation: bool, cost: f64, bits: &[u64]) {
        let condition = AttributeCondition {
            attribute: self.position,
            question,
            has_negation,
            cost: self.cost + cost,
        };
        self.catalogue.add(condition, bits);
    }

    /// Returns true for the value of a feature: a null is unequal to everything. A derived property
    /// that a row lacks has no such answer.
    fn is_value(&self) -> bool {
        self.catalogue.attributes[self.position].family == 0
    }

    fn empty(&self) -> Vec<u64> {
        vec![0; self.catalogue.words()]
    }

    /// Returns the rows of some numbers.
    fn bits<'n>(&self, numbers: impl IntoIterator<Item = &'n (Number, u32)>) -> Vec<u64> {
        let rows = numbers.into_iter().map(|(_, at)| *at);
        bits::from_rows(rows, self.catalogue.words())
    }

    fn flag(&mut self, of: &dyn Fn(usize) -> Option<bool>) {
        let (mut set, mut unset) = (self.empty(), self.empty());
        let mut has_all = true;
        for (at, &row) in self.catalogue.rows.iter().enumerate() {
            match of(row as usize) {
                Some(true) => bits::set(&mut set, at),
                Some(false) => bits::set(&mut unset, at),
                None => has_all = false,
            }
        }
        // A flag that is true wherever it is defined only says that it is defined.
        let is_set = [&set, &unset].map(|bits| bits.iter().any(|word| *word != 0));
        if is_set != [true, true] {
            return;
        }
        self.add(Question::Holds, has_all, 0.0, &set);
        if !has_all {
            self.add(Question::Fails, false, 0.0, &unset);
        }
    }

    fn number(&mut self, notation: Notation, of: &dyn Fn(usize) -> Option<Number>, limit: usize) {
        let mut numbers: Vec<(Number, u32)> = Vec::with_capacity(self.catalogue.rows.len());
        for (at, &row) in self.catalogue.rows.iter().enumerate() {
            if let Some(number) = of(row as usize) {
                numbers.push((number, at as u32));
            }
        }
        let numbers = sorted(numbers);
        let has_all = numbers.len() == self.catalogue.rows.len();
        let groups: Vec<&[(Number, u32)]> =
            numbers.chunk_by(|left, right| left.0 == right.0).collect();
        if groups.is_empty() {
            return;
        }
        // A question tests a threshold or a value.
        let kind = LN_2;
        self.thresholds(notation, &groups, limit, has_all, kind);
        let repeated: Vec<&[(Number, u32)]> = groups
            .iter()
            .copied()
            .filter(|group| group.len() >= VALUE_ROWS)
            .collect();
        if notation == Notation::Code || notation == Notation::Weekday {
            self.values(&groups, kind);
        }
        if repeated.len() > 4 * COARSE[0] {
            return;
        }
        let limits: Vec<Number> = repeated.iter().map(|group| group[0].0).collect();
        let costs = costs_of_constants(notation, &limits, 1.0);
        for (group, cost) in repeated.iter().zip(costs) {
            let bits = self.bits(*group);
            self.add(
                Question::Is(AttributeValue::Number(group[0].0)),
                has_all || self.is_value(),
                kind + cost,
                &bits,
            );
        }
    }

    fn thresholds(
        &mut self,
        notation: Notation,
        groups: &[&[(Number, u32)]],
        limit: usize,
        has_all: bool,
        kind: f64,
    ) {
        let cuts = groups.len() - 1;
        if cuts == 0 {
            return;
        }
        // Evenly by rank, but always the one at 0.
        let zero = groups.partition_point(|group| group[0].0 <= Number::from(0));
        let from_zero = groups.partition_point(|group| group[0].0 < Number::from(0));
        let is_chosen = |rank: usize| {
            let at = |rank: usize| rank * limit / cuts;
            cuts <= limit || at(rank) != at(rank - 1) || rank == zero || rank == from_zero
        };
        let mut chosen: Vec<(usize, Cut)> = Vec::new();
        for rank in (1..=cuts).filter(|rank| is_chosen(*rank)) {
            let (below, above) = (groups[rank - 1][0].0, groups[rank][0].0);
            chosen.push((rank, Cut::between(notation, below, above, self.constants)));
        }
        let limits: Vec<Number> = chosen.iter().map(|(_, cut)| cut.limit).collect();
        let share = cuts as f64 / chosen.len() as f64;
        let costs = costs_of_constants(notation, &limits, share);
        let (mut below, all) = (self.empty(), self.bits(groups.iter().copied().flatten()));
        let mut done = 0;
        for ((rank, cut), cost) in chosen.into_iter().zip(costs) {
            for (_, at) in groups[done..rank].iter().copied().flatten() {
                bits::set(&mut below, *at as usize);
            }
            done = rank;
            let (lower, upper) = match cut.is_upper_open {
                true => (Question::AtMost(cut.limit), Question::Above(cut.limit)),
                false => (Question::Below(cut.limit), Question::From(cut.limit)),
            };
            self.add(lower, has_all, kind + cost, &below);
            if !has_all {
                let mut above = all.clone();
                bits::keep(&mut above, &below, true);
                self.add(upper, false, kind + cost, &above);
            }
        }
    }

    /// Keeps the values, from which sets are learned.
    fn values(&mut self, groups: &[&[(Number, u32)]], kind: f64) {
        if !SET_VALUES.contains(&groups.len()) {
            return;
        }
        let values = groups
            .iter()
            .map(|group| (AttributeValue::Number(group[0].0), self.bits(*group)));
        let values = AttributeValues {
            attribute: self.position,
            cost: self.cost + kind,
            values: values.collect(),
        };
        self.catalogue.sets.push(values);
    }

    fn text(&mut self, has_parts: bool, of: &dyn Fn(usize) -> Option<&'t str>) {
        let texts = |row: usize| of(row).into_iter().collect();
        let groups = self.groups(&texts);
        // A question tests a value, a prefix or a suffix.
        let kind = if has_parts { ln(3.0) } else { 0.0 };
        let rows: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
        let has_negation = rows == self.catalogue.rows.len() || self.is_value();
        self.values_of_texts(&groups, kind, has_negation);
        if has_parts {
            self.prefixes(&groups, kind);
            self.suffixes(&groups, kind);
        }
    }

    fn texts(&mut self, of: &dyn Fn(usize) -> Vec<&'t str>) {
        let mut groups = self.groups(of);
        if groups.len() > 4 * COARSE[0] {
            sort::by_key(&mut groups, |(_, rows)| std::cmp::Reverse(rows.len()));
            groups.truncate(4 * COARSE[0]);
            sort::by_key(&mut groups, |(text, _)| *text);
        }
        self.values_of_texts(&groups, 0.0, true);
    }

    /// Returns the texts in order, each with its rows.
    fn groups(&self, of: &dyn Fn(usize) -> Vec<&'t str>) -> Vec<(&'t str, Vec<u32>)> {
        let mut texts: Vec<(&'t str, u32)> = Vec::new();
        for (at, &row) in self.catalogue.rows.iter().enumerate() {
            texts.extend(of(row as usize).into_iter().map(|text| (text, at as u32)));
        }
        order::by_text(&mut texts);
        let groups = texts.chunk_by(|left, right| left.0 == right.0);
        groups
            .map(|group| (group[0].0, group.iter().map(|(_, at)| *at).collect()))
            .collect()
    }

    fn values_of_texts(&mut self, groups: &[(&'t str, Vec<u32>)], kind: f64, has_negation: bool) {
        let repeated = groups.iter().filter(|(_, rows)| rows.len() >= VALUE_ROWS);
        let cost = kind + ln(repeated.clone().count().max(1) as f64);
        let mut values = Vec::new();
        for (text, rows) in repeated {
            let bits = bits::from_rows(rows.iter().copied(), self.catalogue.words());
            self.add(
                Question::Is(AttributeValue::Text(text)),
                has_negation,
                cost,
                &bits,
            );
            values.push((AttributeValue::Text(text), bits));
        }
        if SET_VALUES.contains(&values.len()) {
            self.catalogue.sets.push(AttributeValues {
                attribute: self.position,
                cost: self.cost + kind,
                values,
            });
        }
    }

    /// Adds the common beginnings of texts.
    fn prefixes(&mut self, groups: &[(&'t str, Vec<u32>)], kind: f64) {
        let counted = groups.iter().map(|(text, rows)| (*text, rows.len()));
        let prefixes = shared_prefixes(&counted.collect::<Vec<_>>());
        let cost = kind + ln(prefixes.len().max(1) as f64);
        for (prefix, ranks) in prefixes {
            let rows = groups[ranks].iter().flat_map(|(_, rows)| rows);
            let bits = bits::from_rows(rows.copied(), self.catalogue.words());
            self.add(Question::StartsWith(prefix), true, cost, &bits);
        }
    }

    /// Adds the common ends of texts.
    fn suffixes(&mut self, groups: &[(&'t str, Vec<u32>)], kind: f64) {
        let reversed = |text: &str| text.chars().rev().collect::<String>();
        let mut turned: Vec<(String, &(&'t str, Vec<u32>))> = groups
            .iter()
            .map(|group| (reversed(group.0), group))
            .collect();
        sort::by(&mut turned, |(left, _), (right, _)| left.cmp(right));
        let counted = turned
            .iter()
            .map(|(text, (_, rows))| (text.as_str(), rows.len()));
        let suffixes = shared_prefixes(&counted.collect::<Vec<_>>());
        let cost = kind + ln(suffixes.len().max(1) as f64);
        for (suffix, ranks) in suffixes {
            let (text, _) = turned[ranks.start].1;
            let suffix = &text[text.len() - suffix.len()..];
            let rows = turned[ranks].iter().flat_map(|(_, (_, rows))| rows);
            let bits = bits::from_rows(rows.copied(), self.catalogue.words());
            self.add(Question::EndsWith(suffix), true, cost, &bits);
        }
    }
}

/// Returns the prefixes that several of the sorted texts share, each once with its range of ranks.
/// They end where neighbouring texts diverge. The texts have the numbers of their rows.
fn shared_prefixes<'t>(groups: &[(&'t str, usize)]) -> Vec<(&'t str, Range<usize>)> {
    let mut prefixes: Vec<(&'t str, Range<usize>)> = Vec::new();
    // The prefixes that the current text shares with earlier ones: lengths and first ranks.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for rank in 1..=groups.len() {
        let common = match groups.get(rank) {
            Some((text, _)) => common_prefix(groups[rank - 1].0, text),
            None => 0,
        };
        let mut first = rank - 1;
        while let Some(&(length, start)) = open.last()
            && length > common
        {
            open.pop();
            first = start;
            let rows: usize = groups[start..rank].iter().map(|(_, rows)| rows).sum();
            if rows >= PREFIX_ROWS && rank - start < groups.len() {
                prefixes.push((&groups[start].0[..length], start..rank));
            }
        }
        if common > 0 && open.last().is_none_or(|(length, _)| *length < common) {
            open.push((common, first));
        }
    }
    prefixes
}

/// Sorts numbers by keys that are faster to compare.
fn sorted(numbers: Vec<(Number, u32)>) -> Vec<(Number, u32)> {
    let integers = numbers.iter().map(|(number, _)| number.as_i128());
    let keys: Option<Vec<i128>> = integers.collect();
    let keys = keys.unwrap_or_else(|| {
        let float = |(number, _): &(Number, u32)| order_of_float(number.as_f64());
        numbers.iter().map(float).collect()
    });
    let order = order::of_integers(&keys);
    order.into_iter().map(|at| numbers[at]).collect()
}

/// Maps a float to an integer of the same order; both zeros are equal.
fn order_of_float(float: f64) -> i128 {
    // This turns −0.0 into 0.0.
    let bits = (float + 0.0).to_bits() as i64;
    i128::from(if bits < 0 { i64::MIN - bits } else { bits })
}

/// Returns the cost of naming each constant, which represents `share` possible ones. Round ones are
/// cheaper.
fn costs_of_constants(notation: Notation, limits: &[Number], share: f64) -> Vec<f64> {
    const FEW: usize = 6;
    if limits.len() <= FEW {
        return vec![ln(limits.len().max(1) as f64); limits.len()];
    }
    let classes: Vec<usize> = limits.iter().map(|limit| class(notation, *limit)).collect();
    let mut counts = [0; 4];
    for class in &classes {
        counts[*class] += 1;
    }
    let in_use = counts.iter().filter(|count| **count > 0).count();
    let cost = |class: &usize| {
        let count = counts[*class] as f64;
        // There is only one 0, and as many fine constants as there are thresholds.
        let all = if *class == 3 { count * share } else { count };
        ln(in_use as f64) + ln(all.max(1.0))
    };
    classes.iter().map(cost).collect()
}
