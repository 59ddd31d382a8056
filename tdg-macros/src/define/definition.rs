//! Definitions from the attributes of the fields or parameters that are features.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Meta, Type};
use tdg_definition::json::{Pointer, Value};
use tdg_definition::{Definition, Faults, FeatureType, nearest};

use super::alias::{TypedPart, may_be_alias};
use super::constant::{self, NamedConstant};
use super::container::{definers, is_feature};
use super::json_part::JsonPart;
use super::maker::{self, Maker};
use super::members::Members;
use super::notation::members;
use super::origin::{FeatureOrigin, Written};
use super::{any, drawn_type, range};
use crate::errors::Errors;
use crate::source_places::Places;
use crate::types::{feature_type, in_option, text, ungroup};

pub(crate) struct CodeDefinition {
    /// The definition without its features.
    pub(crate) members: Members,
    pub(super) constants: Vec<NamedConstant>,
    pub(crate) features: Vec<CodeFeature>,
    /// True if the features can be nested in other features and refer to them.
    pub(super) is_part: bool,
}

#[derive(Clone)]
pub(crate) struct CodeFeature {
    pub(crate) name: String,
    /// The members as JSON, without a distribution if an enum has it.
    pub(crate) members: Members,
    /// The parts whose types state more.
    pub(crate) parts: Vec<TypedPart>,
    pub(super) constants: Vec<NamedConstant>,
    /// True if the name of the type shows that it can hold null.
    pub(super) is_optional: bool,
}

impl CodeDefinition {
    /// Creates a definition without features. A name among the members takes precedence.
    pub(crate) fn new(name: &str, mut members: Members) -> Self {
        members.get_or_insert_with("definition_name", || Value::from(name));
        Self {
            members,
            constants: Vec::new(),
            features: Vec::new(),
            is_part: false,
        }
    }

    /// Reads a feature of that name.
    pub(crate) fn add(
        &mut self,
        name: String,
        origin: &FeatureOrigin<'_>,
        places: &mut Places,
        errors: &mut Errors,
    ) {
        let pointer = self.next();
        places.add(pointer.clone(), &origin.place);
        if self.features.iter().any(|feature| feature.name == name) {
            errors.at(
                &origin.place,
                format!("duplicate feature `{name}`; features are matched by name"),
            );
            places.silence(pointer.child("feature_name"));
        }
        let mut reader = FeatureReader {
            origin,
            pointer,
            part: Pointer::root(),
            places,
            errors,
        };
        let feature = reader.read(name);
        self.features.push(feature);
    }

    /// Returns true if a derived type or a constant states how the feature, or a part of it, is
    /// drawn.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        let mut features = self.features.iter();
        features.any(|feature| feature.name == name && feature.is_open())
    }

    /// Returns the expressions of all named constants.
    pub(crate) fn constants(&self) -> impl Iterator<Item = &TokenStream> {
        let of_features = self.features.iter().flat_map(|it| &it.constants);
        self.constants
            .iter()
            .chain(of_features)
            .map(|it| &it.expression)
    }

    /// Returns the place of the next feature.
    pub(crate) fn next(&self) -> Pointer {
        let position = self.features.len().to_string();
        Pointer::root().child("features").child(position)
    }

    /// Replaces constants with placeholders, and reports each fault at its place, or else at the
    /// whole.
    pub(crate) fn check(&mut self, whole: &impl ToTokens, places: &Places, errors: &mut Errors) {
        self.constants = NamedConstant::take(&mut self.members, places);
        for feature in &mut self.features {
            feature.take_constants(places);
        }
        match self.parsed() {
            Ok(definition) => self.check_nulls(&definition, places, errors),
            Err(faults) => {
                let known = faults
                    .iter()
                    .filter(|fault| !self.is_of_others(&fault.pointer));
                places.report(&known.cloned().collect(), whole, errors);
            }
        }
    }

    /// Returns true for a fault that a placeholder may cause, and for a reference to a feature that
    /// may enclose this one or whose derived type states more.
    fn is_of_others(&self, pointer: &Pointer) -> bool {
        let mut segments = pointer.segments();
        let list = segments.next();
        let position = segments.next().and_then(|it| it.parse::<usize>().ok());
        let feature = position.and_then(|it| self.features.get(it));
        let Some(feature) = feature.filter(|_| list == Some("features")) else {
            return self.constants().next().is_some();
        };
        if !feature.constants.is_empty() {
            return true;
        }
        let members = Value::Object(feature.members.clone());
        let within: Pointer = segments.collect();
        let path = within.find_in(&members).and_then(Value::as_str);
        let first = path.and_then(|path| path.split('/').next());
        let is_reference = matches!(pointer.segments().next_back(), Some("of" | "length"));
        first.is_some_and(|name| {
            let names = self.features.iter().map(|it| it.name.as_str());
            let is_around = is_reference && self.is_part && nearest(name, names).is_none();
            self.is_open(name) || is_around
        })
    }

    /// Rejects a value that is null if its reference has no target, unless it is an `Option`.
    fn check_nulls(&self, definition: &Definition, places: &Places, errors: &mut Errors) {
        for (index, feature) in definition.features().iter().enumerate() {
            let is_optional = self.features.get(index).is_some_and(|it| it.is_optional);
            if feature.null_probability() > 0.0 || !feature.may_be_null() || is_optional {
                continue;
            }
            let features = Pointer::root().child("features");
            let at = features.child(index.to_string()).child("distribution");
            let name = feature.name();
            errors.at(
                places.tokens(&at),
                format!(
                    "`{name}` is null if there is nothing to refer to; take an Option, or make \
                     sure that what it refers to is never empty or null"
                ),
            );
        }
    }

    /// Returns the definition, with placeholders for categories that aren't known yet.
    pub(crate) fn parsed(&self) -> Result<Definition, Faults> {
        let mut members = self.members.clone();
        let features = self.features.iter().map(CodeFeature::standing_in).collect();
        members.insert("features", Value::Array(features));
        Definition::from_value(&Value::Object(members))
    }
}

impl CodeFeature {
    /// Returns the parts whose types state how they are drawn.
    pub(super) fn drawn_by_types(&self) -> impl Iterator<Item = &TypedPart> {
        self.parts.iter().filter(|part| part.is_drawn)
    }

    fn is_open(&self) -> bool {
        !self.constants.is_empty() || self.drawn_by_types().next().is_some()
    }

    /// Replaces the feature's constants with placeholders.
    fn take_constants(&mut self, places: &Places) {
        let mut found = NamedConstant::take(&mut self.members, places);
        self.constants.append(&mut found);
    }

    /// Creates a feature of that type, without parts that derived types state.
    pub(super) fn drawn(name: String, kind: &str, distribution: Members) -> Self {
        let mut members = Members::new();
        members.insert("type", Value::from(kind));
        members.insert("distribution", Value::Object(distribution));
        Self {
            name,
            members,
            parts: Vec::new(),
            constants: Vec::new(),
            is_optional: true,
        }
    }

    /// Replaces constants with placeholders, and reports each fault at its place, as if the feature
    /// were the only one in a definition.
    pub(super) fn check(&mut self, whole: &impl ToTokens, places: &Places, errors: &mut Errors) {
        self.take_constants(places);
        let mut definition = CodeDefinition::new(&self.name, Members::new());
        definition.features.push(self.clone());
        definition.is_part = true;
        definition.check(whole, places, errors);
    }

    /// Reads a feature that is nested in the first one of a definition, at that place.
    pub(super) fn read_part(name: String, origin: &FeatureOrigin<'_>, at: JsonPart<'_>) -> Self {
        let mut reader = FeatureReader {
            origin,
            // The path without the list of features and the index.
            part: at.pointer.segments().skip(2).collect(),
            pointer: at.pointer,
            places: at.places,
            errors: at.errors,
        };
        reader.read(name)
    }

    /// Adds placeholders for unknown categories: two, since one would leave nothing to relate.
    fn standing_in(&self) -> Value {
        let mut members = Value::Object(self.members.clone());
        for part in self.drawn_by_types() {
            let category = |value: &str| {
                Value::object([
                    ("value", Value::from(value)),
                    ("probability", Value::from(0.5)),
                ])
            };
            let distribution = Value::object([
                ("type", Value::from("categorical")),
                (
                    "categories",
                    Value::from(vec![category("one"), category("other")]),
                ),
            ]);
            let stand_in = [
                ("type", Value::from("STRING")),
                ("distribution", distribution),
            ];
            if let Some(Value::Object(part)) = part.at.find_mut(&mut members) {
                for (name, value) in stand_in {
                    part.insert(name, value);
                }
            }
        }
        members
    }
}

/// Returns the type of the dates or times that the distribution draws, if it draws no other text.
fn calendar_type(members: &Members) -> Option<(FeatureType, &'static str)> {
    let distribution = members.get("distribution")?;
    let is_drawn = |kind| drawn_type::can_be(distribution, kind);
    let kinds = [
        (FeatureType::Date, "dates"),
        (FeatureType::DateTime, "times"),
    ];
    kinds
        .into_iter()
        .find(|(kind, _)| is_drawn(*kind) && !is_drawn(FeatureType::String))
}

/// Returns an example of a distribution for values of that type, for messages.
pub(crate) fn example(kind: Option<FeatureType>) -> &'static str {
    match kind {
        Some(FeatureType::Integer) => "uniform(1..=20)",
        Some(FeatureType::Boolean) => "bernoulli(p = 0.5)",
        Some(FeatureType::String) => "categorical(\"a\" = 0.2, \"b\" = 0.8)",
        _ => "gaussian(mu = 10.0, sigma = 2.0)",
    }
}

/// Returns true if some rows are stated to be null. A constant may state this.
fn may_be_null(members: &Members) -> bool {
    let stated = members.get("null_probability");
    stated.is_some_and(|it| constant::is_mark(it) || it.as_f64().is_some_and(|it| it > 0.0))
}

fn is_borrowed_mutably(kind: &Type) -> bool {
    matches!(kind, Type::Reference(reference) if reference.mutability.is_some())
}

pub(super) struct FeatureReader<'a> {
    pub(super) origin: &'a FeatureOrigin<'a>,
    pub(super) pointer: Pointer,
    /// The path within the feature of a row.
    pub(super) part: Pointer,
    pub(super) places: &'a mut Places,
    pub(super) errors: &'a mut Errors,
}

impl FeatureReader<'_> {
    /// Returns the feature as a part of the JSON.
    pub(super) fn json(&mut self) -> JsonPart<'_> {
        JsonPart::new(self.pointer.clone(), self.places, self.errors)
    }

    fn read(&mut self, feature_name: String) -> CodeFeature {
        let mut feature = CodeFeature {
            members: self.members(),
            name: feature_name,
            parts: Vec::new(),
            constants: Vec::new(),
            is_optional: false,
        };
        self.refuse_names(&mut feature.members);
        self.find_type(&mut feature);
        let name = Value::from(feature.name.as_str());
        feature.members.insert("feature_name", name);
        feature
    }

    fn members(&mut self) -> Members {
        let mut found = Members::new();
        for attribute in definers(self.origin.attributes, self.errors) {
            // `#[define]` without parentheses means the same as without members.
            if let Meta::Path(_) = attribute.meta {
                continue;
            }
            let read = attribute.parse_args_with(|input: ParseStream<'_>| {
                members(input, &mut found, &mut self.json());
                Ok(())
            });
            if self.errors.keep(read).is_none() {
                self.places.silence(self.pointer.clone());
            }
        }
        found
    }

    fn refuse_names(&mut self, members: &mut Members) {
        for key in ["rename", "name", "feature_name"] {
            if let Some(name) = members.remove(key) {
                let at = self.pointer.child(key);
                let place = self.places.tokens(&at);
                let problem = match self.origin.written {
                    Written::Field => format!(
                        "serde reads rows into this struct, so features have the names that it \
                         knows; write #[serde(rename = {name})]"
                    ),
                    Written::Parameter => format!(
                        "a feature has the name of its parameter; for another name, put \
                         #[feature({name})] before it"
                    ),
                };
                self.errors.at(place, problem);
            }
        }
    }

    /// Finds the type, and checks the distribution against it.
    pub(super) fn find_type(&mut self, feature: &mut CodeFeature) {
        let kind = ungroup(self.origin.kind);
        let value = in_option(kind).unwrap_or(kind);
        feature.is_optional = in_option(kind).is_some() || feature_type(kind).is_none();
        let is_stated = feature.members.contains_key("type");
        if in_option(kind).is_none() && !is_stated && !matches!(kind, Type::Infer(_)) {
            self.refuse_null(kind, &feature.members);
        }
        if in_option(kind).is_some() && any::is_drawn(&feature.members) {
            any::settle_nulls(&mut feature.members);
        }
        if self.find_bytes(value, feature) {
            return;
        }
        if !is_stated && self.find_parts(value, feature) {
            return;
        }
        if let Some(maker) = self.origin.maker
            && !self.can_be_made(maker, value, feature)
        {
            return;
        }
        let is_stated = feature.members.contains_key("type");
        if is_stated || self.infer_type(value, feature) {
            self.check_distribution(value, feature);
        }
    }

    fn can_be_made_of_nothing(&mut self, maker: &Maker, drawn: &Type) -> bool {
        if !matches!(drawn, Type::Infer(_)) && feature_type(drawn).is_none() {
            return true;
        }
        let example = match maker.is_parse() {
            true => "pattern(regex = \"[0-9]{4}\")",
            false => example(feature_type(drawn).or(Some(FeatureType::Integer))),
        };
        let problem = format!(
            "`{}` makes `{}` from a drawn value, but nothing is drawn; write #[define({example}, \
             {})]",
            maker.word(),
            self.origin.place,
            maker.name(),
        );
        self.refuse(maker.place(), problem);
        false
    }

    /// Returns true if the maker can make its value of the drawn one. Finds the drawn type if the
    /// maker's source doesn't show it.
    fn can_be_made(&mut self, maker: &Maker, drawn: &Type, feature: &mut CodeFeature) -> bool {
        let Some(distribution) = feature.members.get("distribution") else {
            // An enum may be drawn by its own definition.
            return self.can_be_made_of_nothing(maker, drawn);
        };
        let written = self.places.tokens(&self.pointer.child("distribution"));
        let stated = feature.members.get("type").and_then(Value::as_str);
        let found = match stated {
            Some(name) => FeatureType::from_name(name),
            None if matches!(drawn, Type::Infer(_)) => {
                drawn_type::feature_type(distribution, &written, maker.is_parse())
            }
            None => return true,
        };
        let is_text = |it: &FeatureType| {
            use FeatureType::{Boolean, Float, Integer};
            !matches!(it, Boolean | Float | Integer)
        };
        if let Some(number) = found.filter(|it| maker.is_parse() && !is_text(it)) {
            let problem = format!(
                "`parse` reads a text, but this draws {number}; draw a text, such as \
                 pattern(regex = \"[0-9]{{4}}\"), or write `via = …` with a function that takes a \
                 number"
            );
            self.refuse(written, problem);
            return false;
        }
        match (stated, found) {
            (None, Some(found)) => {
                feature.members.insert("type", Value::from(found.name()));
                true
            }
            (None, None) => {
                self.refuse_unknown();
                false
            }
            _ => true,
        }
    }

    /// Reports that neither the distribution nor a type shows the drawn type.
    fn refuse_unknown(&mut self) {
        let parameters = match self.part.is_root() {
            true => format!("{}: i64", self.origin.place),
            false => "n: i64| …, |a: i64, b: i64| … or |xs: Vec<i64>".to_owned(),
        };
        let (place, which) = match self.origin.maker {
            Some(maker) => (
                maker.place(),
                format!("the one that `{}` takes", text(&maker.place())),
            ),
            None => {
                let written = self.places.tokens(&self.pointer.child("distribution"));
                (written, "it".to_owned())
            }
        };
        let problem = format!(
            "the type of the value drawn for `{}` is unknown; state {which}, one of {}: \
             #[define(type = INTEGER, …)], or let a closure name it: via = |{parameters}| …",
            self.origin.place,
            FeatureType::SCALARS.map(FeatureType::name).join(", "),
        );
        self.refuse(place, problem);
        // The other parts that the maker takes have the same mistake.
        let depth = self.pointer.depth() - self.part.depth();
        let whole = self.pointer.segments().take(depth);
        self.places.silence(whole.collect());
    }

    /// Infers the type from the field's own. A type with an unknown name is derived. Returns true
    /// if the distribution can be checked against it.
    fn infer_type(&mut self, value: &Type, feature: &mut CodeFeature) -> bool {
        if let Some(inferred) = feature_type(value) {
            if !self.check_calendar(inferred, feature) {
                return false;
            }
            let name = Value::from(inferred.name());
            feature.members.insert("type", name);
            self.places.add(self.pointer.child("type"), value);
            return true;
        }
        self.find_derived(value, feature)
    }

    /// Uses a derived type's own definition. Returns true if the distribution can be checked.
    fn find_derived(&mut self, value: &Type, feature: &mut CodeFeature) -> bool {
        // The value is created for each row, so the function can borrow it.
        let part = maker::referent(value);
        if is_borrowed_mutably(value) {
            let name = &self.origin.place;
            let problem = format!(
                "a row can't be borrowed mutably; take the value itself: `mut {name}`, and pass `&mut {name}` on"
            );
            self.refuse(value, problem);
            return false;
        }
        if let Type::Path(_) | Type::Infer(_) = part {
            return self.ask_type(part, feature);
        }
        let others = match self.origin.written {
            Written::Field => "leave out other fields with #[serde(skip)]",
            Written::Parameter => "a value that isn't part of the row is a fixture: #[fixture(…)]",
        };
        self.refuse(
            value,
            format!(
                "a feature is a number, a `bool`, a `String`, an enum or a struct that derives \
                 `Define`, or an `Option`, a list, a map or a tuple of these; {others}"
            ),
        );
        false
    }

    /// Queries a type for the missing parts. Returns true if the distribution can be checked.
    fn ask_type(&mut self, kind: &Type, feature: &mut CodeFeature) -> bool {
        let at = self.pointer.child("distribution");
        let written = self.places.tokens(&at);
        let distribution = feature.members.get("distribution");
        let drawn = distribution.and_then(|it| drawn_type::feature_type(it, &written, false));
        let is_option = in_option(ungroup(self.origin.kind)).is_some();
        let asked = match () {
            () if may_be_null(&feature.members) && !is_option => ["NullablePart", "any"],
            () if distribution.is_some() => ["AnyPart", "any"],
            () if is_option => ["DefinedPart", "optional"],
            () => ["DefinedPart", "members"],
        };
        match drawn {
            Some(drawn) => {
                let drawn = Value::from(drawn.name());
                feature.members.insert("type", drawn);
            }
            None if matches!(kind, Type::Infer(_)) => self.refuse_unknown(),
            None => {
                feature.members.remove("distribution");
                self.places.silence(at);
            }
        }
        if !matches!(kind, Type::Infer(_)) {
            feature.parts.push(TypedPart {
                at: self.part.clone(),
                kind: kind.clone(),
                asked,
                is_drawn: drawn.is_none(),
            });
        }
        drawn.is_some()
    }

    /// Rejects a distribution of dates or times for a `String`, and then returns false.
    fn check_calendar(&mut self, inferred: FeatureType, feature: &CodeFeature) -> bool {
        if inferred == FeatureType::String
            && let Some((calendar, what)) = calendar_type(&feature.members)
        {
            let place = self.places.tokens(&self.pointer.child("distribution"));
            self.refuse(
                place,
                format!(
                    "a STRING can't be drawn from this distribution, but these are {what}: write \
                     #[define(type = {calendar}, …)]"
                ),
            );
            return false;
        }
        true
    }

    /// Resolves the parts of the distribution that depend on the type of the values.
    fn check_distribution(&mut self, value: &Type, feature: &mut CodeFeature) {
        let mut attributes = self.origin.attributes.iter();
        if attributes.any(|attribute| is_feature(&attribute)) {
            self.places.silence(self.pointer.clone());
        }
        if self.places.is_silent(&self.pointer) {
            return;
        }
        if !self.check_texts(feature) {
            return;
        }
        if let Some(problem) = any::too_wide(&feature.members, value) {
            let written = self.places.tokens(&self.pointer.child("distribution"));
            self.refuse(written, problem);
        } else if feature.members.contains_key("distribution") {
            any::settle(&mut feature.members, value);
            range::settle(&mut feature.members, value, &mut self.json());
        } else {
            let kind = feature.members.get("type").and_then(Value::as_str);
            let example = example(kind.and_then(FeatureType::from_name));
            let name = &self.origin.place;
            let problem = format!(
                "`{name}` has no distribution; state one: #[define({example})], or #[define(any)] \
                 for every value of its type"
            );
            self.refuse(name, problem);
        }
    }

    /// Rejects a null that the type can't hold, which otherwise only the test would find.
    fn refuse_null(&mut self, kind: &Type, members: &Members) {
        if may_be_null(members) && !may_be_alias(kind) {
            let kind = text(kind);
            let place = self.places.tokens(&self.pointer.child("null_probability"));
            let problem = format!(
                "a row of this feature can be null, which `{kind}` can't hold; write `Option<{kind}>`"
            );
            self.refuse(place, problem);
        }
    }

    /// Reports a fault that causes all other faults of the feature.
    pub(super) fn refuse(&mut self, place: impl ToTokens, problem: String) {
        if !self.places.is_silent(&self.pointer) {
            self.errors.at(place, problem);
        }
        self.places.silence(self.pointer.clone());
    }
}
