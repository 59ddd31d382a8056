//! Errors for rows that don't convert to the function's types.

use std::fmt;

use serde_core::de::{Expected, Unexpected};
use tdg_definition::{FeatureType, nearest};

use crate::maker::{NotAnInput, REFUSED};
use tdg_engine::generate::{Vectors, VectorsFeature};

/// The error for a row that doesn't convert to the function's types: the test's parameters do not
/// fit its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindError(Box<BindErrorDetails>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BindErrorDetails {
    message: String,
    cell: Option<At>,
    /// Set if a null was read and the type can't be null.
    is_null: bool,
    /// Set if the maker of a field refused.
    is_refusal: bool,
    /// The field that has no value.
    missing: Option<&'static str>,
}

/// The cell that did not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct At {
    row: usize,
    feature: String,
    feature_type: FeatureType,
    /// The value as JSON.
    value: String,
}

impl BindError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(Box::new(BindErrorDetails {
            message: message.into(),
            ..BindErrorDetails::default()
        }))
    }

    /// Returns the refusal of a maker, or the error itself if it isn't one.
    pub(crate) fn into_refusal(self) -> Result<NotAnInput, Self> {
        match self.0.is_refusal {
            true => Ok(NotAnInput(self.0.message)),
            false => Err(self),
        }
    }

    /// Creates the error for a name that no feature has.
    pub(super) fn unknown_feature(name: &str, vectors: &Vectors) -> Self {
        let names: Vec<_> = vectors.names().collect();
        Self::new(match nearest(name, names.iter().copied()) {
            Some(near) => format!("unknown feature `{name}`; did you mean `{near}`?"),
            None => format!(
                "unknown feature `{name}`; the features are {}",
                names.join(", ")
            ),
        })
    }

    /// Returns the reason without row and value, which is the same for all rows with that problem.
    pub(crate) fn reason(&self) -> String {
        match &self.0.cell {
            None => self.0.message.clone(),
            Some(cell) if cell.value == "null" => {
                format!(
                    "`{}` is null, which the function does not take",
                    cell.feature
                )
            }
            Some(cell) => {
                let (feature, feature_type) = (&cell.feature, cell.feature_type);
                match self.0.missing {
                    Some(field) => format!(
                        "`{feature}` ({feature_type}) has no `{field}`, which the function takes"
                    ),
                    None => format!("`{feature}` ({feature_type}) is not what the function takes"),
                }
            }
        }
    }

    /// Appends a note, unless a single cell is at fault.
    pub(super) fn of_the_row(mut self, more: &str) -> Self {
        if self.0.cell.is_none() {
            self.0.message.push_str(more);
        }
        self
    }

    /// Creates the error for a feature that can be null where its type can't.
    pub(super) fn nulls(feature: &VectorsFeature) -> Self {
        let (name, feature_type) = (&feature.name, feature.feature_type);
        Self::new(format!(
            "feature `{name}` ({feature_type}) has nulls, so take an Option"
        ))
    }

    /// Marks that the reason is a null.
    pub(super) fn about_null(mut self) -> Self {
        self.0.is_null = true;
        self
    }

    /// Returns true if the reason is a null.
    pub(super) fn is_about_null(&self) -> bool {
        self.0.is_null
    }

    /// Adds the part of a value in which the error occurred.
    pub(super) fn of_part(mut self, part: &str) -> Self {
        let within = format!("{part}: ");
        if std::mem::take(&mut self.0.is_null) {
            // serde calls it a unit value.
            "it is null, so take an Option".clone_into(&mut self.0.message);
        }
        self.0.message.insert_str(0, &within);
        self
    }

    /// Adds the cell at which the error occurred, unless one is already set.
    pub(super) fn at(mut self, row: usize, feature: &VectorsFeature) -> Self {
        self.0.cell.get_or_insert_with(|| {
            let mut value = String::new();
            feature.write_cell(row, &mut value);
            At {
                row,
                feature: feature.name.clone(),
                feature_type: feature.feature_type,
                value,
            }
        });
        self
    }
}

impl fmt::Display for BindError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BindErrorDetails { message, cell, .. } = &*self.0;
        let Some(cell) = cell else {
            return formatter.write_str(message);
        };
        let At {
            row,
            feature,
            feature_type,
            value,
        } = cell;
        write!(
            formatter,
            "row {row}: feature `{feature}` ({feature_type}) is {value}"
        )?;
        if value == "null" {
            // serde calls null a unit value.
            return formatter.write_str("; it has nulls, so take an Option");
        }
        write!(
            formatter,
            ": {message}; {feature_type} fits {}",
            fitting(*feature_type)
        )
    }
}

/// Returns the Rust types that can hold a feature of that type.
fn fitting(feature_type: FeatureType) -> &'static str {
    match feature_type {
        FeatureType::Float => "f64",
        FeatureType::Integer => "i64 or u64",
        FeatureType::Boolean => "bool",
        FeatureType::String => "&str, String or an enum of its values",
        FeatureType::Variant => "an enum of its variants",
        FeatureType::Bytes => "&[u8], a Vec<u8> or an array of u8",
        FeatureType::List => "a Vec, an array or a map",
        FeatureType::Object => "a struct with fields of its names, or a tuple of its values",
        _ => "&str or String",
    }
}

impl std::error::Error for BindError {}

impl serde_core::de::Error for BindError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = message.to_string();
        match message.strip_prefix(REFUSED) {
            Some(reason) => {
                let mut error = Self::new(reason);
                error.0.is_refusal = true;
                error
            }
            None => Self::new(message),
        }
    }

    /// serde's `flatten` reads buffered values, so the cell is unknown.
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let error = Self::new(format!("invalid type: {found}, expected {expected}"));
        match found {
            Unexpected::Unit => error.about_null(),
            _ => error,
        }
    }

    fn missing_field(field: &'static str) -> Self {
        let mut error = Self::new(format!(
            "the struct has a field `{field}`, but there is no such feature; rename one of \
             them, or give the field `#[serde(default)]`"
        ));
        error.0.missing = Some(field);
        error
    }
}
