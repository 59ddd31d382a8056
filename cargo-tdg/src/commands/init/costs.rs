//! The build costs of tdg, chosen by options or by questions in a terminal.

use clap::Args;

use crate::error::{Error, Result};
use crate::terminal::{PressedKey, ask};

#[derive(Args, Debug, Default)]
pub(super) struct Costs {
    /// Link tdg as a shared library in dev builds; on a terminal, `init` asks
    ///
    /// After an edit, a test is ready in less than half the time. SQLite is left out, as with
    /// --no-sqlite. Unix only.
    #[arg(long)]
    pub(super) dynamic: bool,
    /// Leave SQLite out of the tests; on a terminal, `init` asks
    ///
    /// SQLite takes about 10 s to compile, a minute with --release. Without it, runs write their
    /// history to files that `cargo tdg` reads later; on Windows and on network file systems, no
    /// history is kept.
    #[arg(long)]
    pub(super) no_sqlite: bool,
    /// Add profiles for tdg to the workspace's Cargo.toml; on a terminal, `init` asks
    ///
    /// Edits are linked sooner, since dependencies have no debug information. Large tests
    /// take a third less time, explanations two thirds less. Compiling tdg takes about another
    /// minute of CPU time, once. With --dynamic as well, edits are linked sooner still.
    #[arg(long)]
    pub(super) optimize: bool,
}

const SQLITE: &str = if cfg!(windows) {
    "Bundle SQLite (about 10 s)? Without it, no history is kept."
} else {
    "Bundle SQLite (about 10 s)? Without it, `cargo tdg` keeps the history."
};
const DYNAMIC: &str =
    "Link tdg as a shared library? An edited test builds in 0.5 s instead of 1.1, without SQLite.";
const OPTIMIZE: &str = "Optimise tdg's dev builds, about 1 min? Large ensembles run twice as fast.";

impl Costs {
    /// Returns true if no option is set.
    pub(super) fn is_default(&self) -> bool {
        !self.dynamic && !self.no_sqlite && !self.optimize
    }

    /// Returns true if the tests have no SQLite, which a shared library can't share with a user's
    /// own.
    pub(super) fn leave_out_sqlite(&self) -> bool {
        self.no_sqlite || self.dynamic
    }

    /// The arguments of `cargo add`.
    pub(super) fn features(&self) -> &'static [&'static str] {
        match (self.dynamic, self.no_sqlite) {
            (true, _) => &["--no-default-features", "--features=explain,dynamic"],
            (false, true) => &["--no-default-features", "--features=explain"],
            (false, false) => &[],
        }
    }

    /// Asks about the options that aren't set.
    pub(super) fn asked(&self, may_optimize: bool) -> Result<Self> {
        let may_be_dynamic = cfg!(unix) && !self.no_sqlite;
        let dynamic = self.dynamic || may_be_dynamic && yes(DYNAMIC, false)?;
        Ok(Self {
            dynamic,
            no_sqlite: self.no_sqlite || !dynamic && !yes(SQLITE, true)?,
            optimize: self.optimize || may_optimize && yes(OPTIMIZE, false)?,
        })
    }
}

/// Asks a yes-or-no question. Enter selects the default.
fn yes(question: &str, default: bool) -> Result<bool> {
    let keys = if default { "[Y/n]" } else { "[y/N]" };
    loop {
        match ask(&format!("{question} {keys} "))? {
            PressedKey::Character('y' | 'Y') => return Ok(true),
            PressedKey::Character('n' | 'N') => return Ok(false),
            PressedKey::Enter => return Ok(default),
            PressedKey::Quit => return Err(Error::new("nothing was written")),
            PressedKey::Character(_) | PressedKey::Backspace => {}
        }
    }
}
