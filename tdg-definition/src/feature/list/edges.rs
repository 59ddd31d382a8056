//! Lists that often break code.

use super::element_order::{ElementOrder, sort_range};
use crate::column::Cells;
use crate::feature::length::ListLength;
use crate::feature::reference::share;
use crate::feature::{Feature, Parts, Variant};
use crate::random::{EdgePurposes, StreamRows};
use crate::value;

/// A special property of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListShape {
    /// It is empty.
    Empty,
    /// It has one element.
    One,
    /// It has the greatest possible length.
    Longest,
    /// All elements equal the first one.
    AllEqual,
    /// No element is smaller than the one before it.
    Rising,
    /// No element is larger than the one before it.
    Falling,
    /// The last element equals the first one.
    FirstIsLast,
    /// Each element is an edge value.
    EdgeValues,
}

impl ListShape {
    const ALL: [Self; 8] = [
        Self::Empty,
        Self::One,
        Self::Longest,
        Self::AllEqual,
        Self::Rising,
        Self::Falling,
        Self::FirstIsLast,
        Self::EdgeValues,
    ];

    /// The shapes that such lists can have.
    pub(super) fn all_of(
        length: &ListLength,
        element: &Feature,
        sorted: &ElementOrder,
    ) -> Vec<Self> {
        let has_nodes = element.recursion().is_any();
        let is_single = matches!(element.parts(), Parts::None) && !has_nodes;
        let is_as_drawn = *sorted == ElementOrder::AsDrawn;
        // A length set by another feature isn't known yet.
        let has_several = length.reference().is_some() || length.longest() > 1;
        let can_be = |shape: &Self| match shape {
            Self::Empty => length.allows_among_others(0),
            Self::One => length.allows_among_others(1),
            Self::Longest => has_several && length.allows_among_others(length.longest()),
            Self::AllEqual => {
                has_several && can_repeat(element) && !matches!(sorted, ElementOrder::By(_))
            }
            Self::FirstIsLast => has_several && can_repeat(element) && is_as_drawn,
            Self::Rising | Self::Falling => has_several && is_single && is_as_drawn,
            Self::EdgeValues => {
                is_single && can_repeat(element) && !element.edge_values().is_empty()
            }
        };
        Self::ALL.into_iter().filter(can_be).collect()
    }

    /// The length of lists of this shape, if fixed.
    fn length(self, longest: usize) -> Option<u32> {
        match self {
            Self::Empty => Some(0),
            Self::One => Some(1),
            Self::Longest => Some(longest as u32),
            _ => None,
        }
    }
}

/// Returns true if two elements can be equal. Nodes of a shape are drawn later, one by one.
fn can_repeat(element: &Feature) -> bool {
    let is_divided = element.distribution_name() == share::ENTRY.name;
    let can_repeat = !element.is_unique() && !is_divided && !element.recursion().is_any();
    can_repeat
        && match element.own_parts() {
            Parts::Members(members) | Parts::Tuple(members) => members.iter().all(self::can_repeat),
            Parts::Variants(variants) => {
                let mut values = variants.all().iter().filter_map(Variant::value);
                values.all(self::can_repeat)
            }
            _ => true,
        }
}

/// A share of lists, each with one of these shapes.
#[derive(Clone, Debug)]
pub(super) struct ListEdges {
    share: f64,
    /// Never empty.
    shapes: Vec<ListShape>,
    longest: usize,
}

/// The positions of lists, with their shapes.
pub(super) type ShapedLists = Vec<(usize, ListShape)>;

impl ListEdges {
    pub(super) fn new(share: f64, shapes: Vec<ListShape>, longest: usize) -> Self {
        Self {
            share,
            shapes,
            longest,
        }
    }

    /// The mean length, given the mean of the other lists.
    pub(super) fn mean(&self, mean: f64) -> f64 {
        let lengths = self.shapes.iter();
        let lengths = lengths.map(|it| it.length(self.longest).map_or(mean, f64::from));
        let of_edges = lengths.sum::<f64>() / self.shapes.len() as f64;
        mean + self.share * (of_edges - mean)
    }

    /// Picks the lists that get a shape and adapts their lengths.
    pub(super) fn place(&self, rows: &StreamRows<'_>, lengths: &mut [u32]) -> ShapedLists {
        let placed = EdgePurposes::USUAL.place(rows, self.share, self.shapes.len());
        let placed = placed.into_iter();
        let placed = placed.map(|(row, number)| {
            let shape = self.shapes[number];
            lengths[row] = shape.length(self.longest).unwrap_or(lengths[row]);
            (row, shape)
        });
        placed.collect()
    }
}

/// Shapes the elements of the picked lists, given the lengths of all.
pub(super) fn shape(
    lists: &ShapedLists,
    lengths: &[u32],
    element: &Feature,
    elements: &StreamRows<'_>,
    mut cells: Cells,
) -> Cells {
    let mut start = 0;
    let starts = lengths.iter().map(|length| {
        let first = start;
        start += *length as usize;
        first
    });
    let starts: Vec<usize> = starts.collect();
    let ranges = lists.iter().map(|(list, shape)| {
        let start = starts[*list];
        (start..start + lengths[*list] as usize, *shape)
    });
    let ranges: Vec<_> = ranges.filter(|(range, _)| !range.is_empty()).collect();
    let of_edges = ranges.iter().filter(|(_, it)| *it == ListShape::EdgeValues);
    let of_edges: Vec<usize> = of_edges.flat_map(|(range, _)| range.clone()).collect();
    if !of_edges.is_empty() {
        let values = element.edge_values();
        let number = |it: usize| (it, EdgePurposes::USUAL.value(elements, it, values.len()));
        let placed: Vec<(usize, usize)> = of_edges.into_iter().map(number).collect();
        cells.replace(&placed, &value::column(&values));
    }
    let mut order: Vec<u32> = (0..cells.len() as u32).collect();
    for (range, shape) in ranges {
        let first = range.start as u32;
        let list = &mut order[range];
        match shape {
            ListShape::AllEqual => list.fill(first),
            ListShape::FirstIsLast => list[list.len() - 1] = first,
            ListShape::Rising => sort_range(&cells, list, false),
            ListShape::Falling => sort_range(&cells, list, true),
            _ => {}
        }
    }
    cells.into_gathered(order)
}
