//! Rows read from JSON text directly into columns.

use std::fmt;

use tdg_definition::Definition;
use tdg_definition::json::{self, Reader};

use super::Vectors;
use super::column_builder::{CellFault, ColumnBuilder};
use super::vectors::VectorsFeature;

/// A row that doesn't fit its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowError {
    row: usize,
    feature: Option<String>,
    fault: CellFault,
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
    /// Fails at the first cell that isn't of its feature's type, or the first row with the wrong
    /// number of cells.
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
    /// The same as for [`from_json`](Self::from_json).
    pub fn from_rows(
        definition: &Definition,
        rows: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, RowError> {
        let mut builder = Builder::new(definition);
        for row in rows {
            let mut reader = Reader::new(row.as_ref());
            builder.row(&mut reader)?;
            builder.at_row(reader.finish())?;
        }
        builder.finish()
    }
}

/// The columns read so far.
pub(super) struct Builder<'a> {
    definition: &'a Definition,
    columns: Vec<ColumnBuilder>,
    rows: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(definition: &'a Definition) -> Self {
        Self {
            definition,
            columns: definition
                .features()
                .iter()
                .map(ColumnBuilder::new)
                .collect(),
            rows: 0,
        }
    }

    fn row(&mut self, reader: &mut Reader<'_>) -> Result<(), RowError> {
        self.at_row(reader.begin_array())?;
        for position in 0..self.columns.len() {
            let read = reader
                .element()
                .map_err(CellFault::from)
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

    /// Adds a text, or returns `None` if it isn't a value of the feature's type.
    pub(super) fn push_text(&mut self, position: usize, text: &str) -> Option<()> {
        self.columns[position].push_text(text)
    }

    /// Adds a JSON text, or returns `None` if it isn't a value of the feature's type.
    pub(super) fn push_json(&mut self, position: usize, text: &str) -> Option<()> {
        self.columns[position].read(&mut Reader::new(text)).ok()
    }

    pub(super) fn end_row(&mut self) {
        self.rows += 1;
    }

    pub(super) fn finish(self) -> Result<Vectors, RowError> {
        let mut features = Vec::with_capacity(self.columns.len());
        for (growing, feature) in self.columns.into_iter().zip(self.definition.features()) {
            let column = growing.finish().map_err(|beyond| RowError {
                row: beyond.row.unwrap_or_default(),
                feature: Some(feature.name().to_owned()),
                fault: CellFault::from("is outside i64, but other rows are negative".to_owned()),
            })?;
            features.push(VectorsFeature::new(
                feature.name(),
                feature.feature_type(),
                column,
            ));
        }
        Ok(Vectors::from_features(features, self.rows))
    }
}
