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

/// Returns the broken rules or laws. Four are checked concurrently, since each mostly waits.
fn broken<T: Send>(
    all: impl Iterator<Item = T> + Send,
    breaks: impl Fn(&T) -> bool + Sync,
) -> Vec<T> {
    let all = Mutex::new(all);
    let next = || all.lock().unwrap().next();
    let try_some = || std::iter::from_fn(next).filter(&breaks).collect::<Vec<_>>();
    thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(try_some));
        let broken = threads.into_iter().map(|it| it.join().unwrap());
        broken.flatten().collect()
    })
}

fn conforms(server: &Server) {
    let breaks = |rule: &tdg_conformance::Rule| {
        let accounts = Two::new(server);
        catch_unwind(AssertUnwindSafe(|| (rule.holds)(&accounts))).is_err()
    };
    let broken = broken(rules(), breaks);
    let broken: Vec<_> = broken.iter().map(tdg_conformance::Rule::path).collect();
    assert!(broken.is_empty(), "broken: {broken:#?}");
}

#[test]
fn the_server_on_sqlite_is_a_service() {
    conforms(&Server::start());
}

#[test]
fn the_server_on_postgresql_is_a_service() {
    let schema = Schema::new();
    conforms(&Server::on(&schema.url));
}

/// Checks the laws of synchronization on the server through the client, with an account for each.
fn keeps_the_laws(server: &Server) {
    let breaks = |law: &Law| {
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
        catch_unwind(AssertUnwindSafe(|| (law.holds)(&place))).is_err()
    };
    let broken = broken(laws(), breaks);
    let broken: Vec<_> = broken.iter().map(|law| law.name).collect();
    assert!(broken.is_empty(), "broken: {broken:#?}");
}

#[test]
fn the_server_on_sqlite_is_a_place() {
    keeps_the_laws(&Server::start());
}

#[test]
fn the_server_on_postgresql_is_a_place() {
    let schema = Schema::new();
    keeps_the_laws(&Server::on(&schema.url));
}
