//! Reading shapes, each after those that it contains.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::{DEPTH, LEAVES, NAME, SHORT, ShapeLevel, Shapes, ValueShape};
use crate::fault::Faults;
use crate::feature::part_reader::PartReader;
use crate::feature::reference::graph;
use crate::feature::{Feature, Parts};
use crate::feature_type::FeatureType;
use crate::fields::{Fields, kind};
use crate::json::{Object, Value};

const DEPTHS: RangeInclusive<i64> = 1..=16;
const USUAL_DEPTH: i64 = 4;
const MOST_LEAVES: RangeInclusive<i64> = 1..=1_000;
const USUAL_LEAVES: i64 = 64;

/// A node's number is a part of the address of its words.
const MOST_NODES: u64 = 65_535;

impl Shapes {
    /// Reads the shapes of a definition.
    pub(crate) fn read(fields: &mut Fields<'_>, reader: &PartReader) -> Self {
        let mut shapes = Self::default();
        let stated = match fields.optional(NAME) {
            None => return shapes,
            Some(Value::Object(stated)) => stated,
            Some(other) => {
                let message = format!("must be an object of shapes, but is {}", kind(other));
                fields.fault(NAME, message);
                return shapes;
            }
        };
        shapes.names = stated.keys().cloned().collect();
        for name in in_order(stated) {
            if let Some(value) = stated.get(name) {
                let shape = shapes.read_shape(fields, name, value, reader);
                shapes.read.push((name.to_owned(), shape.map(Arc::new)));
            }
        }
        shapes
    }

    fn read_shape(
        &self,
        fields: &mut Fields<'_>,
        name: &str,
        value: &Value,
        reader: &PartReader,
    ) -> Option<ValueShape> {
        let pointer = fields.pointer().child(NAME).child(name);
        if let Some(problem) = Feature::name_problem(name) {
            fields.fault(NAME, format!("the name of a shape {problem}"));
        }
        let mut whole = fields.nested(value, pointer.clone(), "a shape")?;
        let depth = budget(&mut whole, DEPTH, USUAL_DEPTH, DEPTHS);
        let leaves = budget(&mut whole, LEAVES, USUAL_LEAVES, MOST_LEAVES);
        if whole.has(SHORT) {
            whole.fault(
                SHORT,
                "is within a shape; state `type` and `distribution` here",
            );
            return None;
        }
        let feature_type = read_type(&mut whole, value);
        let (depth, leaves) = (depth? as usize, leaves? as u32);
        let level = ShapeLevel {
            name: name.to_owned(),
            feature_type: feature_type?,
            depth,
            next: None,
        };
        let deepest = self.read_level(&level, whole, reader)?;
        let mut whole = fields.nested(value, pointer, "a shape")?;
        check(&deepest, (depth, leaves), &mut whole)?;
        let levels = self.read_levels(level, deepest, (value, &mut whole), reader)?;
        Some(ValueShape::new(name, leaves, levels))
    }

    /// Reads the features of the nodes of each depth, outermost first, given the deepest one.
    fn read_levels(
        &self,
        mut level: ShapeLevel,
        deepest: Arc<Feature>,
        (value, whole): (&Value, &mut Fields<'_>),
        reader: &PartReader,
    ) -> Option<Vec<Arc<Feature>>> {
        let mut levels = vec![deepest];
        // Most faults repeat the faults of the deepest node.
        let mut told = Faults::default();
        while level.depth > 0 {
            level.depth -= 1;
            level.next = levels.last().cloned();
            let pointer = whole.pointer().clone();
            let mut fields = Fields::of(value, pointer, "a shape", &mut told)?;
            fields.ignore(&[DEPTH, LEAVES]);
            let fields = fields.recorded(whole.is_recorded());
            let Some(feature) = self.read_level(&level, fields, reader) else {
                whole.faults().extend(told.iter().cloned());
                return None;
            };
            levels.push(feature);
        }
        levels.reverse();
        Some(levels)
    }

    /// Reads the feature of a node at that depth.
    fn read_level(
        &self,
        level: &ShapeLevel,
        fields: Fields<'_>,
        reader: &PartReader,
    ) -> Option<Arc<Feature>> {
        let shapes = Self {
            current: Some(level.clone()),
            ..self.clone()
        };
        let mut fields = fields.with_context(&shapes);
        let node = (reader.feature)(&mut fields, Some(String::new()));
        if let Some(node) = &node {
            graph::resolve_all(&[("", Some(node))], fields.faults());
        }
        fields.finish();
        node.map(Arc::new)
    }
}

fn budget(
    fields: &mut Fields<'_>,
    name: &'static str,
    usual: i64,
    allowed: RangeInclusive<i64>,
) -> Option<i64> {
    let stated = fields.optional_integer(name).ok()?.unwrap_or(usual);
    if allowed.contains(&stated) {
        return Some(stated);
    }
    let (least, most) = allowed.into_inner();
    fields.fault(
        name,
        format!("must be from {least} to {most}, but is {stated}"),
    );
    None
}

/// Reads the type of the nodes, if valid; faults are reported elsewhere.
fn read_type(fields: &mut Fields<'_>, shape: &Value) -> Option<FeatureType> {
    let stated = shape.get("type").and_then(Value::as_str);
    let stated = stated.and_then(FeatureType::from_name);
    match stated {
        Some(FeatureType::Object | FeatureType::Variant) => stated,
        Some(other) => {
            let message = format!("is {other}, but a shape is an OBJECT or a VARIANT");
            fields.fault("type", message);
            None
        }
        None => {
            fields.fault_here("needs a `type`: OBJECT or VARIANT");
            None
        }
    }
}

/// Checks that nodes of a shape can have this feature, and adds the faults otherwise.
fn check(node: &Feature, (depth, leaves): (usize, u32), fields: &mut Fields<'_>) -> Option<()> {
    if !node.check_within(fields, "distribution") {
        return None;
    }
    if node.null_probability() > 0.0 {
        fields.fault(
            "null_probability",
            "belongs to the features that have the shape",
        );
        return None;
    }
    if is_unique(node) {
        let message = "has a `unique` feature, but a shape has no rows; let only the elements of \
                       lists in it be unique";
        fields.fault("distribution", message);
        return None;
    }
    let recursion = node.recursion();
    if !recursion.ends {
        let message = "can't end: each value contains another one; add a variant without it, or let \
                       it be null or in a list that can be empty";
        fields.fault_here(message);
        return None;
    }
    let widest = recursion.most.saturating_add(leaves.into());
    let nodes = widest.saturating_mul(depth as u64 + 1);
    if nodes > MOST_NODES {
        let message = format!(
            "can have {nodes} nested values, more than {MOST_NODES}; lower `{DEPTH}`, \
             `{LEAVES}` or the lengths of its lists"
        );
        fields.fault_here(message);
        return None;
    }
    Some(())
}

/// Returns true if a feature that occurs once per node is unique.
fn is_unique(feature: &Feature) -> bool {
    let parts = feature.own_parts();
    let is_list = matches!(parts, Parts::Element(_) | Parts::Entries(_));
    feature.is_unique() || !is_list && parts.features().into_iter().any(is_unique)
}

/// The names of the shapes, each after those that it contains.
fn in_order(shapes: &Object) -> Vec<&str> {
    let mut order = Vec::with_capacity(shapes.len());
    let mut visited = Vec::with_capacity(shapes.len());
    for name in shapes.keys() {
        visit(name, shapes, &mut visited, &mut order);
    }
    order
}

fn visit<'a>(
    name: &'a str,
    shapes: &'a Object,
    visited: &mut Vec<&'a str>,
    order: &mut Vec<&'a str>,
) {
    let Some(shape) = shapes.get(name).filter(|_| !visited.contains(&name)) else {
        return;
    };
    visited.push(name);
    for within in named_in(shape) {
        visit(within, shapes, visited, order);
    }
    order.push(name);
}

/// The names of shapes in part of a definition.
fn named_in(part: &Value) -> Vec<&str> {
    match part {
        Value::Array(parts) => parts.iter().flat_map(named_in).collect(),
        Value::Object(members) => {
            let is_shape = members.get("type").and_then(Value::as_str) == Some(SHORT);
            let of = members.get("of").filter(|_| is_shape);
            let own = [members.get(SHORT), of].into_iter().flatten();
            let own = own.filter_map(Value::as_str);
            own.chain(members.values().flat_map(named_in)).collect()
        }
        _ => Vec::new(),
    }
}
