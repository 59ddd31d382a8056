//! What a policy says about the places of an output.

use tdg_definition::json::{Pointer, Value};

use super::Tolerance;

/// The segment of a pointer that stands for every element of an array and every value of an object.
const ANY: &str = "*";

/// What is said about one place of the output, and about those within it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rule {
    pub(super) tolerance: Option<Tolerance>,
    pub(super) ignored: bool,
    pub(super) unordered: bool,
    /// By key or index, in their order. Most have one: a map has room for eleven, and a service keeps many policies.
    within: Vec<(Box<str>, Rule)>,
    /// For every key or index.
    any: Option<Box<Rule>>,
}

impl Rule {
    /// The rule for a place within this one.
    pub(super) fn within(&mut self, pointer: &str) -> Result<&mut Rule, String> {
        let pointer: Pointer = pointer.parse().map_err(|error| format!("{error}"))?;
        let mut rule = self;
        for (depth, segment) in pointer.segments().enumerate() {
            if segment == ANY {
                rule = rule.any.get_or_insert_default();
                continue;
            }
            if rule.unordered && is_index(segment) {
                let mut array = pointer.clone();
                while array.depth() > depth {
                    array.pop();
                }
                return Err(no_element(&array.to_string(), segment));
            }
            rule = rule.named_or_new(segment);
        }
        Ok(rule)
    }

    fn named_or_new(&mut self, name: &str) -> &mut Rule {
        let place = self.place_of(name).unwrap_or_else(|place| {
            self.within.reserve_exact(1);
            self.within.insert(place, (name.into(), Rule::default()));
            place
        });
        &mut self.within[place].1
    }

    fn named(&self, name: &str) -> Option<&Rule> {
        let place = self.place_of(name).ok()?;
        Some(&self.within[place].1)
    }

    /// Where the rule of that name is, or would be.
    fn place_of(&self, name: &str) -> Result<usize, usize> {
        self.within
            .binary_search_by(|(other, _)| (**other).cmp(name))
    }

    /// An index that the rules within this one name.
    pub(super) fn index(&self) -> Option<&str> {
        let mut names = self.within.iter().map(|(name, _)| &**name);
        names.find(|name| is_index(name))
    }

    /// Whether something is said here, and not only of places within.
    pub(super) fn says_something(&self) -> bool {
        self.tolerance.is_some() || self.ignored || self.unordered
    }

    /// This rule and all within it, each with its pointer: those of `*` before those of a name.
    pub(super) fn each<'p>(
        &'p self,
        place: &mut Pointer,
        visit: &mut impl FnMut(&Pointer, &'p Rule),
    ) {
        visit(place, self);
        let any = self.any.as_deref().map(|rule| (ANY, rule));
        let named = self.within.iter().map(|(name, rule)| (&**name, rule));
        for (segment, rule) in any.into_iter().chain(named) {
            place.push(segment);
            rule.each(place, visit);
            place.pop();
        }
    }
}

/// Whether a pointer of the policy leads to something in an output.
pub(super) fn leads_into<'p>(
    mut segments: impl Iterator<Item = &'p str> + Clone,
    output: &Value,
) -> bool {
    let Some(segment) = segments.next() else {
        return true;
    };
    let reaches = |value: &Value| leads_into(segments.clone(), value);
    match output {
        Value::Array(elements) if segment == ANY => elements.iter().any(reaches),
        Value::Object(members) if segment == ANY => members.values().any(reaches),
        Value::Array(elements) => {
            let index = segment.parse().ok();
            let element = index.and_then(|index: usize| elements.get(index));
            element.is_some_and(reaches)
        }
        Value::Object(members) => members.get(segment).is_some_and(reaches),
        _ => false,
    }
}

fn is_index(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// Why a pointer can't name one element of an array without an order.
pub(super) fn no_element(array: &str, segment: &str) -> String {
    format!(
        "the elements of {array:?} are unordered, so none of them is {segment:?}; \
         write {:?} for all of them",
        format!("{array}/{ANY}")
    )
}

/// What holds at one place of an output.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings<'p> {
    /// That of the most specific pointer that leads here or to a place above.
    pub(super) tolerance: Tolerance,
    pub(super) ignored: bool,
    pub(super) unordered: bool,
    /// The rules for this place, the most specific first. Most places have none or one.
    first: Option<&'p Rule>,
    others: Vec<&'p Rule>,
}

impl<'p> Settings<'p> {
    pub(super) fn of_root(rule: &'p Rule) -> Self {
        let mut settings = Self::default();
        let own = settings.add(rule);
        settings.tolerance = own.unwrap_or_default();
        settings
    }

    pub(super) fn at_key(&self, key: &str) -> Self {
        self.at(Some(key))
    }

    pub(super) fn at_index(&self, index: usize) -> Self {
        // Most arrays have no rules for single elements, and many elements.
        if self.rules().all(|rule| rule.within.is_empty()) {
            return self.at_any();
        }
        self.at(Some(&index.to_string()))
    }

    /// Whether nothing is said of this place, nor of any within it.
    pub(super) fn has_no_rules(&self) -> bool {
        self.first.is_none()
    }

    /// At any element of an array without an order.
    pub(super) fn at_any(&self) -> Self {
        self.at(None)
    }

    fn at(&self, name: Option<&str>) -> Self {
        let mut settings = Self::default();
        let mut own = None;
        // A name before `*`, and what parts further left before the rest: so the order stays.
        for rule in self.rules() {
            if let Some(rule) = name.and_then(|name| rule.named(name)) {
                own = own.or(settings.add(rule));
            }
            if let Some(rule) = &rule.any {
                own = own.or(settings.add(rule));
            }
        }
        settings.tolerance = own.unwrap_or(self.tolerance);
        settings
    }

    fn rules(&self) -> impl Iterator<Item = &'p Rule> {
        self.first.into_iter().chain(self.others.iter().copied())
    }

    /// Adds a rule that is less specific than those before it; gives its tolerance.
    fn add(&mut self, rule: &'p Rule) -> Option<Tolerance> {
        match self.first {
            None => self.first = Some(rule),
            Some(_) => self.others.push(rule),
        }
        self.ignored |= rule.ignored;
        self.unordered |= rule.unordered;
        rule.tolerance
    }
}
