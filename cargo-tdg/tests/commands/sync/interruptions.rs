//! `cargo tdg push`, `pull` and `sync`, interrupted on either side.

use std::process::Command;
use std::sync::mpsc;

use tdg_tests::{Checkout, Fate, Program, Project, Relay, Run, Server};

use crate::sync::{INVOICE, history};
use crate::tdg;

/// A project that is pushed to a new, empty account.
pub(crate) struct Shop<'a> {
    server: &'a Server,
    project: &'a Project,
    key: String,
}

impl<'a> Shop<'a> {
    fn of_new_account(server: &'a Server, project: &'a Project, account: &str) -> Self {
        Shop::new(server, project, &server.key(account, "read,assert,write"))
    }

    pub(crate) fn new(server: &'a Server, project: &'a Project, key: &str) -> Self {
        Shop {
            server,
            project,
            key: key.to_owned(),
        }
    }

    /// Returns the same account with another clone.
    fn attach(&self, project: &'a Project) -> Self {
        Shop {
            project,
            key: self.key.clone(),
            ..*self
        }
    }

    /// Returns a command that connects through a relay.
    pub(crate) fn run(&self, command: &str, url: &str) -> Run {
        tdg(self.project, &[command])
            .env("TDG_URL", url)
            .env("TDG_API_KEY", &self.key)
    }

    /// Runs a command that is killed when the server receives request `number`.
    pub(crate) fn killed_at(&self, number: usize, command: &str) {
        let (tell, told) = mpsc::channel();
        let mut told = Some(told);
        let relay = Relay::to(&self.server.url, move |at, _| {
            match told.take_if(|_| at == number) {
                Some(told) => Fate::Followed(Box::new(move || kill(told.recv().unwrap()))),
                None => Fate::Passed,
            }
        });
        let mut process = self.run(command, &relay.url).start();
        tell.send(process.id()).unwrap();
        assert_eq!(process.wait().unwrap().code(), None, "request {number}");
    }

    /// Returns the requests of a command, in order.
    pub(crate) fn requests(&self, command: &str) -> Vec<String> {
        let relay = Relay::to(&self.server.url, |_, _| Fate::Passed);
        self.run(command, &relay.url).passes();
        relay.exchanges().into_iter().map(|it| it.asked).collect()
    }

    /// Returns the positions of requests at which a place has more records than before.
    fn changes(&self, command: &str) -> Vec<usize> {
        let requests = self.requests(command);
        let sends = |at: usize| requests[at].ends_with("/add");
        let brings = |at: usize| {
            ["/records", "/histories"]
                .iter()
                .any(|it| requests[at].ends_with(it))
        };
        let is_change = |at: &usize| sends(*at) || at.checked_sub(1).is_some_and(brings);
        let changes: Vec<usize> = (0..requests.len()).filter(is_change).collect();
        assert!(changes.len() > 1, "{requests:?}");
        changes
    }

    /// Checks that a command finishes and that running it again does nothing.
    fn finishes(&self, command: &str) {
        self.run(command, &self.server.url).passes();
        let again = self.run(command, &self.server.url).passes().stdout;
        let is_idle =
            |line: &str| line.contains("  0 sent, 0 ref") || line.contains("  0 received, 0 ref");
        assert!(again.lines().skip(1).all(is_idle), "{again}");
    }

    /// Checks that a push finishes, the next one sends nothing, and both places are equal.
    fn recovers(&self) {
        self.finishes("push");
        let status = tdg(self.project, &["sync", "status"])
            .env("TDG_URL", &self.server.url)
            .env("TDG_API_KEY", &self.key)
            .passes();
        assert!(
            status.stdout.contains("Both places have the same records."),
            "{}",
            status.stdout
        );
    }
}

/// Calls `look` with a project that has an identity and two runs of a test.
fn with_shop(server: &Server, look: impl Fn(&Project)) {
    let project = Program::shop().checkout();
    let identity = "project_uuid = \"01890f8e-2b6c-7c80-9a53-0f1e2d3c4b5a\"\n";
    project.write("tdg.toml", &format!("url = \"{}\"\n{identity}", server.url));
    for _ in 0..2 {
        project.pricing("total").passes();
    }
    look(&project);
}

#[test]
fn a_push_that_is_killed_at_any_change_is_finished_by_the_next() {
    let server = Server::start();
    with_shop(&server, |project| {
        let whole = Shop::of_new_account(&server, project, "whole");
        for number in whole.changes("push") {
            let shop = Shop::of_new_account(&server, project, &format!("killed at {number}"));
            shop.killed_at(number, "push");
            shop.recovers();
        }
    });
}

#[test]
fn a_pull_that_is_killed_at_any_change_is_finished_by_the_next() {
    let server = Server::start();
    with_shop(&server, |project| {
        let team = Shop::of_new_account(&server, project, "team");
        team.run("push", &server.url).passes();
        for number in team.attach(&clone_of(project)).changes("pull") {
            let clone = clone_of(project);
            let shop = team.attach(&clone);
            shop.killed_at(number, "pull");
            shop.finishes("pull");
            assert_eq!(history(&clone, "total"), history(project, "total"));
        }
    });
}

#[test]
fn after_a_sync_that_is_killed_at_any_change_a_pull_gets_all_and_a_push_sends_the_rest() {
    let server = Server::start();
    with_shop(&server, |project| {
        // Each starts with a pushed project and a clone with an additional run and test.
        let begin = |account: &str| {
            let team = Shop::of_new_account(&server, project, account);
            team.run("push", &server.url).passes();
            let clone = clone_of(project);
            clone.pricing("total").passes();
            clone.pricing("invoice").passes();
            (team, clone)
        };
        let (team, clone) = begin("whole");
        for number in team.attach(&clone).changes("sync") {
            let (team, clone) = begin(&format!("killed at {number}"));
            let shop = team.attach(&clone);
            shop.killed_at(number, "sync");
            shop.finishes("pull");
            shop.recovers();
            let third = clone_of(project);
            third.write(INVOICE, &clone.read(INVOICE));
            team.attach(&third).finishes("pull");
            for test in ["total", "invoice"] {
                assert_eq!(history(&third, test), history(&clone, test), "{number}");
            }
        }
    });
}

/// Clones the committed files.
fn clone_of(project: &Project) -> Checkout<'static> {
    let clone = Program::shop().checkout();
    for file in ["tdg.toml", crate::TOTAL] {
        clone.write(file, &project.read(file));
    }
    clone
}

#[test]
fn a_push_waits_for_a_busy_server_and_divides_a_request_that_is_too_large() {
    let server = Server::start();
    with_shop(&server, |project| {
        let whole = Shop::of_new_account(&server, project, "whole");
        let requests = whole.requests("push");
        let last_add = requests.iter().rposition(|it| it.ends_with("/add"));
        for status in [429, 503, 413] {
            let shop = Shop::of_new_account(&server, project, &format!("told {status}"));
            let relay = Relay::to(&server.url, move |at, _| match status {
                413 if Some(at) == last_add => Fate::Answered(status, ""),
                429 | 503 if at % 2 == 0 => Fate::Answered(status, "retry-after: 0\r\n"),
                _ => Fate::Passed,
            });
            shop.run("push", &relay.url).passes();
            shop.recovers();
        }
    });
}

fn kill(process: u32) {
    let killed = Command::new("kill")
        .args(["-9", &process.to_string()])
        .status();
    assert!(killed.unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_pull_onto_a_full_disk_is_finished_by_the_next() {
    let server = Server::start();
    with_shop(&server, |project| {
        let shop = Shop::of_new_account(&server, project, "team");
        shop.run("push", &server.url).passes();
        let clone = Program::shop().checkout();
        clone.write("tdg.toml", &project.read("tdg.toml"));
        // The file size limit in blocks of 512 bytes.
        let mut most = 8;
        let pull = |most: u32| {
            let script = format!("trap '' XFSZ; ulimit -f {most}; exec \"$0\" tdg pull");
            Run::new("sh", clone.folder())
                .arguments(&["-c", &script, env!("CARGO_BIN_EXE_cargo-tdg")])
                .env("TDG_API_KEY", server.bound(&shop.key))
                .finish()
        };
        while !pull(most).success {
            most += 64;
        }
        assert!(most > 200, "{most}");
        shop.attach(&clone).recovers();
    });
}
