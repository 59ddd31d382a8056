//! The columns that values can refer to.

use super::{Cells, Column};

/// The columns drawn so far, from the nearest object outwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueScope<'a> {
    level: ScopeLevel<'a>,
    around: Option<&'a ValueScope<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum ScopeLevel<'a> {
    /// The features of an object or a row; `None` for those not drawn yet.
    Columns(&'a [&'a str], &'a [Option<Column>]),
    /// The outer row that each inner row belongs to.
    Rows(&'a [u32]),
}

impl<'a> ValueScope<'a> {
    /// A scope with these columns.
    pub(crate) fn beside(
        names: &'a [&'a str],
        columns: &'a [Option<Column>],
        around: Option<&'a Self>,
    ) -> Self {
        let level = ScopeLevel::Columns(names, columns);
        Self { level, around }
    }

    /// A scope within a list or a variant, whose rows each belong to an outer row.
    pub(crate) fn within(rows: &'a [u32], around: &'a Self) -> Self {
        let level = ScopeLevel::Rows(rows);
        let around = Some(around);
        Self { level, around }
    }

    /// Looks up the values at `path` for `count` rows.
    pub(crate) fn find(&'a self, path: &[String], count: usize) -> Option<Referred<'a>> {
        let (name, members) = path.split_first()?;
        let mut rows: Vec<u32> = (0..count as u32).collect();
        let mut scope = self;
        let column = loop {
            match scope.level {
                ScopeLevel::Rows(around) => {
                    for row in &mut rows {
                        *row = around[*row as usize];
                    }
                }
                ScopeLevel::Columns(names, columns) => {
                    if let Some(position) = names.iter().position(|it| it == name) {
                        break columns[position].as_ref()?;
                    }
                }
            }
            scope = scope.around?;
        };
        let nulls = vec![false; count];
        let referred = Referred {
            column,
            rows,
            nulls,
        };
        Some(referred.into_members(members))
    }
}

/// The values that rows refer to.
pub(crate) struct Referred<'a> {
    column: &'a Column,
    /// The place of each row's value.
    rows: Vec<u32>,
    /// Marks rows without a value, because an object around it is null.
    nulls: Vec<bool>,
}

impl<'a> Referred<'a> {
    /// Descends to the members at that path, up to the first list.
    fn into_members(mut self, path: &[String]) -> Self {
        for name in path {
            let Cells::Object(objects) = self.column.cells() else {
                break;
            };
            let Some((_, member)) = objects.members().find(|(it, _)| it == name) else {
                break;
            };
            self.nulls = (0..self.rows.len()).map(|it| self.is_null(it)).collect();
            self.column = member;
        }
        self
    }

    fn is_null(&self, position: usize) -> bool {
        self.nulls[position] || self.column.is_null(self.rows[position] as usize)
    }

    /// Returns the column and the place in it of the row's value, if any.
    pub(crate) fn get(&self, position: usize) -> Option<(&'a Column, usize)> {
        (!self.is_null(position)).then(|| (self.column, self.rows[position] as usize))
    }

    /// Returns the number, or the length of the list or bytes, of each row.
    pub(crate) fn counts(&self) -> Vec<Option<u64>> {
        let count = |position| {
            let (column, row) = self.get(position)?;
            Some(match column.cells() {
                Cells::Integer(values) => u64::try_from(values[row]).unwrap_or_default(),
                Cells::Unsigned(values) => values[row],
                Cells::List(lists) => lists.range(row).len() as u64,
                Cells::Bytes(bytes) => bytes.get(row).len() as u64,
                _ => 0,
            })
        };
        (0..self.rows.len()).map(count).collect()
    }
}
