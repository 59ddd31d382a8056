//! `cargo tdg report`: the results of the last `cargo tdg test`, for CI systems and other readers.

mod annotations;
mod differences;
mod entry;
mod headline;
mod json;
mod junit;
mod markdown;
mod newer;
mod page;
mod source_link;

use std::fs;

use clap::{Args, ValueEnum};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::Output;
use crate::record::{KeptCause, RecordedTests};
use crate::results::{self, Circumstances, TestRun};
use crate::terminal::note;
use crate::workspace::Workspace;
use newer::NewerRun;
use source_link::SourceLink;

/// Report the last `cargo tdg test`, or the benchmarks that differ from a revision
///
/// Exits with 0 even if tests failed, since the command that ran them reports that. A note names
/// tests with a newer run that ended differently. With --since, no test has to run, and
/// differences aren't failures either.
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Markdown)]
    format: ReportFormat,
    /// Report the benchmarks that differ from a git revision, or from the merge base with a branch,
    /// and why; `REVISION..` is the revision itself
    #[arg(long, value_name = "REVISION", conflicts_with = "source_url")]
    since: Option<String>,
    #[command(flatten)]
    output: Output,
    /// Link the page to source lines: `https://example.org/{path}#L{line}` (default on GitHub
    /// Actions: the commit on GitHub)
    #[arg(long, value_name = "URL")]
    source_url: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReportFormat {
    /// A summary for a CI job, at most 1 MiB
    Markdown,
    /// A self-contained page with histograms and history
    Html,
    /// One document with every run
    Json,
    /// XML for CI systems
    Junit,
    /// GitHub Actions commands that annotate source files, at most 10
    Annotations,
}

impl Report {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        if let Some(revision) = &self.since {
            let text = differences::text(&workspace, revision, self.format)?;
            self.output.write(&text)?;
            return Ok(Exit::Fine);
        }
        let directory = results::directory(&workspace)?;
        let Some(runs) = results::read(&directory)? else {
            return Err(Error::new(
                "nothing to report yet; run `cargo tdg test` first",
            ));
        };
        let circumstances = Circumstances::read(&directory);
        let records = RecordedTests::read(&workspace)?;
        let newer = match results::ended(&directory) {
            Some(ended) => NewerRun::all_of(&records, &runs, ended),
            None => Vec::new(),
        };
        newer.iter().for_each(|newer| note(&newer.text()));
        match self.format {
            ReportFormat::Markdown => {
                let cause =
                    |run: &TestRun| entry::kept_cause(&workspace, records.of_test(&run.test)?, run);
                let causes: Vec<KeptCause> = runs.iter().filter_map(cause).collect();
                let text = markdown::text(&circumstances, &newer, &runs, &causes);
                self.output.write(&text)?;
                mark_shown(&records, markdown::in_full(&text, &runs));
            }
            ReportFormat::Json => {
                let text = json::text(&workspace, &circumstances, &newer, &runs);
                self.output.write(&text)?;
            }
            ReportFormat::Junit => self.output.write(&junit::text(&circumstances, &runs)?)?,
            ReportFormat::Annotations => {
                let text = annotations::text(&workspace, &circumstances, &runs);
                self.output.write(&text)?;
            }
            ReportFormat::Html => {
                let link = SourceLink::new(self.source_url.as_deref());
                let entry = |(number, run)| {
                    entry::ReportEntry::new(&workspace, &records, link.as_ref(), number, run)
                };
                let entries: Result<Vec<_>> = runs.into_iter().enumerate().map(entry).collect();
                let entries = entries?;
                let page = page::page(&circumstances, &newer, &entries);
                self.output.write(&page.text)?;
                mark_shown(&records, page.in_full);
            }
        }
        Ok(Exit::Fine)
    }
}

/// Marks the pending changes of these runs as shown.
fn mark_shown<'a>(records: &RecordedTests, runs: impl IntoIterator<Item = &'a TestRun>) {
    for run in runs {
        if let Some(actual) = &run.actual
            && let Some(record) = records.of_test(&run.test)
            && let Ok(change) = record.change()
            && fs::read_to_string(actual).is_ok_and(|text| text == change.pending.snapshot.text())
        {
            record.mark_shown(&change);
        }
    }
}
