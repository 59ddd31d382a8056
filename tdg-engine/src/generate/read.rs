//! Rows from JSON text, straight into columns.

use std::fmt;

use tdg_definition::json::{self, Reader};
use tdg_definition::{Cells, Column, Definition, FeatureType, Text, calendar};

use super::Vectors;
use super::vectors::VectorsFeature;

/// A row that does not fit its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    row: usize,
    feature: Option<String>,
    fault: RowFault,
}

/// What is wrong with the row, or with the cell of the feature.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RowFault {
    message: String,
    cause: Option<json::Error>,
}

impl From<json::Error> for RowFault {
    fn from(error: json::Error) -> Self {
        Self {
            message: error.message().to_owned(),
            cause: Some(error),
        }
    }
}

impl From<String> for RowFault {
    fn from(message: String) -> Self {
        Self {
            message,
            cause: None,
        }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.feature {
            Some(feature) => write!(formatter, "row {}, feature `{feature}`: ", self.row)?,
            None => write!(formatter, "row {}: ", self.row)?,
        }
        formatter.write_str(&self.fault.message)
    }
}

impl std::error::Error for RowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.fault.cause.as_ref().map(|cause| cause as _)
    }
}

impl Vectors {
    /// Reads rows from a JSON array of arrays.
    ///
    /// # Errors
    /// The first cell that is not of its feature's type, or the first row whose number of cells is
    /// not that of the features.
    pub fn from_json(definition: &Definition, text: &str) -> Result<Self, RowError> {
        let mut builder = Builder::new(definition);
        let mut reader = Reader::new(text);
        builder.at_row(reader.begin_array())?;
        while builder.at_row(reader.next_element())? {
            builder.row(&mut reader)?;
        }
        builder.at_row(reader.finish())?;
        builder.finish()
    }

    /// Reads rows from one JSON array each.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json).
    pub fn from_rows<'a>(
        definition: &Definition,
        rows: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, RowError> {
        let mut builder = Builder::new(definition);
        for row in rows {
            let mut reader = Reader::new(row);
            builder.row(&mut reader)?;
            builder.at_row(reader.finish())?;
        }
        builder.finish()
    }
}

/// The columns read so far.
pub(super) struct Builder<'a> {
    definition: &'a Definition,
    columns: Vec<Growing>,
    rows: usize,
}

/// A column read so far.
struct Growing {
    values: Values,
    nulls: Vec<bool>,
}

enum Values {
    Float(Vec<f64>),
    Integer {
        narrow: Vec<i64>,
        /// Rows with values beyond `i64`; they are 0 in `narrow`.
        beyond: Vec<(usize, u64)>,
    },
    Text(Text),
    Boolean(Vec<bool>),
    DateTime(Vec<i64>),
    Date(Vec<i64>),
}

impl<'a> Builder<'a> {
    pub(super) fn new(definition: &'a Definition) -> Self {
        let growing = |feature_type| Growing {
            values: match feature_type {
                FeatureType::Float => Values::Float(Vec::new()),
                FeatureType::Integer => Values::Integer {
                    narrow: Vec::new(),
                    beyond: Vec::new(),
                },
                FeatureType::Boolean => Values::Boolean(Vec::new()),
                FeatureType::DateTime => Values::DateTime(Vec::new()),
                FeatureType::Date => Values::Date(Vec::new()),
                _ => Values::Text(Text::default()),
            },
            nulls: Vec::new(),
        };
        let features = definition.features().iter();
        Self {
            definition,
            columns: features.map(|f| growing(f.feature_type())).collect(),
            rows: 0,
        }
    }

    fn row(&mut self, reader: &mut Reader<'_>) -> Result<(), RowError> {
        self.at_row(reader.begin_array())?;
        for position in 0..self.columns.len() {
            let read = reader
                .element()
                .map_err(RowFault::from)
                .and_then(|()| self.columns[position].read(reader));
            if let Err(fault) = read {
                return Err(RowError {
                    row: self.rows,
                    feature: Some(self.definition.features()[position].name().to_owned()),
                    fault,
                });
            }
        }
        self.at_row(reader.end_array())?;
        self.rows += 1;
        Ok(())
    }

    fn at_row<T>(&self, read: Result<T, json::Error>) -> Result<T, RowError> {
        read.map_err(|error| RowError {
            row: self.rows,
            feature: None,
            fault: error.into(),
        })
    }

    pub(super) fn push_null(&mut self, position: usize) {
        self.columns[position].push_null();
    }

    /// Nothing if the text is not a value of the feature's type.
    pub(super) fn push_text(&mut self, position: usize, text: &str) -> Option<()> {
        self.columns[position].push_text(text)
    }

    /// Nothing if the JSON is not a value of the feature's type.
    pub(super) fn push_json(&mut self, position: usize, text: &str) -> Option<()> {
        self.columns[position].read(&mut Reader::new(text)).ok()
    }

    pub(super) fn end_row(&mut self) {
        self.rows += 1;
    }

    pub(super) fn finish(self) -> Result<Vectors, RowError> {
        let mut features = Vec::with_capacity(self.columns.len());
        for (growing, feature) in self.columns.into_iter().zip(self.definition.features()) {
            let cells = growing.values.finish().map_err(|row| RowError {
                row,
                feature: Some(feature.name().to_owned()),
                fault: RowFault::from("is beyond i64, while other rows are negative".to_owned()),
            })?;
            let column = Column::new(cells, Some(growing.nulls));
            features.push(VectorsFeature::new(
                feature.name(),
                feature.feature_type(),
                column,
            ));
        }
        Ok(Vectors::from_features(features, self.rows))
    }
}

impl Growing {
    fn push_null(&mut self) {
        self.nulls.push(true);
        self.values.push_null();
    }

    fn push_text(&mut self, text: &str) -> Option<()> {
        match &mut self.values {
            Values::Float(values) => {
                values.push(text.parse().ok().filter(|value: &f64| value.is_finite())?);
            }
            Values::Integer { narrow, beyond } => match text.parse() {
                Ok(value) => narrow.push(value),
                Err(_) => {
                    beyond.push((narrow.len(), text.parse().ok()?));
                    narrow.push(0);
                }
            },
            Values::Text(values) => values.push(text),
            Values::Boolean(values) => values.push(match text {
                "true" | "True" | "TRUE" => true,
                "false" | "False" | "FALSE" => false,
                _ => return None,
            }),
            Values::DateTime(values) => values.push(calendar::parse_datetime(text).ok()?),
            Values::Date(values) => values.push(calendar::parse_date(text).ok()?),
        }
        self.nulls.push(false);
        Some(())
    }

    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), RowFault> {
        if reader.take_null() {
            self.push_null();
            return Ok(());
        }
        self.nulls.push(false);
        match &mut self.values {
            Values::Float(values) => {
                let value = reader.f64()?;
                if !value.is_finite() {
                    return Err("must be a finite number".to_owned().into());
                }
                values.push(value);
            }
            Values::Text(text) => text.push(&reader.string()?),
            Values::Boolean(values) => values.push(reader.boolean()?),
            Values::DateTime(values) => {
                values.push(calendar::parse_datetime(&reader.string()?)?);
            }
            Values::Date(values) => {
                values.push(calendar::parse_date(&reader.string()?)?);
            }
            Values::Integer { narrow, beyond } => {
                let before = reader.clone();
                match reader.i64() {
                    Ok(value) => narrow.push(value),
                    Err(error) => {
                        *reader = before;
                        let value = reader.u64().map_err(|_| error)?;
                        beyond.push((narrow.len(), value));
                        narrow.push(0);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Values {
    fn push_null(&mut self) {
        match self {
            Self::Float(values) => values.push(0.0),
            Self::Text(text) => text.push(""),
            Self::Boolean(values) => values.push(false),
            Self::DateTime(values) | Self::Date(values) => values.push(0),
            Self::Integer { narrow, .. } => narrow.push(0),
        }
    }

    /// The cells, or the row of an integer that a column can't hold together with the others.
    fn finish(self) -> Result<Cells, usize> {
        Ok(match self {
            Self::Float(values) => Cells::Float(values),
            Self::Text(text) => Cells::Text(text),
            Self::Boolean(values) => Cells::Boolean(values),
            Self::DateTime(values) => Cells::DateTime(values),
            Self::Date(values) => Cells::Date(values),
            Self::Integer { narrow, beyond } => match beyond.first() {
                None => Cells::Integer(narrow),
                Some(&(row, _)) => Cells::Unsigned(widened(narrow, &beyond).ok_or(row)?),
            },
        })
    }
}

/// The values as `u64`; `None` if one is negative.
fn widened(narrow: Vec<i64>, beyond: &[(usize, u64)]) -> Option<Vec<u64>> {
    let wide: Result<Vec<u64>, _> = narrow.into_iter().map(u64::try_from).collect();
    let mut wide = wide.ok()?;
    for &(row, value) in beyond {
        wide[row] = value;
    }
    Some(wide)
}
