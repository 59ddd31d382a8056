//! `cargo tdg prune`: removes the outputs of former benchmarks from the local store.

use std::collections::BTreeMap;

use clap::Args;
use tdg_engine::store::{RemovedOutputs, Store};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::store;
use crate::terminal::{counted, print};
use crate::workspace::Workspace;

/// Remove the outputs of former benchmarks from the local store
///
/// A benchmark is a former one once another was recorded or accepted in its place. The store keeps
/// its runs and the decisions about it, which `cargo tdg history` shows. If a test returns to it,
/// for example after `git checkout`, the store gets its outputs back.
#[derive(Args, Debug)]
pub(crate) struct PruneOutputs {
    /// Print what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
    /// In a project with a server, confirm that `cargo tdg push` has sent everything
    #[arg(long)]
    pushed: bool,
}

impl PruneOutputs {
    pub(crate) fn run(self) -> Result<Exit> {
        let workspace = Workspace::find()?;
        let packages = workspace.packages.iter();
        let stores: BTreeMap<_, _> = packages
            .map(|it| (&it.settings.directory, &it.settings))
            .collect();
        let mut removed = RemovedOutputs::default();
        for settings in stores.into_values() {
            if let Some(store) = store::open_existing(settings)? {
                let of_store = self.prune(&store)?;
                removed.benchmarks += of_store.benchmarks;
                removed.bytes += of_store.bytes;
            }
        }
        print(&line(removed, self.dry_run))?;
        Ok(Exit::Fine)
    }

    fn prune(&self, store: &Store) -> Result<RemovedOutputs> {
        if !self.pushed && !self.dry_run && store.is_synchronised()? {
            return Err(Error::new(
                "the store is synchronised with a server, which may lack some of these outputs; run \
                 `cargo tdg push`, and once nothing is left to send, `cargo tdg prune --pushed`",
            ));
        }
        Ok(store.remove_archived(self.dry_run)?)
    }
}

fn line(removed: RemovedOutputs, is_dry_run: bool) -> String {
    let RemovedOutputs { benchmarks, bytes } = removed;
    if benchmarks == 0 {
        return "The store has no outputs of former benchmarks.\n".to_owned();
    }
    let what = match is_dry_run {
        true => "would remove",
        false => "removed",
    };
    let benchmarks = counted(
        usize::try_from(benchmarks).unwrap_or_default(),
        "former benchmark",
    );
    format!("{what} the outputs of {benchmarks}, {}\n", size(bytes))
}

/// Formats a size as `1.4 MB`.
fn size(bytes: i64) -> String {
    match bytes as f64 {
        bytes if bytes >= 1e6 => format!("{:.1} MB", bytes / 1e6),
        bytes if bytes >= 1e3 => format!("{:.1} KB", bytes / 1e3),
        bytes => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_was_removed() {
        let line_of =
            |benchmarks, bytes, is_dry_run| line(RemovedOutputs { benchmarks, bytes }, is_dry_run);
        insta::assert_snapshot!(line_of(11, 15_432_100, false), @"removed the outputs of 11 former benchmarks, 15.4 MB");
        insta::assert_snapshot!(line_of(1, 1_234, true), @"would remove the outputs of 1 former benchmark, 1.2 KB");
        insta::assert_snapshot!(line_of(0, 0, false), @"The store has no outputs of former benchmarks.");
    }
}
