//! Outputs that don't meet the test's requirements.

use tdg_definition::json::{Object, Pointer, Value};
use tdg_definition::policy::fields_at;
use tdg_definition::{Requirement, nearest, sort};

use super::hints::Hints;
use super::{Section, WIDTH, counted, finding_lines, more};
use tdg_engine::generate::Vectors;
use tdg_engine::output::refusal;
use tdg_engine::text::{amount, percent};
use tdg_engine::text::{escape, shorten, wrap};

/// The maximum number of requirements shown.
const REQUIREMENTS: usize = 3;
/// The maximum number of outputs in which a field is searched for.
const SEARCHED: usize = 100;
/// The maximum number of values named.
const VALUES: usize = 4;
/// The width of a condition.
const CONDITION_WIDTH: usize = 48;
/// The width of a named value.
const VALUE_WIDTH: usize = 24;

/// Outputs that don't meet the test's requirements.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmet {
    /// The number of cases.
    pub size: usize,
    /// The requirements that aren't met.
    pub requirements: Vec<UnmetRequirement>,
}

/// A requirement, and the outputs that don't meet it.
#[derive(Clone, Debug, PartialEq)]
pub struct UnmetRequirement {
    /// The test's requirement.
    pub requirement: Requirement,
    /// The number of cases that meet the condition.
    pub count: usize,
    /// The number of cases whose output has the field.
    pub present: usize,
    /// The common properties of the cases that meet the condition, or the values of the field if no
    /// case does.
    pub findings: Vec<String>,
}

/// A function that returns the common properties of some cases, one sentence each.
pub type FindingsOfCases = fn(&Vectors, &[usize]) -> Vec<String>;

impl Unmet {
    /// Checks the outputs, one for each row, and returns `None` if they meet every requirement. A
    /// condition on a field that no output has is never met. Rows that aren't inputs are left out.
    /// `findings` describes the cases that meet a condition.
    pub fn check(
        requirements: &[Requirement],
        vectors: &Vectors,
        outputs: &[Value],
        findings: FindingsOfCases,
    ) -> Option<Self> {
        if outputs.iter().any(|output| refusal(output).is_some()) {
            let inputs = outputs.iter().enumerate();
            let inputs = inputs.filter(|(_, output)| refusal(output).is_none());
            let (rows, outputs): (Vec<_>, Vec<_>) =
                inputs.map(|(row, it)| (row, it.clone())).unzip();
            return Self::check(requirements, &vectors.gather(&rows), &outputs, findings);
        }
        let unmet = requirements
            .iter()
            .filter_map(|it| UnmetRequirement::check(it, vectors, outputs, findings));
        let unmet: Vec<_> = unmet.collect();
        (!unmet.is_empty()).then_some(Self {
            size: outputs.len(),
            requirements: unmet,
        })
    }

    /// Returns sentences such as `12 of 500 cases (2.4 %) have /refund > 0; at least 5 % should`.
    pub fn sentences(&self) -> Vec<String> {
        let unmet = self.requirements.iter();
        unmet.map(|unmet| unmet.sentence(self.size)).collect()
    }

    pub(super) fn text(&self) -> (String, Vec<Section>) {
        let mut sections: Vec<Section> = Vec::new();
        for (index, unmet) in self.requirements.iter().take(REQUIREMENTS).enumerate() {
            if index > 0 {
                sections.push(wrap(&unmet.sentence(self.size), WIDTH, 2));
            }
            sections.push(finding_lines(&unmet.findings));
        }
        if self.requirements.len() > REQUIREMENTS {
            let rest = self.requirements.len() - REQUIREMENTS;
            sections.push(vec![format!("… and {}", more(rest, "requirement"))]);
        }
        let mut hints = Hints::default();
        let first = self.requirements.first();
        hints.add(
            "fix:",
            match first {
                Some(unmet) if unmet.present == 0 => "name a field that the outputs have",
                Some(unmet) if unmet.is_too_few(self.size) => {
                    "let the definition draw more such rows, or lower at_least"
                }
                _ => "let the definition draw fewer such rows, or raise at_most",
            },
        );
        hints.add("", "this run recorded nothing");
        sections.push(hints.lines());
        (self.headline(), sections)
    }

    pub(super) fn headline(&self) -> String {
        let first = self.requirements.first();
        let headline = first.map(|unmet| unmet.sentence(self.size));
        headline.unwrap_or_default()
    }
}

impl UnmetRequirement {
    fn check(
        requirement: &Requirement,
        vectors: &Vectors,
        outputs: &[Value],
        findings: FindingsOfCases,
    ) -> Option<Self> {
        let condition = requirement.condition();
        let holds: Vec<Option<bool>> = outputs.iter().map(|it| condition.holds(it)).collect();
        let present = holds.iter().flatten().count();
        let holding = holds.iter().enumerate();
        let holding = holding.filter(|(_, holds)| **holds == Some(true));
        let cases: Vec<usize> = holding.map(|(case, _)| case).collect();
        let is_absent = present == 0 && (condition.compares() || requirement.at_least().is_some());
        if !is_absent && requirement.is_met(cases.len(), outputs.len()) {
            return None;
        }
        let findings = match cases.len() {
            0 if is_absent => did_you_mean(condition.field(), outputs),
            0 => vec![values(condition.field(), outputs)],
            all if all == outputs.len() => Vec::new(),
            _ => findings(vectors, &cases),
        };
        Some(Self {
            requirement: requirement.clone(),
            count: cases.len(),
            present,
            findings,
        })
    }

    fn is_too_few(&self, size: usize) -> bool {
        let share = self.count as f64 / size.max(1) as f64;
        self.requirement
            .at_least()
            .is_some_and(|least| share < least)
    }

    fn sentence(&self, size: usize) -> String {
        let condition = self.requirement.condition();
        let field = condition.field();
        let text = match field.is_root() {
            true => format!("an output {condition}"),
            false => condition.to_string(),
        };
        let text = shorten(&escape(&text), CONDITION_WIDTH);
        let shares = [
            ("at least", self.requirement.at_least()),
            ("at most", self.requirement.at_most()),
        ];
        let shares = shares.into_iter();
        let shares =
            shares.filter_map(|(word, share)| Some(format!("{word} {} %", amount(share? * 100.0))));
        let shares: Vec<String> = shares.collect();
        let should = format!("{} should", shares.join(" and "));
        if self.present == 0 {
            let field = shorten(&escape(&field.to_string()), VALUE_WIDTH);
            return format!("no output has a field {field}; {should} have {text}");
        }
        let cases = counted(size, "case");
        match self.count {
            0 => format!("none of the {cases} has {text}; {should}"),
            count => {
                let share = percent(count as f64 / size as f64);
                let verb = if count == 1 { "has" } else { "have" };
                format!("{count} of {cases} ({share}) {verb} {text}; {should}")
            }
        }
    }
}

/// Suggests the field that was probably meant.
fn did_you_mean(field: &Pointer, outputs: &[Value]) -> Vec<String> {
    let mut fields = Object::new();
    for output in outputs.iter().take(SEARCHED) {
        collect(output, &mut Pointer::root(), &mut fields);
    }
    if let Some(near) = nearest(&field.to_string(), fields.keys().map(String::as_str)) {
        return vec![format!("did you mean {}?", escape(near))];
    }
    let names: Vec<_> = fields.keys().map(|name| escape(name)).collect();
    vec![match names.is_empty() {
        true => "the outputs have no fields; for the output itself, write \"> 0\"".to_owned(),
        false => shorten(&format!("the outputs have {}", names.join(", ")), WIDTH),
    }]
}

/// Collects the places of all object members as keys.
fn collect(value: &Value, at: &mut Pointer, fields: &mut Object) {
    for (key, member) in value.as_object().into_iter().flat_map(|it| it.iter()) {
        at.push(key);
        fields.insert(at.to_string(), Value::Null);
        collect(member, at, fields);
        at.pop();
    }
}

/// Describes a field's values: `/refund is from −3 to 0`, `/status is always "ok"`.
fn values(field: &Pointer, outputs: &[Value]) -> String {
    let values = outputs.iter().flat_map(|output| fields_at(field, output));
    let values: Vec<&Value> = values.collect();
    let name = match field.is_root() {
        true => "the output".to_owned(),
        false => escape(&field.to_string()),
    };
    let numbers: Option<Vec<f64>> = values.iter().map(|value| value.as_f64()).collect();
    if let Some(numbers) = numbers.filter(|numbers| numbers.iter().all(|it| it.is_finite())) {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        return match least == most {
            true => format!("{name} is always {}", amount(most)),
            false => format!("{name} is from {} to {}", amount(least), amount(most)),
        };
    }
    let mut texts: Vec<String> = values.iter().map(|value| value.to_string()).collect();
    sort::by(&mut texts, |one, other| one.cmp(other));
    let equal = texts.chunk_by(|one, other| one == other);
    let mut counts: Vec<(&String, usize)> = equal.map(|it| (&it[0], it.len())).collect();
    sort::by(&mut counts, |one, other| other.1.cmp(&one.1));
    let share = |(value, count): &(&String, usize)| {
        let share = percent(*count as f64 / values.len() as f64);
        format!("{} in {share}", shorten(&escape(value), VALUE_WIDTH))
    };
    let named: Vec<String> = counts.iter().take(VALUES).map(share).collect();
    let rest = match counts.len().saturating_sub(VALUES) {
        0 => String::new(),
        rest => format!(", and {}", more(rest, "value")),
    };
    format!("{name} is {}{rest}", named.join(", "))
}
