//! The addresses of a server's web pages, relative to its URL.

use uuid::Uuid;

/// Returns the address of a project's page.
pub fn project(project: Uuid) -> String {
    format!("/project/{project}")
}

/// Returns the address of a test's page.
pub fn test(project: Uuid, test: Uuid) -> String {
    format!("/project/{project}/test/{test}")
}

/// Returns the address of a run's page.
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

/// Returns the address of a benchmark's page.
pub fn benchmark(benchmark: Uuid) -> String {
    format!("/benchmark/{benchmark}")
}
