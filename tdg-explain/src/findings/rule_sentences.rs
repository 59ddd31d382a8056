//! Sentences about the cases that changed.

use crate::rule::{Rule, Wording};
use crate::verb::Verb;
use crate::{Explanation, Side};

/// For fewer cases, it goes without saying that no pattern was found.
const QUIET: usize = 4;
/// With fewer cases, the sentence reminds of it.
const FEW: usize = 10;

/// Writes an explanation of some of `size` cases in sentences. `names_all` adds the verb where it
/// isn't obvious.
pub(super) fn wording(
    explanation: &Explanation,
    size: usize,
    verb: Verb,
    names_all: bool,
) -> Vec<String> {
    let sentences = Sentences {
        explanation,
        left_out: size.saturating_sub(explanation.rows),
        verb,
        names_all,
    };
    sentences.all()
}

/// An explanation with the verbs for its two sides.
struct Sentences<'a> {
    explanation: &'a Explanation,
    /// The number of cases that don't have the changed part on both sides.
    left_out: usize,
    verb: Verb,
    names_all: bool,
}

impl Sentences<'_> {
    fn all(&self) -> Vec<String> {
        let total = self.explanation.explained();
        match self.explanation.rules.as_slice() {
            // If all cases fail, the headline says so.
            _ if total == 0 && (!self.names_all || self.left_out > 0) => Vec::new(),
            _ if self.explanation.failing == 0 => Vec::new(),
            _ if total == 0 => vec![format!(
                "all {} cases {}",
                self.explanation.rows, self.verb.did
            )],
            [] if total < QUIET => self.shared().into_iter().collect(),
            [] => vec![self.shared().unwrap_or_else(|| self.silence())],
            rules if rules[0].wording == Wording::Tendency => {
                let shared = self.explanation.shared.as_ref().map(Rule::covered);
                let others = rules.iter().filter(|it| Some(it.covered()) != shared);
                let others = others.filter(|it| !self.is_implied(it));
                let tendencies = others.map(|rule| self.tendency(rule));
                let found: Vec<_> = self.shared().into_iter().chain(tendencies).collect();
                match found.is_empty() {
                    true => vec![self.silence()],
                    false => found,
                }
            }
            [rule] if rule.wording != Wording::Part => vec![self.only_rule(rule)],
            rules => {
                let mut sentences: Vec<String> = rules.iter().map(|rule| self.rule(rule)).collect();
                let shared = self.explanation.shared.as_ref().map(Rule::covered);
                let is_new = rules.iter().all(|it| Some(it.covered()) != shared);
                sentences.extend(self.shared().filter(|_| is_new));
                sentences.extend(self.rest(rules));
                sentences
            }
        }
    }

    fn silence(&self) -> String {
        format!("no rule was found for {}", self.subject())
    }

    /// Returns true if no case without this could change as it did.
    fn is_implied(&self, rule: &Rule) -> bool {
        matches!(
            (self.verb.did, &*rule.text),
            ("became an Err", "expected an Ok") | ("became an Ok", "expected an Err")
        )
    }

    /// Returns the verb for cases of the explained side.
    fn did(&self) -> &str {
        match self.explanation.side {
            Side::Failing => self.verb.did,
            Side::Passing => self.verb.did_not,
        }
    }

    /// Returns `the 37 cases that changed`.
    fn subject(&self) -> String {
        format!(
            "the {} cases that {}",
            self.explanation.explained(),
            self.did()
        )
    }

    /// Returns ` that changed`, unless `all` can only mean the changed cases.
    fn that(&self, did: &str) -> String {
        match self.names_all || self.explanation.side == Side::Passing {
            true => format!(" that {did}"),
            false => String::new(),
        }
    }

    /// Returns `all 37 have`, `35 of the 37 that changed have`, `a part: 12 of the 37 have`.
    fn share(&self, rule: &Rule) -> String {
        let (count, total) = (rule.rows.len(), self.explanation.explained());
        let that = self.that(self.did());
        let share = match count == total {
            true => format!("all {total}{that} have {rule}"),
            false => format!("{count} of the {total}{that} have {rule}"),
        };
        let share = match &rule.equivalent {
            Some(equivalent) => format!("{share}; equivalently {equivalent}"),
            None => share,
        };
        match rule.wording {
            Wording::Mostly => format!("mostly: {share}"),
            Wording::Perhaps => format!("perhaps: {share}"),
            Wording::Part => format!("a part: {share}"),
            _ => share,
        }
    }

    /// Returns `37 of 41 such cases changed`.
    fn such(&self, rule: &Rule) -> String {
        let covered = rule.rows.len() + rule.exceptions.len();
        format!("{} of {covered} such cases {}", rule.rows.len(), self.did())
    }

    /// Returns `; 257 with another outcome not counted`.
    fn others_left_out(&self) -> String {
        match self.left_out {
            0 => String::new(),
            left_out => format!("; {left_out} with another outcome not counted"),
        }
    }

    fn only_rule(&self, rule: &Rule) -> String {
        let covered = rule.rows.len() + rule.exceptions.len();
        let rest = self.explanation.explained() - rule.rows.len();
        let others = self.explanation.rows - covered;
        let (share, such) = (self.share(rule), self.such(rule));
        let few = match rule.wording == Wording::Perhaps && self.explanation.explained() < FEW {
            true => "; few cases",
            false => "",
        };
        let left_out = self.others_left_out();
        format!("{share}   ({such}, {rest} of the other {others}{left_out}{few})")
    }

    /// Returns `changed more often with quantity > 10   (30 of 200 such cases, …)`.
    fn tendency(&self, rule: &Rule) -> String {
        let covered = rule.rows.len() + rule.exceptions.len();
        let rest = self.explanation.explained() - rule.rows.len();
        format!(
            "{} more often with {rule}   ({} of {covered} such cases, {rest} of the other {}{}); \
             this is not the cause itself",
            self.did(),
            rule.rows.len(),
            self.explanation.rows - covered,
            self.others_left_out(),
        )
    }

    /// Returns `all 6 have n = 0   (6 of 20 such cases changed); that alone is not the cause`.
    fn shared(&self) -> Option<String> {
        let shared = self.explanation.shared.as_ref();
        let (rule, did) = (shared.filter(|it| !self.is_implied(it))?, self.verb.did);
        let that = self.that(did);
        let (count, such) = (rule.rows.len(), rule.rows.len() + rule.exceptions.len());
        Some(format!(
            "all {count}{that} have {rule}   ({count} of {such} such cases {did}{}); that alone is \
             not the cause",
            self.others_left_out(),
        ))
    }

    fn rule(&self, rule: &Rule) -> String {
        let left_out = self.others_left_out();
        format!("{}   ({}{left_out})", self.share(rule), self.such(rule))
    }

    /// Returns a sentence about the cases that no rule covers, if any.
    fn rest(&self, rules: &[Rule]) -> Option<String> {
        let rest = self.explanation.explained() - self.explanation.covered();
        let text = match rules {
            [rule, ..] if rule.wording == Wording::Part => {
                format!("no pattern found in the other {rest}")
            }
            [_, _] => format!("{rest} of them {} neither", have(rest)),
            _ => format!("{rest} of them {} none of these", have(rest)),
        };
        (rest > 0).then_some(text)
    }
}

fn have(count: usize) -> &'static str {
    if count == 1 { "has" } else { "have" }
}
