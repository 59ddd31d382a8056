//! The limit of open files: each connection is one.

/// Open files that are not connections of clients: the database, its connections, the log.
const OTHERS: u64 = 512;

/// Raises the limit of open files for that many connections, and warns if it may not.
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
