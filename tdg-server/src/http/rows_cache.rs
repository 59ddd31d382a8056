//! Rows that were sent not long ago.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use tdg::service::Uuid;

use crate::packed_rows::PackedRows;

/// How many bytes are kept.
const BYTES: usize = 32 << 20;

/// The packed rows of ensembles. They never change; whether a caller may have them is asked elsewhere.
#[derive(Default)]
pub(super) struct RowsCache {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    rows: HashMap<Uuid, (u64, PackedRows)>,
    bytes: usize,
    /// Counts the uses, so that the least recent is known.
    clock: u64,
}

impl RowsCache {
    pub(super) fn get(&self, ensemble: Uuid) -> Option<PackedRows> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let now = kept.clock;
        let (used, rows) = kept.rows.get_mut(&ensemble)?;
        *used = now;
        Some(rows.clone())
    }

    pub(super) fn keep(&self, ensemble: Uuid, rows: &PackedRows) {
        let length = rows.gzip().len();
        if length > BYTES / 4 {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let now = kept.clock;
        if kept.rows.insert(ensemble, (now, rows.clone())).is_none() {
            kept.bytes += length;
        }
        while kept.bytes > BYTES {
            let oldest = kept.rows.iter().min_by_key(|(_, (used, _))| *used);
            let Some(oldest) = oldest.map(|(uuid, _)| *uuid) else {
                break;
            };
            let gone = kept.rows.remove(&oldest);
            kept.bytes -= gone.map_or(0, |(_, rows)| rows.gzip().len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let cache = RowsCache::default();
        let rows = || PackedRows::from_gzip(vec![0; BYTES / 4]);
        let ids: Vec<_> = (0..5).map(Uuid::from_u128).collect();
        for id in &ids[..4] {
            cache.keep(*id, &rows());
        }
        assert!(cache.get(ids[0]).is_some());
        cache.keep(ids[4], &rows());
        assert!(cache.get(ids[1]).is_none());
        assert!([0, 2, 3, 4].iter().all(|id| cache.get(ids[*id]).is_some()));
    }

    #[test]
    fn what_is_too_large_for_it_is_not_kept() {
        let cache = RowsCache::default();
        cache.keep(Uuid::nil(), &PackedRows::from_gzip(vec![0; BYTES / 4 + 1]));
        assert!(cache.get(Uuid::nil()).is_none());
    }
}
