//! Definitions and their features.

use hmac_sha256::Hash;
use tdg_definition::Faults;
use tdg_definition::json::{self, Value};
use uuid::Uuid;

use super::object::{
    self, Flat, HttpDate, JsonForm, ListedMembers, Malformed, Members, members, object_text,
    write_object,
};
use super::{Ensemble, Result, Timestamp, body};

/// A definition that was added to a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its identifier.
    pub definition_uuid: Uuid,
    /// Its name.
    pub definition_name: String,
    /// The project that it belongs to.
    pub project_uuid: Uuid,
    /// When it was added.
    pub added: Timestamp,
    /// Its features, in the order of a row's values.
    pub features: Vec<Feature>,
    /// The relations between features and their `shapes`, in canonical form. Usually empty.
    pub relations: json::Object,
    /// The ensembles that were drawn from it.
    pub ensembles: Vec<Ensemble>,
}

impl Definition {
    /// Creates a definition without ensembles from its canonical form. The form isn't validated
    /// again: that may take long, and only drawing rows needs it.
    ///
    /// # Errors
    ///
    /// If a member is missing or of another type.
    pub fn new(
        definition_uuid: Uuid,
        project_uuid: Uuid,
        added: Timestamp,
        canonical: Value,
    ) -> std::result::Result<Self, Malformed> {
        let Value::Object(mut members) = canonical else {
            return Err(Malformed::new("an object"));
        };
        let Some(Value::Array(features)) = members.remove("features") else {
            return Err(Malformed::new("a list as `features`"));
        };
        let name = members.remove("definition_name");
        let features = features.into_iter();
        let features = features.map(|content| Feature::new(definition_uuid, added, content));
        Ok(Definition {
            definition_uuid,
            definition_name: definition_name(name.as_ref().and_then(Value::as_str)),
            project_uuid,
            added,
            features: features.collect::<std::result::Result<_, _>>()?,
            relations: members,
            ensembles: Vec::new(),
        })
    }

    /// Parses the definition, for drawing rows.
    ///
    /// # Errors
    ///
    /// If this version of tdg doesn't understand it: it may come from a later version.
    pub fn to_definition(&self) -> std::result::Result<tdg_definition::Definition, Faults> {
        let features = self.features.iter().map(|feature| feature.content.clone());
        let mut members = self.relations.clone();
        members.insert("features", features.collect());
        members.insert("definition_name", self.definition_name.as_str().into());
        tdg_definition::Definition::from_recorded(&Value::Object(members))
    }
}

fn feature_uuid(definition: Uuid, name: &str) -> Uuid {
    let mut hash = Hash::new();
    hash.update(definition.as_bytes());
    hash.update(name.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

members! {
    Definition: definition_uuid, definition_name, project_uuid, added as HttpDate, features,
    relations as Flat, ensembles
}

/// Reading keeps only the relations that this version of tdg knows. A relation of a later service
/// is skipped, and the drawn rows then have another digest than the service's.
impl ListedMembers for json::Object {
    fn write(&self, members: &mut Members<'_>) {
        for (name, relation) in self {
            members.add(name, relation);
        }
    }

    fn read(object: &Value) -> std::result::Result<Self, Malformed> {
        let known = tdg_definition::Definition::RELATIONS.iter();
        let found = known.filter_map(|name| Some((*name, object.get(name)?)));
        let found = found.filter(|(_, relation)| !relation.is_null());
        Ok(found
            .map(|(name, relation)| (name, relation.clone()))
            .collect())
    }
}

/// One column of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Its identifier.
    pub feature_uuid: Uuid,
    /// Its name.
    pub feature_name: String,
    /// When its definition was added.
    pub added: Timestamp,
    /// Its canonical form in the definition: `feature_name`, `type`, `distribution`, ….
    pub content: Value,
}

impl Feature {
    /// Creates a feature. Features are created and deleted with their definition, so the identifier
    /// is derived from the definition's identifier and the feature's name.
    fn new(
        definition_uuid: Uuid,
        added: Timestamp,
        content: Value,
    ) -> std::result::Result<Self, Malformed> {
        let feature_name = object::read::<String>(&content, "feature_name")?;
        Ok(Feature {
            feature_uuid: feature_uuid(definition_uuid, &feature_name),
            feature_name,
            added,
            content,
        })
    }
}

impl JsonForm for Feature {
    fn write_json(&self, text: &mut String) {
        write_object(text, |members| {
            members.add("feature_uuid", &self.feature_uuid);
            members.add("added", &self.added);
            for (name, value) in self.content.as_object().into_iter().flatten() {
                members.add(name, value);
            }
        });
    }

    fn from_json(value: &Value) -> std::result::Result<Self, Malformed> {
        let mut content = value.clone();
        remove_additions_to_feature(&mut content);
        Ok(Feature {
            feature_uuid: object::read(value, "feature_uuid")?,
            feature_name: object::read(value, "feature_name")?,
            added: object::read(value, "added")?,
            content,
        })
    }
}

/// Returns a definition without the members that the service adds to it, so that a definition from
/// a response can be sent back.
fn without_additions(definition: &Value) -> Value {
    let mut definition = definition.clone();
    if let Value::Object(members) = &mut definition {
        for name in ["definition_uuid", "project_uuid", "added", "ensembles"] {
            members.remove(name);
        }
        if let Some(Value::Array(features)) = members.get_mut("features") {
            features.iter_mut().for_each(remove_additions_to_feature);
        }
    }
    definition
}

fn remove_additions_to_feature(feature: &mut Value) {
    if let Value::Object(members) = feature {
        members.remove("feature_uuid");
        members.remove("added");
    }
}

/// A request to add a definition to a project.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDefinition {
    /// The definition; without a name it is called `New definition`.
    pub definition: tdg_definition::Definition,
    /// The project.
    pub project_uuid: Uuid,
}

impl NewDefinition {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// [`Malformed`](super::ServiceError::Malformed), and [`Invalid`](super::ServiceError::Invalid)
    /// with every fault of the definition under `/definition`.
    pub fn parse(text: &str) -> Result<Self> {
        let read_definition =
            |value: &Value| tdg_definition::Definition::from_value(&without_additions(value));
        body::read(text, |fields| {
            let project_uuid = body::uuid(fields, "project_uuid");
            let definition = fields
                .required("definition")
                .and_then(|value| body::nested(fields, "definition", value, read_definition));
            Some(NewDefinition {
                definition: definition?,
                project_uuid: project_uuid?,
            })
        })
    }

    /// Returns the request as JSON.
    pub fn to_json(&self) -> String {
        object_text(|members| {
            members.add("project_uuid", &self.project_uuid);
            members.add("definition", &self.definition.to_value());
        })
    }
}

/// Returns the definition's name, already checked, or `New definition` if missing or blank.
pub fn definition_name(name: Option<&str>) -> String {
    match name {
        Some(name) if !name.trim().is_empty() => name.to_owned(),
        _ => "New definition".to_owned(),
    }
}
