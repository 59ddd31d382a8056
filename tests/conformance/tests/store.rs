//! The suite on the local store.

#![allow(clippy::unwrap_used)] // In helpers too: what fails there fails the test.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use tdg::{
    service::Service,
    store::{Store, service::Account},
};
use tdg_conformance::Accounts;

struct Local {
    store: Store,
    _directory: tempfile::TempDir,
}

impl Accounts for Local {
    fn one(&self) -> Box<dyn Service + '_> {
        Box::new(self.store.service())
    }

    fn other(&self) -> Box<dyn Service + '_> {
        Box::new(self.store.service_of(Account(2)))
    }
}

fn local() -> Local {
    let directory = tempfile::tempdir().unwrap();
    Local {
        store: Store::open(directory.path()).unwrap(),
        _directory: directory,
    }
}

fn main() -> ExitCode {
    let tests = tdg_conformance::rules().map(|rule| {
        Trial::test(rule.path(), move || {
            (rule.holds)(&local());
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), tests.collect()).exit_code()
}
