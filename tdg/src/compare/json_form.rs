//! A policy as JSON.

use std::collections::BTreeMap;

use tdg_definition::json::{self, Pointer, Value};
use tdg_definition::{Faults, Fields, kind};

use super::{Policy, Tolerance};

/// How many pointers a policy in JSON may have; every field of an output is held against them.
const POINTERS: usize = 256;
/// How many segments such a pointer may have: as deep as an output may be.
const SEGMENTS: usize = 64;
/// How many bytes such a pointer may have: a policy is shown wherever its benchmark is.
const BYTES: usize = 1024;

impl Policy {
    /// Reads a policy from JSON; every member can be left out.
    ///
    /// ```
    /// let policy = tdg::compare::Policy::parse(r#"{
    ///     "tolerance": {"rel": 1e-9},
    ///     "fields": {
    ///         "/lines/*/price": {"abs": 0.01, "ulp": 4},
    ///         "/count": {"abs": 1, "integers": true}
    ///     },
    ///     "ignore": ["/id"],
    ///     "unordered": ["/lines"],
    ///     "allow": 0.01
    /// }"#)?;
    /// assert_eq!(tdg::compare::Policy::from_json(&policy.to_json())?, policy);
    /// # Ok::<(), tdg::Faults>(())
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
        let mut faults = Vec::new();
        if let Some(mut fields) = Fields::of(value, Pointer::root(), "a policy", &mut faults) {
            policy.read(&mut fields);
            fields.finish();
        }
        Faults::check(faults)?;
        Ok(policy)
    }

    fn read(&mut self, policy: &mut Fields<'_>) {
        if let Some(value) = policy.optional("tolerance") {
            let place = policy.pointer().child("tolerance");
            self.read_tolerance(policy, "", value, place);
        }
        let mut pointers = 0;
        match policy.optional("fields") {
            None => {}
            Some(Value::Object(fields)) => {
                pointers += fields.len();
                for (pointer, value) in fields {
                    let place = policy.pointer().child("fields").child(pointer);
                    self.read_tolerance(policy, pointer, value, place);
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
        pointers += self.read_pointers(policy, "ignore", Self::add_ignored);
        pointers += self.read_pointers(policy, "unordered", Self::add_unordered);
        if pointers > POINTERS {
            policy.fault_here(format!(
                "has {pointers} pointers, but {POINTERS} are the most; \
                 `*` stands for every element of an array and every value of an object"
            ));
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
        let added = tolerance.map(|tolerance| {
            check_length(pointer)?;
            self.add_tolerance(pointer, tolerance)
        });
        if let Some(Err(problem)) = added {
            fields.fault_here(problem);
        }
        fields.finish();
    }

    /// How many there are.
    fn read_pointers(
        &mut self,
        policy: &mut Fields<'_>,
        name: &'static str,
        add: fn(&mut Self, &str) -> Result<(), String>,
    ) -> usize {
        let elements = match policy.optional(name) {
            None => return 0,
            Some(Value::Array(elements)) => elements,
            Some(other) => {
                let what = kind(other);
                policy.fault(
                    name,
                    format!("must be a list of JSON Pointers, but is {what}"),
                );
                return 0;
            }
        };
        for (index, element) in elements.iter().enumerate() {
            let added = match element {
                Value::String(pointer) => check_length(pointer).and_then(|()| add(self, pointer)),
                other => Err(format!("must be a JSON Pointer, but is {}", kind(other))),
            };
            if let Err(message) = added {
                let pointer = policy.pointer().child(name).child(index.to_string());
                policy
                    .faults()
                    .push(tdg_definition::Fault { pointer, message });
            }
        }
        elements.len()
    }

    /// The policy as JSON, which [`from_json`](Self::from_json) reads.
    pub fn to_json(&self) -> Value {
        let mut tolerance = None;
        let mut fields = BTreeMap::new();
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

fn check_length(pointer: &str) -> Result<(), String> {
    let segments = pointer.matches('/').count();
    let bytes = pointer.len();
    if segments > SEGMENTS {
        Err(format!(
            "has {segments} segments, but {SEGMENTS} are the most"
        ))
    } else if bytes > BYTES {
        Err(format!("has {bytes} bytes, but {BYTES} are the most"))
    } else {
        Ok(())
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
