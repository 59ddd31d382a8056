//! Objects whose members are columns.

use std::sync::Arc;

use super::Column;

/// The written form of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObjectForm {
    /// By names: `{"x": 1, "y": 2}`
    #[default]
    Object,
    /// In order: `[1, 2]`, a tuple. The members are named by their positions, from 0
    Array,
}

/// Objects with the same members, one for each row.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectCells {
    form: ObjectForm,
    names: Arc<[String]>,
    /// A column for each name.
    members: Vec<Column>,
    rows: usize,
    /// Set if the objects are nested in others of the same shape.
    pub(super) is_node: bool,
}

impl ObjectCells {
    /// Creates objects with these members, each of which has `rows` values.
    #[must_use]
    pub fn new(
        form: ObjectForm,
        members: impl IntoIterator<Item = (String, Column)>,
        rows: usize,
    ) -> Self {
        let (names, members): (Vec<String>, Vec<Column>) = members.into_iter().unzip();
        Self {
            form,
            names: names.into(),
            members,
            rows,
            is_node: false,
        }
    }

    /// Returns the form in which the objects are written.
    #[must_use]
    pub fn form(&self) -> ObjectForm {
        self.form
    }

    /// Returns the members in the order of the definition.
    pub fn members(&self) -> impl ExactSizeIterator<Item = (&str, &Column)> {
        self.names.iter().map(String::as_str).zip(&self.members)
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Replaces the column of a member.
    pub(crate) fn replace(&mut self, name: &str, column: Column) {
        if let Some(position) = self.names.iter().position(|it| it == name) {
            self.members[position] = column;
        }
    }

    pub(super) fn gather(&self, rows: &[u32]) -> Self {
        let positions: Vec<usize> = rows.iter().map(|row| *row as usize).collect();
        let members = self.members.iter().map(|member| member.gather(&positions));
        Self {
            form: self.form,
            names: Arc::clone(&self.names),
            members: members.collect(),
            rows: rows.len(),
            is_node: self.is_node,
        }
    }
}
