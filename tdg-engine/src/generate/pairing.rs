//! Pairs of recorded and current rows.

use tdg_definition::{Cells, Column, sort};

use super::{Vectors, VectorsFeature};
use crate::ensemble::Ensemble;
use crate::feature_selection::Takes;
use crate::output::{Outputs, unbound};

/// The rows of a benchmark paired with the current ones, limited to the features that a function
/// takes.
pub struct Pairing<'a> {
    recorded: &'a Vectors,
    now: &'a Vectors,
    takes: &'a Takes,
    /// The equal current row for each recorded one, if rows are paired by content.
    partners: Option<Vec<Option<usize>>>,
}

impl<'a> Pairing<'a> {
    /// Pairs rows by number.
    pub fn new(recorded: &'a Vectors, now: &'a Vectors, takes: &'a Takes) -> Self {
        Self {
            recorded,
            now,
            takes,
            partners: None,
        }
    }

    /// Pairs rows of files by content, because they have no fixed numbers.
    pub fn of_ensembles(
        recorded: (&Ensemble, &'a Vectors),
        now: (&Ensemble, &'a Vectors),
        takes: &'a Takes,
    ) -> Self {
        let is_file = recorded.0.rows.is_some() && now.0.rows.is_some();
        let by_number = Self::new(recorded.1, now.1, takes);
        match is_file {
            true => by_number.by_content(),
            false => by_number,
        }
    }

    /// Pairs equal rows in order.
    pub fn by_content(self) -> Self {
        let common: Vec<&str> = self
            .taken(self.recorded)
            .filter(|recorded| {
                let now = self.now.find(&recorded.name);
                now.is_some_and(|now| now.feature_type == recorded.feature_type)
            })
            .map(|feature| feature.name.as_str())
            .collect();
        let columns = |vectors: &'a Vectors| -> Vec<&'a VectorsFeature> {
            let names = common.iter();
            names.filter_map(|name| vectors.find(name)).collect()
        };
        let (recorded, now) = (columns(self.recorded), columns(self.now));
        let cells = |columns: &[&VectorsFeature], row| {
            let mut text = String::new();
            for column in columns {
                column.write_cell(row, &mut text);
                text.push(',');
            }
            text
        };
        let sorted = |columns: &[&VectorsFeature], size: usize| {
            let mut rows: Vec<(String, usize)> =
                (0..size).map(|row| (cells(columns, row), row)).collect();
            sort::by(&mut rows, Ord::cmp);
            rows
        };
        let recorded = sorted(&recorded, self.recorded.size());
        let mut now = sorted(&now, self.now.size()).into_iter().peekable();
        let mut partners = vec![None; recorded.len()];
        for (cells, row) in recorded {
            while now.next_if(|(other, _)| *other < cells).is_some() {}
            let partner = now.next_if(|(other, _)| *other == cells);
            partners[row] = partner.map(|(_, row)| row);
        }
        Self {
            partners: Some(partners),
            ..self
        }
    }

    /// Returns the current row with the recorded one's number or content.
    pub fn partner(&self, row: usize) -> Option<usize> {
        match &self.partners {
            Some(partners) => partners[row],
            None => Some(row).filter(|row| *row < self.now.size().min(self.recorded.size())),
        }
    }

    /// Returns the current row for each recorded one, if the function gets the same rows, perhaps
    /// in another order.
    pub fn permutation(&self) -> Option<Vec<usize>> {
        let permutation = (0..self.recorded.size()).map(|row| self.partner(row));
        let permutation: Option<Vec<usize>> = permutation.collect();
        permutation.filter(|_| self.is_same())
    }

    /// Returns true if the function gets the same rows, to the bit; in any order for files.
    pub fn is_same(&self) -> bool {
        let names = |vectors: &'a Vectors| -> Vec<&str> {
            let mut names: Vec<&str> = self.taken(vectors).map(|it| it.name.as_str()).collect();
            // Whole rows are ordered, because they can be taken as tuples.
            if *self.takes != Takes::All {
                sort::by(&mut names, Ord::cmp);
            }
            names
        };
        self.recorded.size() == self.now.size()
            && names(self.recorded) == names(self.now)
            && (0..self.now.size()).all(|row| {
                let partner = self.partner(row);
                partner.is_some_and(|partner| self.other_value(row, partner).is_none())
            })
    }

    /// Returns the reason why a recorded row isn't a current one too, or `None` if it is.
    pub fn unpaired(&self, row: usize) -> Option<String> {
        let Some(partner) = self.partner(row) else {
            return Some(match self.partners {
                Some(_) => "the file no longer has such a row".to_owned(),
                None => "no current row has its number".to_owned(),
            });
        };
        let other = self.other_value(row, partner)?;
        Some(format!("`{}` has a different value now", other.name))
    }

    /// Returns the features that the function takes.
    pub fn takes(&self) -> &'a Takes {
        self.takes
    }

    /// Returns the numbers of rows that exist only now and of rows that were only recorded.
    pub fn added_and_removed(&self) -> (usize, usize) {
        let recorded = self.recorded.size();
        let paired = (0..recorded).filter_map(|row| self.partner(row)).count();
        (self.now.size() - paired, recorded - paired)
    }

    /// Returns the rows of the benchmark.
    pub fn recorded(&self) -> &'a Vectors {
        self.recorded
    }

    /// Returns the output of each recorded row's partner, or the reason why it has none. `lost` has
    /// some of the reasons.
    pub fn outputs(&self, now: &Outputs, lost: &[Option<String>]) -> Outputs {
        let mut outputs = Outputs::with_capacity(self.recorded.size());
        for (row, lost) in lost.iter().enumerate() {
            match (
                lost.clone().or_else(|| self.unpaired(row)),
                self.partner(row),
            ) {
                (None, Some(partner)) => outputs.push_text(now.get(partner)),
                (reason, _) => outputs.push(&unbound(&reason.unwrap_or_default())),
            }
        }
        outputs
    }

    /// Returns the first taken feature of both with another value in the current row.
    fn other_value(&self, row: usize, partner: usize) -> Option<&'a VectorsFeature> {
        self.taken(self.recorded).find(|recorded| {
            let now = self.now.find(&recorded.name);
            now.is_some_and(|now| {
                recorded.feature_type != now.feature_type
                    || !is_same_cell((&recorded.column, row), (&now.column, partner))
            })
        })
    }

    fn taken(&self, vectors: &'a Vectors) -> impl Iterator<Item = &'a VectorsFeature> {
        let features = vectors.features().iter();
        features.filter(|feature| self.takes.has(&feature.name))
    }
}

fn is_same_cell((left, row): (&Column, usize), (right, other): (&Column, usize)) -> bool {
    if left.is_null(row) || right.is_null(other) {
        return left.is_null(row) && right.is_null(other);
    }
    match (left.cells(), right.cells()) {
        (Cells::Float(left), Cells::Float(right)) => left[row].to_bits() == right[other].to_bits(),
        (Cells::Text(left), Cells::Text(right)) => left.get(row) == right.get(other),
        (Cells::Bytes(left), Cells::Bytes(right)) => left.get(row) == right.get(other),
        (Cells::Boolean(left), Cells::Boolean(right)) => left[row] == right[other],
        (Cells::DateTime(left), Cells::DateTime(right))
        | (Cells::Date(left), Cells::Date(right)) => left[row] == right[other],
        (Cells::List(left), Cells::List(right)) => {
            let (one, two) = (left.range(row), right.range(other));
            let is_same =
                |(one, two)| is_same_cell((left.elements(), one), (right.elements(), two));
            one.len() == two.len() && one.zip(two).all(is_same)
        }
        (Cells::Variant(left), Cells::Variant(right)) => {
            left.name(row) == right.name(other)
                && match (left.value(row), right.value(other)) {
                    (Some(left), Some(right)) => is_same_cell(left, right),
                    (left, right) => left.is_none() && right.is_none(),
                }
        }
        (Cells::Object(left), Cells::Object(right)) => {
            let mut members = left.members().zip(right.members());
            left.members().len() == right.members().len()
                && members.all(|((name, left), (other_name, right))| {
                    name == other_name && is_same_cell((left, row), (right, other))
                })
        }
        // A column's integer representation depends on its other rows.
        (left, right) => match (integer(left, row), integer(right, other)) {
            (Some(left), Some(right)) => left == right,
            _ => false,
        },
    }
}

fn integer(cells: &Cells, row: usize) -> Option<i128> {
    match cells {
        Cells::Integer(values) => Some(values[row].into()),
        Cells::Unsigned(values) => Some(values[row].into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tdg_definition::Definition;

    /// Draws integer features with these names, each from 1 to its maximum.
    fn draw(features: &[(&str, i64)], size: usize) -> Vectors {
        let feature = |(name, max): &(&str, i64)| {
            format!(
                r#"{{"feature_name": "{name}", "type": "INTEGER",
                    "distribution": {{"type": "uniform", "min": 1, "max": {max}}}}}"#
            )
        };
        let features: Vec<String> = features.iter().map(feature).collect();
        let text = format!(r#"{{"features": [{}]}}"#, features.join(","));
        Vectors::generate(&Definition::parse(&text).unwrap(), 0, size)
    }

    #[test]
    fn rows_of_a_file_are_paired_by_content() {
        let rows = |rows: &str| {
            let text = r#"{"features": [{"feature_name": "a", "type": "INTEGER", "null_probability": 0.1,
                "distribution": {"type": "any"}}]}"#;
            Vectors::from_json(&Definition::parse(text).unwrap(), rows).unwrap()
        };
        let recorded = rows("[[1],[2],[2],[null],[5]]");
        let partners = |now: &Vectors| {
            let takes = only(&["a"]);
            let pairing = Pairing::new(&recorded, now, &takes).by_content();
            let partners: Vec<_> = (0..5).map(|row| pairing.partner(row)).collect();
            (partners, pairing.permutation())
        };
        let inserted = rows("[[1],[9],[2],[2],[null],[5]]");
        let shifted = [0, 2, 3, 4, 5].map(Some).to_vec();
        assert_eq!(partners(&inserted), (shifted, None));
        let reordered = rows("[[2],[5],[1],[2],[null]]");
        let order = vec![2, 0, 3, 4, 1];
        let each = order.iter().copied().map(Some).collect();
        assert_eq!(partners(&reordered), (each, Some(order)));
        let other = rows("[[2],[5],[1],[1],[null]]");
        let fewer = vec![Some(2), Some(0), None, Some(4), Some(1)];
        assert_eq!(partners(&other), (fewer, None));
    }

    fn only(names: &[&str]) -> Takes {
        Takes::Named(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn only_taken_features_count() {
        let recorded = draw(&[("a", 9), ("b", 9)], 50);
        let is_same = |now: &Vectors, takes| Pairing::new(&recorded, now, &takes).is_same();
        let redrawn = draw(&[("a", 9), ("b", 8), ("d", 9)], 50);
        assert!(is_same(&redrawn, only(&["a"])));
        assert!(!is_same(&redrawn, only(&["a", "b"])));
        assert!(!is_same(&redrawn, only(&["a", "d"])));
        assert!(!is_same(&redrawn, Takes::All));
        assert!(is_same(&recorded, Takes::All));
        assert!(!is_same(&draw(&[("a", 9), ("b", 9)], 51), only(&["a"])));
    }

    #[test]
    fn the_order_counts_for_whole_rows_alone() {
        let recorded = draw(&[("a", 9), ("b", 9)], 50);
        let turned = draw(&[("b", 9), ("a", 9)], 50);
        let is_same = |takes| Pairing::new(&recorded, &turned, &takes).is_same();
        assert!(is_same(only(&["a", "b"])));
        assert!(!is_same(Takes::All));
    }

    #[test]
    fn a_row_is_paired_if_all_that_was_recorded_is_equal() {
        let recorded = draw(&[("a", 9), ("b", 9)], 50);
        let more = draw(&[("a", 9), ("b", 9), ("d", 9)], 40);
        let takes = only(&["a", "d"]);
        let pairing = Pairing::new(&recorded, &more, &takes);
        assert_eq!(pairing.unpaired(39), None);
        let why = |pairing: &Pairing<'_>, row| pairing.unpaired(row).unwrap();
        insta::assert_snapshot!(why(&pairing, 40), @"no current row has its number");
        let redrawn = draw(&[("a", 99), ("b", 9), ("d", 9)], 50);
        insta::assert_snapshot!(why(&Pairing::new(&recorded, &redrawn, &takes), 0), @"`a` has a different value now");
    }
}
