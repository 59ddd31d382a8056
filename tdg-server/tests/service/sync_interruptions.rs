//! Synchronizing a local store with a server, with interruptions at any point.

use std::sync::{Arc, Mutex};

use tdg_conformance::store::{self, TestStore};
use tdg_service::record::{ProjectRecord, RecordKind};
use tdg_service::sync::{Direction, Replica, SyncPlan, SyncSummary, synchronise};
use tdg_service::{ApiKey, LocalReplica, Patience, RemoteService, Result, Uuid};
use tdg_tests::{Exchange, Fate, Relay};

use crate::support::{Schema, Server};

const KINDS: [RecordKind; 6] = [
    RecordKind::Project,
    RecordKind::Definition,
    RecordKind::Ensemble,
    RecordKind::Test,
    RecordKind::Benchmark,
    RecordKind::Decision,
];

/// Returns a local store with two runs of a test.
fn shop() -> TestStore {
    let shop = TestStore::create();
    for _ in 0..2 {
        shop.run("total", 0, "[1,2]");
    }
    shop
}

/// Returns the records of a store, in a project that no server has.
fn as_new_project(shop: &TestStore) -> LocalReplica<'_> {
    let project = ProjectRecord {
        uuid: Uuid::new_v4(),
        ..store::project()
    };
    LocalReplica::new(&shop.store, project)
}

/// Pushes without retries.
fn push(here: &LocalReplica<'_>, url: &str, key: &str) -> Result<SyncSummary> {
    let patience = Patience {
        attempts: 1,
        ..Patience::default()
    };
    let service = RemoteService::with_patience(url, ApiKey::new(key).unwrap(), patience).unwrap();
    let there = service.replica(here.project().uuid);
    synchronise(here, &there, &SyncPlan::new(Direction::Push), &mut |_| {})
}

/// Returns the number of sent records. None may be refused.
#[track_caller]
fn sent(summary: &SyncSummary) -> u64 {
    let refused: Vec<_> = summary.pushed.values().flat_map(|it| &it.refused).collect();
    assert!(refused.is_empty(), "{refused:?}");
    summary.pushed.values().map(|it| it.made).sum()
}

/// Checks that a push succeeds, the next one sends nothing, and both places are equal.
#[track_caller]
fn recovers(here: &LocalReplica<'_>, url: &str, key: &str) {
    sent(&push(here, url, key).unwrap());
    assert_eq!(sent(&push(here, url, key).unwrap()), 0);
    let service = RemoteService::new(url, ApiKey::new(key).unwrap()).unwrap();
    let there = service.replica(here.project().uuid);
    let everywhere: Vec<u8> = (0..=255).collect();
    for kind in KINDS {
        let [mut ours, mut theirs] = [
            here.identities(kind, &everywhere).unwrap(),
            there.identities(kind, &everywhere).unwrap(),
        ];
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{kind:?}");
        assert!(!ours.is_empty(), "{kind:?}");
    }
    let [ours, theirs] = [store::histories(here), store::histories(&there)];
    assert_eq!(ours, theirs);
    assert_eq!(ours[0].1.len(), 2);
}

/// Returns the requests of a push of everything.
fn exchanges(shop: &TestStore, url: &str, key: &str) -> Vec<Exchange> {
    let relay = Relay::to(url, |_, _| Fate::Passed);
    let summary = push(&as_new_project(shop), &relay.url, key).unwrap();
    assert_eq!(sent(&summary), 8, "{summary:?}");
    relay.exchanges()
}

/// Cuts requests and answers. A partial message is never taken for a whole one, so a few places in
/// each are enough. `TDG_TEST_EVERY_BYTE` cuts at every byte, which takes an hour.
fn cut_anywhere(server: &Server) {
    let (shop, key) = (shop(), server.key("team"));
    let places = |length: usize| {
        let all = std::env::var_os("TDG_TEST_EVERY_BYTE").is_some();
        let step = if all { 1 } else { length.div_ceil(4) };
        (0..length).step_by(step).chain([length - 1])
    };
    for (number, exchange) in exchanges(&shop, &server.url, &key).iter().enumerate() {
        let requests = places(exchange.request).map(Fate::Cut);
        let answers = places(exchange.answer).map(Fate::AnswerCut);
        for fate in requests.chain(answers) {
            let here = as_new_project(&shop);
            let mut fate = Some(fate);
            let relay = Relay::to(&server.url, move |at, _| match at == number {
                true => fate.take().unwrap_or(Fate::Cut(0)),
                false => Fate::Passed,
            });
            push(&here, &relay.url, &key).unwrap_err();
            recovers(&here, &server.url, &key);
        }
    }
}

#[test]
fn a_push_that_is_cut_anywhere_is_finished_by_the_next_on_sqlite() {
    cut_anywhere(&Server::start());
}

#[test]
fn a_push_that_is_cut_anywhere_is_finished_by_the_next_on_postgresql() {
    let schema = Schema::new();
    cut_anywhere(&Server::on(&schema.url));
}

/// Kills the server after each of the requests, and again before the next push.
fn killed_at_every_request(server: Server) {
    let (shop, key) = (shop(), server.key("team"));
    let count = exchanges(&shop, &server.url, &key).len();
    let database = server.database().to_owned();
    // The first one owns the folder with the database.
    let mut servers = vec![Arc::new(Mutex::new(server))];
    for number in 0..count {
        let server = Arc::clone(&servers[number]);
        let url = server.lock().unwrap().url.clone();
        let here = as_new_project(&shop);
        let mut dying = Some(server);
        let relay = Relay::to(&url, move |at, _| match dying.take_if(|_| at == number) {
            Some(server) => Fate::Followed(Box::new(move || server.lock().unwrap().kill())),
            None => Fate::Passed,
        });
        push(&here, &relay.url, &key).unwrap_err();
        let server = Server::on(&database);
        recovers(&here, &server.url, &key);
        servers.push(Arc::new(Mutex::new(server)));
    }
}

#[test]
fn a_push_to_a_server_that_is_killed_is_finished_by_the_next_on_sqlite() {
    killed_at_every_request(Server::start());
}

#[test]
fn a_push_to_a_server_that_is_killed_is_finished_by_the_next_on_postgresql() {
    let schema = Schema::new();
    killed_at_every_request(Server::on(&schema.url));
}

#[cfg(target_os = "linux")]
#[test]
fn a_push_to_a_full_disk_is_finished_by_the_next() {
    // Exceeding the limit of a file's size is an error, without a signal that ends the process.
    let server = Arc::new(Server::after("trap '' XFSZ"));
    let (shop, key) = (shop(), server.key("team"));
    let exchanges = exchanges(&shop, &server.url, &key);
    let adds = |exchange: &Exchange| exchange.asked.ends_with("/add");
    for number in 0..=exchanges.iter().rposition(adds).unwrap() {
        let here = as_new_project(&shop);
        let filled = Arc::clone(&server);
        let relay = Relay::to(&server.url, move |at, _| {
            if at == number {
                filled.limit_files(0);
            }
            Fate::Passed
        });
        push(&here, &relay.url, &key).unwrap_err();
        server.limit_files(rlimit::INFINITY);
        recovers(&here, &server.url, &key);
    }
}
