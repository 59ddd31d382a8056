//! `cargo tdg push`, when it or the server breaks off on the way.

use std::process::Command;
use std::sync::mpsc;

use tdg_tests::{Exchange, Fate, Program, Project, Relay, Run, Server};

use crate::tdg;

/// The same records as those of an account that has none.
struct Shop<'a> {
    server: &'a Server,
    project: &'a Project,
    key: String,
}

impl<'a> Shop<'a> {
    fn of_new_account(server: &'a Server, project: &'a Project, account: &str) -> Self {
        let key = server.key(account, "read,assert,write");
        Shop {
            server,
            project,
            key,
        }
    }

    /// A push by way of a relay.
    fn push(&self, url: &str) -> Run {
        tdg(self.project, &["push"])
            .env("TDG_URL", url)
            .env("TDG_API_KEY", &self.key)
    }

    /// A push finishes, the one after sends nothing, and both places have the same.
    fn recovers(&self) {
        self.push(&self.server.url).passes();
        let again = self.push(&self.server.url).passes().stdout;
        let mut counts = again.lines().skip(1);
        assert!(
            counts.all(|line| line.contains("  0 sent, 0 refused, ")),
            "{again}"
        );
        let status = tdg(self.project, &["sync", "status"])
            .env("TDG_URL", &self.server.url)
            .env("TDG_API_KEY", &self.key)
            .passes();
        assert!(
            status.stdout.contains("Both places have the same."),
            "{}",
            status.stdout
        );
    }
}

/// A project with two runs of a test, and an identity.
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
fn a_push_that_is_killed_at_any_request_is_finished_by_the_next() {
    let server = Server::start();
    with_shop(&server, |project| {
        for number in 0..requests(&server, project).len() {
            let shop = Shop::of_new_account(&server, project, &format!("killed at {number}"));
            let (tell, told) = mpsc::channel();
            let mut told = Some(told);
            let relay = Relay::to(&server.url, move |at, _| {
                match told.take_if(|_| at == number) {
                    Some(told) => Fate::Followed(Box::new(move || kill(told.recv().unwrap()))),
                    None => Fate::Passed,
                }
            });
            let mut push = shop.push(&relay.url).start();
            tell.send(push.id()).unwrap();
            assert_eq!(push.wait().unwrap().code(), None, "request {number}");
            shop.recovers();
        }
    });
}

#[test]
fn a_push_waits_for_a_busy_server_and_divides_a_request_that_is_too_large() {
    let server = Server::start();
    with_shop(&server, |project| {
        let last_add = requests(&server, project)
            .iter()
            .rposition(|it| it.asked.ends_with("/add"));
        for status in [429, 503, 413] {
            let shop = Shop::of_new_account(&server, project, &format!("told {status}"));
            let relay = Relay::to(&server.url, move |at, _| match status {
                413 if Some(at) == last_add => Fate::Answered(status, ""),
                429 | 503 if at % 2 == 0 => Fate::Answered(status, "retry-after: 0\r\n"),
                _ => Fate::Passed,
            });
            shop.push(&relay.url).passes();
            shop.recovers();
        }
    });
}

/// The requests of a push of everything.
fn requests(server: &Server, project: &Project) -> Vec<Exchange> {
    let shop = Shop::of_new_account(server, project, "whole");
    let relay = Relay::to(&server.url, |_, _| Fate::Passed);
    shop.push(&relay.url).passes();
    relay.exchanges()
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
        shop.push(&server.url).passes();
        let clone = Program::shop().checkout();
        clone.write("tdg.toml", &project.read("tdg.toml"));
        // Blocks of half a kilobyte that a file may have.
        let mut most = 8;
        let pull = |most: u32| {
            let script = format!("trap '' XFSZ; ulimit -f {most}; exec \"$0\" tdg pull");
            Run::new("sh", clone.folder())
                .arguments(&["-c", &script, env!("CARGO_BIN_EXE_cargo-tdg")])
                .env("TDG_API_KEY", &shop.key)
                .finish()
        };
        while !pull(most).success {
            most += 64;
        }
        assert!(most > 200, "{most}");
        let there = Shop {
            project: &clone,
            ..shop
        };
        there.recovers();
    });
}
