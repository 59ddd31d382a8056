//! Rules: the terms of a description, in words and with the rows that they cover.

use std::fmt;

use tdg_definition::json::Value;
use tdg_definition::sort;

use super::attribute::{Attribute, Measure, Notation};
use super::catalogue::Catalogue;
use super::common_text;
use super::condition::{AttributeCondition, ConditionForm, Literal, Question};
use super::condition_text::{form, join, phrase};
use super::families::CONTAINING;
use super::score::FEW;
use super::search::{Description, Term};
use super::table::ExplanationTable;
use super::value::AttributeValue;

/// A description of rows, and its accuracy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The conditions that a covered row meets: `coupon = "HALF" and quantity > 10`.
    pub text: String,
    /// The conditions, the most informative one first.
    pub conditions: Vec<RuleCondition>,
    /// Equivalent conditions about expected outputs, in fewer words.
    pub equivalent: Option<String>,
    /// The degree of trust.
    pub wording: Wording,
    /// The covered rows on the explained [side](super::Side), in order.
    pub rows: Vec<usize>,
    /// The covered rows of the other side.
    pub exceptions: Vec<usize>,
    /// The covered rows that are not known to fail or pass.
    pub unknown: Vec<usize>,
}

/// The subject of a condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleCondition {
    /// The names of the features and of the fields of expected outputs, each once.
    pub features: Vec<String>,
    /// The form of the condition.
    pub form: ConditionForm,
}

/// The degree of trust in a rule.
///
/// It depends on F1, which measures how well all rules together separate the rarer side from the
/// other: the harmonic mean of the share of covered rows that are on that side, and the share of
/// that side that is covered. docs/explanation/explanations.md has the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Wording {
    /// F1 is at least 0.95 (0.97 for contents of lists), even with one more error if there are any,
    /// and the rarer side has at least eight rows.
    Sure,
    /// F1 is at least 0.9 (0.95 for contents of lists).
    Mostly,
    /// The rule covers exactly the explained rows, but they are few, or a condition may be chance.
    /// Or only an experiment could confirm it.
    Perhaps,
    /// The covered rows are nearly all on the explained side, but it has others.
    Part,
    /// Covered rows are more often on the explained side than others. That isn't the cause itself.
    Tendency,
}

impl Rule {
    /// Returns the names of the features and of the fields of expected outputs in the conditions.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        let conditions = self.conditions.iter();
        conditions.flat_map(|it| it.features.iter().map(String::as_str))
    }

    /// Returns all covered rows, in order.
    pub fn covered(&self) -> Vec<usize> {
        let all = [&self.rows, &self.exceptions, &self.unknown];
        let mut covered: Vec<usize> = all.into_iter().flatten().copied().collect();
        sort::by(&mut covered, Ord::cmp);
        covered
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Writes the terms of a description as rules.
pub(super) struct RuleWriter<'a, 't> {
    pub(super) table: &'t ExplanationTable<'t>,
    pub(super) attributes: &'a [Attribute<'t>],
    pub(super) catalogue: &'a Catalogue<'a, 't>,
    /// True for each row on the explained side; `None` if unknown.
    pub(super) is_inside: &'a [Option<bool>],
}

impl<'t> RuleWriter<'_, 't> {
    /// Returns the rules of a description worth showing, the one with most rows first, each
    /// rewritten by `instead`.
    pub(super) fn rules(
        &self,
        description: &Description,
        instead: impl Fn(&Term, Rule) -> Rule,
    ) -> Vec<Rule> {
        let of_terms = description.terms.iter();
        let of_terms = of_terms.map(|term| instead(term, self.rule(term)));
        let words = self.of_two_words(description);
        let mut rules: Vec<Rule> = words.unwrap_or_else(|| of_terms.collect());
        tdg_definition::sort::by_key(&mut rules, |rule| std::cmp::Reverse(rule.rows.len()));
        let literals = description.terms.iter().flat_map(|term| &term.literals);
        let is_of_lists = literals
            .map(|literal| &self.catalogue.conditions[literal.condition as usize])
            .any(|condition| self.attributes[condition.attribute].lengths.is_some());
        worded(rules, self.is_inside, is_of_lists)
    }

    /// Returns the rule of a description in one term that may be chance.
    pub(super) fn hedged(&self, description: &Description) -> Vec<Rule> {
        let rules = description.terms.iter().map(|term| Rule {
            wording: Wording::Perhaps,
            ..self.rule(term)
        });
        rules.collect()
    }

    /// Returns the number of rows on the explained side.
    #[cfg(feature = "full")]
    pub(super) fn count_inside(&self) -> usize {
        self.is_inside
            .iter()
            .filter(|it| **it == Some(true))
            .count()
    }

    fn holds(&self, literal: &Literal, row: usize) -> bool {
        let condition = &self.catalogue.conditions[literal.condition as usize];
        let attribute = &self.attributes[condition.attribute];
        condition.holds(attribute, row, literal.is_negated)
    }

    pub(super) fn covers(&self, term: &Term, row: usize) -> bool {
        term.literals.iter().all(|literal| self.holds(literal, row))
    }

    /// Returns the share of explained rows among the rows that satisfy a condition.
    fn share_inside(&self, literal: &Literal) -> f64 {
        let mut counts = [0.0; 2];
        for (row, is_inside) in self.is_inside.iter().enumerate() {
            if let Some(is_inside) = is_inside
                && self.holds(literal, row)
            {
                counts[usize::from(*is_inside)] += 1.0;
            }
        }
        counts[1] / (counts[0] + counts[1])
    }

    /// Returns the rules of two words, if a letter that both contain is the description.
    fn of_two_words(&self, description: &Description) -> Option<Vec<Rule>> {
        let [term] = description.terms.as_slice() else {
            return None;
        };
        let [literal] = term.literals.as_slice() else {
            return None;
        };
        let (letter, texts) = self.texts_with(literal).filter(|_| !literal.is_negated)?;
        let known: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
        let words = common_text::two_words(&known, letter)?;
        let rules = words.map(|word| {
            let mut condition = self.catalogue.conditions[literal.condition as usize].clone();
            condition.question = Question::Is(AttributeValue::Text(word));
            let attribute = &self.attributes[condition.attribute];
            let phrase = phrase(&self.table.names(), attribute, &condition, false);
            let with_word = texts.iter().filter(|(_, text)| text.contains(word));
            let with_word: Vec<usize> = with_word.map(|(row, _)| *row).collect();
            let mut rule = self.rule(term);
            rule.text = join(vec![phrase]);
            for rows in [&mut rule.rows, &mut rule.exceptions, &mut rule.unknown] {
                rows.retain(|row| with_word.binary_search(row).is_ok());
            }
            rule
        });
        Some(rules.into())
    }

    /// Returns a text that a condition asks for, and the rows that contain it, with their texts.
    fn texts_with(&self, literal: &Literal) -> Option<(&'t str, Vec<(usize, &'t str)>)> {
        let condition = &self.catalogue.conditions[literal.condition as usize];
        let Question::Is(AttributeValue::Text(part)) = condition.question else {
            return None;
        };
        let words = &self.attributes[condition.attribute].words;
        let column = &self.table.columns[*words.columns.first()?];
        let rows = 0..self.is_inside.len();
        let texts = rows.filter_map(|row| Some((row, column.text(row)?)));
        let texts: Vec<_> = texts.filter(|(_, text)| text.contains(part)).collect();
        (words.is == CONTAINING && texts.len() >= FEW).then_some((part, texts))
    }

    /// Returns the condition in plain form for the known rows, and true if it is negated.
    fn plainly(&self, literal: &Literal) -> (AttributeCondition<'t>, bool) {
        let mut condition = self.catalogue.conditions[literal.condition as usize].clone();
        if let Some((part, texts)) = self.texts_with(literal) {
            let texts: Vec<&str> = texts.into_iter().map(|(_, text)| text).collect();
            let longest = common_text::longest(&texts, part);
            let of_code = self.table.constants.iter().filter_map(Value::as_str);
            let of_code = of_code.filter(|it| it.contains(part) && longest.contains(it));
            let plain = of_code.max_by_key(|it| it.len()).unwrap_or(longest);
            condition.question = Question::Is(AttributeValue::Text(plain));
        }
        if let Measure::Number(notation, of) = &self.attributes[condition.attribute].measure {
            let has_few = matches!(notation, Notation::Code | Notation::Weekday);
            let known = (0..self.is_inside.len()).filter(|row| self.is_inside[*row].is_some());
            let plain =
                (condition.question).plainly(literal.is_negated, has_few, known.filter_map(of));
            if let Some(plain) = plain {
                condition.question = plain;
                return (condition, false);
            }
        }
        (condition, literal.is_negated)
    }

    /// Writes a term as a rule, with the rows that it covers.
    pub(super) fn rule(&self, term: &Term) -> Rule {
        let mut literals = term.literals.clone();
        let condition = |literal: &Literal| &self.catalogue.conditions[literal.condition as usize];
        // The most informative one comes first.
        tdg_definition::sort::by(&mut literals, |left, right| {
            self.share_inside(right).total_cmp(&self.share_inside(left))
        });
        let names = self.table.names();
        let plain = literals.iter().map(|literal| self.plainly(literal));
        let phrases = with_strict_limits(plain.collect()).into_iter();
        let phrases = phrases.map(|(condition, is_negated)| {
            let attribute = &self.attributes[condition.attribute];
            phrase(&names, attribute, &condition, is_negated)
        });
        let conditions = literals.iter().map(|literal| {
            let condition = condition(literal);
            let words = &self.attributes[condition.attribute].words;
            let mut features: Vec<String> = Vec::new();
            for name in words.columns.iter().map(|it| self.table.subject(*it)) {
                if !features.iter().any(|other| other == name) {
                    features.push(name.to_owned());
                }
            }
            RuleCondition {
                features,
                form: form(&words.is, &condition.question),
            }
        });
        let rule = Rule {
            text: join(phrases.collect()),
            conditions: conditions.collect(),
            equivalent: None,
            wording: Wording::Tendency,
            rows: Vec::new(),
            exceptions: Vec::new(),
            unknown: Vec::new(),
        };
        self.with_rows(rule, term)
    }

    /// Adds the rows that the term covers.
    fn with_rows(&self, mut rule: Rule, term: &Term) -> Rule {
        for (row, is_inside) in self.is_inside.iter().enumerate() {
            if self.covers(term, row) {
                let covered = match is_inside {
                    Some(true) => &mut rule.rows,
                    Some(false) => &mut rule.exceptions,
                    None => &mut rule.unknown,
                };
                covered.push(row);
            }
        }
        rule
    }
}

/// Merges `n >= 90` and `n != 90` to `n > 90`, and of integers, `n > 90` and `n != 91` to `n > 91`.
fn with_strict_limits(
    mut conditions: Vec<(AttributeCondition<'_>, bool)>,
) -> Vec<(AttributeCondition<'_>, bool)> {
    for at in 0..conditions.len() {
        let (condition, is_negated) = &conditions[at];
        let Some((strict, limit)) = condition.question.strictly(*is_negated) else {
            continue;
        };
        let attribute = condition.attribute;
        let is_limit = |(other, is_negated): &(AttributeCondition<'_>, bool)| {
            let Question::Is(AttributeValue::Number(value)) = &other.question else {
                return false;
            };
            // Between floats, there are others.
            let is_limit =
                *value == limit && (!value.is_float() || condition.question.limit() == Some(limit));
            *is_negated && is_limit && other.attribute == attribute
        };
        if let Some(excluded) = conditions.iter().position(is_limit) {
            conditions[at].0.question = strict;
            conditions[at].1 = false;
            conditions.remove(excluded);
            return with_strict_limits(conditions);
        }
    }
    conditions
}

/// Sets the wording of the rules and removes those not worth showing.
fn worded(mut rules: Vec<Rule>, is_inside: &[Option<bool>], is_of_lists: bool) -> Vec<Rule> {
    // More can be said about the contents of lists, so more of it is nearly right by chance.
    let [sure, mostly] = if is_of_lists {
        [0.97, 0.95]
    } else {
        [0.95, 0.9]
    };
    const PRECISE: f64 = 0.9;
    const LEAST: f64 = 0.5;
    // A threshold from fewer rows is a guess. So is a part of them.
    const ROWS: usize = 8;
    let count = |side: bool| {
        is_inside
            .iter()
            .filter(|is_inside| **is_inside == Some(side))
            .count()
    };
    let is_supported = count(true).min(count(false)) >= ROWS;
    let [f1, at_least] = f1_of_rarer_side(&rules, is_inside);
    let is_precise = |rule: &Rule| {
        rule.rows.len() as f64 >= PRECISE * (rule.rows.len() + rule.exceptions.len()) as f64
    };
    let wording = if at_least >= sure && is_supported {
        Wording::Sure
    } else if at_least >= sure {
        Wording::Perhaps
    } else if f1 >= mostly {
        Wording::Mostly
    } else if count(true) >= ROWS && rules.iter().any(is_precise) {
        rules.retain(is_precise);
        Wording::Part
    } else if f1 >= LEAST {
        Wording::Tendency
    } else {
        return Vec::new();
    };
    for rule in &mut rules {
        rule.wording = wording;
    }
    rules
}

/// Returns how well all rules together separate the rarer side from the other, and the same with
/// one more error if there are any, which matters for few rows.
fn f1_of_rarer_side(rules: &[Rule], is_inside: &[Option<bool>]) -> [f64; 2] {
    let mut is_covered = vec![false; is_inside.len()];
    for row in rules
        .iter()
        .flat_map(|rule| rule.rows.iter().chain(&rule.exceptions))
    {
        is_covered[*row] = true;
    }
    // The numbers of rows, by whether they are covered and whether they are inside.
    let mut counts = [[0.0_f64; 2]; 2];
    for (is_covered, is_inside) in is_covered.iter().zip(is_inside) {
        if let Some(is_inside) = is_inside {
            counts[usize::from(*is_covered)][usize::from(*is_inside)] += 1.0;
        }
    }
    let [[outside, missed], [wrong, found]] = counts;
    let right = if found + missed > outside + wrong {
        outside
    } else {
        found
    };
    let errors: f64 = missed + wrong;
    [errors, errors + errors.min(1.0)].map(|errors| 2.0 * right / (2.0 * right + errors).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_without_a_number_is_strict() {
        let merged = |conditions: &[(Question<'static>, bool)]| -> Vec<Question<'static>> {
            let conditions = conditions.iter().map(|(question, is_negated)| {
                let condition = AttributeCondition {
                    attribute: 0,
                    question: question.clone(),
                    has_negation: true,
                    cost: 0.0,
                };
                (condition, *is_negated)
            });
            let merged = with_strict_limits(conditions.collect()).into_iter();
            merged.map(|(condition, _)| condition.question).collect()
        };
        let is = |number: f64| (Question::Is(AttributeValue::Number(number.into())), true);
        let is_integer = |number: i32| (Question::Is(AttributeValue::Number(number.into())), true);
        let from = (Question::From(90.into()), false);
        assert_eq!(
            merged(&[from, is_integer(90)]),
            [Question::Above(90.into())]
        );
        let above = (Question::Above(90.into()), false);
        assert_eq!(
            merged(&[above, is_integer(91)]),
            [Question::Above(91.into())]
        );
        let most = (Question::AtMost(0.5.into()), false);
        assert_eq!(merged(&[most, is(0.5)]), [Question::Below(0.5.into())]);
        let above = (Question::Above(0.5.into()), false);
        assert_eq!(merged(&[above, is(1.5)]).len(), 2);
    }
}
