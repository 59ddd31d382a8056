//! A definition: an ordered list of features.

use std::collections::HashMap;
use std::ops::Range;

use crate::column::Column;
use crate::fault::{Fault, Faults};
use crate::feature::Feature;
use crate::fields::Fields;
use crate::json::{self, Pointer, Value};
use crate::limits::{CELLS, NAME_BYTES, SIZES, WORK};
use crate::relation::{Declared, DrawnRows, Relations};
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
    features: Vec<Feature>,
    relations: Relations,
}

impl Definition {
    /// The largest number of features.
    pub const FEATURES: usize = 1_000;

    /// The names of the members that are relations between features.
    pub const RELATIONS: &[&str] = Relations::NAMES;

    /// Reads a definition that a user wrote, from JSON text. It may have comments, `// …` and
    /// `/* … */`, and commas after the last element or member.
    ///
    /// # Errors
    /// All faults at once, each with its JSON Pointer and the fix.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        Self::from_value(&json::parse_with_comments(text).map_err(not_json)?)
    }

    /// Reads a definition that a user wrote, from a JSON value.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn from_value(value: &Value) -> Result<Self, Faults> {
        Self::read(value, false)
    }

    /// Reads a definition that was accepted before, from the JSON text that was recorded of it: in
    /// a snapshot file, a store or a server's database.
    ///
    /// A later tdg may refuse what an earlier one accepted. Here such a definition is still read,
    /// and draws the same bits as before.
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
    /// All faults at once: the text is damaged, or of a later tdg.
    pub fn parse_recorded(text: &str) -> Result<Self, Faults> {
        Self::from_recorded(&json::parse(text).map_err(not_json)?)
    }

    /// Reads a definition that was accepted before, from the JSON value that was recorded of it.
    ///
    /// # Errors
    /// As [`parse_recorded`](Self::parse_recorded).
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

    /// The name, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The features, in the order of a row's values.
    #[must_use]
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The relations between the features.
    pub(crate) fn relations(&self) -> &Relations {
        &self.relations
    }

    /// Whether the definition can have an ensemble of this size: within the
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
    /// The limit that is exceeded, or the members that have too few values or need more rows, with
    /// their JSON Pointers.
    pub fn check_size(&self, size: usize) -> Result<(), SizeError> {
        if !SIZES.contains(&size) {
            return Err(SizeError::Rows(size));
        }
        let features = self.features.len();
        let most = CELLS / features;
        if size > most {
            return Err(SizeError::Cells {
                size,
                features,
                most,
            });
        }
        self.check_work(size)?;
        let check = |(index, feature): (usize, &Feature)| feature.check_size(size, index);
        let unique = self.features.iter().enumerate().filter_map(check);
        let faults = Faults::from_iter(unique.chain(self.relations.check_size(size)));
        faults.check().map_err(SizeError::Definition)
    }

    /// Whether so many rows can be drawn within the [limit of work](WORK). Rows that were recorded
    /// keep no other rule.
    ///
    /// # Errors
    /// The feature or the relations that take too much.
    pub fn check_work(&self, size: usize) -> Result<(), SizeError> {
        match self.work(size) > WORK {
            true => Err(self.too_much_work(size)),
            false => Ok(()),
        }
    }

    /// An estimate of the work of drawing so many rows, known before it begins: at most that many
    /// nanoseconds of a core in a release build.
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
        let rows = size as u64;
        let features = (0..self.features.len()).map(|position| self.feature_work(position, rows));
        let of_features = features.fold(0, u64::saturating_add);
        of_features.saturating_add(self.relations.work(&self.features, rows))
    }

    fn feature_work(&self, position: usize, rows: u64) -> u64 {
        self.features[position].work(rows, self.relations.supplies(position))
    }

    fn too_much_work(&self, size: usize) -> SizeError {
        let work = |position: &usize| self.feature_work(*position, size as u64);
        // Of equal ones, the first.
        let most = (0..self.features.len()).rev().max_by_key(work);
        let of_relations = self.relations.work(&self.features, size as u64);
        let is_feature = |position: &usize| {
            let same = self.features[*position].distribution_name();
            let alike = (0..self.features.len())
                .filter(|&other| self.features[other].distribution_name() == same);
            alike.map(|other| work(&other)).fold(0, u64::saturating_add) >= of_relations
        };
        let most = most.filter(is_feature).map(|position| {
            let feature = &self.features[position];
            (feature.name().to_owned(), feature.distribution_name())
        });
        SizeError::Work {
            size,
            work: self.work(size),
            most,
        }
    }

    /// The columns of the features, in their order: the rows `rows` of the ensemble with this seed
    /// and size.
    ///
    /// A value depends on the seed, its feature, its row number, and the features related to its
    /// feature. So any range gives the same rows as a larger range. Only stratified sampling makes
    /// values depend on `size`.
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
        let rows = DrawnRows::new(&self.features, seed, size, rows);
        self.relations.draw(&rows)
    }

    /// The canonical form: compact JSON with sorted keys, aliases resolved, defaults left out.
    /// Two definitions that mean the same have the same canonical form.
    #[must_use]
    pub fn canonical(&self) -> String {
        self.to_value().to_string()
    }

    /// The canonical form as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let features = self.features.iter().map(Feature::to_value).collect();
        let mut members = vec![("features", Value::Array(features))];
        if let Some(name) = &self.name {
            members.push(("definition_name", Value::from(name.as_str())));
        }
        let features = self.features.iter();
        let declared = features.map(|feature| (feature.name(), Some(feature)));
        members.extend(self.relations.members(&Declared::new(declared)));
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
    let features = read_features(&mut fields);
    let relations = match &features {
        Some(features) => {
            let named = features
                .iter()
                .map(|(name, feature)| (&name[..], feature.as_ref()));
            Relations::read(&mut fields, &Declared::new(named))
        }
        None => {
            fields.ignore(Relations::NAMES);
            None
        }
    };
    // For editors: the location of docs/reference/definition.schema.json.
    fields.ignore(&["$schema"]);
    fields.finish();
    Some(Definition {
        name: name.ok()?.map(str::to_owned),
        features: features?
            .into_iter()
            .map(|(_, feature)| feature)
            .collect::<Option<_>>()?,
        relations: relations?,
    })
}

/// The features by name; `None` for a faulty feature.
fn read_features(fields: &mut Fields<'_>) -> Option<Vec<(String, Option<Feature>)>> {
    let values = fields.list("features")?;
    if values.len() > Definition::FEATURES {
        let message = format!(
            "must have at most {} elements, but has {}",
            Definition::FEATURES,
            values.len()
        );
        fields.fault("features", message);
        return None;
    }
    let list = fields.pointer().child("features");
    let name = |(index, value): (usize, &Value)| match value.get("feature_name") {
        Some(Value::String(name)) => name.clone(),
        _ => Feature::numbered(index + 1),
    };
    let names: Vec<String> = values.iter().enumerate().map(name).collect();
    let mut features = Vec::with_capacity(values.len());
    let mut first_with: HashMap<&str, usize> = HashMap::with_capacity(values.len());
    for (index, (value, name)) in values.iter().zip(&names).enumerate() {
        let pointer = list.child(index.to_string());
        if let Some(first) = first_with.get(name.as_str()) {
            fields.faults().push(Fault {
                pointer: pointer.child("feature_name"),
                message: format!(
                    "`{name}` is also the name of /features/{first}; names must be unique"
                ),
            });
        } else {
            first_with.insert(name, index);
        }
        let feature = fields.nested(value, pointer, "a feature");
        features.push(feature.and_then(|fields| Feature::read(fields, index + 1)));
    }
    Some(names.into_iter().zip(features).collect())
}
