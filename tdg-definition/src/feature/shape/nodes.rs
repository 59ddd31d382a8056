//! Drawing the nodes of shapes, one depth at a time.
//!
//! The nodes of a value are addressed like the elements of a list, by depth. Finally, each is
//! inserted into the enclosing column, so that no other code deals with shapes.

use super::ValueShape;
use crate::column::{Cells, Column, ObjectCells, ValueScope, VariantCells};
use crate::feature::recursion::IS_CLOSED;
use crate::feature::{Feature, Parts};
use crate::random::StreamRows;

/// The nodes of one depth in all rows.
struct NodeLevel<'a> {
    feature: &'a Feature,
    column: Column,
    within: NodesWithin,
}

/// For each place in a node, the number of the next depth's node in each row.
type NodePlaces = Vec<Vec<u32>>;

/// The nodes contained in the nodes of one depth.
struct NodesWithin {
    places: NodePlaces,
    /// The number of nodes in each node.
    counts: Vec<u32>,
}

/// Draws the values of a shape.
pub(crate) fn draw(shape: &ValueShape, rows: &StreamRows<'_>) -> Cells {
    let stream = rows.stream().within("");
    let mut leaves = vec![1; rows.len()];
    // The number of each row's first node at a depth, and the number of nodes.
    let mut stretches = vec![(0, 1); rows.len()];
    let mut levels = Vec::new();
    for (depth, feature) in shape.levels.iter().enumerate() {
        let elements = rows.stretches(stretches.iter().copied());
        let nodes = StreamRows::of_elements(&stream, &elements);
        let is_last = depth + 1 == shape.levels.len();
        let mut level = NodeLevel::draw(feature, &nodes, vec![is_last; nodes.len()]);
        let counts = stretches.iter().map(|(_, count)| *count as usize);
        if let Some(closed) = level.closed(shape.leaves, counts, &mut leaves) {
            level = NodeLevel::draw(feature, &nodes, closed);
        }
        let mut counts = level.within.counts.iter();
        for (first, count) in &mut stretches {
            let of_row = counts.by_ref().take(*count as usize);
            (*first, *count) = (*first + *count, of_row.sum());
        }
        levels.push(level);
        if stretches.iter().all(|(_, count)| *count == 0) {
            break;
        }
    }
    let mut inner = Column::new(Cells::Boolean(Vec::new()), None);
    for level in levels.into_iter().rev() {
        inner = level.around(&inner);
    }
    inner.cells().clone()
}

impl<'a> NodeLevel<'a> {
    fn draw(feature: &'a Feature, nodes: &StreamRows<'_>, closed: Vec<bool>) -> Self {
        let closed = [Some(Column::new(Cells::Boolean(closed), None))];
        let scope = ValueScope::beside(&[IS_CLOSED], &closed, None);
        let nodes = nodes.with_scope(Some(&scope));
        let column = feature.draw_moved(&nodes, |cells| cells);
        let within = NodesWithin::find(feature, &column);
        Self {
            feature,
            column,
            within,
        }
    }

    /// Marks nodes that get no children, because there are enough leaves when they are visited;
    /// `None` if all may keep them.
    fn closed(
        &self,
        most: u32,
        counts: impl Iterator<Item = usize>,
        leaves: &mut [u32],
    ) -> Option<Vec<bool>> {
        let mut all = self.within.counts.iter();
        let mut closed = Vec::with_capacity(all.len());
        for (leaves, count) in leaves.iter_mut().zip(counts) {
            for within in all.by_ref().take(count) {
                let is_closed = *leaves >= most && *within > 0;
                if !is_closed {
                    *leaves += within.saturating_sub(1);
                }
                closed.push(is_closed);
            }
        }
        closed.contains(&true).then_some(closed)
    }

    /// Inserts the nodes into the column.
    fn around(self, inner: &Column) -> Column {
        if self.within.counts.iter().all(|count| *count == 0) {
            return self.column;
        }
        join(self.feature, &self.column, &self.within.places, inner)
    }
}

impl NodesWithin {
    fn find(feature: &Feature, column: &Column) -> Self {
        let mut within = Self {
            places: vec![Vec::new(); feature.recursion().places],
            counts: Vec::with_capacity(column.cells().len()),
        };
        let mut found = 0;
        for node in 0..column.cells().len() {
            let before = found;
            visit(feature, column, node, &mut within.places, &mut found);
            within.counts.push(found - before);
        }
        within
    }
}

/// Records the nodes in a row of a column at the given places.
fn visit(feature: &Feature, column: &Column, row: usize, places: &mut [Vec<u32>], found: &mut u32) {
    if places.is_empty() || column.is_null(row) {
        return;
    }
    match (feature.own_parts(), column.cells()) {
        (Parts::Element(element) | Parts::Entries(element), Cells::List(lists)) => {
            for row in lists.range(row) {
                visit(element, lists.elements(), row, places, found);
            }
        }
        (Parts::Members(members) | Parts::Tuple(members), Cells::Object(objects)) => {
            let mut places = places;
            for (member, (_, column)) in members.iter().zip(objects.members()) {
                let (own, others) = places.split_at_mut(member.recursion().places);
                visit(member, column, row, own, found);
                places = others;
            }
        }
        (Parts::Variants(variants), Cells::Variant(cells)) => {
            let number = cells.variant(row);
            let before = variants.all()[..number].iter();
            let before: usize = before.map(|it| it.recursion().places).sum();
            let variant = &variants.all()[number];
            let own = &mut places[before..before + variant.recursion().places];
            if let (Some(value), Some((column, row))) = (variant.value(), cells.value(row)) {
                visit(value, column, row, own, found);
            }
        }
        _ => {
            let place = &mut places[0];
            if place.len() <= row {
                place.resize(row + 1, 0);
            }
            place[row] = *found;
            *found += 1;
        }
    }
}

/// Inserts the nodes of the next depth into a column at these places.
fn join(feature: &Feature, column: &Column, places: &[Vec<u32>], inner: &Column) -> Column {
    if places.is_empty() {
        return column.clone();
    }
    let cells = match (feature.own_parts(), column.cells()) {
        (Parts::Element(element) | Parts::Entries(element), Cells::List(lists)) => {
            Cells::List(lists.with(join(element, lists.elements(), places, inner)))
        }
        (Parts::Members(members) | Parts::Tuple(members), Cells::Object(objects)) => {
            let mut members = members.iter();
            let mut places = places;
            let joined = objects.members().map(|(name, column)| {
                let column = members.next().map_or_else(
                    || column.clone(),
                    |member| {
                        let (own, others) = places.split_at(member.recursion().places);
                        places = others;
                        join(member, column, own, inner)
                    },
                );
                (name.to_owned(), column)
            });
            Cells::Object(ObjectCells::new(objects.form(), joined, objects.len()))
        }
        (Parts::Variants(variants), Cells::Variant(cells)) => {
            let mut places = places;
            let all = variants.all().iter().zip(cells.variants());
            let joined = all.map(|(variant, (name, column))| {
                let (own, others) = places.split_at(variant.recursion().places);
                places = others;
                let value = variant.value().zip(column);
                let value = value.map(|(value, column)| join(value, column, own, inner));
                (name.to_owned(), value)
            });
            let chosen = (0..cells.len()).map(|row| cells.variant(row) as u8);
            let chosen: Vec<u8> = chosen.collect();
            Cells::Variant(VariantCells::new(cells.form().clone(), joined, &chosen))
        }
        // A place without nodes is unchanged.
        (_, cells) if places[0].is_empty() => cells.clone(),
        (_, cells) => {
            let mut nodes = places[0].clone();
            nodes.resize(cells.len(), 0);
            inner.cells().gather(&nodes).of_nodes()
        }
    };
    Column::new(cells, column.nulls().map(<[bool]>::to_vec))
}
