//! The modifiers of a feature's values: one file each.
//!
//! A modifier's file holds everything about it: its parameters and their faults, its canonical
//! form, and its effect on the values. Omitted modifiers change nothing.

use crate::column::Cells;
use crate::fault::Invalid;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::StreamRows;
use crate::scalar::Distribution;
use crate::value::Scalar;

pub(crate) mod decimals;
mod edge_cases;
mod edge_values;
mod unique;

use decimals::Decimals;
use edge_cases::EdgeCases;
use edge_values::EdgeBounds;

/// The modifiers of a feature.
#[derive(Clone, Debug)]
pub(crate) struct Modifiers {
    unique: bool,
    /// Set if decimals and edge cases are applied while values are made unique.
    is_drawn_again: bool,
    decimals: Option<Decimals>,
    edge_cases: Option<EdgeCases>,
}

impl Modifiers {
    /// Reads the members of a feature that are modifiers, given the type and distribution unless
    /// those are faulty. `can_have_edges` is set if edge cases can replace some of the values.
    pub(crate) fn read(
        fields: &mut Fields<'_>,
        feature_type: Option<FeatureType>,
        distribution: Option<&dyn Distribution>,
        can_have_edges: bool,
    ) -> Option<Self> {
        let unique = unique::read(fields, feature_type, distribution);
        let decimals = decimals::read(fields, feature_type);
        let rounded = decimals.ok().flatten();
        let edge_cases = edge_cases::read(
            fields,
            feature_type.zip(distribution),
            rounded,
            can_have_edges,
        );
        if let (Some(true), Ok(Some(_))) = (unique, decimals) {
            fields.fault(
                decimals::NAME,
                "can make unique values equal; remove `unique` or `decimals`",
            );
            return None;
        }
        let is_drawn_again = unique == Some(true) && distribution.is_some_and(unique::draws_again);
        if let (Some(true), Ok(Some(_)), false) = (unique, &edge_cases, is_drawn_again) {
            fields.fault(
                edge_cases::NAME,
                "repeats values; remove `unique` or `edge_cases`",
            );
            return None;
        }
        Some(Self {
            unique: unique?,
            is_drawn_again,
            decimals: decimals.ok()?,
            edge_cases: edge_cases.ok()?,
        })
    }

    /// Returns the members in canonical form.
    pub(crate) fn members(&self) -> Vec<(&'static str, Value)> {
        let mut members = Vec::new();
        if self.unique {
            members.push((unique::NAME, Value::from(true)));
        }
        if let Some(decimals) = &self.decimals {
            members.push((decimals::NAME, decimals.to_value()));
        }
        if let Some(edge_cases) = &self.edge_cases {
            members.push((edge_cases::NAME, edge_cases.to_value()));
        }
        members
    }

    /// Returns true if values never repeat.
    pub(crate) fn is_unique(&self) -> bool {
        self.unique
    }

    /// Returns true if a share of the values is replaced.
    pub(crate) fn has_edge_cases(&self) -> bool {
        self.edge_cases.as_ref().is_some_and(EdgeCases::is_any)
    }

    /// Returns the share of rows with edge values of the type.
    pub(crate) fn edge_share(&self) -> Option<f64> {
        self.edge_cases.as_ref().map(EdgeCases::usual)
    }

    /// Returns the possible edge values.
    pub(crate) fn edge_values(
        &self,
        feature_type: FeatureType,
        distribution: &dyn Distribution,
    ) -> Vec<Scalar> {
        let decimals = self.decimals.filter(|_| distribution.edge_share() > 0.0);
        let bounds = EdgeBounds::of(feature_type, distribution, decimals);
        edge_values::of(feature_type, &bounds)
    }

    /// Returns the decimals that values are rounded to.
    pub(crate) fn decimals(&self) -> Option<u8> {
        self.decimals.map(Decimals::digits)
    }

    /// Returns true if rounding doesn't change the value.
    pub(crate) fn keeps(&self, value: &Scalar) -> bool {
        self.decimals.is_none_or(|decimals| decimals.holds(value))
    }

    /// Checks that there are enough values for `size` rows or elements with these modifiers.
    ///
    /// # Errors
    /// The member that limits the number of rows, and the reason.
    pub(crate) fn check_size(
        &self,
        distribution: &dyn Distribution,
        size: usize,
        of: &str,
    ) -> Result<(), (&'static str, Invalid)> {
        if self.unique {
            unique::check_size(distribution, size, of)
                .map_err(|message| (unique::NAME, message))?;
        }
        Ok(())
    }

    /// Draws the values of these rows, without repetition if they are unique.
    pub(crate) fn draw(&self, distribution: &dyn Distribution, rows: &StreamRows<'_>) -> Cells {
        if self.unique {
            unique::draw(distribution, rows, |rows, cells| self.place(rows, cells))
        } else {
            distribution.sampler().draw(rows)
        }
    }

    /// Applies decimals and edge cases to drawn values.
    pub(crate) fn apply(&self, rows: &StreamRows<'_>, cells: &mut Cells) {
        if !self.is_drawn_again {
            self.place(rows, cells);
        }
    }

    fn place(&self, rows: &StreamRows<'_>, cells: &mut Cells) {
        if let Some(decimals) = &self.decimals {
            decimals.round(cells);
        }
        if let Some(edge_cases) = &self.edge_cases {
            edge_cases.place(rows, cells);
        }
    }
}
