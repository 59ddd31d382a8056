//! The limit on open files. Each connection takes one.

/// Open files other than client connections: the database, its connections, the log.
const OTHERS: u64 = 512;

/// Raises the limit on open files for `connections` connections, or warns if that isn't permitted.
pub(super) fn allow(connections: usize) {
    let needed = connections as u64 + OTHERS;
    match rlimit::increase_nofile_limit(needed) {
        Ok(limit) if limit < needed => tracing::warn!(
            "the limit of {limit} open files may be too low for {connections} connections: raise it \
             (`ulimit -Hn`, or systemd's `LimitNOFILE=`), or lower `max_connections`"
        ),
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the limit of open files can't be raised"),
    }
}
