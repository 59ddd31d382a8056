//! The common behavior of all services, checked for this one through the client, on each database.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use tdg_conformance::replica::{Law, Place, laws};
use tdg_conformance::{Accounts, rules};
use tdg_service::record::{ProjectRecord, Record};
use tdg_service::sync::{RecordOutcome, Replica as _};
use tdg_service::{RemoteService, Uuid};

use crate::support::{Client, Schema, Server};

/// Two accounts without data.
struct Two<'a> {
    server: &'a Server,
    keys: [String; 2],
}

impl Two<'_> {
    fn new(server: &Server) -> Two<'_> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let key = || {
            server.key(&format!(
                "account {}",
                COUNT.fetch_add(1, Ordering::Relaxed)
            ))
        };
        Two {
            server,
            keys: [key(), key()],
        }
    }

    fn service(&self, index: usize) -> RemoteService {
        self.server.service(&self.keys[index])
    }
}

impl Accounts for Two<'_> {
    fn one(&self) -> RemoteService {
        self.service(0)
    }

    fn other(&self) -> RemoteService {
        self.service(1)
    }

    fn get(&self, path: &str) -> (u16, String) {
        let answer = Client::new(&self.server.url, &self.keys[0]).get(path);
        (answer.status, answer.text().to_owned())
    }
}

/// The names of broken rules or laws, with the messages of their panics.
type Broken = Vec<(String, String)>;

/// Checks all rules or laws, four at a time, since each mostly waits.
fn all_hold<T: Send>(
    all: impl Iterator<Item = T> + Send,
    name: impl Fn(&T) -> String + Sync,
    holds: impl Fn(&T) + Sync,
) -> Result<(), Broken> {
    let all = Mutex::new(all);
    let broken = Mutex::new(Broken::new());
    let next = || all.lock().unwrap().next();
    let check_some = || {
        for one in std::iter::from_fn(next) {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| holds(&one))) {
                let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                broken.lock().unwrap().push((name(&one), message));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(check_some);
        }
    });
    match broken.into_inner().unwrap() {
        broken if broken.is_empty() => Ok(()),
        broken => Err(broken),
    }
}

fn conforms(server: &Server) -> Result<(), Broken> {
    all_hold(rules(), tdg_conformance::Rule::path, |rule| {
        (rule.holds)(&Two::new(server));
    })
}

#[test]
fn the_server_on_sqlite_is_a_service() -> Result<(), Broken> {
    conforms(&Server::start())
}

#[test]
fn the_server_on_postgresql_is_a_service() -> Result<(), Broken> {
    let schema = Schema::new();
    conforms(&Server::on(&schema.url))
}

/// Checks the laws of synchronization on the server through the client, with an account for each.
fn keeps_the_laws(server: &Server) -> Result<(), Broken> {
    let name = |law: &Law| law.name.to_owned();
    all_hold(laws(), name, |law| {
        let service = server.service(&server.key(law.name));
        let project = ProjectRecord {
            uuid: Uuid::new_v4(),
            name: "shop".to_owned(),
        };
        let replica = service.replica(project.uuid);
        let made = replica.add(&[Record::Project(project.clone())]).unwrap();
        assert_eq!(made, [RecordOutcome::Made]);
        let place = Place {
            project,
            replica: &replica,
        };
        (law.holds)(&place);
    })
}

#[test]
fn the_server_on_sqlite_is_a_place() -> Result<(), Broken> {
    keeps_the_laws(&Server::start())
}

#[test]
fn the_server_on_postgresql_is_a_place() -> Result<(), Broken> {
    let schema = Schema::new();
    keeps_the_laws(&Server::on(&schema.url))
}
