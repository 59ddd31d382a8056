//! Columns that grow while rows are read.

use std::collections::HashSet;

use tdg_definition::distribution::{Parts, Variant};
use tdg_definition::json::{self, Reader};
use tdg_definition::{
    ByteCells, Cells, Column, Feature, FeatureType, Invalid, ListCells, ListForm, ObjectCells,
    ObjectForm, Text, VariantCells, VariantForm, calendar, nearest,
};

/// A column with the values read so far.
pub(super) struct ColumnBuilder {
    values: Values,
    nulls: Vec<bool>,
    is_node: bool,
}

enum Values {
    Float(Vec<f64>),
    Integer {
        narrow: Vec<i64>,
        /// The rows with values above `i64::MAX`, which are 0 in `narrow`.
        beyond: Vec<(usize, u64)>,
    },
    Text(Text),
    Bytes(ByteCells),
    Boolean(Vec<bool>),
    DateTime(Vec<i64>),
    Date(Vec<i64>),
    List {
        form: ListForm,
        lengths: Vec<u32>,
        elements: Box<ColumnBuilder>,
    },
    Variant {
        /// The feature, which identifies the variants.
        feature: Feature,
        chosen: Vec<u8>,
        /// The values of each variant that has any.
        values: Vec<Option<ColumnBuilder>>,
    },
    Object {
        form: ObjectForm,
        members: Vec<(String, ColumnBuilder)>,
        rows: usize,
    },
    /// Nested nodes of a shape until the first one is read, because nodes can contain more nodes.
    Nodes {
        feature: Feature,
        nulls: usize,
    },
}

/// An error in a cell or a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellFault {
    pub(super) message: String,
    pub(super) cause: Option<json::Error>,
}

impl CellFault {
    /// Prefixes the message with the part of the cell.
    fn within(self, part: &str) -> Self {
        let message = format!("{part}: {}", self.message);
        Self { message, ..self }
    }
}

impl From<json::Error> for CellFault {
    fn from(error: json::Error) -> Self {
        Self {
            message: error.message().to_owned(),
            cause: Some(error),
        }
    }
}

impl From<Invalid> for CellFault {
    fn from(invalid: Invalid) -> Self {
        invalid.to_string().into()
    }
}

impl From<String> for CellFault {
    fn from(message: String) -> Self {
        Self {
            message,
            cause: None,
        }
    }
}

impl ColumnBuilder {
    /// Creates an empty column for a feature.
    pub(super) fn new(feature: &Feature) -> Self {
        let values = match feature.is_node() {
            true => Values::Nodes {
                feature: feature.clone(),
                nulls: 0,
            },
            false => Values::new(feature),
        };
        let nulls = Vec::new();
        let is_node = feature.is_node();
        Self {
            values,
            nulls,
            is_node,
        }
    }

    /// Starts the columns of a node, if this is the first node of a shape.
    fn begin(&mut self) -> Result<(), CellFault> {
        let Values::Nodes { feature, nulls } = &self.values else {
            return Ok(());
        };
        if let Parts::None = feature.parts() {
            return Err("is deeper than the `depth` of its shape".to_owned().into());
        }
        let mut first = Values::new(feature);
        (0..*nulls).for_each(|_| first.push_null());
        self.values = first;
        Ok(())
    }

    pub(super) fn push_null(&mut self) {
        self.nulls.push(true);
        self.values.push_null();
    }

    /// Adds a cell of a CSV file, or returns `None` if it isn't of the type.
    pub(super) fn push_text(&mut self, text: &str) -> Option<()> {
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
            Values::Bytes(values) => values.push_escaped(text).ok()?,
            Values::Boolean(values) => values.push(match text {
                "true" | "True" | "TRUE" => true,
                "false" | "False" | "FALSE" => false,
                _ => return None,
            }),
            Values::DateTime(values) => values.push(calendar::parse_datetime(text).ok()?),
            Values::Date(values) => values.push(calendar::parse_date(text).ok()?),
            Values::List { .. }
            | Values::Object { .. }
            | Values::Variant { .. }
            | Values::Nodes { .. } => {
                return self.read(&mut Reader::new(text)).ok();
            }
        }
        self.nulls.push(false);
        Some(())
    }

    /// Adds the next value of a JSON text.
    pub(super) fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), CellFault> {
        if !self.values.hold_null() && reader.take_null() {
            self.push_null();
            return Ok(());
        }
        self.begin()?;
        self.nulls.push(false);
        match &mut self.values {
            // `begin` has replaced this.
            Values::Nodes { .. } => {}
            Values::Float(values) => values.push(read_finite(reader)?),
            Values::Text(text) => text.push(&reader.string()?),
            Values::Bytes(bytes) => bytes.push_escaped(&reader.string()?)?,
            Values::Boolean(values) => values.push(reader.boolean()?),
            Values::DateTime(values) => {
                values.push(calendar::parse_datetime(&reader.string()?)?);
            }
            Values::Date(values) => {
                values.push(calendar::parse_date(&reader.string()?)?);
            }
            Values::Integer { narrow, beyond } => {
                let before = reader.clone();
                let value = reader.i64().or_else(|error| {
                    *reader = before;
                    let value = reader.u64().map_err(|_| error)?;
                    beyond.push((narrow.len(), value));
                    Ok::<_, json::Error>(0)
                });
                narrow.push(value?);
            }
            Values::List {
                form: ListForm::Map,
                lengths,
                elements,
            } => lengths.push(elements.read_entries(reader)?),
            Values::List {
                lengths, elements, ..
            } => lengths.push(elements.read_elements(reader)?),
            Values::Variant {
                feature,
                chosen,
                values,
            } => {
                chosen.push(read_variant(feature, values, reader)?);
            }
            Values::Object {
                form,
                members,
                rows,
            } => {
                *rows += 1;
                match form {
                    ObjectForm::Array => read_tuple(members, reader)?,
                    _ => read_members(members, *rows, None, reader)?,
                }
            }
        }
        Ok(())
    }

    /// Adds the elements of a list and returns their number.
    fn read_elements(&mut self, reader: &mut Reader<'_>) -> Result<u32, CellFault> {
        let mut length = 0;
        reader.begin_array()?;
        while reader.next_element()? {
            let read = self.read(reader);
            read.map_err(|fault| fault.within(&format!("element {length}")))?;
            length += 1;
        }
        Ok(length)
    }

    /// Adds the entries of a map and returns their number.
    fn read_entries(&mut self, reader: &mut Reader<'_>) -> Result<u32, CellFault> {
        let mut keys = HashSet::new();
        reader.begin_object()?;
        while let Some(key) = reader.next_key()? {
            let Values::Object { members, rows, .. } = &mut self.values else {
                break;
            };
            let [(_, of_keys), (_, values)] = &mut members[..] else {
                break;
            };
            of_keys
                .push_text(&key)
                .ok_or_else(|| format!("has no key such as `{key}`"))?;
            values
                .read(reader)
                .map_err(|fault| fault.within(&format!("`{key}`")))?;
            *rows += 1;
            self.nulls.push(false);
            if let Some(twice) = keys.replace(key.into_owned()) {
                return Err(format!("has `{twice}` twice").into());
            }
        }
        Ok(keys.len() as u32)
    }

    /// Adds the value of a variant that has one, written in this form.
    fn read_variant_value(
        &mut self,
        form: &VariantForm,
        reader: &mut Reader<'_>,
    ) -> Result<(), CellFault> {
        match form {
            VariantForm::Untagged => return self.read(reader),
            VariantForm::Internal { tag } => return self.read_beside(tag, reader),
            _ => reader.begin_object()?,
        }
        while let Some(key) = reader.next_key()? {
            match form {
                VariantForm::Adjacent { tag, .. } if *tag == key => reader.skip_value()?,
                _ => return self.read(reader),
            }
        }
        Ok(())
    }

    /// Adds an object that has a tag along with its members.
    fn read_beside(&mut self, tag: &str, reader: &mut Reader<'_>) -> Result<(), CellFault> {
        self.begin()?;
        self.nulls.push(false);
        match &mut self.values {
            Values::Object { members, rows, .. } => {
                *rows += 1;
                read_members(members, *rows, Some(tag), reader)
            }
            // The value of such a variant is always an object.
            _ => Ok(()),
        }
    }

    fn len(&self) -> usize {
        self.nulls.len()
    }

    /// Returns the column.
    ///
    /// # Errors
    /// Fails if a value is above `i64::MAX` while others are negative.
    pub(super) fn finish(self) -> Result<Column, OutOfRange> {
        let mut cells = self.values.finish()?;
        if self.is_node {
            cells = cells.of_nodes();
        }
        Ok(Column::new(cells, Some(self.nulls)))
    }
}

fn finish_variants(
    feature: &Feature,
    chosen: &[u8],
    values: Vec<Option<ColumnBuilder>>,
) -> Result<VariantCells, OutOfRange> {
    let Parts::Variants(variants) = feature.parts() else {
        return Err(OutOfRange { row: None });
    };
    let all = variants.all().iter().zip(values);
    let column = |(variant, values): (&Variant, Option<ColumnBuilder>)| {
        let values = values.map(ColumnBuilder::finish).transpose();
        let values = values.map_err(|_| OutOfRange { row: None })?;
        Ok((variant.name().to_owned(), values))
    };
    let all = all.map(column).collect::<Result<Vec<_>, _>>()?;
    Ok(VariantCells::new(variants.form().clone(), all, chosen))
}

/// A row whose integer doesn't fit the others' type.
pub(super) struct OutOfRange {
    /// `None` inside a list or an object.
    pub(super) row: Option<usize>,
}

fn read_finite(reader: &mut Reader<'_>) -> Result<f64, CellFault> {
    let value = reader.f64()?;
    match value.is_finite() {
        true => Ok(value),
        false => Err("must be a finite number".to_owned().into()),
    }
}

/// Reads an object, after which each member has `rows` values. The object may have a tag too.
fn read_members(
    members: &mut [(String, ColumnBuilder)],
    rows: usize,
    tag: Option<&str>,
    reader: &mut Reader<'_>,
) -> Result<(), CellFault> {
    reader.begin_object()?;
    while let Some(key) = reader.next_key()? {
        if tag == Some(&*key) {
            reader.skip_value()?;
            continue;
        }
        let found = members.iter().position(|(name, _)| *name == key);
        let Some(position) = found else {
            let names = members.iter().map(|(name, _)| name.as_str());
            return Err(match nearest(&key, names) {
                Some(near) => format!("has `{key}`; did you mean `{near}`?"),
                None => format!("has `{key}`, which is not a feature of it"),
            }
            .into());
        };
        let (name, member) = &mut members[position];
        if member.len() == rows {
            return Err(format!("has `{name}` twice").into());
        }
        member
            .read(reader)
            .map_err(|fault| fault.within(&format!("`{name}`")))?;
    }
    match members.iter().find(|(_, member)| member.len() < rows) {
        Some((missing, _)) => Err(format!("has no `{missing}`").into()),
        None => Ok(()),
    }
}

/// Reads an array with a value for each member.
fn read_tuple(
    members: &mut [(String, ColumnBuilder)],
    reader: &mut Reader<'_>,
) -> Result<(), CellFault> {
    let wanted = members.len();
    let mut read = 0;
    reader.begin_array()?;
    while reader.next_element()? {
        let Some((_, member)) = members.get_mut(read) else {
            return Err(format!("must have {wanted} values, but has more").into());
        };
        let value = member.read(reader);
        value.map_err(|fault| fault.within(&format!("value {read}")))?;
        read += 1;
    }
    match read == wanted {
        true => Ok(()),
        false => Err(format!("must have {wanted} values, but has {read}").into()),
    }
}

/// Reads a variant, adds its value to the variant's column, and returns the variant's number.
fn read_variant(
    feature: &Feature,
    values: &mut [Option<ColumnBuilder>],
    reader: &mut Reader<'_>,
) -> Result<u8, CellFault> {
    let Parts::Variants(variants) = feature.parts() else {
        return Ok(0);
    };
    // Reads the text again, because a JSON value sorts the keys of a map.
    let mut written = reader.clone();
    let (number, value) = variants.find(&reader.value()?)?;
    if let (Some(values), Some(_)) = (&mut values[number], value) {
        let read = values.read_variant_value(variants.form(), &mut written);
        let name = variants.all()[number].name();
        read.map_err(|fault| fault.within(&format!("`{name}`")))?;
    }
    // There are at most 256 variants.
    Ok(number as u8)
}

impl Values {
    /// Returns true if null is one of the values.
    fn hold_null(&self) -> bool {
        matches!(self, Self::Variant { feature, .. } | Self::Nodes { feature, .. } if feature.is_null_a_value())
    }

    fn new(feature: &Feature) -> Self {
        match (feature.parts(), feature.feature_type()) {
            (Parts::Element(element), _) => Self::list(ListForm::Array, element),
            (Parts::Entries(element), _) => Self::list(ListForm::Map, element),
            (Parts::Members(members), _) => Self::object(ObjectForm::Object, members),
            (Parts::Tuple(members), _) => Self::object(ObjectForm::Array, members),
            (Parts::Variants(variants), _) => Self::Variant {
                feature: feature.clone(),
                chosen: Vec::new(),
                values: variants
                    .all()
                    .iter()
                    .map(|variant| variant.value().map(ColumnBuilder::new))
                    .collect(),
            },
            (_, FeatureType::Float) => Self::Float(Vec::new()),
            (_, FeatureType::Integer) => Self::Integer {
                narrow: Vec::new(),
                beyond: Vec::new(),
            },
            (_, FeatureType::Boolean) => Self::Boolean(Vec::new()),
            (_, FeatureType::DateTime) => Self::DateTime(Vec::new()),
            (_, FeatureType::Date) => Self::Date(Vec::new()),
            (_, FeatureType::Bytes) => Self::Bytes(ByteCells::default()),
            _ => Self::Text(Text::default()),
        }
    }

    fn list(form: ListForm, element: &Feature) -> Self {
        Self::List {
            form,
            lengths: Vec::new(),
            elements: Box::new(ColumnBuilder::new(element)),
        }
    }

    fn object(form: ObjectForm, members: &[Feature]) -> Self {
        let members = members.iter();
        Self::Object {
            form,
            members: members
                .map(|member| (member.name().to_owned(), ColumnBuilder::new(member)))
                .collect(),
            rows: 0,
        }
    }

    fn push_null(&mut self) {
        match self {
            Self::Float(values) => values.push(0.0),
            Self::Text(text) => text.push(""),
            Self::Bytes(bytes) => bytes.push(b""),
            Self::Boolean(values) => values.push(false),
            Self::DateTime(values) | Self::Date(values) => values.push(0),
            Self::Integer { narrow, .. } => narrow.push(0),
            Self::List { lengths, .. } => lengths.push(0),
            Self::Nodes { nulls, .. } => *nulls += 1,
            Self::Variant { chosen, values, .. } => {
                chosen.push(0);
                if let Some(Some(values)) = values.first_mut() {
                    values.push_null();
                }
            }
            Self::Object { members, rows, .. } => {
                *rows += 1;
                members
                    .iter_mut()
                    .for_each(|(_, member)| member.push_null());
            }
        }
    }

    fn finish(self) -> Result<Cells, OutOfRange> {
        Ok(match self {
            Self::Float(values) => Cells::Float(values),
            Self::Text(text) => Cells::Text(text),
            Self::Bytes(bytes) => Cells::Bytes(bytes),
            Self::Boolean(values) => Cells::Boolean(values),
            Self::DateTime(values) => Cells::DateTime(values),
            Self::Date(values) => Cells::Date(values),
            Self::Integer { narrow, beyond } => match beyond.first() {
                None => Cells::Integer(narrow),
                Some(&(row, _)) => {
                    let wide = widened(narrow, &beyond);
                    Cells::Unsigned(wide.ok_or(OutOfRange { row: Some(row) })?)
                }
            },
            Self::Nodes { nulls, .. } => Cells::Boolean(vec![false; nulls]),
            Self::List {
                form,
                lengths,
                elements,
            } => {
                let elements = elements.finish().map_err(|_| OutOfRange { row: None })?;
                Cells::List(ListCells::new(form, &lengths, elements))
            }
            Self::Variant {
                feature,
                chosen,
                values,
            } => Cells::Variant(finish_variants(&feature, &chosen, values)?),
            Self::Object {
                form,
                members,
                rows,
            } => {
                let column = |(name, member): (String, ColumnBuilder)| {
                    let column = member.finish().map_err(|_| OutOfRange { row: None })?;
                    Ok((name, column))
                };
                let members = members.into_iter().map(column);
                Cells::Object(ObjectCells::new(
                    form,
                    members.collect::<Result<Vec<_>, _>>()?,
                    rows,
                ))
            }
        })
    }
}

/// Converts the values to `u64`, or returns `None` if one is negative.
fn widened(narrow: Vec<i64>, beyond: &[(usize, u64)]) -> Option<Vec<u64>> {
    let wide: Result<Vec<u64>, _> = narrow.into_iter().map(u64::try_from).collect();
    let mut wide = wide.ok()?;
    for &(row, value) in beyond {
        wide[row] = value;
    }
    Some(wide)
}
