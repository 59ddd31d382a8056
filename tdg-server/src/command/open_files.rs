//! How many files the process may have open: each connection is one.

/// What is open besides connections: the database, its connections, the log.
const OTHERS: u64 = 512;

/// Raises the limit as far as that needs and is allowed, and says where it isn't enough for so many connections.
pub(super) fn allow(connections: usize) {
    let needed = connections as u64 + OTHERS;
    match rlimit::increase_nofile_limit(needed) {
        Ok(limit) if limit < needed => tracing::warn!(
            "{limit} open files are allowed, which may be too few for {connections} connections: raise the limit \
             (`ulimit -Hn`, or `LimitNOFILE=` of systemd), or set `max_connections` lower"
        ),
        Ok(_) => {}
        Err(error) => tracing::warn!(%error, "the limit of open files can't be raised"),
    }
}
