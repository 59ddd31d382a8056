//! What the server counts about itself, where it happens. `/metrics` shows it.

mod count;
mod histogram;
mod process;
mod queue;
mod text;

pub(crate) use self::count::Count;
pub(crate) use self::histogram::TimeHistogram;
pub(crate) use self::process::{started, write as write_process};
pub(crate) use self::queue::{Queue, Waiting};
pub(crate) use self::text::MetricsText;

/// Threads that draw and compare.
pub(crate) static WORKERS: Queue = Queue::new("workers");
/// Places for ensembles that are drawn and not yet stored.
pub(crate) static DRAWING: Queue = Queue::new("drawing");
/// Places for outputs that are read to be compared with.
pub(crate) static LOADING: Queue = Queue::new("loading");
/// Memory for bodies and answers.
pub(crate) static MEMORY: Queue = Queue::new("memory");
/// Connections to the database.
pub(crate) static DATABASE: Queue = Queue::new("database");
/// The thread, or task, that writes for many requests at once.
pub(crate) static WRITER: Queue = Queue::new("writer");

/// Records that the audit log has no place for.
pub(crate) static AUDIT_LOST: Count = Count::new();

pub(crate) static QUEUES: [&Queue; 6] = [&WORKERS, &DRAWING, &LOADING, &MEMORY, &DATABASE, &WRITER];
