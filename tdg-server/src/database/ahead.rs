//! Lists within objects, in the order in which the response comes to them. On PostgreSQL, one
//! statement reads those of several objects: a request needs a few statements, however many objects
//! it shows. SQLite is asked for one list at a time.

use std::collections::{HashMap, VecDeque};
use std::iter::once;

use tdg_service::{Benchmark, Ensemble, Timestamp, Uuid};

use super::page::{PageRange, ResponseBudget};
use super::session::DatabaseSession;
use super::sql::{Array, SqlValue};

/// The rows of a table that are within `Objects`, whose parameters are `$1` to `$6`; in PostgreSQL
/// with the numbers of the objects.
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

/// The statement of such columns.
macro_rules! lists_within {
    ($table:literal, $object:literal, $columns:expr) => {
        $crate::database::sql::sql!(
            postgres: concat!(
                "SELECT ",
                $columns,
                " FROM (",
                $crate::database::ahead::rows_within!($table, $object),
                ") AS ",
                $table,
                " ORDER BY number, added, uuid"
            ),
            sqlite: concat!(
                "SELECT ",
                $columns,
                " FROM ",
                $table,
                " WHERE account = $1 AND ",
                $object,
                " = $2 AND (added, uuid) > ($4, $5) ORDER BY added, uuid LIMIT $6"
            )
        )
    };
}
pub(super) use lists_within;

/// What a response may still have, and what was read for it and is not shown yet.
pub(super) struct Ahead {
    pub(super) budget: ResponseBudget,
    /// Within projects.
    pub(super) definitions: Lists<ListedDefinition>,
    pub(super) texts: Texts,
    /// Within definitions.
    pub(super) ensembles: Lists<ListedEnsemble>,
    /// Within ensembles.
    pub(super) benchmarks: Lists<ListedBenchmark>,
}

impl Ahead {
    pub(super) fn new(session: DatabaseSession<'_>) -> Ahead {
        Ahead {
            budget: ResponseBudget::new(),
            definitions: Lists::new(session),
            texts: Texts::default(),
            ensembles: Lists::new(session),
            benchmarks: Lists::new(session),
        }
    }
}

/// A definition whose text is not read yet.
pub(super) struct ListedDefinition {
    pub(super) uuid: Uuid,
    pub(super) project: Uuid,
    pub(super) added: Timestamp,
    /// Those of the definition, at most.
    pub(super) bytes: usize,
}

/// An ensemble without its benchmarks, and whether it has any.
pub(super) struct ListedEnsemble(pub(super) Ensemble, pub(super) bool);

/// A benchmark, and the bytes of its policy.
pub(super) struct ListedBenchmark(pub(super) Benchmark, pub(super) usize);

/// The lists within the objects of one kind.
pub(super) struct Lists<T> {
    /// The objects whose lists are not read yet.
    upcoming: VecDeque<Uuid>,
    read: HashMap<Uuid, Vec<T>>,
    /// For how many objects to ask at once, and at most.
    reach: usize,
    most_reach: usize,
}

impl<T> Lists<T> {
    fn new(session: DatabaseSession<'_>) -> Lists<T> {
        let (reach, most_reach) = match session.is_sqlite() {
            true => (1, 1),
            false => (4, 256),
        };
        Lists {
            upcoming: VecDeque::new(),
            read: HashMap::new(),
            reach,
            most_reach,
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

    /// Keeps what was read for these objects, each with the one that it is in, and announces each.
    /// `is_full` if they have as many bytes as they may.
    pub(super) fn add(
        &mut self,
        objects: Objects,
        found: Vec<(Uuid, T)>,
        is_full: bool,
        mut announce: impl FnMut(&T),
    ) {
        let mut whole = objects.uuids.0.len();
        self.reach = (4 * self.reach).min(self.most_reach);
        if let Some((last, _)) = found.last()
            && (is_full || found.len() as i64 == objects.limit)
        {
            // Its list may go on. That of the first object has all that one list may have.
            let at = objects.uuids.0.iter().position(|object| object == last);
            whole = at.unwrap_or_default().max(1);
            self.reach = whole;
        }
        let (whole, others) = objects.uuids.0.split_at(whole);
        for object in others.iter().rev() {
            self.upcoming.push_front(*object);
        }
        self.read = whole.iter().map(|object| (*object, Vec::new())).collect();
        for (object, element) in found {
            if let Some(list) = self.read.get_mut(&object) {
                announce(&element);
                list.push(element);
            }
        }
    }

    /// The list within an object that was read.
    pub(super) fn take(&mut self, object: Uuid) -> Vec<T> {
        self.read.remove(&object).unwrap_or_default()
    }
}

/// Objects whose lists one statement reads.
pub(super) struct Objects {
    uuids: Array<Uuid>,
    numbers: Array<i64>,
    /// The parts of their lists are after these places.
    after_added: Array<i64>,
    after_uuid: Array<Uuid>,
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
            numbers: Array((0..).take(uuids.len()).collect()),
            uuids: Array(uuids),
            after_added: Array(after_added),
            after_uuid: Array(after_uuid),
            limit: range.query_limit(),
        }
    }

    pub(super) fn values(&self) -> [&dyn SqlValue; 5] {
        [
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

    pub(super) fn add(&mut self, texts: Vec<(Uuid, String)>) {
        self.read = texts.into_iter().collect();
    }

    pub(super) fn take(&mut self, definition: Uuid) -> Option<String> {
        self.read.remove(&definition)
    }
}
