//! The value of a parameter: a feature, or the whole row.
//!
//! A parameter takes its feature in every row, nulls included. Whether its type can be null is
//! tried on the first row, so that it doesn't depend on which rows are drawn.

use serde_core::Deserialize;
use tdg_definition::nearest;

use super::null::Null;
use super::{BindError, FoundFeature, Row, Vectors};
use crate::made::NotAnInput;
use tdg_engine::generate::VectorsFeature;

/// The value of a feature.
///
/// # Errors
/// There is no such feature, or its value is not of the type; or the feature can be null, and the
/// type can't.
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

/// Apart from [`bind`], which every cell goes through.
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

/// The whole row as one value.
///
/// # Errors
/// As of [`Row::to`]; or a feature can be null where the type can't.
pub fn whole_row<'a, T: Deserialize<'a>>(row: &Row<'a>) -> Result<T, BindError> {
    let value = row.to()?;
    if row.index == 0 {
        check_nulls::<T>(row)?;
    }
    Ok(value)
}

/// The feature of that name, where there is one; else the whole row.
///
/// # Errors
/// As of [`bind`] or [`whole_row`].
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

/// A value that lives as long as the process, as `&'static str` needs.
pub fn leaked<V: Into<Box<T>>, T: ?Sized>(value: V) -> &'static mut T {
    Box::leak(value.into())
}

impl Vectors {
    /// All rows, each as a value of its own: a struct by feature names, a tuple in feature order,
    /// or the only feature's value.
    ///
    /// # Errors
    /// The first row that is not such a value, or a feature that can be null where the value can't.
    pub fn bind<'a, T: Deserialize<'a>>(&'a self) -> Result<Vec<T>, BindError> {
        let values = self.rows().map(|row| row.to()).collect::<Result<_, _>>()?;
        if self.size() > 0 {
            check_nulls::<T>(&self.row(0))?;
        }
        Ok(values)
    }

    /// As [`bind`](Self::bind), without the rows that a maker refuses.
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
