//! Values that contain others of the same kind, within a budget of depth and leaves.
//!
//! A shape is read once for each depth, from the deepest one up, and each refers to the next. No
//! feature thus contains itself.

use std::sync::Arc;

use super::Feature;
use super::structure::FeatureValues;
use crate::fault::{Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::fields::Fields;
use crate::json::Value;
use crate::nearest;
use crate::scalar::Work;

mod nodes;
mod read;
mod values;

pub(super) use values::ENTRY;
use values::ShapeValue;

/// The member of a definition that contains the shapes.
pub(crate) const NAME: &str = "shapes";

/// The member of a feature that names a shape, in place of `type` and `distribution`.
pub(crate) const SHORT: &str = "shape";

const DEPTH: &str = "depth";
const LEAVES: &str = "leaves";

/// A kind of value that can contain others of its kind.
#[derive(Debug)]
pub(crate) struct ValueShape {
    name: String,
    /// The number of leaves at which nodes stop getting children.
    leaves: u32,
    /// The feature of a node for each depth from 0.
    levels: Vec<Arc<Feature>>,
    // Properties of a value. Cached, because nested shapes query them at each of their depths.
    /// The average number of cells.
    cells: f64,
    /// The average work. Nodes are drawn again where the budget ends.
    work: Work,
    /// The nesting depth of its lists. Its nodes are drawn like the elements of one.
    list_levels: u32,
}

/// The shapes that features can name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    /// All shapes of the definition.
    names: Vec<String>,
    /// The shapes read so far; `None` for a faulty one.
    read: Vec<(String, Option<Arc<ValueShape>>)>,
    /// The shape being read.
    current: Option<ShapeLevel>,
}

/// The nodes of a shape at one depth, while being read.
#[derive(Clone, Debug)]
struct ShapeLevel {
    name: String,
    feature_type: FeatureType,
    depth: usize,
    /// The nodes within them.
    next: Option<Arc<Feature>>,
}

type TypedDistribution = (FeatureType, FeatureValues);

impl ValueShape {
    fn new(name: &str, leaves: u32, levels: Vec<Arc<Feature>>) -> Self {
        const NODE: f64 = 500.0;
        let (mut nodes, mut cells) = (1.0_f64, 0.0);
        let (mut once, mut each) = (1_000, 0.0);
        for feature in &levels {
            cells += nodes * feature.cells_of_value();
            let (none, one) = (feature.work(0, false), feature.work(1, false));
            once = none.saturating_mul(2).saturating_add(once);
            each += nodes * (one.saturating_sub(none) as f64 * 2.0 + NODE);
            let recursion = feature.recursion();
            let most = f64::from(leaves) + recursion.most as f64;
            nodes = (nodes * recursion.mean).min(most);
        }
        let each = each as u64;
        Self {
            name: name.to_owned(),
            leaves,
            cells,
            work: Work { once, each },
            list_levels: levels[0].list_levels() + 1,
            levels,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The outermost node.
    pub(crate) fn root(&self) -> &Feature {
        &self.levels[0]
    }

    pub(crate) fn cells(&self) -> f64 {
        self.cells
    }

    pub(crate) fn work(&self) -> Work {
        self.work
    }

    pub(crate) fn list_levels(&self) -> u32 {
        self.list_levels
    }

    /// Returns the canonical form.
    fn to_value(&self) -> Value {
        let mut members = self.root().members();
        members.push((DEPTH, (self.levels.len() as u64 - 1).into()));
        members.push((LEAVES, u64::from(self.leaves).into()));
        Value::object(members)
    }

    /// Returns the type and the values of the shape that a member names.
    pub(crate) fn named(
        fields: &mut Fields<'_>,
        member: &'static str,
    ) -> Option<TypedDistribution> {
        let name = fields.text(member)?;
        let none = Shapes::default();
        match fields.context().unwrap_or(&none).find(name) {
            Ok(found) => found,
            Err(message) => {
                fields.fault(member, message);
                None
            }
        }
    }
}

impl Shapes {
    /// Finds the values of a shape; `None` if it's faulty, which is reported where it's defined.
    fn find(&self, name: &str) -> Result<Option<TypedDistribution>, Invalid> {
        if let Some(current) = self.current.as_ref().filter(|it| it.name == name) {
            let node = ShapeValue::Node(name.to_owned(), current.next.clone());
            let node = FeatureValues::structured(node);
            return Ok(Some((current.feature_type, node)));
        }
        let mut read = self.read.iter();
        if let Some((_, shape)) = read.find(|(it, _)| it == name) {
            return Ok(shape.as_ref().map(|shape| {
                let value = ShapeValue::Whole(Arc::clone(shape));
                (
                    shape.root().feature_type(),
                    FeatureValues::structured(value),
                )
            }));
        }
        let names = || self.names.iter().map(String::as_str);
        if names().any(|it| it == name) {
            return invalid!(
                "`{name}` contains this shape as well, but only one of them can be a shape; write \
                 out the other one in it"
            );
        }
        Err(match nearest(name, names()) {
            Some(near) => format!("unknown shape `{name}`; did you mean `{near}`?").into(),
            None => format!("unknown shape `{name}`; add it to `{NAME}`").into(),
        })
    }

    /// Returns the canonical form; `None` without shapes.
    pub(crate) fn to_value(&self) -> Option<Value> {
        let shapes = self.read.iter();
        let shapes =
            shapes.filter_map(|(name, shape)| Some((name.as_str(), shape.as_ref()?.to_value())));
        (!self.read.is_empty()).then(|| Value::object(shapes))
    }

    /// The total probability of the variants that contain the shape, if none is stated.
    pub(crate) fn share(&self) -> Option<f64> {
        let current = self.current.as_ref()?;
        Some(if current.depth == 0 { 0.75 } else { 0.5 })
    }
}
