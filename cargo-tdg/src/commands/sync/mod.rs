//! `cargo tdg push`, `pull` and `sync`: exchange records between a local store and a server.

mod comparison;
mod content;
mod failing_tests;
mod kinds;
mod mixture;
mod options;
mod pin;
mod places;
mod progress;
mod remote_decisions;
mod report;
mod selected_tests;
mod session;
mod start_time;
mod status;
#[cfg(test)]
mod tests;
mod verify;

use clap::{Args, Subcommand};
use tdg_service::sync::Direction;

use self::options::SyncOptions;
pub(crate) use self::pin::{Servers, pinned_outputs, with_cases};
use self::status::Status;
use self::verify::Verify;
use crate::error::Result;
use crate::exit::Exit;

/// Upload what the server doesn't have yet
///
/// Exits with 1 if a record was refused.
#[derive(Args, Debug)]
pub(crate) struct Push {
    #[command(flatten)]
    choice: SyncOptions,
    #[command(flatten)]
    sending: Sending,
    /// Create benchmarks on the server from the cases in snapshot files, pin them there, and send
    /// nothing else (default: the files of tests that last ran with the server)
    #[arg(long, conflicts_with_all = ["history", "since", "dry_run", "json", "yes", "revive", "with_rows"])]
    pin: bool,
}

/// Download what the local store doesn't have yet
///
/// Removes nothing from the store without --prune. Snapshot files are left to git, except with
/// `--unpin`, and where outputs were accepted on a page.
#[derive(Args, Debug)]
pub(crate) struct Pull {
    #[command(flatten)]
    choice: SyncOptions,
    #[command(flatten)]
    receiving: Receiving,
    /// Write the cases of pinned benchmarks into the snapshot files, and get nothing else
    #[arg(long, conflicts_with_all = ["history", "since", "dry_run", "json", "yes", "prune"])]
    unpin: bool,
}

/// Upload and download, so that the server and the local store are the same
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Sync {
    #[command(subcommand)]
    command: Option<SyncCommand>,
    #[command(flatten)]
    choice: SyncOptions,
    #[command(flatten)]
    sending: Sending,
    #[command(flatten)]
    receiving: Receiving,
}

#[derive(Debug, Subcommand)]
enum SyncCommand {
    Status(Status),
    Verify(Verify),
}

/// The options of what is sent.
#[derive(Args, Clone, Copy, Debug, Default)]
struct Sending {
    /// Send what was deleted on the server as well
    #[arg(long)]
    revive: bool,
    /// Send the rows of tests whose rows come from a file
    #[arg(long)]
    with_rows: bool,
}

/// The options of what is received.
#[derive(Args, Clone, Copy, Debug, Default)]
struct Receiving {
    /// Remove what was deleted on the server from the local store
    #[arg(long)]
    prune: bool,
}

impl Push {
    pub(crate) fn run(self) -> Result<Exit> {
        if self.pin {
            let tests = &self.choice.tests;
            return tests.with_records(|records| pin::pin(records, tests.is_named()));
        }
        let nothing = Receiving::default();
        self.choice.transfer(Direction::Push, self.sending, nothing)
    }
}

impl Pull {
    pub(crate) fn run(self) -> Result<Exit> {
        if self.unpin {
            return self.choice.tests.with_records(pin::unpin);
        }
        let nothing = Sending::default();
        self.choice
            .transfer(Direction::Pull, nothing, self.receiving)
    }
}

impl Sync {
    pub(crate) fn run(self) -> Result<Exit> {
        match self.command {
            Some(SyncCommand::Status(status)) => status.run(),
            Some(SyncCommand::Verify(verify)) => verify.run(),
            None => self
                .choice
                .transfer(Direction::Sync, self.sending, self.receiving),
        }
    }
}
