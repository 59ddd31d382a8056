//! Writes conditions in words.

use std::borrow::Cow;

use tdg_definition::calendar;
use tdg_definition::json::Number;

use super::attribute::{Attribute, AttributeWords, Measure, Notation};
use super::condition::{AttributeCondition, ConditionForm, Question};
use super::quoted_text::quoted;
use super::value::AttributeValue;

/// The maximum length of a text.
const LONGEST: usize = 60;

/// A condition in words, or a bound that may form an interval with another.
pub(super) enum Phrase {
    Whole(String),
    Bound(NumberBound),
}

/// A bound such as `quantity > 10`.
pub(super) struct NumberBound {
    subject: String,
    limit: String,
    is_lower: bool,
    is_strict: bool,
}

/// Joins phrases: `coupon = "HALF" and 10 < quantity <= 15`.
pub(super) fn join(phrases: Vec<Phrase>) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut phrases: Vec<Option<Phrase>> = phrases.into_iter().map(Some).collect();
    for index in 0..phrases.len() {
        let Some(phrase) = phrases[index].take() else {
            continue;
        };
        let other = phrases[index + 1..].iter_mut().find(|other| {
            other
                .as_ref()
                .is_some_and(|other| phrase.is_interval_with(other))
        });
        texts.push(match other.and_then(Option::take) {
            Some(other) => phrase.interval(&other),
            None => phrase.text(),
        });
    }
    texts.join(" and ")
}

impl Phrase {
    fn text(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Bound(bound) => {
                let sign = match (bound.is_lower, bound.is_strict) {
                    (true, true) => ">",
                    (true, false) => ">=",
                    (false, _) => bound.upper_sign(),
                };
                format!("{} {sign} {}", bound.subject, bound.limit)
            }
        }
    }

    fn is_interval_with(&self, other: &Self) -> bool {
        let (Self::Bound(one), Self::Bound(other)) = (self, other) else {
            return false;
        };
        one.subject == other.subject && one.is_lower != other.is_lower
    }

    fn interval(&self, other: &Self) -> String {
        let (Self::Bound(one), Self::Bound(other)) = (self, other) else {
            return self.text();
        };
        let (lower, upper) = match one.is_lower {
            true => (one, other),
            false => (other, one),
        };
        let signs = [lower, upper].map(NumberBound::upper_sign);
        let (subject, [first, second]) = (&one.subject, signs);
        format!("{} {first} {subject} {second} {}", lower.limit, upper.limit)
    }
}

impl NumberBound {
    fn upper_sign(&self) -> &'static str {
        if self.is_strict { "<" } else { "<=" }
    }
}

/// Writes a condition, or its negation, in words, with these column names.
pub(super) fn phrase(
    names: &[&str],
    attribute: &Attribute<'_>,
    condition: &AttributeCondition<'_>,
    is_negated: bool,
) -> Phrase {
    let words = &attribute.words;
    let said = |text: &Cow<'static, str>| match text {
        Cow::Borrowed(template) => fill(names, template, words),
        Cow::Owned(text) => text.clone(),
    };
    let subject = said(&words.is);
    let notation = match &attribute.measure {
        Measure::Number(notation, _) => *notation,
        _ => Notation::Number,
    };
    let bound = |limit: Number, is_lower: bool, is_strict: bool| {
        Phrase::Bound(NumberBound {
            subject: subject.clone(),
            limit: number(notation, limit),
            // The negation is the other side of the limit.
            is_lower: is_lower != is_negated,
            is_strict: is_strict != is_negated,
        })
    };
    if let Some(template) = plain_template(&words.is, &condition.question, is_negated) {
        return Phrase::Whole(fill(names, &template, words));
    }
    // For several texts, the words express the negation.
    let is_several = matches!(attribute.measure, Measure::Texts(_));
    let of_values = |values: &[AttributeValue<'_>], is_set: bool| {
        let words = if is_several && is_negated {
            &words.is_not
        } else {
            &words.is
        };
        let relation = relation(is_set, is_several, is_negated);
        format!("{} {relation}{}", said(words), shown(notation, values))
    };
    Phrase::Whole(match &condition.question {
        Question::AtMost(limit) => return bound(*limit, false, false),
        Question::Below(limit) => return bound(*limit, false, true),
        Question::Above(limit) => return bound(*limit, true, true),
        Question::From(limit) => return bound(*limit, true, false),
        Question::Holds if is_negated => said(&words.is_not),
        Question::Fails if !is_negated => said(&words.is_not),
        Question::Holds | Question::Fails => subject,
        Question::Is(value) => of_values(&[*value], false),
        Question::OneOf(values) => of_values(values, true),
        Question::StartsWith(prefix) => {
            let not = if is_negated { "not " } else { "" };
            format!("{subject} {not}starting with {}", shortly_quoted(prefix))
        }
        Question::EndsWith(suffix) => {
            let not = if is_negated { "not " } else { "" };
            format!("{subject} {not}ending with {}", shortly_quoted(suffix))
        }
    })
}

/// Returns the relation between a subject and its values.
fn relation(is_set: bool, is_several: bool, is_negated: bool) -> &'static str {
    match (is_set, is_several, is_negated) {
        (false, true, _) => "",
        (false, false, false) => "= ",
        (false, false, true) => "!= ",
        (true, _, false) => "one of ",
        (true, true, true) => "any of ",
        (true, false, true) => "none of ",
    }
}

fn shown(notation: Notation, values: &[AttributeValue<'_>]) -> String {
    let shown = |value: &AttributeValue<'_>| match value {
        AttributeValue::Number(value) => number(notation, *value),
        AttributeValue::Text(text) => shortly_quoted(text),
    };
    values.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Returns a plainer template for a condition than its attribute's.
fn plain_template(is: &str, question: &Question<'_>, is_negated: bool) -> Option<String> {
    let zero = Number::from(0);
    let not = if is_negated { "not " } else { "" };
    let is_empty = match question {
        Question::Is(AttributeValue::Number(number)) => *number == zero,
        Question::AtMost(limit) => *limit == zero,
        _ => false,
    };
    if is == "length of {0}" && is_empty {
        return Some(format!("{{0}} {not}empty"));
    }
    let place = is.strip_prefix("kind of the ")?;
    let does = match place.starts_with("first") {
        true => "starting",
        false => "ending",
    };
    let kinds: Vec<&str> = match question {
        Question::Is(AttributeValue::Text(kind)) => vec![kind],
        Question::OneOf(kinds) => kinds.iter().filter_map(|kind| kind.text()).collect(),
        _ => return None,
    };
    Some(format!("{{0}} {not}{does} with {}", kinds.join(" or ")))
}

/// Returns the form of a condition, by the template of its attribute.
pub(super) fn form(template: &str, question: &Question<'_>) -> ConditionForm {
    let template = template.strip_prefix("length of ").unwrap_or(template);
    let is_sign = |word: &str| ["<", "<=", ">", ">=", "=", "!="].contains(&word);
    match template.split(' ').collect::<Vec<_>>()[..] {
        ["{0}"] => match question {
            Question::OneOf(_) | Question::StartsWith(_) | Question::EndsWith(_) => {
                ConditionForm::Property
            }
            _ => ConditionForm::Constant,
        },
        ["{0}", sign, "{1}"] if is_sign(sign) => ConditionForm::Comparison,
        ["{0}", sign, _] if is_sign(sign) => ConditionForm::Constant,
        _ => ConditionForm::Property,
    }
}

/// Fills the names of the columns, and the factor, into a template.
fn fill(names: &[&str], template: &str, words: &AttributeWords) -> String {
    let names: Vec<&str> = words.columns.iter().map(|column| names[*column]).collect();
    let name = |at: usize| names.get(at).copied().unwrap_or_default();
    // In one pass, since a name may look like a placeholder.
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (key, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        match key {
            "all" => text.push_str(&list(&names)),
            "rest" => text.push_str(&list(names.get(1..).unwrap_or_default())),
            "k" => text.push_str(&words.factor.to_string()),
            "1" => text.push_str(name(1)),
            "2" => text.push_str(name(2)),
            _ => text.push_str(name(0)),
        }
        rest = after;
    }
    text + rest
}

/// Returns `a, b and c`.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Writes a constant. A time may omit its end: `2024-03-01` is the beginning of that day.
fn number(notation: Notation, number: Number) -> String {
    const DAY: i128 = 86_400;
    const WEEKDAYS: [&str; 7] = [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
    ];
    let integer = number.as_i128().unwrap_or_default();
    let mut text = String::new();
    match notation {
        Notation::Date => calendar::write_date(&mut text, integer as i64),
        Notation::DateTime if integer % DAY == 0 => {
            calendar::write_date(&mut text, integer.div_euclid(DAY) as i64)
        }
        Notation::DateTime => calendar::write_datetime(&mut text, integer as i64),
        Notation::Weekday => text.push_str(WEEKDAYS[(integer - 1).clamp(0, 6) as usize]),
        Notation::Number | Notation::Code => text = short(number),
    }
    text
}

/// Omits `.0`, since it is compared with integers and floats alike.
fn short(number: Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Quotes a text, cut if it is long.
fn shortly_quoted(text: &str) -> String {
    let mut quoted = quoted(text);
    if let Some((end, _)) = quoted.char_indices().nth(LONGEST) {
        quoted.truncate(end);
        quoted.push('…');
    }
    quoted
}
