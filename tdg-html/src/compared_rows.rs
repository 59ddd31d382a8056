//! Rows with the outputs that differ from the expected ones, and explanations of the differences.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use tdg_definition::json::Value;
use tdg_engine::Vectors;
use tdg_engine::compare::{DifferingCase, Part};
use tdg_explain::{
    ChangeFindings, ExplainedRows, Explanation, OfferedPart, Vocabulary, Wording,
    explanation_of_part, findings_of_explained, findings_of_outputs, offered_parts,
};

/// The vocabulary, the uncompared cases and the cases to explain.
type ExplanationKey = (Vocabulary, [Vec<usize>; 2]);

/// Rows with the outputs that differ from the expected ones.
#[derive(Debug)]
pub struct ComparedRows {
    /// The rows as passed to the function.
    pub vectors: Vectors,
    /// The rows that were not compared, in order.
    pub uncompared: Vec<usize>,
    /// The expected outputs of all rows, if available.
    pub expected: Option<Vec<Value>>,
    /// The rows whose outputs differ, in order.
    pub differing: Vec<DifferingCase>,
    /// The numbers and texts in the code, in order.
    constants: Arc<[Value]>,
    is_doubtful: bool,
    /// A cache, since text and page request some explanations several times.
    explanations: RefCell<HashMap<ExplanationKey, Explanation>>,
}

impl ComparedRows {
    /// Creates compared rows without explanations.
    #[must_use]
    pub fn new(
        vectors: Vectors,
        uncompared: Vec<usize>,
        expected: Option<Vec<Value>>,
        differing: Vec<DifferingCase>,
    ) -> Self {
        Self {
            vectors,
            uncompared,
            expected,
            differing,
            constants: Arc::default(),
            is_doubtful: false,
            explanations: RefCell::default(),
        }
    }

    /// Sets the numbers and texts in the code, in order, which rules prefer as thresholds.
    #[must_use]
    pub fn with_constants(self, constants: Arc<[Value]>) -> Self {
        Self { constants, ..self }
    }

    /// Hedges all rules, since only an experiment can confirm one.
    #[must_use]
    pub fn doubtful(self) -> Self {
        Self {
            is_doubtful: true,
            ..self
        }
    }

    /// Returns the number of compared rows.
    pub fn compared(&self) -> usize {
        self.vectors.size() - self.uncompared.len()
    }

    /// Returns the differing rows.
    pub fn cases(&self) -> Vec<usize> {
        self.differing.iter().map(|it| it.case).collect()
    }

    /// Explains what the cases of a part of the change have in common.
    pub fn explanation(&self, part: &Part) -> Explanation {
        self.explanation_in(Vocabulary::Full, part)
    }

    /// Returns the parts of the change in the order of their numbers, from 1, if there are several.
    /// The report of the test has the same numbers, so they depend on everyday words only.
    pub fn parts(&self) -> Vec<OfferedPart> {
        let expected = self.expected.as_deref();
        let explain = |part: &Part| self.explanation_in(Vocabulary::Everyday, part);
        offered_parts(&self.vectors, expected, &self.differing, &explain)
    }

    fn explanation_in(&self, vocabulary: Vocabulary, part: &Part) -> Explanation {
        let expected = self.expected.as_deref();
        let explain =
            |unknown: &[usize], cases: &[usize]| self.explained(vocabulary, unknown, cases);
        explanation_of_part(part, &self.uncompared, expected, &self.differing, &explain)
    }

    fn explained(&self, vocabulary: Vocabulary, unknown: &[usize], cases: &[usize]) -> Explanation {
        let key = (vocabulary, [unknown, cases].map(<[usize]>::to_vec));
        if let Some(known) = self.explanations.borrow().get(&key) {
            return known.clone();
        }
        let mut is_changed = vec![Some(false); self.vectors.size()];
        for case in unknown {
            is_changed[*case] = None;
        }
        for case in cases {
            is_changed[*case] = Some(true);
        }
        let mut explanation = tdg_explain::rules(&ExplainedRows {
            vectors: &self.vectors,
            expected: self.expected.as_deref(),
            failing: &is_changed,
            vocabulary,
            constants: &self.constants,
        });
        if self.is_doubtful {
            let rules = explanation.rules.iter_mut();
            rules.for_each(|it| it.wording = it.wording.max(Wording::Perhaps));
        }
        let mut known = self.explanations.borrow_mut();
        known.insert(key, explanation.clone());
        explanation
    }

    /// Describes how these outputs changed, each sentence with the position of its rule, if any.
    pub fn outputs_of(
        &self,
        explanation: &Explanation,
        differing: &[DifferingCase],
    ) -> Vec<(Option<usize>, String)> {
        let expected = self.expected.as_deref();
        let found = findings_of_outputs(explanation, &self.vectors, expected, differing);
        found.iter().map(|it| (it.rule, it.below_rule())).collect()
    }

    /// Describes what the differing rows share and how their outputs changed.
    pub fn findings(&self) -> ChangeFindings {
        let expected = self.expected.as_deref();
        let explain =
            |unknown: &[usize], cases: &[usize]| self.explained(Vocabulary::Full, unknown, cases);
        findings_of_explained(
            &self.vectors,
            &self.uncompared,
            expected,
            &self.differing,
            &explain,
        )
    }
}

#[cfg(test)]
mod tests {
    use tdg_definition::{Definition, Policy};

    use super::*;
    use crate::Finding;

    #[test]
    fn the_page_searches_nothing_that_the_text_has_found() {
        let definition = r#"{"features": [{"feature_name": "n", "type": "INTEGER",
            "distribution": {"type": "uniform", "min": 1, "max": 20}}]}"#;
        let vectors = Vectors::generate(&Definition::parse(definition).unwrap(), 0, 100);
        let is_large = |row: &usize| vectors.cells(*row)[0].parse::<u8>().unwrap() > 15;
        let differing = (0..100).filter(is_large).map(|row| {
            DifferingCase::compared(&Policy::exact(), row, Value::from(1), Value::from(2))
        });
        let differing = differing.collect();
        let rows = ComparedRows::new(vectors.clone(), vec![3], None, differing);
        let told = rows.findings().sentences;
        assert!(told[0].contains("n > 15"), "{told:?}");
        let searched = rows.explanations.borrow().len();
        assert_eq!(Finding::all_of(&rows)[0].headline(), "n > 15");
        assert_eq!((searched, rows.explanations.borrow().len()), (1, 1));
    }
}
