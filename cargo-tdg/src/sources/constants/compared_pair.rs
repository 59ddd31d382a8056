//! The distances at which code compares two values with each other.

use std::collections::BTreeSet;
use std::mem;

use proc_macro2::{TokenStream, TokenTree};

use super::compared_constants::{
    WindowEnd, add_variables, calls_in, is_comparison, trees, windows,
};
use super::{CodeConstants, FunctionConstants};
use crate::sources::tokens::{identifiers, is_punct, names};

/// The maximum depth of calls that values are followed into.
const DEPTH: usize = 3;
/// Words in the names of methods that compare two values, or subtract one from the other.
const COMPARING: [&str; 12] = [
    "cmp", "eq", "ne", "lt", "le", "gt", "ge", "min", "max", "diff", "since", "sub",
];
/// The longest distance, about 300 years in seconds.
const FARTHEST: i128 = 10_000_000_000;
/// Units of time by a word of a name, in seconds.
const UNITS: [(&str, i64); 4] = [
    ("week", 604_800),
    ("day", 86_400),
    ("hour", 3600),
    ("minute", 60),
];

/// The constants in comparisons of two values with each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ComparedPair {
    pub(crate) constants: CodeConstants,
    /// The units of time that the comparisons name, in seconds.
    units: BTreeSet<i64>,
}

impl ComparedPair {
    /// Returns the distances between whole numbers, from both sides.
    pub(crate) fn integers(&self) -> Vec<i128> {
        self.distances(1)
    }

    /// Returns the distances between floats, from both sides.
    pub(crate) fn floats(&self) -> Vec<f64> {
        let integers = self.constants.integers.iter().map(|it| *it as f64);
        let mut distances = vec![0.0];
        for distance in self.constants.floats.iter().copied().chain(integers) {
            distances.extend([distance, -distance]);
        }
        distances
    }

    /// Returns the distances between times, from both sides. A step is a number of seconds.
    pub(crate) fn times(&self, step: i64) -> Vec<i128> {
        let unit = self.units.last().copied().unwrap_or(step).max(step);
        self.distances(i128::from(unit / step))
    }

    /// Returns 0, 1 and the constants in steps, and their negatives.
    fn distances(&self, steps: i128) -> Vec<i128> {
        let constants = self.constants.integers.iter();
        let distances = constants.filter_map(|it| it.checked_abs()?.checked_mul(steps));
        let distances = distances.filter(|it| *it <= FARTHEST);
        [0, 1]
            .into_iter()
            .chain(distances)
            .flat_map(|it| [it, -it])
            .collect()
    }
}

impl FunctionConstants<'_> {
    /// Returns the distances at which a function compares two parameters with each other; `None`
    /// if it doesn't.
    pub(crate) fn compared_pair(&self, function: usize, pair: [&str; 2]) -> Option<ComparedPair> {
        let mut search = PairSearch {
            of: self,
            known: Default::default(),
            found: None,
            depth: DEPTH,
            searched: BTreeSet::new(),
        };
        search.function(function, pair);
        search.found
    }
}

/// A search through the code of a function.
struct PairSearch<'c, 's> {
    of: &'c FunctionConstants<'s>,
    /// The names of both values and of values made from them.
    known: [BTreeSet<String>; 2],
    found: Option<ComparedPair>,
    /// The depth of calls to follow.
    depth: usize,
    /// Functions and their parameters for the values.
    searched: BTreeSet<(usize, [String; 2])>,
}

impl PairSearch<'_, '_> {
    /// Searches a function once for each pair of its parameters.
    fn function(&mut self, function: usize, pair: [&str; 2]) {
        let pair = pair.map(str::to_owned);
        if self.searched.insert((function, pair.clone())) {
            let known = mem::replace(&mut self.known, pair.map(|name| [name].into()));
            self.walk(&trees(self.of.calls.body(function)));
            self.known = known;
        }
    }

    fn walk(&mut self, tokens: &[TokenTree]) {
        let mut pattern: &[TokenTree] = &[];
        for window in windows(tokens) {
            if let Some("let" | "for") = window.keyword.as_deref() {
                pattern = window.tokens;
                continue;
            }
            let is_about = self.is_about(window.tokens);
            for (known, is_about) in self.known.iter_mut().zip(is_about) {
                if is_about {
                    add_variables(known, pattern);
                }
            }
            pattern = &[];
            if is_about == [true; 2] {
                self.compare(window.tokens);
                self.follow(window.tokens);
            }
            let block = match window.end {
                WindowEnd::Block(block) => Some(block),
                _ => None,
            };
            for token in window.tokens.iter().chain(block) {
                if let TokenTree::Group(group) = token {
                    self.walk(&trees(&group.stream()));
                }
            }
        }
    }

    /// Returns for each of the values if an expression is about it.
    fn is_about(&self, tokens: &[TokenTree]) -> [bool; 2] {
        let has = |name: &String| tokens.iter().any(|it| names(it, name));
        [0, 1].map(|at| self.known[at].iter().any(has))
    }

    /// Reads an expression about both values.
    fn compare(&mut self, tokens: &[TokenTree]) {
        let code: TokenStream = tokens.iter().cloned().collect();
        let words = identifiers(code.clone());
        let has_word = |it: &&str| {
            words
                .iter()
                .any(|name| name.split('_').any(|part| part == *it))
        };
        let is_difference = (0..tokens.len())
            .any(|at| is_punct(tokens, Some(at), '-') && !is_punct(tokens, Some(at + 1), '>'));
        if is_comparison(tokens) || is_difference || COMPARING.iter().any(has_word) {
            let found = self.found.get_or_insert_default();
            self.of.read(&mut found.constants, &code);
            let units = UNITS
                .iter()
                .filter(|(name, _)| words.iter().any(|it| it.contains(name)));
            found.units.extend(units.map(|(_, seconds)| seconds));
        }
    }

    /// Searches the functions that both values are passed to.
    fn follow(&mut self, tokens: &[TokenTree]) {
        if self.depth == 0 {
            return;
        }
        for (function, arguments) in calls_in(self.of.calls, tokens) {
            let of = |at: usize| {
                let mut arguments = arguments.iter();
                let argument = arguments.find(|(tokens, _)| self.is_about(tokens)[at]);
                argument.map(|(_, name)| name.as_str())
            };
            if let (Some(one), Some(other)) = (of(0), of(1))
                && one != other
            {
                self.depth -= 1;
                self.function(function, [one, other]);
                self.depth += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{CallGraph, Sources};

    fn pair(library: &str) -> Option<ComparedPair> {
        let sources = Sources::of_code(library);
        let calls = CallGraph::new(&sources, false);
        let constants = FunctionConstants::of_sources(&sources, &calls);
        let function = calls.position(None, "f").unwrap();
        constants.compared_pair(function, ["a", "b"])
    }

    #[test]
    fn values_are_compared_with_each_other_at_a_distance() {
        let distances = |code: &str| pair(code).map(|it| it.integers());
        let f = |body: &str| format!("pub fn f(a: u32, b: u32, c: u32) -> bool {{ {body} }}");
        assert_eq!(distances(&f("a <= b")), Some(vec![0, 0, 1, -1]));
        assert_eq!(distances(&f("a + 7 < b && c > 90")).unwrap()[4..], [7, -7]);
        let bound = f("let gap = b - a; if gap > 30 { return c > 40; } false");
        assert_eq!(distances(&bound).unwrap()[4..], [30, -30]);
        assert_eq!(distances(&f("a.max(b) > 5")).unwrap()[4..], [5, -5]);
        assert_eq!(
            distances(&f("a > 5 && b > 6 || a * b == c")),
            Some(vec![0, 0, 1, -1])
        );
        assert_eq!(distances(&f("a > 5 && b > 6")), None);
        let passed = f("inner(c, b, a)") + "fn inner(x: u32, y: u32, z: u32) -> bool { z > y + 9 }";
        assert_eq!(distances(&passed).unwrap()[4..], [9, -9]);
        assert_eq!(
            distances(&(f("far(a); far(b)") + "fn far(x: u32) -> bool { x > 3 }")),
            None
        );
    }

    #[test]
    fn times_are_compared_in_the_unit_that_the_code_names() {
        let found = pair("pub fn f(a: Day, b: Day) -> bool { (b - a).num_days() > 14 }").unwrap();
        assert_eq!(found.times(86_400)[4..], [14, -14]);
        assert_eq!(found.times(1)[4..], [14 * 86_400, -14 * 86_400]);
        let found = pair("pub fn f(a: Time, b: Time) -> bool { a.since(b) < hours(2) }").unwrap();
        assert_eq!(found.times(1)[4..], [7200, -7200]);
    }
}
