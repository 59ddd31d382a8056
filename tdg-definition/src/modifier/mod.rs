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
mod unique;

use decimals::Decimals;

/// What a feature asks of its values.
#[derive(Clone, Debug)]
pub(crate) struct Modifiers {
    unique: bool,
    decimals: Option<Decimals>,
}

impl Modifiers {
    /// Reads the members of a feature that are modifiers, for values of that type and distribution, if they are known.
    pub(crate) fn read(
        fields: &mut Fields<'_>,
        feature_type: Option<FeatureType>,
        distribution: Option<&dyn Distribution>,
    ) -> Option<Self> {
        let unique = unique::read(fields, feature_type, distribution);
        let decimals = decimals::read(fields, feature_type);
        if let (Some(true), Some(Some(_))) = (unique, decimals) {
            fields.fault(
                decimals::NAME,
                "can make unique values equal; leave out `unique` or `decimals`",
            );
            return None;
        }
        Some(Self {
            unique: unique?,
            decimals: decimals?,
        })
    }

    /// The members in canonical form.
    pub(crate) fn members(&self) -> Vec<(&'static str, Value)> {
        let mut members = Vec::new();
        if self.unique {
            members.push((unique::NAME, Value::from(true)));
        }
        if let Some(decimals) = &self.decimals {
            members.push((decimals::NAME, decimals.to_value()));
        }
        members
    }

    /// Whether so many rows can be had.
    ///
    /// # Errors
    /// The member that they are too many for, and why.
    pub(crate) fn check_size(
        &self,
        distribution: &dyn Distribution,
        size: usize,
    ) -> Result<(), (&'static str, String)> {
        if self.unique {
            unique::check_size(distribution, size).map_err(|message| (unique::NAME, message))?;
        }
        Ok(())
    }

    /// The values of the rows `first_row .. first_row + rows`, as asked for.
    pub(crate) fn draw(
        &self,
        distribution: &dyn Distribution,
        stream: &Stream,
        first_row: u64,
        rows: usize,
    ) -> Cells {
        let mut cells = if self.unique {
            unique::draw(distribution, stream, first_row, rows)
        } else {
            distribution.draw(stream, first_row, rows)
        };
        if let Some(decimals) = &self.decimals {
            decimals.round(&mut cells);
        }
        cells
    }
}
