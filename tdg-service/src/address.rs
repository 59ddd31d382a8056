//! The addresses of a server's pages for people, after its URL.

use uuid::Uuid;

/// The page of a project.
pub fn project(project: Uuid) -> String {
    format!("/project/{project}")
}

/// The page of a test of a project.
pub fn test(project: Uuid, test: Uuid) -> String {
    format!("/project/{project}/test/{test}")
}

/// The page of a run of a test.
///
/// ```
/// use tdg_service::{Uuid, address};
///
/// let [project, test] = [Uuid::nil(), Uuid::max()];
/// assert!(address::run(project, test, test).starts_with(&address::test(project, test)));
/// ```
pub fn run(project: Uuid, test: Uuid, run: Uuid) -> String {
    format!("/project/{project}/test/{test}/run/{run}")
}

/// The page of a benchmark.
pub fn benchmark(benchmark: Uuid) -> String {
    format!("/benchmark/{benchmark}")
}
