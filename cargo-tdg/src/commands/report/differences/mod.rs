//! `cargo tdg report --since`: the benchmarks that differ from a revision.

mod json;
mod markdown;
mod page;

use super::ReportFormat;
use crate::commands::differences::{BenchmarkDifference, BenchmarkDifferences};
use crate::error::{Error, Result};
use crate::record::RecordedTests;
use crate::terminal::counted;
use crate::workspace::Workspace;

/// Returns the report in a format.
pub(super) fn text(workspace: &Workspace, revision: &str, format: ReportFormat) -> Result<String> {
    let records = RecordedTests::read(workspace)?;
    let mut all = BenchmarkDifferences::since(revision, workspace, &records)?;
    let differences = all.all()?;
    match format {
        ReportFormat::Markdown => Ok(markdown::text(&all, &differences)),
        ReportFormat::Html => Ok(page::page(&all, &differences)),
        ReportFormat::Json => Ok(json::text(&all, &differences)),
        ReportFormat::Junit | ReportFormat::Annotations => Err(Error::new(
            "this format is only for test runs; with --since, use --format markdown, html or json",
        )),
    }
}

/// Returns `3 benchmarks differ from origin/main (1a2b3c4)`.
fn headline(all: &BenchmarkDifferences<'_>, differences: &[BenchmarkDifference<'_>]) -> String {
    let base = &all.base.label;
    match differences.len() {
        0 => format!("no benchmark differs from {base}"),
        1 => format!("1 benchmark differs from {base}"),
        count => format!("{} differ from {base}", counted(count, "benchmark")),
    }
}
