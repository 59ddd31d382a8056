//! Values of one of several variants, stored as columns.

use std::sync::{Arc, OnceLock};

use super::{Column, Text};
use crate::variant_form::VariantForm;

/// Values of one of several variants, one for each row, like Arrow's dense unions: each variant has
/// a separate column of its values.
#[derive(Clone, Debug)]
pub struct VariantCells {
    form: Arc<VariantForm>,
    variants: Arc<[(String, Option<Column>)]>,
    /// The variant number of each row, and the place of its value in the variant's column.
    rows: Vec<(u8, u32)>,
    /// Set if the values are nested in others of the same shape.
    pub(super) is_node: bool,
    /// Created on first use.
    by_row: OnceLock<Box<VariantsByRow>>,
}

/// The variants with a row for each row of the cells.
#[derive(Clone, Debug)]
struct VariantsByRow {
    names: Column,
    values: Vec<(String, Column)>,
}

impl VariantCells {
    /// Creates variants with these names, with values where they have any. The rows of a variant
    /// take its values in order.
    #[must_use]
    pub fn new(
        form: VariantForm,
        variants: impl IntoIterator<Item = (String, Option<Column>)>,
        chosen: &[u8],
    ) -> Self {
        let variants: Arc<[_]> = variants.into_iter().collect();
        let mut next = vec![0; variants.len()];
        let row = |variant: &u8| {
            let place = next[usize::from(*variant)];
            next[usize::from(*variant)] += 1;
            (*variant, place)
        };
        Self {
            form: Arc::new(form),
            rows: chosen.iter().map(row).collect(),
            variants,
            is_node: false,
            by_row: OnceLock::new(),
        }
    }

    /// Returns the form in which the variants are written.
    #[must_use]
    pub fn form(&self) -> &VariantForm {
        &self.form
    }

    /// Returns the names of the variants in the order of the definition, with their values if any.
    pub fn variants(&self) -> impl ExactSizeIterator<Item = (&str, Option<&Column>)> {
        let variants = self.variants.iter();
        variants.map(|(name, values)| (name.as_str(), values.as_ref()))
    }

    /// Returns the variant number of a row.
    #[must_use]
    pub fn variant(&self, row: usize) -> usize {
        usize::from(self.rows[row].0)
    }

    /// Returns the variant name of a row.
    #[must_use]
    pub fn name(&self, row: usize) -> &str {
        &self.variants[self.variant(row)].0
    }

    /// Returns the column and the place in it of the row's value; `None` without a value.
    #[must_use]
    pub fn value(&self, row: usize) -> Option<(&Column, usize)> {
        let (variant, place) = self.rows[row];
        let values = self.variants[usize::from(variant)].1.as_ref();
        values.map(|values| (values, place as usize))
    }

    /// Returns the places of the values of those rows that have this variant.
    pub fn places(
        &self,
        variant: usize,
        rows: impl IntoIterator<Item = usize>,
    ) -> impl Iterator<Item = usize> {
        let rows = rows.into_iter().map(|row| self.rows[row]);
        let of_variant = rows.filter(move |(other, _)| usize::from(*other) == variant);
        of_variant.map(|(_, place)| place as usize)
    }

    /// Returns the names of the variants, one for each row.
    #[must_use]
    pub fn names_by_row(&self) -> &Column {
        &self.by_row().names
    }

    /// Returns the names and values of variants with values; the rows of other variants are `null`.
    #[must_use]
    pub fn values_by_row(&self) -> &[(String, Column)] {
        &self.by_row().values
    }

    fn by_row(&self) -> &VariantsByRow {
        self.by_row.get_or_init(|| {
            let rows = 0..self.len();
            let names: Text = rows.map(|row| self.name(row)).collect();
            let variants = self.variants.iter().enumerate();
            let of_variant = |(variant, (name, values)): (usize, &(String, Option<Column>))| {
                // An empty column has no value that could fill the null rows.
                let values = values
                    .as_ref()
                    .filter(|values| !values.cells().is_empty())?;
                let is_other: Vec<bool> = self
                    .rows
                    .iter()
                    .map(|it| usize::from(it.0) != variant)
                    .collect();
                let places = self.rows.iter().zip(&is_other);
                let places =
                    places.map(|((_, place), is_other)| if *is_other { 0 } else { *place });
                let places: Vec<u32> = places.collect();
                let nulls = places.iter().zip(is_other);
                let nulls =
                    nulls.map(|(place, is_other)| is_other || values.is_null(*place as usize));
                let column = Column::new(values.cells().gather(&places), Some(nulls.collect()));
                Some((name.clone(), column))
            };
            Box::new(VariantsByRow {
                names: Column::new(super::Cells::Text(names), None),
                values: variants.filter_map(of_variant).collect(),
            })
        })
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let rows = rows.iter().map(|row| self.rows[*row as usize]);
        Self {
            form: Arc::clone(&self.form),
            variants: Arc::clone(&self.variants),
            rows: rows.collect(),
            is_node: self.is_node,
            by_row: OnceLock::new(),
        }
    }
}

impl PartialEq for VariantCells {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |cells: &Self| -> Vec<u8> { cells.rows.iter().map(|row| row.0).collect() };
        let values = |cells: &Self| -> Vec<(String, Option<Column>)> {
            let variants = cells.variants.iter().enumerate();
            let values = variants.map(|(variant, (name, values))| {
                let places: Vec<usize> = cells.places(variant, 0..cells.len()).collect();
                let values = values.as_ref().map(|values| values.gather(&places));
                (name.clone(), values)
            });
            values.collect()
        };
        self.form == other.form && numbers(self) == numbers(other) && values(self) == values(other)
    }
}
