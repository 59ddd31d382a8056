//! The value of a parameter: a feature, or the whole row.
//!
//! A parameter takes its feature in every row, including nulls. The first row tests if its type can
//! be null, so that this doesn't depend on the drawn rows.

use serde_core::Deserialize;
use tdg_definition::nearest;

use super::null::Null;
use super::{BindError, FoundFeature, Row, Vectors};
use crate::maker::NotAnInput;
use tdg_engine::generate::VectorsFeature;

/// Returns the value of a feature.
///
/// # Errors
/// Fails if there isn't such a feature, if its value doesn't have the type, or if the feature can
/// be null and the type can't.
pub fn bind<'a, T: Deserialize<'a>>(
    row: &Row<'a>,
    feature: &FoundFeature<'a>,
) -> Result<T, BindError> {
    match feature {
        Ok(feature) if row.index > 0 => row.read(feature),
        Ok(feature) => bind_first(row, feature),
        Err(error) => Err(error.clone()),
    }
}

/// Separate from [`bind`], which every cell goes through.
#[cold]
#[inline(never)]
fn bind_first<'a, T: Deserialize<'a>>(
    row: &Row<'a>,
    feature: &'a VectorsFeature,
) -> Result<T, BindError> {
    let value = row.read(feature)?;
    let mut nullable = row.vectors().nullable();
    match nullable.find(|(_, other)| other.name == feature.name) {
        Some((_, feature)) if T::deserialize(Null).is_err() => Err(BindError::nulls(feature)),
        _ => Ok(value),
    }
}

/// Returns the whole row as one value.
///
/// # Errors
/// Fails like [`Row::to`], or if a feature can be null where the type can't.
pub fn whole_row<'a, T: Deserialize<'a>>(row: &Row<'a>) -> Result<T, BindError> {
    let value = row.to()?;
    if row.index == 0 {
        check_nulls::<T>(row)?;
    }
    Ok(value)
}

/// Returns the feature of that name, if it exists, or else the whole row.
///
/// # Errors
/// Fails like [`bind`] or [`whole_row`].
pub fn feature_or_row<'a, T: Deserialize<'a>>(row: &Row<'a>, name: &str) -> Result<T, BindError> {
    let table = &row.vectors().table;
    if let Some(feature) = table.features().iter().find(|it| it.name == name) {
        return bind(row, &Ok(feature));
    }
    let names = table.names();
    let value = row.to().map_err(|error| match nearest(name, names) {
        Some(near) => error.of_the_row(&format!("; or did you mean the feature `{near}`?")),
        None => error,
    })?;
    if row.index == 0 {
        check_nulls::<T>(row)?;
    }
    Ok(value)
}

/// Leaks a value, so that it lives as long as the process, as `&'static str` requires.
pub fn leaked<V: Into<Box<T>>, T: ?Sized>(value: V) -> &'static mut T {
    Box::leak(value.into())
}

impl Vectors {
    /// Returns all rows, each as one value: a struct by feature names, a tuple in feature order, or
    /// the only feature's value.
    ///
    /// # Errors
    /// Fails at the first row that isn't such a value, or if a feature can be null and the value
    /// can't.
    pub fn bind<'a, T: Deserialize<'a>>(&'a self) -> Result<Vec<T>, BindError> {
        let values = self.rows().map(|row| row.to()).collect::<Result<_, _>>()?;
        if self.size() > 0 {
            check_nulls::<T>(&self.row(0))?;
        }
        Ok(values)
    }

    /// Like [`bind`](Self::bind), but leaves out the rows that a maker refuses.
    pub(crate) fn inputs<'a, T: Deserialize<'a>>(
        &'a self,
        mut refused: impl FnMut(usize, NotAnInput),
    ) -> Result<Vec<T>, BindError> {
        let mut values = Vec::with_capacity(self.size());
        for row in self.rows() {
            match row.to().map_err(BindError::into_refusal) {
                Ok(value) => values.push(value),
                Err(Ok(refusal)) => refused(row.index, refusal),
                Err(Err(error)) => return Err(error),
            }
        }
        if self.size() > 0 {
            check_nulls::<T>(&self.row(0))?;
        }
        Ok(values)
    }
}

fn check_nulls<'a, T: Deserialize<'a>>(row: &Row<'a>) -> Result<(), BindError> {
    let mut nullable = row.vectors().nullable();
    match nullable.find(|(position, _)| row.refuses_null::<T>(*position)) {
        Some((_, feature)) => Err(BindError::nulls(feature)),
        None => Ok(()),
    }
}
