//! Lists within objects. One statement reads those of several objects, in the order in which the
//! response comes to them: a request needs a few statements, however many objects it shows.

use std::collections::{HashMap, VecDeque};
use std::iter::once;

use tdg_service::Uuid;
use tokio_postgres::Row;

use super::error::PostgresResult;
use super::statement::Param;
use crate::database::page::{PageRange, ResponseBudget};

/// The rows of a table that are within `Objects`, whose parameters are `$1` to `$6`. The statement
/// that has this in parentheses orders them by number, added, uuid.
macro_rules! rows_within {
    ($table:literal, $object:literal) => {
        concat!(
            "SELECT found.*, object.number
             FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[])
                 AS object (uuid, number, after_added, after_uuid)
             CROSS JOIN LATERAL (
                 SELECT * FROM ",
            $table,
            " WHERE account = $1 AND ",
            $object,
            " = object.uuid AND (added, uuid) > (after_added, after_uuid)
                 ORDER BY added, uuid LIMIT $6
             ) AS found
             ORDER BY number, found.added, found.uuid LIMIT $6"
        )
    };
}
pub(super) use rows_within;

/// What a response may still have, and what was read for it and is not shown yet.
pub(super) struct Ahead {
    pub(super) budget: ResponseBudget,
    /// Within projects.
    pub(super) definitions: Lists,
    pub(super) texts: Texts,
    /// Within definitions.
    pub(super) ensembles: Lists,
    /// Within ensembles.
    pub(super) benchmarks: Lists,
}

impl Ahead {
    pub(super) fn new() -> Ahead {
        Ahead {
            budget: ResponseBudget::new(),
            definitions: Lists::within(2),
            texts: Texts::default(),
            ensembles: Lists::within(1),
            benchmarks: Lists::within(1),
        }
    }
}

/// The lists within the objects of one kind.
pub(super) struct Lists {
    /// The column of the object that a row is in.
    column: usize,
    /// The objects whose lists are not read yet.
    upcoming: VecDeque<Uuid>,
    read: HashMap<Uuid, Vec<Row>>,
    /// For how many objects to ask at once.
    reach: usize,
}

impl Lists {
    const LEAST_REACH: usize = 4;
    const MOST_REACH: usize = 256;

    fn within(column: usize) -> Lists {
        Lists {
            column,
            upcoming: VecDeque::new(),
            read: HashMap::new(),
            reach: Lists::LEAST_REACH,
        }
    }

    /// The response comes to that object, after those that were announced before.
    pub(super) fn announce(&mut self, object: Uuid) {
        self.upcoming.push_back(object);
    }

    /// If that part of the list within the object is not read yet: it and the next ones. Only the
    /// first object of a response can go on in the middle of its list.
    pub(super) fn unread(&mut self, object: Uuid, range: &PageRange) -> Option<Objects> {
        if self.read.contains_key(&object) {
            return None;
        }
        // What comes before it is not shown.
        if let Some(at) = self.upcoming.iter().position(|next| *next == object) {
            self.upcoming.drain(..=at);
        }
        let others = self.upcoming.len().min(self.reach - 1);
        let uuids = once(object).chain(self.upcoming.drain(..others));
        Some(Objects::new(uuids.collect(), range))
    }

    /// Keeps the rows that were read for these objects, and announces each. `is_full` if they have
    /// as many bytes as they may.
    pub(super) fn add(
        &mut self,
        objects: Objects,
        rows: Vec<Row>,
        is_full: bool,
        mut announce: impl FnMut(&Row) -> PostgresResult<()>,
    ) -> PostgresResult<()> {
        let mut whole = objects.uuids.len();
        self.reach = (4 * self.reach).min(Lists::MOST_REACH);
        if let Some(last) = rows.last()
            && (is_full || rows.len() as i64 == objects.limit)
        {
            // Its list may go on. That of the first object has all that one list may have.
            let last: Uuid = last.try_get(self.column)?;
            let at = objects.uuids.iter().position(|object| *object == last);
            whole = at.unwrap_or_default().max(1);
            self.reach = whole;
        }
        let (whole, others) = objects.uuids.split_at(whole);
        for object in others.iter().rev() {
            self.upcoming.push_front(*object);
        }
        self.read = whole.iter().map(|object| (*object, Vec::new())).collect();
        for row in rows {
            if let Some(list) = self.read.get_mut(&row.try_get(self.column)?) {
                announce(&row)?;
                list.push(row);
            }
        }
        Ok(())
    }

    /// The list within an object that was read.
    pub(super) fn take(&mut self, object: Uuid) -> Vec<Row> {
        self.read.remove(&object).unwrap_or_default()
    }
}

/// Objects whose lists one statement reads.
pub(super) struct Objects {
    uuids: Vec<Uuid>,
    numbers: Vec<i64>,
    /// The parts of their lists are after these places.
    after_added: Vec<i64>,
    after_uuid: Vec<Uuid>,
    /// The most rows of all of them: those of one list, and one more.
    limit: i64,
}

impl Objects {
    /// That part of the list within the first of them, and the beginnings of the others.
    fn new(uuids: Vec<Uuid>, range: &PageRange) -> Objects {
        let start = PageRange::start().after();
        let others = uuids.iter().skip(1).map(|_| start);
        let (after_added, after_uuid) = once(range.after()).chain(others).unzip();
        Objects {
            numbers: (0..).take(uuids.len()).collect(),
            uuids,
            after_added,
            after_uuid,
            limit: range.query_limit(),
        }
    }

    pub(super) fn params<'a>(&'a self, account: &'a i64) -> [Param<'a>; 6] {
        [
            account,
            &self.uuids,
            &self.numbers,
            &self.after_added,
            &self.after_uuid,
            &self.limit,
        ]
    }
}

/// The texts of definitions.
#[derive(Default)]
pub(super) struct Texts {
    /// The definitions whose texts are not read yet, with their bytes.
    upcoming: VecDeque<(Uuid, usize)>,
    read: HashMap<Uuid, String>,
}

impl Texts {
    pub(super) fn announce(&mut self, definition: Uuid, bytes: usize) {
        self.upcoming.push_back((definition, bytes));
    }

    /// If the text of the definition is not read yet: it and the next ones, as many as have that
    /// many bytes, but one at least.
    pub(super) fn unread(&mut self, definition: Uuid, mut most: usize) -> Option<Vec<Uuid>> {
        if self.read.contains_key(&definition) {
            return None;
        }
        let is_it = |(next, _): &(Uuid, usize)| *next == definition;
        let at = self.upcoming.iter().position(is_it);
        self.upcoming.drain(..at.unwrap_or_default());
        let mut uuids = Vec::new();
        while let Some((next, bytes)) = self.upcoming.front()
            && (*bytes <= most || uuids.is_empty())
        {
            most = most.saturating_sub(*bytes);
            uuids.push(*next);
            self.upcoming.pop_front();
        }
        Some(uuids)
    }

    /// Keeps rows (uuid, text).
    pub(super) fn add(&mut self, rows: &[Row]) -> PostgresResult<()> {
        let text = |row: &Row| Ok((row.try_get(0)?, row.try_get(1)?));
        self.read = rows.iter().map(text).collect::<PostgresResult<_>>()?;
        Ok(())
    }

    pub(super) fn take(&mut self, definition: Uuid) -> Option<String> {
        self.read.remove(&definition)
    }
}
