//! Nested lists, prefetched in the order in which a response needs them. On PostgreSQL, one
//! statement reads the lists of several objects, so a request needs few statements no matter how
//! many objects it shows. On SQLite, each list is read on its own.

use std::collections::{HashMap, VecDeque};
use std::iter::once;

use tdg_service::{Benchmark, Ensemble, Timestamp, Uuid};

use super::page::{PageRange, ResponseBudget};
use crate::database::session::DatabaseSession;
use crate::database::sql::{Array, SqlValue};

/// The rows of a table within `Objects`, whose parameters are `$1` to `$6`. On PostgreSQL they come
/// with the index of their object.
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
pub(crate) use rows_within;

/// The statement that selects columns of such rows.
macro_rules! lists_within {
    ($table:literal, $object:literal, $columns:expr) => {
        $crate::database::sql::sql!(
            postgres: concat!(
                "SELECT ",
                $columns,
                " FROM (",
                $crate::database::objects::prefetch::rows_within!($table, $object),
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
pub(crate) use lists_within;

/// The remaining budget of a response, and the prefetched lists that it doesn't show yet.
pub(super) struct Ahead {
    pub(super) budget: ResponseBudget,
    /// The definitions within projects.
    pub(crate) definitions: Lists<ListedDefinition>,
    pub(crate) texts: Texts,
    /// The ensembles within definitions.
    pub(crate) ensembles: Lists<ListedEnsemble>,
    /// The benchmarks within ensembles.
    pub(crate) benchmarks: Lists<ListedBenchmark>,
}

impl Ahead {
    pub(crate) fn new(session: DatabaseSession<'_>) -> Ahead {
        Ahead {
            budget: ResponseBudget::new(),
            definitions: Lists::new(session),
            texts: Texts::default(),
            ensembles: Lists::new(session),
            benchmarks: Lists::new(session),
        }
    }
}

/// A definition whose text isn't read yet.
pub(super) struct ListedDefinition {
    pub(crate) uuid: Uuid,
    pub(crate) project: Uuid,
    pub(crate) added: Timestamp,
    /// An upper bound of the definition's size.
    pub(crate) bytes: usize,
}

/// An ensemble without its benchmarks, and true if it has any.
pub(super) struct ListedEnsemble(pub(crate) Ensemble, pub(crate) bool);

/// A benchmark, and the bytes of its policy.
pub(super) struct ListedBenchmark(pub(crate) Benchmark, pub(crate) usize);

/// The lists within the objects of one kind.
pub(super) struct Lists<T> {
    /// The objects whose lists aren't read yet.
    upcoming: VecDeque<Uuid>,
    read: HashMap<Uuid, Vec<T>>,
    /// The number of objects to read at once, and its maximum.
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

    /// Announces that the response will need the list of an object, after those announced before.
    pub(crate) fn announce(&mut self, object: Uuid) {
        self.upcoming.push_back(object);
    }

    /// Returns the object and the next ones if this part of its list isn't read yet. Only the first
    /// object of a response can start in the middle of its list.
    pub(super) fn unread(&mut self, object: Uuid, range: &PageRange) -> Option<Objects> {
        if self.read.contains_key(&object) {
            return None;
        }
        // Skipped objects aren't shown.
        if let Some(at) = self.upcoming.iter().position(|next| *next == object) {
            self.upcoming.drain(..=at);
        }
        let others = self.upcoming.len().min(self.reach - 1);
        let uuids = once(object).chain(self.upcoming.drain(..others));
        Some(Objects::new(uuids.collect(), range))
    }

    /// Adds the elements that were read for these objects, each with its parent, and announces
    /// each. `is_full` is set if they take as many bytes as they may.
    pub(crate) fn add(
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
            // The last list may be incomplete. The first list has as much as one may have.
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

    /// Takes the list within an object that was read.
    pub(crate) fn take(&mut self, object: Uuid) -> Vec<T> {
        self.read.remove(&object).unwrap_or_default()
    }
}

/// The objects whose lists one statement reads.
pub(super) struct Objects {
    uuids: Array<Uuid>,
    numbers: Array<i64>,
    /// The position after which each list is read.
    after_added: Array<i64>,
    after_uuid: Array<Uuid>,
    /// The maximum number of rows in total: one list's, plus one.
    limit: i64,
}

impl Objects {
    /// Selects this part of the first object's list, and the beginnings of the others.
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

    pub(crate) fn values(&self) -> [&dyn SqlValue; 5] {
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
    /// The definitions whose texts aren't read yet, with their bytes.
    upcoming: VecDeque<(Uuid, usize)>,
    read: HashMap<Uuid, String>,
}

impl Texts {
    pub(crate) fn announce(&mut self, definition: Uuid, bytes: usize) {
        self.upcoming.push_back((definition, bytes));
    }

    /// Returns the definition and the next ones if its text isn't read yet: as many as have that
    /// many bytes, but at least one.
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

    pub(crate) fn add(&mut self, texts: Vec<(Uuid, String)>) {
        self.read = texts.into_iter().collect();
    }

    pub(crate) fn take(&mut self, definition: Uuid) -> Option<String> {
        self.read.remove(&definition)
    }
}
