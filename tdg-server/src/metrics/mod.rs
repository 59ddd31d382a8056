//! Counts that the server keeps about itself. `/metrics` shows them.

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
/// Places for ensembles that are being drawn and stored.
pub(crate) static DRAWING: Queue = Queue::new("drawing");
/// Places for outputs that are loaded for a comparison.
pub(crate) static LOADING: Queue = Queue::new("loading");
/// Memory for bodies and answers.
pub(crate) static MEMORY: Queue = Queue::new("memory");
/// Connections to the database.
pub(crate) static DATABASE: Queue = Queue::new("database");
/// The thread or task that writes for many requests at once.
pub(crate) static WRITER: Queue = Queue::new("writer");

/// Audit records that were lost because the queue was full.
pub(crate) static AUDIT_LOST: Count = Count::new();

pub(crate) static QUEUES: [&Queue; 6] = [&WORKERS, &DRAWING, &LOADING, &MEMORY, &DATABASE, &WRITER];
