//! A parameter of which only the run can tell whether it is one feature or the whole row.

use serde_core::Deserialize;
use tdg_definition::nearest;

use super::{BindError, Row};

/// The feature of that name, where there is one; else the whole row.
///
/// # Errors
/// As of [`Row::get`] or [`Row::to`].
pub fn feature_or_row<'a, T: Deserialize<'a>>(row: &Row<'a>, name: &str) -> Result<T, BindError> {
    let names = row.vectors().names();
    if names.clone().any(|feature| feature == name) {
        return row.get(name);
    }
    row.to().map_err(|error| match nearest(name, names) {
        Some(near) => error.of_the_row(&format!("; or was `{name}` to be the feature `{near}`?")),
        None => error,
    })
}
