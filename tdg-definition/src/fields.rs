//! Reading the members of a JSON object, with locations for faults.

use std::any::Any;

use crate::fault::{Fault, Faults, Invalid};
use crate::json::{Number, Object, Pointer, Value};
use crate::nearest;

/// Aliases of members, each with its canonical name.
pub(crate) type Aliases = &'static [(&'static str, &'static str)];

/// Reads a JSON object. Returns members by name and finds unknown ones.
///
/// ```
/// use tdg_definition::json::{Pointer, parse};
/// use tdg_definition::{Faults, Fields};
///
/// let document = parse(r#"{"rel": "much", "abz": 0.5}"#)?;
/// let mut faults = Faults::default();
/// if let Some(mut fields) = Fields::of(&document, Pointer::root(), "a tolerance", &mut faults) {
///     let _ = fields.optional_number("rel");
///     let _ = fields.optional_number("abs");
///     fields.finish();
/// }
/// let faults = faults.check().unwrap_err();
/// let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
/// assert_eq!(faults[0], r#"/rel: must be a finite number, but is the string "much""#);
/// assert_eq!(faults[1], "/abz: unknown; did you mean `abs`?");
/// # Ok::<(), tdg_definition::json::Error>(())
/// ```
pub struct Fields<'a> {
    object: &'a Object,
    pointer: Pointer,
    read: Vec<&'static str>,
    faults: &'a mut Faults,
    aliases: Aliases,
    is_recorded: bool,
    is_in_list: bool,
    context: Option<&'a dyn Any>,
}

/// The error for a faulty member whose faults are already reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faulty;

impl<'a> Fields<'a> {
    /// Adds a fault and returns `None` if the value isn't an object.
    pub fn of(
        value: &'a Value,
        pointer: Pointer,
        what: &str,
        faults: &'a mut Faults,
    ) -> Option<Self> {
        match value {
            Value::Object(object) => Some(Self {
                object,
                pointer,
                read: Vec::new(),
                faults,
                aliases: &[],
                is_recorded: false,
                is_in_list: false,
                context: None,
            }),
            other => {
                let message = format!("{what} must be an object, but this is {}", kind(other));
                faults.push(Fault { pointer, message });
                None
            }
        }
    }

    /// Allows these aliases in the object and its nested objects.
    pub(crate) fn with_aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets whether the object and its nested objects were accepted before.
    pub(crate) fn recorded(mut self, is_recorded: bool) -> Self {
        self.is_recorded = is_recorded;
        self
    }

    /// Returns true if the object was accepted before.
    pub(crate) fn is_recorded(&self) -> bool {
        self.is_recorded
    }

    /// Gives the object and its nested objects access to `context`.
    pub(crate) fn with_context(mut self, context: &'a dyn Any) -> Self {
        self.context = Some(context);
        self
    }

    /// Returns the context, if it has this type.
    pub(crate) fn context<T: Any>(&self) -> Option<&'a T> {
        self.context?.downcast_ref()
    }

    /// Sets whether the object and its nested objects describe elements of lists.
    pub(crate) fn in_list(mut self, is_in_list: bool) -> Self {
        self.is_in_list = is_in_list;
        self
    }

    /// Marks the rest of the object as not describing elements of a list.
    pub(crate) fn leave_list(&mut self) {
        self.is_in_list = false;
    }

    /// Returns true if the object describes elements of lists, which can depend on earlier ones.
    pub(crate) fn is_in_list(&self) -> bool {
        self.is_in_list
    }

    /// Reads a nested object. It inherits the aliases, the context, and whether it's recorded.
    pub(crate) fn nested<'b>(
        &'b mut self,
        value: &'b Value,
        pointer: Pointer,
        what: &str,
    ) -> Option<Fields<'b>> {
        let nested = Fields::of(value, pointer, what, self.faults)?;
        Some(Fields {
            aliases: self.aliases,
            is_recorded: self.is_recorded,
            is_in_list: self.is_in_list,
            context: self.context,
            ..nested
        })
    }

    /// Returns the location of the object.
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// Returns the faults, for members that the caller reads itself.
    pub fn faults(&mut self) -> &mut Faults {
        self.faults
    }

    /// Adds a fault at the member `name`, as spelled by the user.
    pub fn fault(&mut self, name: &'static str, invalid: impl Into<Invalid>) {
        let pointer = self.pointer.child(self.spelling(name));
        self.faults.push(invalid.into().at(pointer));
    }

    /// Adds a fault for the object as a whole.
    pub fn fault_here(&mut self, invalid: impl Into<Invalid>) {
        self.faults.push(invalid.into().at(self.pointer.clone()));
    }

    /// Adds a fault unless the object is recorded, because recorded values must not change.
    pub(crate) fn fault_unless_recorded(
        &mut self,
        name: &'static str,
        invalid: impl Into<Invalid>,
    ) {
        if !self.is_recorded {
            self.fault(name, invalid);
        }
    }

    /// Returns the value, or `None` with a fault if it's an integer only due to rounding.
    pub(crate) fn unrounded(&mut self, name: &'static str, value: &'a Value) -> Option<&'a Value> {
        if self.is_recorded || !value.as_number().is_some_and(Number::is_rounded_integer) {
            return Some(value);
        }
        self.fault(
            name,
            "is rounded because of its point or exponent; write an integer in digits only",
        );
        None
    }

    /// Returns true if the member exists, under its name or an alias.
    pub(crate) fn has(&self, name: &'static str) -> bool {
        self.spellings(name)
            .any(|spelling| self.object.contains_key(spelling))
    }

    /// Returns the member, under its name or an alias; using two spellings is a fault.
    pub fn optional(&mut self, name: &'static str) -> Option<&'a Value> {
        self.read.push(name);
        let object = self.object;
        let mut found = object.get(name).map(|value| (name, value));
        // A loop, because iterator chains are slow in unoptimized builds.
        for (alias, canonical) in self.aliases {
            if *canonical != name {
                continue;
            }
            match (found, object.get(alias)) {
                (_, None) => {}
                (None, Some(value)) => found = Some((alias, value)),
                (Some((first, _)), Some(_)) => {
                    let message = format!("`{first}` and `{alias}` mean the same; keep one");
                    self.fault_here(message);
                }
            }
        }
        found.map(|(_, value)| value)
    }

    /// Returns the member; a missing one is a fault.
    pub fn required(&mut self, name: &'static str) -> Option<&'a Value> {
        let value = self.optional(name);
        if value.is_none() {
            let message = format!("`{name}` is missing");
            self.fault_here(message);
        }
        value
    }

    /// Reads a required finite number.
    pub(crate) fn number(&mut self, name: &'static str) -> Option<f64> {
        let value = self.required(name)?;
        self.finite(name, value)
    }

    /// Reads an optional finite number.
    ///
    /// # Errors
    /// If the member is faulty.
    pub fn optional_number(&mut self, name: &'static str) -> Result<Option<f64>, Faulty> {
        match self.optional(name) {
            None => Ok(None),
            Some(value) => self.finite(name, value).map(Some).ok_or(Faulty),
        }
    }

    /// Reads a required finite number greater than 0.
    pub(crate) fn positive(&mut self, name: &'static str) -> Option<f64> {
        let number = self.number(name)?;
        if number > 0.0 {
            return Some(number);
        }
        self.fault(name, format!("must be greater than 0, but is {number}"));
        None
    }

    /// Reads a required number from 0 to 1.
    pub(crate) fn probability(&mut self, name: &'static str) -> Option<f64> {
        let number = self.number(name)?;
        self.check_probability(name, number)
    }

    /// Reads a required probability other than 0.
    pub(crate) fn positive_probability(&mut self, name: &'static str) -> Option<f64> {
        let number = self.positive(name)?;
        self.check_probability(name, number)
    }

    /// Reads a probability, with a default.
    pub(crate) fn optional_probability(&mut self, name: &'static str, usual: f64) -> Option<f64> {
        let number = self.optional_number(name).ok()?;
        self.check_probability(name, number.unwrap_or(usual))
    }

    pub(crate) fn check_probability(&mut self, name: &'static str, number: f64) -> Option<f64> {
        if (0.0..=1.0).contains(&number) {
            return Some(number);
        }
        self.fault(name, format!("must be between 0 and 1, but is {number}"));
        None
    }

    /// Reads a required `i64`.
    pub fn integer(&mut self, name: &'static str) -> Option<i64> {
        let value = self.required(name)?;
        self.as_integer(name, value)
    }

    /// Reads an optional `i64`.
    pub(crate) fn optional_integer(&mut self, name: &'static str) -> Result<Option<i64>, Faulty> {
        match self.optional(name) {
            None => Ok(None),
            Some(value) => self.as_integer(name, value).map(Some).ok_or(Faulty),
        }
    }

    /// Reads a required list with one to `most` elements.
    pub(crate) fn short_list(&mut self, name: &'static str, most: usize) -> Option<&'a [Value]> {
        let list = self.list(name)?;
        if list.len() <= most {
            return Some(list);
        }
        let message = format!("must have at most {most} elements, but has {}", list.len());
        self.fault(name, message);
        None
    }

    /// Reads a required list with at least one element.
    pub(crate) fn list(&mut self, name: &'static str) -> Option<&'a [Value]> {
        match self.required(name)? {
            Value::Array(elements) if !elements.is_empty() => Some(elements),
            Value::Array(_) => {
                self.fault(name, "must not be empty");
                None
            }
            other => {
                self.fault(name, format!("must be a list, but is {}", kind(other)));
                None
            }
        }
    }

    /// Reads a required list of one to `most` objects, each with `read`. Messages call an object
    /// `what`.
    pub(crate) fn objects<T>(
        &mut self,
        name: &'static str,
        what: &str,
        most: usize,
        mut read: impl FnMut(&mut Fields<'_>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let list = self.short_list(name, most)?;
        let pointer = self.pointer.child(name);
        let read_one = |(index, element): (usize, &Value)| {
            let pointer = pointer.child(index.to_string());
            let mut object = self.nested(element, pointer, what)?;
            let one = read(&mut object);
            object.finish();
            one
        };
        // Collected first, to find all faults.
        let all: Vec<Option<T>> = list.iter().enumerate().map(read_one).collect();
        all.into_iter().collect()
    }

    /// Reads a required string.
    pub fn text(&mut self, name: &'static str) -> Option<&'a str> {
        let value = self.required(name)?;
        self.as_text(name, value)
    }

    /// Reads a string that may be left out or be `null`.
    ///
    /// # Errors
    /// If the member is faulty.
    pub fn optional_text(&mut self, name: &'static str) -> Result<Option<&'a str>, Faulty> {
        match self.optional(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => self.as_text(name, value).map(Some).ok_or(Faulty),
        }
    }

    /// Reads one of two words: `Some(false)` for the first or if it's left out, `Some(true)` for
    /// the second, `None` after a fault.
    pub(crate) fn is_second(&mut self, name: &'static str, words: [&str; 2]) -> Option<bool> {
        let Some(value) = self.optional(name) else {
            return Some(false);
        };
        let text = value.as_str();
        let is = |word: &&str| text.is_some_and(|text| text.eq_ignore_ascii_case(word));
        let found = words.iter().position(is);
        if found.is_none() {
            let [first, second] = words;
            let message = format!(
                "must be \"{first}\" or \"{second}\", but is {}",
                kind(value)
            );
            self.fault(name, message);
        }
        found.map(|position| position == 1)
    }

    /// Allows members that have no effect.
    pub fn ignore(&mut self, names: &[&'static str]) {
        self.read.extend_from_slice(names);
    }

    /// Adds a fault for every unknown member, with the closest known name.
    pub fn finish(self) {
        for name in self.object.keys() {
            let alias = self.aliases.iter().find(|(alias, _)| alias == name);
            let canonical = alias.map_or(&name[..], |(_, canonical)| canonical);
            if self.read.contains(&canonical) {
                continue;
            }
            self.faults.push_with(|| Fault {
                pointer: self.pointer.child(name),
                message: match nearest(name, self.read.iter().copied()) {
                    Some(near) => format!("unknown; did you mean `{near}`?"),
                    None => format!("unknown; expected one of: {}", self.read.join(", ")),
                },
            });
        }
    }

    fn finite(&mut self, name: &'static str, value: &Value) -> Option<f64> {
        match value {
            Value::Number(number) if number.as_f64().is_finite() => Some(number.as_f64()),
            other => {
                let message = format!("must be a finite number, but is {}", kind(other));
                self.fault(name, message);
                None
            }
        }
    }

    fn as_integer(&mut self, name: &'static str, value: &'a Value) -> Option<i64> {
        let value = self.unrounded(name, value)?;
        let integer = value.as_i64();
        if integer.is_none() {
            let message = match value.as_u64() {
                Some(large) => format!("must be at most {}, but is {large}", i64::MAX),
                None => format!("must be a 64-bit integer, but is {}", kind(value)),
            };
            self.fault(name, message);
        }
        integer
    }

    fn as_text(&mut self, name: &'static str, value: &'a Value) -> Option<&'a str> {
        match value {
            Value::String(text) => Some(text),
            other => {
                self.fault(name, format!("must be a string, but is {}", kind(other)));
                None
            }
        }
    }

    /// Returns the name as spelled in this object.
    fn spelling(&self, name: &'static str) -> &'static str {
        self.spellings(name)
            .find(|spelling| self.object.contains_key(spelling))
            .unwrap_or(name)
    }

    fn spellings(&self, name: &'static str) -> impl Iterator<Item = &'static str> + use<> {
        let aliases = self.aliases.iter();
        let aliases = aliases.filter(move |(_, canonical)| *canonical == name);
        std::iter::once(name).chain(aliases.map(|(alias, _)| *alias))
    }
}

/// Describes a value in a message: short values in full, long ones by their kind.
pub fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) if number.as_f64().is_finite() => number.to_string(),
        Value::Number(_) => "NaN or infinite".to_owned(),
        Value::String(text) if text.chars().count() <= 40 => format!("the string {value}"),
        Value::String(_) => "a long string".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
