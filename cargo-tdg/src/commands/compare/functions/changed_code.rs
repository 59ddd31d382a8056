//! The functions whose code differs, and their callers.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::CallGraph;
#[cfg(test)]
use crate::sources::{Sources, public_functions};

/// The functions whose code differs, in today's graph of calls.
#[derive(Default)]
pub(crate) struct ChangedCode {
    graph: CallGraph,
    changed: BTreeSet<usize>,
    /// The positions of public functions.
    positions: BTreeMap<String, usize>,
}

impl ChangedCode {
    pub(super) fn new(
        before: &CallGraph,
        graph: CallGraph,
        positions: BTreeMap<String, usize>,
    ) -> Self {
        Self {
            changed: graph.changed_since(before),
            graph,
            positions,
        }
    }

    /// Returns how many calls lead from public functions to changed code, if any do.
    pub(super) fn distances(&self) -> BTreeMap<String, usize> {
        let distances = self.graph.distances(&self.changed);
        let of = |(name, at): (&String, &usize)| Some((name.clone(), *distances.get(at)?));
        self.positions.iter().filter_map(of).collect()
    }

    /// Returns the public functions that call some of these, directly or not.
    pub(crate) fn callers(&self, functions: &[&str]) -> BTreeSet<&str> {
        self.callers_at(&self.places(functions))
    }

    /// Returns the public functions with the same code that call some of these functions, and no
    /// changed code except `known` functions.
    pub(crate) fn explained_by(&self, functions: &[&str], known: &[&str]) -> BTreeSet<&str> {
        let unknown = &(&self.changed - &self.places(known)) - &self.places(functions);
        let doubtful = self.callers_at(&unknown);
        let mut callers = self.callers(functions);
        callers.retain(|it| !doubtful.contains(it) && !self.changed.contains(&self.positions[*it]));
        callers
    }

    fn places(&self, functions: &[&str]) -> BTreeSet<usize> {
        let of_public = |it: &str| self.positions.get(it).copied();
        let places = functions.iter();
        let places = places.filter_map(|it| of_public(it).or_else(|| self.graph.of_path(it)));
        places.collect()
    }

    fn callers_at(&self, places: &BTreeSet<usize>) -> BTreeSet<&str> {
        let distances = self.graph.distances(places);
        let is_caller = |at: &usize| distances.get(at).is_some_and(|it| *it > 0);
        let callers = self.positions.iter().filter(|(_, at)| is_caller(at));
        callers.map(|(name, _)| name.as_str()).collect()
    }
}

#[cfg(test)]
impl ChangedCode {
    /// Returns the changed code of two versions of a library.
    pub(crate) fn of_code(before: &str, after: &str) -> Self {
        let sources = Sources::of_code(after);
        let graph = CallGraph::new(&sources, false);
        let functions = public_functions(&sources);
        let positions = functions.iter().filter_map(|it| {
            let position = graph.position(it.owner_name(), &it.called())?;
            Some((it.name().to_owned(), position))
        });
        let positions = positions.collect();
        let before = CallGraph::new(&Sources::of_code(before), false);
        Self::new(&before, graph, positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_are_explained_unless_they_call_other_changed_code() {
        let library = "
            mod lexer { pub fn token(x: u8) -> u8 { x } pub struct Lexer;
                impl Iterator for Lexer { fn next(&mut self) -> u8 { 1 } } }
            fn other(x: u8) -> u8 { x }
            pub fn parse(x: u8) -> u8 { lexer::token(x) }
            pub fn both(x: u8) -> u8 { parse(x) + other(x) }
            pub fn own(x: u8) -> u8 { parse(x) }
            pub fn far(x: u8) -> u8 { Lexer::next() }";
        let changes = [
            "token(x: u8) -> u8 { x",
            "other(x: u8) -> u8 { x",
            "own(x: u8) -> u8 { parse(x)",
        ];
        let changed = |now: String, it: &&str| now.replace(it, &format!("{it} + 1"));
        let now = changes.iter().fold(library.to_owned(), changed);
        let code = ChangedCode::of_code(library, &now);
        let names = |names: BTreeSet<&str>| names.into_iter().collect::<Vec<_>>().join(" ");
        let found = ["lexer::token"];
        assert_eq!(names(code.callers(&found)), "both own parse");
        assert_eq!(names(code.explained_by(&found, &[])), "parse");
        assert_eq!(names(code.explained_by(&found, &["other"])), "both parse");
        let of_trait = ["lexer::<Lexer as Iterator>::next"];
        assert_eq!(names(code.callers(&of_trait)), "far");
        let distances = code.distances();
        assert_eq!(
            distances,
            [("both", 1), ("own", 0), ("parse", 1)]
                .map(|(name, it)| (name.to_owned(), it))
                .into()
        );
    }
}
