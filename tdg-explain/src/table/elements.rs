//! The elements of lists: pooled in a separate table, and as aggregates for each row.

use std::ops::Range;
use std::rc::Rc;

use tdg_definition::Column;
use tdg_definition::json::Number;

use super::super::value::{AttributeValue, difference, rounded, total};
use super::{ColumnKind, ExplanationColumn, ExplanationTable};

/// The name of the columns of elements.
const ELEMENT: &str = "element";
/// With more features, none is compared with elements.
const COMPARED: usize = 6;

/// An element in comparable form; `None` for null.
pub(in super::super) type ComparedElement<'a> = Option<AttributeValue<'a>>;
/// The elements of each row; `None` if the list is null.
pub(in super::super) type ComparedElements<'a> = Rc<[Option<Vec<ComparedElement<'a>>>]>;

/// The elements of a list, from all rows together.
pub(in super::super) struct PooledElements<'a> {
    /// The position of the list, or of the outermost list around it, among the table's columns.
    pub(in super::super) list: usize,
    pub(in super::super) name: String,
    /// The range of each row's elements; `None` for null.
    pub(in super::super) ranges: Vec<Option<Range<usize>>>,
    /// The columns of the elements, or of their members, followed by columns of each element's row.
    pub(in super::super) table: ExplanationTable<'a>,
    /// The positions of these columns in the row's table.
    pub(in super::super) compared: Vec<usize>,
}

/// Creates the table of these columns, with the elements of their lists.
pub(super) fn with_lists(
    mut columns: Vec<ExplanationColumn<'_>>,
    size: usize,
) -> ExplanationTable<'_> {
    let (mut lists, mut inner_lists) = (Vec::new(), Vec::new());
    let features = columns.len();
    for position in 0..features {
        let mut pooled = PooledElements::pool(&columns[..features], position, size).into_iter();
        if let Some(list) = pooled.next() {
            for at in 0..list.own().len() {
                columns.extend(list.aggregates(at));
            }
            lists.push(list);
            inner_lists.extend(pooled);
        }
    }
    ExplanationTable {
        columns,
        size,
        lists,
        inner_lists,
        constants: &[],
    }
}

impl<'a> PooledElements<'a> {
    /// Pools the elements of a list, if it is one, and of the lists nested in them.
    fn pool(columns: &[ExplanationColumn<'a>], list: usize, size: usize) -> Vec<Self> {
        let column = &columns[list];
        let lists = column.lists(size).into_iter();
        let pooled =
            |(ranges, elements)| Self::pooled(columns, list, column.name.clone(), ranges, elements);
        let mut all: Vec<Self> = lists.map(pooled).collect();
        let mut around = 0;
        while around < all.len() {
            let inner = all[around].inner(columns);
            all.extend(inner);
            around += 1;
        }
        all
    }

    /// Pools the lists that its elements are or have, if the elements of each row are contiguous.
    fn inner(&self, columns: &[ExplanationColumn<'a>]) -> Vec<Self> {
        let own = self.own().iter().enumerate();
        let pooled = own.filter_map(|(at, column)| {
            let (of_elements, inner) = column.lists(self.table.size)?;
            let of_row = |range: &Option<Range<usize>>| match range {
                Some(range) => joined(&of_elements[range.clone()]).map(Some),
                None => Some(None),
            };
            let ranges = self.ranges.iter().map(of_row).collect::<Option<_>>()?;
            let name = match self.is_whole(at) {
                true => format!("the lists in {}", self.name),
                false => self.path(at),
            };
            Some(Self::pooled(columns, self.list, name, ranges, inner))
        });
        pooled.collect()
    }

    fn pooled(
        columns: &[ExplanationColumn<'a>],
        list: usize,
        name: String,
        ranges: Vec<Option<Range<usize>>>,
        elements: &'a Column,
    ) -> Self {
        let count = elements.cells().len();
        let mut own = ExplanationColumn::of_feature(ELEMENT, elements);
        for column in &mut own {
            if let Some(member) = column.name.strip_prefix(ELEMENT)
                && !member.is_empty()
            {
                column.name = member.trim_start_matches('/').to_owned();
            }
        }
        let mut rows = vec![None; count];
        for (row, range) in (0..).zip(&ranges) {
            rows[range.clone().unwrap_or_default()].fill(Some(row));
        }
        let rows: Rc<[Option<u32>]> = rows.into();
        let is_compared = |position: &usize| {
            let column = &columns[*position];
            !column.is_expected && column.kind.is_comparable() && column.kind != ColumnKind::Boolean
        };
        let mut compared: Vec<usize> = (0..columns.len()).filter(is_compared).collect();
        if compared.len() > COMPARED {
            compared.clear();
        }
        own.extend(compared.iter().map(|position| {
            let column = &columns[*position];
            column.picked(column.name.clone(), None, Rc::clone(&rows))
        }));
        Self {
            list,
            name,
            ranges,
            table: ExplanationTable {
                columns: own,
                size: count,
                lists: Vec::new(),
                inner_lists: Vec::new(),
                constants: &[],
            },
            compared,
        }
    }

    /// Returns the columns of the elements themselves.
    pub(in super::super) fn own(&self) -> &[ExplanationColumn<'a>] {
        &self.table.columns[..self.table.columns.len() - self.compared.len()]
    }

    /// Returns the length of each row's list; 0 for null.
    pub(in super::super) fn lengths(&self) -> Rc<[u32]> {
        let length = |range: &Option<Range<usize>>| range.clone().map_or(0, |it| it.len() as u32);
        self.ranges.iter().map(length).collect()
    }

    /// Returns the full name of a column of the elements: `lines/price`.
    pub(in super::super) fn path(&self, at: usize) -> String {
        let list = &self.name;
        match self.own()[at].name.as_str() {
            ELEMENT => list.clone(),
            member if member.starts_with('.') => format!("{list}{member}"),
            member => format!("{list}/{member}"),
        }
    }

    /// Returns true if a column has the elements themselves rather than a member of each.
    pub(in super::super) fn is_whole(&self, at: usize) -> bool {
        self.own()
            .get(at)
            .is_some_and(|column| column.name == ELEMENT)
    }

    /// Returns true if the elements have no members.
    pub(in super::super) fn are_scalars(&self) -> bool {
        self.own().len() == 1 && self.is_whole(0)
    }

    /// Returns the values of a column, grouped by row.
    pub(in super::super) fn keys(&self, at: usize) -> ComparedElements<'a> {
        let column = &self.own()[at];
        let keys = |range: &Option<Range<usize>>| {
            Some(range.clone()?.map(|element| column.key(element)).collect())
        };
        self.ranges.iter().map(keys).collect()
    }

    /// Returns the first, last, largest, … element of each row as columns of the list's table.
    fn aggregates(&self, at: usize) -> Vec<ExplanationColumn<'a>> {
        let (column, path) = (&self.own()[at], self.path(at));
        if !column.kind.is_comparable() {
            return Vec::new();
        }
        let picked = |what: &str, pick: &dyn Fn(Range<usize>) -> Option<usize>| {
            let pick = |range: &Option<Range<usize>>| pick(range.clone()?).map(|at| at as u32);
            let rows = self.ranges.iter().map(pick).collect();
            column.picked(format!("{what} of {path}"), Some(self.list), rows)
        };
        let mut all = vec![
            picked("first", &|mut range| range.next()),
            picked("last", &|mut range| range.next_back()),
        ];
        if column.kind.is_ordered() {
            let number = |at: &usize| column.number(*at);
            let known = |range: Range<usize>| range.filter(|at| number(at).is_some());
            all.push(picked("largest", &|range| known(range).max_by_key(number)));
            all.push(picked("smallest", &|range| known(range).min_by_key(number)));
        }
        if matches!(column.kind, ColumnKind::Integer | ColumnKind::Float) {
            all.extend(self.computed(at, &path));
        }
        all
    }

    /// Returns the sum, mean and range of each row's numbers, if none is null.
    fn computed(&self, at: usize, path: &str) -> [ExplanationColumn<'a>; 3] {
        let column = &self.own()[at];
        let numbers = |of: &dyn Fn(&[Number]) -> Option<Number>| {
            let of_row = |range: &Option<Range<usize>>| {
                let numbers = range.clone()?.map(|element| column.number(element));
                of(&numbers.collect::<Option<Vec<Number>>>()?)
            };
            self.ranges.iter().map(of_row).collect::<Vec<_>>()
        };
        let named = |what: &str, numbers| {
            ExplanationColumn::of_numbers(format!("{what} of {path}"), self.list, numbers)
        };
        [
            named("sum", numbers(&|numbers| Some(total(numbers)))),
            named(
                "mean",
                numbers(&|numbers| {
                    let mean = total(numbers).as_f64() / numbers.len() as f64;
                    (!numbers.is_empty()).then(|| rounded(mean))
                }),
            ),
            named(
                "range",
                numbers(&|numbers| {
                    let (largest, smallest) = (numbers.iter().max()?, numbers.iter().min()?);
                    Some(difference(*largest, *smallest))
                }),
            ),
        ]
    }
}

/// Returns the range that all of these form together, if it is contiguous.
fn joined(ranges: &[Option<Range<usize>>]) -> Option<Range<usize>> {
    let ranges = ranges.iter().flatten().filter(|range| !range.is_empty());
    let start = ranges.clone().map(|range| range.start).min().unwrap_or(0);
    let end = ranges.clone().map(|range| range.end).max().unwrap_or(0);
    let count: usize = ranges.map(ExactSizeIterator::len).sum();
    (count == end - start).then_some(start..end)
}
