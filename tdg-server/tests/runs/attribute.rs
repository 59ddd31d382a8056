//! The ways to select a server with the attribute.

use tdg_service::{NewDefinition, NewProject, Page};

use crate::checkout::{Checkout, orders};
use crate::server::Server;

#[tdg::ensemble_test(definition = "tests/runs/orders.json", size = 50, store = "remote")]
#[ignore = "the other end of the tests below"]
fn of_a_file(amount: f64, quantity: i64) -> f64 {
    amount * quantity as f64
}

#[tdg::ensemble_test(
    definition(remote = "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10"),
    size = 50,
    store = "remote"
)]
#[ignore = "the other end of the tests below"]
fn of_a_uuid(amount: f64, quantity: i64) -> f64 {
    amount * quantity as f64
}

/// Runs a test from above twice, and checks the server's only benchmark.
#[track_caller]
fn records_and_asserts(server: &Server, test: &str) {
    let checkout = Checkout::new(server).with_test(&format!("attribute::{test}"), file!());
    // The test's own setting takes precedence over the environment.
    let local = [("TDG_STORE", "local")];
    assert_eq!(
        checkout.passes(&local),
        format!(
            "tdg: recorded attribute::{test}, 50 cases, tdg-server/tests/runs/snapshots/attribute__{test}.snap"
        )
    );
    checkout.passes(&local);

    let service = server.service();
    let definitions = service.definitions(&Page::default()).unwrap().items;
    assert_eq!(definitions.len(), 1);
    let benchmark = &definitions[0].ensembles[0].benchmarks[0];
    let benchmark = service.benchmark(benchmark.benchmark_uuid).unwrap();
    let asserted: Vec<_> = benchmark
        .history
        .iter()
        .map(|entry| entry.asserted)
        .collect();
    assert_eq!(asserted, [true]);
}

#[test]
fn a_test_that_asks_for_the_remote_store_is_on_the_server() {
    records_and_asserts(&Server::start(), "of_a_file");
}

#[test]
fn a_test_of_a_uuid_has_the_definition_that_the_server_has_there() {
    let server = Server::start();
    let service = server.service();
    let project = service.create_project(&NewProject::default(), None);
    let definition = NewDefinition {
        definition: orders(),
        project_uuid: project.unwrap().project_uuid,
    };
    let made = service.create_definition(&definition, None).unwrap();
    // The attribute names a definition from before this server.
    let named = "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10".parse().unwrap();
    server.move_definition(made.definition_uuid, named);
    records_and_asserts(&server, "of_a_uuid");
}
