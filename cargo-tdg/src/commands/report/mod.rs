//! `cargo tdg report`: what the last `cargo tdg test` came to, for machines and for people elsewhere.

mod annotations;
mod entry;
mod html;
mod json;
mod junit;
mod markdown;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tdg_engine::snapshot;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::record::Records;
use crate::results;
use crate::terminal::{counted, print_raw};
use crate::workspace::Workspace;

/// Report what the last `cargo tdg test` came to
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// For whom
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// The file to write, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A summary for a job of CI, at most 1 MiB
    Markdown,
    /// One page with histograms and history, which needs no other file
    Html,
    /// One document with every run
    Json,
    /// The XML that CI systems read
    Junit,
    /// Commands by which GitHub Actions marks source files, at most 10
    Annotations,
}

impl Report {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let Some(runs) = results::read(&results::directory(&workspace)?)? else {
            return Err(Error::new(
                "there is nothing to report yet: run `cargo tdg test` first",
            ));
        };
        let text = match self.format {
            Format::Markdown => markdown::text(&runs),
            Format::Json => json::text(&workspace, &runs),
            Format::Junit => junit::text(&runs)?,
            Format::Annotations => annotations::text(&workspace, &runs),
            Format::Html => {
                let records = Records::of(&workspace)?;
                let runs = runs.into_iter().enumerate();
                let entries =
                    runs.map(|(number, run)| entry::Entry::of(&workspace, &records, number, run));
                html::text(&entries.collect::<Result<Vec<_>>>()?)
            }
        };
        match &self.output {
            Some(file) => snapshot::save(file, &text)?,
            None => print_raw(text.as_bytes())?,
        }
        Ok(Exit::Fine)
    }
}

/// `3 of 8 ensembles failed`.
fn headline<'r>(runs: impl IntoIterator<Item = &'r results::TestRun>) -> String {
    let verdicts: Vec<bool> = runs.into_iter().map(|run| run.verdict.passes()).collect();
    let ensembles = counted(verdicts.len(), "ensemble");
    match verdicts.iter().filter(|passes| !**passes).count() {
        0 => format!("{ensembles} passed"),
        failed => format!("{failed} of {ensembles} failed"),
    }
}
