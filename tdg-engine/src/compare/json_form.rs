//! A policy as JSON.

use tdg_definition::json::{self, Object, Pointer, Value};
use tdg_definition::{Faults, Fields, kind};

use super::{Policy, Tolerance};

/// What the pointers of a policy in JSON may come to: every field of an output is held against them, and a service keeps
/// and shows the policies of others.
const POINTERS: usize = 256;
const SEGMENTS: usize = 1024;
const BYTES: usize = 16 << 10;

/// What they come to so far.
#[derive(Default)]
struct Length {
    pointers: usize,
    segments: usize,
    bytes: usize,
}

impl Length {
    /// Whether there is room for this one too.
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
    /// Reads a policy from JSON; every member can be left out.
    ///
    /// ```
    /// let policy = tdg_engine::compare::Policy::parse(r#"{
    ///     "tolerance": {"rel": 1e-9},
    ///     "fields": {
    ///         "/lines/*/price": {"abs": 0.01, "ulp": 4},
    ///         "/count": {"abs": 1, "integers": true}
    ///     },
    ///     "ignore": ["/id"],
    ///     "unordered": ["/lines"],
    ///     "allow": 0.01
    /// }"#)?;
    /// assert_eq!(tdg_engine::compare::Policy::from_json(&policy.to_json())?, policy);
    /// # Ok::<(), tdg_definition::Faults>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        match json::parse(text) {
            Ok(value) => Self::from_json(&value),
            Err(error) => Err(Faults::of_document(error.to_string())),
        }
    }

    /// Reads a policy from a JSON value, as [`parse`](Self::parse) does.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
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
        if let Some(fault) = length.fault() {
            policy.fault_here(fault);
        }
        if let Some(Some(share)) = policy.optional_number("allow")
            && let Err(problem) = self.set_allowed(share)
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
        let tolerance = tolerance(&mut fields);
        let added = tolerance.map(|tolerance| self.add_tolerance(pointer, tolerance));
        if let Some(Err(problem)) = added {
            fields.fault_here(problem);
        }
        fields.finish();
    }

    fn read_pointers(
        &mut self,
        policy: &mut Fields<'_>,
        name: &'static str,
        length: &mut Length,
        add: fn(&mut Self, &str) -> Result<(), String>,
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
                other => Err(format!("must be a JSON Pointer, but is {}", kind(other))),
            };
            if let Err(message) = added {
                let pointer = policy.pointer().child(name).child(index.to_string());
                policy
                    .faults()
                    .push(tdg_definition::Fault { pointer, message });
            }
        }
    }

    /// The policy as JSON, which [`from_json`](Self::from_json) reads.
    pub fn to_json(&self) -> Value {
        let mut tolerance = None;
        let mut fields = Object::new();
        let (mut ignored, mut unordered) = (Vec::new(), Vec::new());
        self.root.each(&mut Pointer::root(), &mut |place, rule| {
            match rule.tolerance {
                Some(limits) if place.is_root() => tolerance = Some(tolerance_json(limits)),
                Some(limits) => {
                    fields.insert(place.to_string(), tolerance_json(limits));
                }
                None => {}
            }
            if rule.ignored {
                ignored.push(Value::from(place.to_string()));
            }
            if rule.unordered {
                unordered.push(Value::from(place.to_string()));
            }
        });
        let allow = self.allowed_share();
        let members = [
            ("tolerance", tolerance),
            ("fields", (!fields.is_empty()).then(|| fields.into())),
            ("ignore", (!ignored.is_empty()).then(|| ignored.into())),
            (
                "unordered",
                (!unordered.is_empty()).then(|| unordered.into()),
            ),
            ("allow", (allow > 0.0).then(|| allow.into())),
        ];
        let given = members
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        Value::object(given)
    }
}

fn tolerance(fields: &mut Fields<'_>) -> Option<Tolerance> {
    let rel = fields.optional_number("rel");
    let abs = fields.optional_number("abs");
    let ulp = fields.optional("ulp").map(|value| {
        let ulp = value.as_u64();
        if ulp.is_none() {
            let what = kind(value);
            fields.fault(
                "ulp",
                format!("must be a whole number from 0, but is {what}"),
            );
        }
        ulp
    });
    let integers = fields.optional("integers").map(|value| {
        let integers = value.as_bool();
        if integers.is_none() {
            fields.fault(
                "integers",
                format!("must be true or false, but is {}", kind(value)),
            );
        }
        integers
    });
    let (rel, abs) = (rel?, abs?);
    if rel.is_none() && abs.is_none() && ulp.is_none() {
        fields.fault_here("does not say how much is tolerated; give `rel`, `abs` or `ulp`");
        return None;
    }
    Some(Tolerance {
        rel: rel.unwrap_or(0.0),
        abs: abs.unwrap_or(0.0),
        ulp: ulp.unwrap_or(Some(0))?,
        integers: integers.unwrap_or(Some(false))?,
    })
}

fn tolerance_json(tolerance: Tolerance) -> Value {
    let Tolerance {
        rel,
        abs,
        ulp,
        integers,
    } = tolerance;
    let members = [
        ("rel", (rel != 0.0).then(|| rel.into())),
        // Something has to say that nothing is tolerated.
        (
            "abs",
            (abs != 0.0 || tolerance == Tolerance::EXACT).then(|| abs.into()),
        ),
        ("ulp", (ulp != 0).then(|| ulp.into())),
        ("integers", integers.then(|| true.into())),
    ];
    Value::object(
        members
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?))),
    )
}
