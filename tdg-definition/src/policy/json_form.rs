//! A policy as JSON.

use super::{Policy, Tolerance};
use crate::fault::{Invalid, invalid};
use crate::json::{self, Object, Pointer, Value};
use crate::{Faults, Fields, kind};

/// The members of a tolerance.
const LIMITS: [&str; 4] = ["rel", "abs", "ulp", "integers"];

/// Limits on the pointers of a policy in JSON, because every field of an output is matched with
/// them, and a service stores and shows its users' policies.
const POINTERS: usize = 256;
const SEGMENTS: usize = 1024;
const BYTES: usize = 16 << 10;

/// The total size of the pointers so far.
#[derive(Default)]
struct Length {
    pointers: usize,
    segments: usize,
    bytes: usize,
}

impl Length {
    /// Counts one more pointer, and returns true while within the limits.
    fn add(&mut self, pointer: &str) -> bool {
        self.pointers += 1;
        self.segments += pointer.matches('/').count();
        self.bytes += pointer.len();
        self.fault().is_none()
    }

    fn fault(&self) -> Option<String> {
        let all = [
            (self.pointers, POINTERS, "pointers"),
            (self.segments, SEGMENTS, "segments in its pointers"),
            (self.bytes, BYTES, "bytes of pointers"),
        ];
        let (_, most, what) = all.into_iter().find(|(count, most, _)| count > most)?;
        Some(format!(
            "has more than {most} {what}; \
             `*` stands for every element of an array and every value of an object"
        ))
    }
}

impl Policy {
    /// Reads a policy from JSON; every member is optional.
    ///
    /// ```
    /// let policy = tdg_definition::Policy::parse(r#"{
    ///     "tolerance": {"rel": 1e-9},
    ///     "fields": {
    ///         "/lines/*/price": {"abs": 0.01, "ulp": 4},
    ///         "/count": {"abs": 1, "integers": true}
    ///     },
    ///     "ignore": ["/id"],
    ///     "unordered": ["/lines"],
    ///     "distribution": {"/draw": {"ks": 1e-6}},
    ///     "f32": ["/lines/*/weight"],
    ///     "allow": 0.01
    /// }"#)?;
    /// assert_eq!(tdg_definition::Policy::from_json(&policy.to_json())?, policy);
    /// # Ok::<(), tdg_definition::Faults>(())
    /// ```
    ///
    /// # Errors
    ///
    /// All faults.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        match json::parse(text) {
            Ok(value) => Self::from_json(&value),
            Err(error) => Err(Faults::of_document(error.to_string())),
        }
    }

    /// Reads a policy from a JSON value, like [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// All faults.
    pub fn from_json(value: &Value) -> Result<Self, Faults> {
        let mut policy = Self::exact();
        let mut faults = Faults::default();
        if let Some(mut fields) = Fields::of(value, Pointer::root(), "a policy", &mut faults) {
            policy.read(&mut fields);
            fields.finish();
        }
        faults.check()?;
        Ok(policy)
    }

    fn read(&mut self, policy: &mut Fields<'_>) {
        if let Some(value) = policy.optional("tolerance") {
            let place = policy.pointer().child("tolerance");
            self.read_tolerance(policy, "", value, place);
        }
        let mut length = Length::default();
        match policy.optional("fields") {
            None => {}
            Some(Value::Object(fields)) => {
                for (pointer, value) in fields {
                    if length.add(pointer) {
                        let place = policy.pointer().child("fields").child(pointer);
                        self.read_tolerance(policy, pointer, value, place);
                    }
                }
            }
            Some(other) => {
                let what = kind(other);
                policy.fault(
                    "fields",
                    format!("must be an object of tolerances by JSON Pointer, but is {what}"),
                );
            }
        }
        self.read_pointers(policy, "ignore", &mut length, Self::add_ignored);
        self.read_pointers(policy, "unordered", &mut length, Self::add_unordered);
        self.read_distributions(policy, &mut length);
        self.read_pointers(policy, "f32", &mut length, Self::add_f32);
        if let Some(fault) = length.fault() {
            policy.fault_here(fault);
        }
        if let Ok(Some(share)) = policy.optional_number("allow")
            && let Err(problem) = self.add_allowed(share)
        {
            policy.fault("allow", problem);
        }
    }

    fn read_tolerance(
        &mut self,
        policy: &mut Fields<'_>,
        pointer: &str,
        value: &Value,
        place: Pointer,
    ) {
        let Some(mut fields) = Fields::of(value, place, "a tolerance", policy.faults()) else {
            return;
        };
        let has_unknown = match value {
            Value::Object(members) => members.keys().any(|name| !LIMITS.contains(&name.as_str())),
            _ => false,
        };
        let tolerance = tolerance(&mut fields, has_unknown);
        // The pointer is checked even if the tolerance is unusable.
        let added = self.add_tolerance(pointer, tolerance.unwrap_or_default());
        if let Err(problem) = added {
            fields.fault_here(problem);
        }
        fields.finish();
    }

    fn read_pointers(
        &mut self,
        policy: &mut Fields<'_>,
        name: &'static str,
        length: &mut Length,
        add: fn(&mut Self, &str) -> Result<(), Invalid>,
    ) {
        let elements = match policy.optional(name) {
            None => return,
            Some(Value::Array(elements)) => elements,
            Some(other) => {
                let what = kind(other);
                policy.fault(
                    name,
                    format!("must be a list of JSON Pointers, but is {what}"),
                );
                return;
            }
        };
        for (index, element) in elements.iter().enumerate() {
            if !length.add(element.as_str().unwrap_or_default()) {
                return;
            }
            let added = match element {
                Value::String(pointer) => add(self, pointer),
                other => invalid!("must be a JSON Pointer, but is {}", kind(other)),
            };
            if let Err(invalid) = added {
                let pointer = policy.pointer().child(name).child(index.to_string());
                policy.faults().push(invalid.at(pointer));
            }
        }
    }

    fn read_distributions(&mut self, policy: &mut Fields<'_>, length: &mut Length) {
        let fields = match policy.optional("distribution") {
            None => return,
            Some(Value::Object(fields)) => fields,
            Some(other) => {
                let what = kind(other);
                let problem = "must be an object of rates by JSON Pointer";
                policy.fault("distribution", format!("{problem}, but is {what}"));
                return;
            }
        };
        for (pointer, value) in fields {
            let place = policy.pointer().child("distribution").child(pointer);
            let of_object = Fields::of(value, place, "a distribution", policy.faults());
            let (true, Some(mut field)) = (length.add(pointer), of_object) else {
                continue;
            };
            let added = match field.optional_number("ks") {
                Ok(Some(ks)) => self.add_distribution(pointer, ks),
                // Another member may be a misspelled rate.
                Ok(None) if value.as_object().is_some_and(|it| !it.is_empty()) => Ok(()),
                Ok(None) => Err("is missing the rate of false alarms; add `ks`, such as \
                                 ks = 1e-6"
                    .into()),
                Err(_) => Ok(()),
            };
            if let Err(problem) = added {
                field.fault_here(problem);
            }
            field.finish();
        }
    }

    /// Returns the policy as JSON, the inverse of [`from_json`](Self::from_json).
    pub fn to_json(&self) -> Value {
        let mut tolerance = None;
        let mut fields = Object::new();
        let (mut ignored, mut unordered) = (Vec::new(), Vec::new());
        let mut distributions = Object::new();
        for (pointer, node) in self.root.all() {
            match node.tolerance {
                Some(limits) if pointer.is_root() => tolerance = Some(tolerance_json(limits)),
                Some(limits) => {
                    fields.insert(pointer.to_string(), tolerance_json(limits));
                }
                None => {}
            }
            if node.ignored {
                ignored.push(Value::from(pointer.to_string()));
            }
            if node.unordered {
                unordered.push(Value::from(pointer.to_string()));
            }
            if let Some(ks) = node.distribution {
                distributions.insert(pointer.to_string(), Value::object([("ks", ks.into())]));
            }
        }
        let allow = self.allowed_share();
        let f32s: Vec<Value> = self.f32s().map(|it| it.to_string().into()).collect();
        let members = [
            ("tolerance", tolerance),
            ("fields", (!fields.is_empty()).then(|| fields.into())),
            ("ignore", (!ignored.is_empty()).then(|| ignored.into())),
            (
                "unordered",
                (!unordered.is_empty()).then(|| unordered.into()),
            ),
            (
                "distribution",
                (!distributions.is_empty()).then(|| distributions.into()),
            ),
            ("allow", (allow > 0.0).then(|| allow.into())),
            ("f32", (!f32s.is_empty()).then(|| f32s.into())),
        ];
        let given = members
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        Value::object(given)
    }
}

/// Reads the tolerance, unless it's faulty. An unknown member may be a misspelled limit, so a
/// missing limit isn't reported then.
fn tolerance(fields: &mut Fields<'_>, has_unknown: bool) -> Option<Tolerance> {
    let rel = fields.optional_number("rel");
    let abs = fields.optional_number("abs");
    let ulp = fields.optional("ulp").map(|value| {
        let ulp = value.as_u64();
        if ulp.is_none() {
            let problem = format!(
                "must be a whole number, 0 or greater, but is {}",
                kind(value)
            );
            fields.fault("ulp", problem);
        }
        ulp
    });
    let integers = fields.optional("integers").map(|value| {
        let integers = value.as_bool();
        if integers.is_none() {
            let problem = format!("must be true or false, but is {}", kind(value));
            fields.fault("integers", problem);
        }
        integers
    });
    let (rel, abs) = (rel.ok()?, abs.ok()?);
    let has_limit = rel.is_some() || abs.is_some() || ulp.is_some();
    if !has_limit && integers != Some(Some(true)) {
        if !has_unknown {
            fields.fault_here(
                "does not say how much is tolerated; add `rel`, `abs` or `ulp`, \
                 such as abs = 0.01",
            );
        }
        return None;
    }
    let mut tolerance = Tolerance::rel(rel.unwrap_or(0.0))
        .or_abs(abs.unwrap_or(0.0))
        .or_ulp(ulp.unwrap_or(Some(0))?);
    if integers.unwrap_or(Some(false))? {
        tolerance = tolerance.with_integers();
    }
    if let Err((member, problem)) = tolerance.check() {
        fields.fault(member, problem);
        return None;
    }
    Some(tolerance)
}

fn tolerance_json(tolerance: Tolerance) -> Value {
    let (rel, abs) = (tolerance.relative(), tolerance.absolute());
    let ulp = tolerance.ulps();
    let members = [
        ("rel", (rel != 0.0).then(|| rel.into())),
        // An exact tolerance needs one member.
        (
            "abs",
            (abs != 0.0 || tolerance.is_exact()).then(|| abs.into()),
        ),
        ("ulp", (ulp != 0).then(|| ulp.into())),
        (
            "integers",
            tolerance.includes_integers().then(|| true.into()),
        ),
    ];
    let given = members
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    Value::object(given)
}
