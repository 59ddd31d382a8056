//! Several servers on one PostgreSQL.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tdg_engine::output::Outputs;
use tdg_service::{
    IdempotencyKey, NewAssertion, NewBenchmark, NewDefinition, NewEnsemble, NewProject, ObjectKind,
    Page, RemoteService, ServiceError, Uuid,
};

use crate::support::{Client, Postgres, Schema, Server};

/// Creates a benchmark of one row.
fn benchmark(service: &RemoteService) -> Uuid {
    let project = service
        .create_project(&NewProject::default(), None)
        .unwrap()
        .project_uuid;
    let text = r#"{"features":[{"type":"INTEGER","distribution":{"type":"constant","value":1}}]}"#;
    let definition = tdg_definition::Definition::parse(text).unwrap();
    let definition = NewDefinition {
        definition,
        project_uuid: project,
    };
    let definition = service
        .create_definition(&definition, None)
        .unwrap()
        .definition_uuid;
    let one = NewEnsemble {
        size: 1,
        ..NewEnsemble::default()
    };
    let ensemble = service
        .create_ensemble(definition, &one, None)
        .unwrap()
        .ensemble_uuid;
    let expected_output = Outputs::parse("[1]").unwrap();
    let expected = NewBenchmark {
        expected_output,
        policy: None,
    };
    service
        .create_benchmark(definition, ensemble, &expected, None)
        .unwrap()
        .benchmark_uuid
}

fn history(service: &RemoteService, benchmark: Uuid) -> Vec<Uuid> {
    let mut entries = Vec::new();
    let mut page = Page::default();
    loop {
        let part = service.history(benchmark, &page).unwrap();
        entries.extend(part.items.into_iter().map(|entry| entry.assertion_uuid));
        match part.next {
            Some(next) => page = Page::after(next),
            None => return entries,
        }
    }
}

#[test]
fn acknowledged_assertions_are_in_the_history_once_whichever_server_is_killed() {
    const CLIENTS: usize = 6;
    const ASSERTIONS: usize = 60;

    let postgres = Postgres::start();
    let database = postgres.schema();
    let mut servers: Vec<_> = (0..3).map(|_| Server::on(&database)).collect();
    let key = servers[0].key("team");
    let services: Vec<_> = servers.iter().map(|server| server.service(&key)).collect();
    let benchmark = benchmark(&services[0]);
    let request = NewAssertion {
        output_to_assert: Outputs::parse("[1]").unwrap(),
    };

    let done = AtomicUsize::new(0);
    let acknowledged: BTreeSet<Uuid> = thread::scope(|scope| {
        let client = |client: usize| {
            let (services, request, done) = (&services, &request, &done);
            scope.spawn(move || {
                let mut entries = Vec::new();
                for n in 0..ASSERTIONS {
                    // One request, repeated until some server answers.
                    let once = IdempotencyKey::random();
                    let mut replica = client + n;
                    let entry = loop {
                        match services[replica % 3].assert(benchmark, request, Some(&once)) {
                            Ok(assertion) => break assertion.entry.assertion_uuid,
                            Err(ServiceError::Unavailable(_)) => replica += 1,
                            Err(other) => panic!("{other:?}"),
                        }
                    };
                    entries.push(entry);
                    done.fetch_add(1, Ordering::Relaxed);
                }
                entries
            })
        };
        let clients: Vec<_> = (0..CLIENTS).map(client).collect();
        let reached = |count| {
            // A client that has ended may have failed before the others reach the count.
            while done.load(Ordering::Relaxed) < count
                && !clients.iter().any(|client| client.is_finished())
            {
                thread::yield_now();
            }
        };
        reached(CLIENTS * ASSERTIONS / 4);
        servers[1].kill();
        reached(CLIENTS * ASSERTIONS / 2);
        postgres.restart();
        clients
            .into_iter()
            .flat_map(|client| client.join().unwrap())
            .collect()
    });
    assert_eq!(acknowledged.len(), CLIENTS * ASSERTIONS);
    let history = history(&services[0], benchmark);
    assert_eq!(history.len(), acknowledged.len());
    assert_eq!(history.into_iter().collect::<BTreeSet<_>>(), acknowledged);
}

/// Returns the history of a benchmark, read twice.
fn shown(service: &RemoteService, benchmark: Uuid) -> Vec<Uuid> {
    let [first, second] = [(); 2].map(|()| service.benchmark(benchmark).unwrap().history);
    assert_eq!(first, second);
    first
        .into_iter()
        .map(|entry| entry.assertion_uuid)
        .collect()
}

#[test]
fn what_one_server_has_shown_is_what_any_has_written() {
    let schema = Schema::new();
    let servers = [(); 2].map(|()| Server::on(&schema.url));
    let key = servers[0].key("team");
    let [one, other] = [0, 1].map(|index: usize| servers[index].service(&key));
    let benchmark = benchmark(&one);
    let request = NewAssertion {
        output_to_assert: Outputs::parse("[1]").unwrap(),
    };
    let mut made: Vec<Uuid> = Vec::new();
    for service in [&one, &other, &other, &one] {
        assert_eq!(shown(&one, benchmark), made);
        assert_eq!(shown(&other, benchmark), made);
        let asserted = service.assert(benchmark, &request, None).unwrap();
        made.insert(0, asserted.entry.assertion_uuid);
    }
    other.delete_benchmark(benchmark).unwrap();
    for service in [&one, &other] {
        let gone = service.benchmark(benchmark);
        assert!(matches!(gone, Err(ServiceError::NotFound(..))), "{gone:?}");
    }
}

#[test]
fn what_a_server_knows_of_a_benchmark_is_not_for_others_and_goes_with_it() {
    let schema = Schema::new();
    let servers = [(); 2].map(|()| Server::on(&schema.url));
    let key = servers[0].key("team");
    let [one, other] = [0, 1].map(|index: usize| servers[index].service(&key));
    let stranger = servers[0].service(&servers[0].key("strangers"));
    let outputs = ["[1]", "[2]", "[1,2]"].map(|outputs| NewAssertion {
        output_to_assert: Outputs::parse(outputs).unwrap(),
    });
    // A difference is explained with the ensemble and the definition, which are deleted too.
    let removals: [fn(&RemoteService, Uuid); 2] = [
        |service, benchmark| service.delete_benchmark(benchmark).unwrap(),
        |service, benchmark| {
            let definition = service.benchmark(benchmark).unwrap().definition_uuid;
            service.delete_definition(definition).unwrap();
        },
    ];
    for remove in removals {
        let benchmark = benchmark(&one);
        one.assert(benchmark, &outputs[0], None).unwrap();
        let refuses = |service: &RemoteService| {
            for outputs in &outputs {
                let refused = service.assert(benchmark, outputs, None);
                let missing = ServiceError::NotFound(ObjectKind::Benchmark, benchmark);
                assert_eq!(refused.unwrap_err(), missing, "{outputs:?}");
            }
        };
        refuses(&stranger);
        remove(&other, benchmark);
        refuses(&one);
    }
}

#[test]
fn an_assertion_that_is_seen_after_newer_ones_is_shown_among_them() {
    let schema = Schema::new();
    let server = Server::on(&schema.url);
    let service = server.service(&server.key("team"));
    // Writes like a server with a late clock or a slow transaction.
    let write = |benchmark: Uuid, assertion: Uuid| {
        schema.execute(&format!(
            "INSERT INTO assertion
             SELECT account, uuid, 0, '{assertion}', true FROM benchmark WHERE uuid = '{benchmark}'"
        ));
    };
    for count in [1, 99, 100, 101] {
        let benchmark = benchmark(&service);
        let numbers = (1..=count).map(|n| n * 10);
        let values: Vec<_> = numbers
            .clone()
            .map(|n| format!("('{}'::uuid)", Uuid::from_u128(n)))
            .collect();
        schema.execute(&format!(
            "INSERT INTO assertion
             SELECT account, benchmark.uuid, 0, made.uuid, true
             FROM benchmark, (VALUES {}) AS made (uuid) WHERE benchmark.uuid = '{benchmark}'",
            values.join(",")
        ));
        let mut history: Vec<_> = numbers.map(Uuid::from_u128).rev().collect();
        assert_eq!(
            shown(&service, benchmark),
            history[..history.len().min(100)]
        );
        // After the newest, in the middle, before the oldest.
        for late in [count * 10 - 1, count * 5 + 1, 1] {
            let late = Uuid::from_u128(late);
            write(benchmark, late);
            history.push(late);
            history.sort_unstable_by(|one, other| other.cmp(one));
            assert_eq!(
                shown(&service, benchmark),
                history[..history.len().min(100)]
            );
        }
    }
}

#[test]
fn what_the_database_asks_to_repeat_is_repeated() {
    let postgres = Postgres::start();
    // At this isolation level, the second of two writers of a row is refused with 40001.
    let database = format!(
        "{}%20-cdefault_transaction_isolation%3Dserializable",
        postgres.schema()
    );
    let servers = [(); 2].map(|()| Server::on_with(&database, &["--log", "debug"]));
    // The point where both have begun to write and can be held.
    postgres.execute(
        "SET search_path TO s0;
         CREATE TABLE gate ();
         CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             LOCK TABLE s0.gate IN ACCESS SHARE MODE;
             RETURN NEW;
         END $$;
         CREATE TRIGGER pass BEFORE INSERT ON idempotency FOR EACH ROW EXECUTE FUNCTION pass();",
    );
    let key = servers[0].key("team");
    let services: Vec<_> = servers.iter().map(|server| server.service(&key)).collect();
    let benchmark = benchmark(&services[0]);
    let request = NewAssertion {
        output_to_assert: Outputs::parse("[1]").unwrap(),
    };
    for _ in 0..5 {
        let once = IdempotencyKey::random();
        let entries: BTreeSet<Uuid> = thread::scope(|scope| {
            let gate = postgres.lock("s0.gate");
            let ask = |index: usize| {
                let (services, request, once) = (&services, &request, &once);
                scope.spawn(move || {
                    let asserted = services[index % 2].assert(benchmark, request, Some(once));
                    asserted.unwrap().entry.assertion_uuid
                })
            };
            let asking: Vec<_> = (0..6).map(ask).collect();
            postgres.wait_for_waiting(2);
            drop(gate);
            asking
                .into_iter()
                .map(|entry| entry.join().unwrap())
                .collect()
        });
        assert_eq!(entries.len(), 1, "a repeated request is one assertion");
    }
    assert_eq!(history(&services[0], benchmark).len(), 5);
    let logs = servers.map(|server| server.log()).concat();
    assert!(logs.matches("retrying").count() >= 5, "{logs}");
}

#[test]
fn what_was_given_up_for_a_deadlock_is_repeated() {
    let postgres = Postgres::start();
    let server = Server::on_with(&postgres.schema(), &["--log", "debug"]);
    let key = server.key("team");
    let service = server.service(&key);
    let benchmark = benchmark(&service);
    // Sequences aren't rolled back.
    postgres.execute(
        "SET search_path TO s0;
         CREATE SEQUENCE attempt;
         CREATE FUNCTION deadlock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF nextval('attempt') <= 3 THEN
                 RAISE 'deadlock detected' USING ERRCODE = '40P01';
             END IF;
             RETURN NEW;
         END $$;
         CREATE TRIGGER deadlock BEFORE INSERT ON assertion FOR EACH ROW EXECUTE FUNCTION deadlock();",
    );
    // Unlike the service, this client doesn't retry.
    let client = Client::new(&server.url, &key);
    let path = format!("/v1/benchmark/{benchmark}/assert");
    let asserted = client.post(&path, "{\"output_to_assert\":[1]}");
    assert_eq!(asserted.status, 200, "{}", asserted.text());
    assert_eq!(server.log().matches("retrying").count(), 3);
    assert_eq!(history(&service, benchmark).len(), 1);
}

#[test]
fn an_idempotency_key_is_free_again_after_a_day() {
    let schema = Schema::new();
    let server = Server::on(&schema.url);
    let service = server.service(&server.key("team"));
    let once = IdempotencyKey::random();
    let make = |name: &str| {
        let project_name = Some(name.to_owned());
        let project = service.create_project(&NewProject { project_name }, Some(&once));
        project.map(|project| project.project_uuid)
    };
    let pass = |time: Duration| {
        let micros = time.as_micros();
        schema.execute(&format!("UPDATE idempotency SET added = added - {micros}"));
    };
    let day = IdempotencyKey::LIFETIME;
    let first = make("one").unwrap();
    pass(day - Duration::from_secs(60));
    assert_eq!(make("one").unwrap(), first);
    assert!(matches!(make("another"), Err(ServiceError::Conflict(_))));
    pass(day);
    let second = make("one").unwrap();
    assert_ne!(second, first);
    assert_eq!(make("one").unwrap(), second);
    pass(day);
    make("another").unwrap();
}

#[test]
fn idempotency_keys_are_forgotten_a_part_at_a_time() {
    let postgres = Postgres::start();
    let database = postgres.schema();
    drop(Server::on(&database));
    // As if deleting more rows took longer than a statement may take.
    postgres.execute(
        "SET search_path TO s0;
         CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF (SELECT count(*) FROM gone) > 10000 THEN
                 RAISE 'canceling statement due to statement timeout' USING ERRCODE = '57014';
             END IF;
             RETURN NULL;
         END $$;
         CREATE TRIGGER late AFTER DELETE ON idempotency REFERENCING OLD TABLE AS gone
             FOR EACH STATEMENT EXECUTE FUNCTION late();
         INSERT INTO idempotency
             SELECT 1, n::text, '', gen_random_uuid(), NULL, 0 FROM generate_series(1, 25000) n;",
    );
    let _server = Server::on(&database);
    postgres.wait_for("SELECT count(*) FROM s0.idempotency", "0");
}
