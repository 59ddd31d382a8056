//! A definition: an ordered list of features.

use std::ops::Range;

use crate::column::Column;
use crate::fault::Faults;
use crate::feature::Feature;
use crate::feature::feature_reader::READER;
use crate::feature::features::Features;
use crate::feature::nesting_limits;
use crate::feature::shape::{self, Shapes};
use crate::fields::Fields;
use crate::json::{self, Pointer, Value};
use crate::limits::{NAME_BYTES, SIZES, WORK};
use crate::relation::Relations;
use crate::size_error::SizeError;

/// The structure and the distributions of the data: an ordered list of features.
///
/// ```
/// use tdg_definition::Definition;
///
/// let definition = Definition::parse(r#"{
///     "features": [
///         {"feature_name": "amount", "type": "FLOAT",
///          "distribution": {"type": "normal", "mean": 20, "sd": 5}}
///     ]
/// }"#)?;
/// assert_eq!(definition.features()[0].name(), "amount");
/// assert_eq!(definition.features()[0].distribution_name(), "gaussian");
/// let canonical = definition.canonical();
/// assert!(canonical.contains(r#""distribution":{"mu":20.0,"sigma":5.0,"type":"gaussian"}"#));
/// # Ok::<(), tdg_definition::Faults>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    name: Option<String>,
    features: Features,
    /// In canonical form.
    shapes: Option<Value>,
}

impl Definition {
    /// The largest number of features.
    pub const FEATURES: usize = Features::MOST;

    /// The names of the members that concern several features: relations between them, and shapes.
    pub const RELATIONS: &[&str] = {
        let [correlations, sampling, order, coverage] = Relations::NAMES;
        &[correlations, sampling, order, coverage, shape::NAME]
    };

    /// Reads a user's definition from JSON text. Comments (`// …` and `/* … */`) are allowed, and
    /// commas after the last element or member.
    ///
    /// # Errors
    /// All faults, each with its JSON Pointer and the fix.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        Self::from_value(&json::parse_with_comments(text).map_err(not_json)?)
    }

    /// Reads a user's definition from a JSON value.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse).
    pub fn from_value(value: &Value) -> Result<Self, Faults> {
        Self::read(value, false)
    }

    /// Reads a previously accepted definition from its recorded JSON text: in a snapshot file, a
    /// store or a server's database.
    ///
    /// A later tdg may reject what an earlier one accepted. This still reads such a definition,
    /// which draws the same bits as before.
    ///
    /// ```
    /// use tdg_definition::Definition;
    ///
    /// let narrow = r#"{"features": [{"type": "FLOAT", "distribution":
    ///     {"type": "gaussian", "mu": 0, "sigma": 1e16, "min": 0, "max": 1}}]}"#;
    /// assert!(Definition::parse(narrow).is_err());
    /// assert!(Definition::parse_recorded(narrow).is_ok());
    /// ```
    ///
    /// # Errors
    /// All faults: the text is damaged, or from a later tdg.
    pub fn parse_recorded(text: &str) -> Result<Self, Faults> {
        Self::from_recorded(&json::parse(text).map_err(not_json)?)
    }

    /// Reads a previously accepted definition from its recorded JSON value.
    ///
    /// # Errors
    /// As for [`parse_recorded`](Self::parse_recorded).
    pub fn from_recorded(value: &Value) -> Result<Self, Faults> {
        Self::read(value, true)
    }

    fn read(value: &Value, is_recorded: bool) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let definition = read(value, &mut faults, is_recorded);
        faults.check()?;
        let definition =
            definition.ok_or_else(|| Faults::of_document("is not a definition".to_owned()))?;
        match definition.check_work(1) {
            Err(error) if !is_recorded => Err(Faults::at(
                Pointer::root().child("features"),
                error.to_string(),
            )),
            _ => Ok(definition),
        }
    }

    /// Returns the name, if any.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the features, in the order of a row's values.
    #[must_use]
    pub fn features(&self) -> &[Feature] {
        self.features.as_slice()
    }

    /// Returns the relations between the features.
    pub(crate) fn relations(&self) -> &Relations {
        self.features.relations()
    }

    /// Checks that the definition can have an ensemble of this size: within the
    /// [limits](crate::limits), with enough values for every `unique` feature and enough rows for
    /// `coverage`.
    ///
    /// ```
    /// use tdg_definition::Definition;
    ///
    /// let dice = Definition::parse(r#"{"features": [
    ///     {"type": "INTEGER", "unique": true,
    ///      "distribution": {"type": "uniform", "min": 1, "max": 6}}
    /// ]}"#)?;
    /// assert!(dice.check_size(6).is_ok());
    /// assert!(dice.check_size(7).unwrap_err().to_string().starts_with("/features/0/unique: "));
    /// assert!(dice.check_size(10_001).is_err());
    /// # Ok::<(), tdg_definition::Faults>(())
    /// ```
    ///
    /// # Errors
    /// The exceeded limit, or the members that have too few values or need more rows.
    pub fn check_size(&self, size: usize) -> Result<(), SizeError> {
        if !SIZES.contains(&size) {
            return Err(SizeError::Rows(size));
        }
        nesting_limits::check_cells(self.features(), size)?;
        self.check_work(size)?;
        let (mut faults, features) = (Faults::default(), Pointer::root().child("features"));
        for (index, feature) in self.features().iter().enumerate() {
            let place = features.child(index.to_string());
            feature.check_values(size, "rows", &place, &mut faults);
        }
        faults.extend(self.relations().check_size(size));
        faults.check().map_err(SizeError::Definition)
    }

    /// Checks that drawing `size` rows is within the [limit of work](WORK). Recorded rows aren't
    /// checked in any other way.
    ///
    /// # Errors
    /// The feature or the relations that take too much work.
    pub fn check_work(&self, size: usize) -> Result<(), SizeError> {
        match self.work(size) > WORK {
            true => Err(self.too_much_work(size)),
            false => Ok(()),
        }
    }

    /// Estimates the work of drawing `size` rows: an upper bound in nanoseconds on one core in a
    /// release build.
    ///
    /// ```
    /// use tdg_definition::{Definition, limits::WORK};
    ///
    /// let zipf = r#"{"type": "INTEGER", "distribution": {"type": "zipf", "n": 1000000, "s": 1}}"#;
    /// let of = |count| format!(r#"{{"features": [{}]}}"#, vec![zipf; count].join(","));
    /// assert!(Definition::parse(&of(1))?.work(10_000) < WORK / 10);
    /// let error = Definition::parse(&of(100)).unwrap_err().to_string();
    /// assert!(error.contains("`feature_1` (zipf) takes the most"));
    /// # Ok::<(), tdg_definition::Faults>(())
    /// ```
    #[must_use]
    pub fn work(&self, size: usize) -> u64 {
        self.features.work(size as u64)
    }

    fn too_much_work(&self, size: usize) -> SizeError {
        let features = self.features();
        let work = |position: &usize| self.features.feature_work(*position, size as u64);
        // The first among equal ones.
        let most = (0..features.len()).rev().max_by_key(work);
        let of_relations = self.relations().work(size as u64);
        let is_feature = |position: &usize| {
            let same = features[*position].distribution_name();
            let alike =
                (0..features.len()).filter(|&other| features[other].distribution_name() == same);
            alike.map(|other| work(&other)).fold(0, u64::saturating_add) >= of_relations
        };
        let most = most.filter(is_feature).map(|position| {
            let feature = &features[position];
            (feature.name().to_owned(), feature.distribution_name())
        });
        SizeError::Work {
            size,
            work: self.work(size),
            most,
        }
    }

    /// Draws a column for each feature: the rows `rows` of the ensemble with this seed and size.
    ///
    /// A value depends on the seed, its feature, its row number, and related features, so any range
    /// draws the same rows as a larger range. Only stratified sampling makes values depend on
    /// `size`.
    ///
    /// ```
    /// use tdg_definition::{Cells, Definition};
    ///
    /// let definition = Definition::parse(r#"{"features": [
    ///     {"feature_name": "dice", "type": "INTEGER",
    ///      "distribution": {"type": "uniform", "min": 1, "max": 6}}
    /// ]}"#)?;
    /// let columns = definition.columns(0, 100, 0..5);
    /// assert_eq!(*columns[0].cells(), Cells::Integer(vec![3, 3, 3, 2, 3]));
    /// # Ok::<(), tdg_definition::Faults>(())
    /// ```
    #[must_use]
    pub fn columns(&self, seed: u64, size: u64, rows: Range<u64>) -> Vec<Column> {
        self.features.draw(seed, size, rows)
    }

    /// Returns the canonical form: compact JSON with sorted keys, resolved aliases and no defaults.
    /// Equivalent definitions have the same canonical form.
    #[must_use]
    pub fn canonical(&self) -> String {
        self.to_value().to_string()
    }

    /// Returns the canonical form as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut members = self.features.members();
        if let Some(shapes) = &self.shapes {
            members.push((shape::NAME, shapes.clone()));
        }
        if let Some(name) = &self.name {
            members.push(("definition_name", Value::from(name.as_str())));
        }
        Value::object(members)
    }
}

fn not_json(error: json::Error) -> Faults {
    Faults::of_document(format!("not valid JSON: {error}"))
}

fn read(value: &Value, faults: &mut Faults, is_recorded: bool) -> Option<Definition> {
    let fields = Fields::of(value, Pointer::root(), "a definition", faults)?;
    let mut fields = fields.recorded(is_recorded);
    let name = fields.optional_text("definition_name");
    if let Ok(Some(name)) = name
        && (name.len() > NAME_BYTES || name.chars().any(char::is_control))
    {
        let message =
            format!("must be at most {NAME_BYTES} bytes long and without control characters");
        fields.fault("definition_name", message);
    }
    let shapes = Shapes::read(&mut fields, &READER);
    let mut fields = fields.with_context(&shapes);
    let features = read_features(&mut fields, value);
    // For editors: the URL of docs/reference/definition.schema.json.
    fields.ignore(&["$schema"]);
    fields.finish();
    Some(Definition {
        name: name.ok()?.map(str::to_owned),
        features: features?,
        shapes: shapes.to_value(),
    })
}

fn read_features(fields: &mut Fields<'_>, definition: &Value) -> Option<Features> {
    let of_rows = definition.get("features").and_then(Value::as_array);
    let (count, most) = (nesting_limits::count(definition), Features::MOST);
    if count <= most || of_rows.is_none_or(|of_rows| of_rows.len() > most) {
        return Features::read(fields, &READER);
    }
    let message = format!(
        "must be at most {most}, counting elements of lists and features of objects, but are {count}"
    );
    fields.fault("features", message);
    fields.ignore(&["features"]);
    fields.ignore(Relations::NAMES);
    None
}
