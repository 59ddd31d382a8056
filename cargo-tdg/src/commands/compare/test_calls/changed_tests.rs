//! The tests that pass on one side only.

use std::collections::BTreeSet;

use tdg_engine::text::{shorten, shorten_apart};

use super::run::RecordedRun;

/// The maximum width of a failure, and of each operand.
const WIDTH: usize = 110;

/// A test that fails on one side alone, without a changed call.
pub(super) struct ChangedTest {
    pub(super) name: String,
    /// The failure on each side.
    pub(super) failures: [Option<String>; 2],
}

impl ChangedTest {
    /// Describes its result on each side, with the operands of an assertion on separate lines.
    pub(super) fn results(&self) -> [String; 2] {
        self.failures.each_ref().map(|failure| match failure {
            Some(message) => described(message),
            None => "passed".to_owned(),
        })
    }

    /// Returns the messages on one line each.
    pub(super) fn messages(&self) -> [Option<String>; 2] {
        let line = |it: &String| it.replace('\n', " ");
        self.failures.each_ref().map(|it| it.as_ref().map(line))
    }
}

fn described(message: &str) -> String {
    let line = |text: &str| text.replace('\n', " ");
    let operands = message.split_once("\nleft: ");
    let operands = operands.and_then(|(head, it)| Some((head, it.split_once("\nright: ")?)));
    let Some((head, (left, right))) = operands else {
        return shorten(&line(message), WIDTH);
    };
    let [left, right] = [left, right].map(line);
    let [left, right] = shorten_apart([&left, &right], [WIDTH; 2]);
    let head = shorten(&line(head), WIDTH);
    format!("{head}\n      left:  {left}\n      right: {right}")
}

/// Returns the tests that no changed call explains, and the number of the others.
pub(super) fn changed_tests(
    runs: [&RecordedRun; 2],
    again: [&RecordedRun; 2],
    explained: &BTreeSet<&str>,
) -> (Vec<ChangedTest>, usize) {
    let mut tests = Vec::new();
    let mut others = 0;
    for (name, then) in &runs[0].results {
        let Some(now) = runs[1].results.get(name) else {
            continue;
        };
        let is_failure = |run: &RecordedRun| run.results.get(name).map(Option::is_some);
        let is_stable = (0..2).all(|side| is_failure(runs[side]) == is_failure(again[side]));
        if then.is_some() == now.is_some() || !is_stable {
            continue;
        }
        if explained.contains(name.as_str()) {
            others += 1;
        } else {
            tests.push(ChangedTest {
                name: name.clone(),
                failures: [then.clone(), now.clone()],
            });
        }
    }
    (tests, others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_operands_show_where_they_differ() {
        let items = "10, ".repeat(60);
        let message = format!(
            "assertion `left == right` failed: of\n{items}\nleft: [{items}1]\nright: [{items}2]"
        );
        let test = ChangedTest {
            name: "sums".to_owned(),
            failures: [None, Some(message.clone())],
        };
        let [before, after] = test.results();
        assert_eq!(before, "passed");
        let lines: Vec<&str> = after.lines().collect();
        let [head, left, right] = lines[..] else {
            panic!("{after}");
        };
        assert!(
            head.starts_with("assertion `left == right` failed: of 10, "),
            "{head}"
        );
        assert!(
            left.starts_with("      left:  …") && left.ends_with(", 1]"),
            "{left}"
        );
        assert!(
            right.starts_with("      right: …") && right.ends_with(", 2]"),
            "{right}"
        );
        assert!(
            lines.iter().all(|it| it.chars().count() <= WIDTH + 13),
            "{after}"
        );
        assert_eq!(test.messages()[1], Some(message.replace('\n', " ")));
    }
}
