//! A call at both revisions with the same values.

use tdg_definition::json::Value;

use super::argument::{Argument, DrawnFrom, PassedAs, Tokens, narrowed};
use super::call::PlannedCall;
use super::planner::PlannedArgument;
use super::std_types::made;
use crate::sources::MakerForm;

/// A call of a function at both revisions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedCall {
    pub(crate) sides: [PlannedCall; 2],
    drawn: Vec<SharedArgument>,
}

/// A drawn argument of both sides.
#[derive(Clone, Debug, PartialEq)]
struct SharedArgument {
    name: String,
    argument: Argument,
    /// Its position on each side.
    positions: [usize; 2],
}

impl SharedCall {
    /// Uses the same call at both revisions.
    pub(crate) fn new(call: &PlannedCall) -> Self {
        let arguments = call.arguments.iter().enumerate();
        let drawn = arguments.map(|(at, (name, argument, _))| SharedArgument {
            name: name.clone(),
            argument: argument.clone(),
            positions: [at, at],
        });
        Self {
            sides: [call.clone(), call.clone()],
            drawn: drawn.filter(|it| it.argument.is_drawn()).collect(),
        }
    }

    /// Pairs calls with different arguments, by name and then by order. An argument on one side
    /// only is its type's default. Returns `None` if the values can't be given to both.
    pub(crate) fn paired(then: &PlannedCall, now: &PlannedCall) -> Option<Self> {
        let [then, now] = [then, now].map(|it| it.with_calls_where(|_| false));
        let [before, after] = [&then.arguments, &now.arguments];
        let of_name = |name: &str| before.iter().position(|(it, _, _)| it == name);
        let is_left = |at: &usize| after.iter().all(|(name, _, _)| *name != before[*at].0);
        let mut left = (0..before.len()).filter(is_left);
        let mut drawn = Vec::new();
        let mut sides = [then.with_members_of(&now), now.with_members_of(&then)];
        let mut defaults: [Vec<usize>; 2] = Default::default();
        for (position, (name, argument, _)) in after.iter().enumerate() {
            let former = of_name(name).or_else(|| left.next());
            let Some(former) = former else {
                defaults[1].push(position);
                continue;
            };
            let argument = narrowed(&before[former].1, argument)?;
            if argument.is_drawn() {
                drawn.push(SharedArgument {
                    name: name.clone(),
                    argument,
                    positions: [former, position],
                });
            }
        }
        defaults[0].extend(left);
        for (side, positions) in sides.iter_mut().zip(defaults) {
            for position in positions {
                let default = made(MakerForm::Function, "Default::default", []);
                let (_, argument, _) = &mut side.arguments[position];
                *argument = default;
            }
        }
        Some(Self { sides, drawn })
    }

    /// Also draws calls on kept paths that change the values first; `None` without such calls.
    pub(crate) fn after_calls(&self, is_kept: impl Fn(&str) -> bool) -> Option<Self> {
        let [then, now] = &self.sides;
        let is_same = then.arguments == now.arguments;
        is_same.then(|| Some(Self::new(&now.after_calls(is_kept)?)))?
    }

    /// Removes preceding calls in these source lines; returns true if there were any.
    pub(crate) fn leave_out(&mut self, lines: &[String]) -> bool {
        let [then, now] = &self.sides;
        let less = now.with_calls_where(|path| {
            let call = format!("{path}(");
            !lines.iter().any(|it| it.contains(&call))
        });
        let is_less = then == now && less != *now;
        if is_less {
            *self = Self::new(&less);
        }
        is_less
    }

    pub(crate) fn name(&self) -> &str {
        &self.sides[1].name
    }

    /// Returns true if more than the names of the arguments differs from before.
    pub(crate) fn is_different(&self) -> bool {
        let [then, now] = &self.sides;
        let kinds = |call: &PlannedCall| -> Vec<(Argument, PassedAs)> {
            let arguments = call.arguments.iter().cloned();
            arguments.map(|(_, it, passed)| (it, passed)).collect()
        };
        let is_moved = |it: &SharedArgument| it.positions[0] != it.positions[1];
        kinds(then) != kinds(now) || self.drawn.iter().any(is_moved)
    }

    /// Returns the definition of its rows.
    pub(crate) fn definition(&self, spread: DrawnFrom<'_>) -> String {
        let features = self.drawn.iter();
        let mut features: Vec<Value> = features
            .map(|it| it.argument.feature(Some(&it.name), spread))
            .collect();
        // Without drawn values there is one row.
        if features.is_empty() {
            features.push(Argument::Scalar("bool").feature(Some("call"), spread));
        }
        Value::object([
            ("definition_name", Value::from(self.name())),
            ("features", Value::Array(features)),
        ])
        .to_string()
    }

    /// Returns all possible rows if there are at most `most`.
    pub(crate) fn all_rows(&self, most: usize) -> Option<Vec<Value>> {
        let mut rows = vec![Vec::new()];
        for drawn in &self.drawn {
            let values = drawn.argument.all_values()?;
            if rows.len() * values.len() > most {
                return None;
            }
            let longer = values.iter().flat_map(|value| {
                let with = |row: &Vec<Value>| [&row[..], std::slice::from_ref(value)].concat();
                rows.iter().map(with)
            });
            rows = longer.collect();
        }
        self.is_drawn()
            .then(|| rows.into_iter().map(Value::Array).collect())
    }

    /// Returns the columns with the type of an earlier one, each after that one.
    pub(crate) fn alike(&self) -> Vec<[usize; 2]> {
        let feature = |it: &SharedArgument| it.argument.feature(None, DrawnFrom::Ordinary);
        let features: Vec<Value> = self.drawn.iter().map(feature).collect();
        let columns = features.iter().enumerate();
        let alike = columns.filter_map(|(at, it)| {
            let earlier = features[..at].iter().rposition(|earlier| earlier == it)?;
            Some([earlier, at])
        });
        alike.collect()
    }

    /// Returns true if anything is drawn.
    pub(crate) fn is_drawn(&self) -> bool {
        !self.drawn.is_empty()
    }

    /// Formats a row for the driver of a side.
    pub(crate) fn tokens(&self, side: usize, row: &Value) -> Vec<u8> {
        let values = row.as_array().unwrap_or_default();
        let mut values: Vec<(usize, &Value)> = self
            .drawn
            .iter()
            .map(|it| it.positions[side])
            .zip(values)
            .collect();
        values.sort_by_key(|(position, _)| *position);
        let mut tokens = Tokens::default();
        for (position, value) in values {
            let (_, argument, _): &PlannedArgument = &self.sides[side].arguments[position];
            argument.write(value, &mut tokens);
        }
        tokens.0
    }
}
