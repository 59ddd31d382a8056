//! What a feature can ask of its values beyond their distribution: one file each.
//!
//! A modifier's file holds all there is to it: what may be asked and what is wrong with it, its canonical form, and
//! what it does to the values. What nobody asks for changes no value.

use crate::column::Cells;
use crate::distribution::Distribution;
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::random::Stream;

mod decimals;

use decimals::Decimals;

/// What a feature asks of its values.
#[derive(Clone, Debug)]
pub(crate) struct Modifiers {
    decimals: Option<Decimals>,
}

impl Modifiers {
    /// Reads the members of a feature that are modifiers, for values of that type, if it is known.
    pub(crate) fn read(fields: &mut Fields<'_>, feature_type: Option<FeatureType>) -> Option<Self> {
        let decimals = decimals::read(fields, feature_type);
        Some(Self {
            decimals: decimals?,
        })
    }

    /// The members in canonical form.
    pub(crate) fn members(&self) -> Vec<(&'static str, Value)> {
        let mut members = Vec::new();
        if let Some(decimals) = &self.decimals {
            members.push((decimals::NAME, decimals.to_value()));
        }
        members
    }

    /// The values of the rows `first_row .. first_row + rows`, as asked for.
    pub(crate) fn draw(
        &self,
        distribution: &dyn Distribution,
        stream: &Stream,
        first_row: u64,
        rows: usize,
    ) -> Cells {
        let mut cells = distribution.draw(stream, first_row, rows);
        if let Some(decimals) = &self.decimals {
            decimals.round(&mut cells);
        }
        cells
    }
}
