//! The objects that a run creates on the server, or doesn't.

use std::thread;

use tdg_definition::Definition;
use tdg_service::{NewDefinition, NewProject, Page, RemoteService, Uuid};

use crate::checkout::Checkout;
use crate::relay::Relay;
use crate::server::Server;

#[test]
fn the_first_run_records_and_pins() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    insta::assert_snapshot!(checkout.passes(&[]), @"tdg: recorded total, 50 cases, tests/snapshots/pricing__total.snap");

    let service = server.service();
    let project = service.projects(&Page::default()).unwrap().items.remove(0);
    assert_eq!(project.project_name, "shop");
    let definition = &project.definitions[0];
    assert_eq!(definition.definition_name, "definitions/orders.json");
    let ensemble = &definition.ensembles[0];
    assert_eq!(ensemble.ensemble_name, "total");
    assert_eq!((ensemble.size, ensemble.seed), (50, 0));

    let uuid: Uuid = checkout.benchmark().parse().unwrap();
    let benchmark = service.benchmark(uuid).unwrap();
    assert_eq!(benchmark.ensemble_uuid, ensemble.ensemble_uuid);
    assert!(benchmark.history.is_empty());

    let pinned = checkout
        .pinned()
        .replace(&uuid.to_string(), "<benchmark>")
        .replace(&ensemble.ensemble_uuid.to_string(), "<ensemble>");
    insta::assert_snapshot!(pinned, @r#"
    ---
    description: 50 cases of definitions/orders.json
    expression: total
    ---
    {"tdg":1,"ensemble":"total","size":50,"seed":"0","sampler":1,"digest":"5aa1ddf83b3f2a946eb795f23a091a5f","ensemble_uuid":"<ensemble>","benchmark_uuid":"<benchmark>","output_digest":"c3e8567898e473af64cf07c081b4769b","named":true,"definition":{"features":[{"distribution":{"mu":3.0,"sigma":0.5,"type":"lognormal"},"feature_name":"amount","type":"FLOAT"},{"distribution":{"max":20,"min":1,"type":"uniform"},"feature_name":"quantity","type":"INTEGER"}]}}
    "#);
}

#[test]
fn the_second_run_fetches_nothing_and_adds_to_the_history() {
    let server = Server::start();
    let relay = Relay::to(&server.url);
    let checkout = Checkout::at(&relay.url, &server.key);
    checkout.passes(&[]);
    insta::assert_snapshot!(relay.requests().join("\n"), @"
    GET projects?limit=8
    POST project/new
    POST definition/new
    POST definition/ensembles/add
    POST definition/ensemble/benchmarks/add
    ");
    checkout.passes(&[]);
    insta::assert_snapshot!(relay.requests().join("\n"), @"POST benchmark/assert");

    // The state of a new clone.
    std::fs::remove_dir_all(checkout.file(".tdg")).unwrap();
    checkout.passes(&[]);
    insta::assert_snapshot!(relay.requests().join("\n"), @"
    GET benchmark/data
    POST benchmark/assert
    ");
    checkout.passes(&[]);
    insta::assert_snapshot!(relay.requests().join("\n"), @"POST benchmark/assert");

    let benchmark = checkout.benchmark().parse().unwrap();
    let history = server.service().benchmark(benchmark).unwrap().history;
    let asserted: Vec<_> = history.iter().map(|entry| entry.asserted).collect();
    assert_eq!(asserted, [true; 3]);
}

#[test]
fn a_run_that_may_not_write_asserts_and_keeps_nothing() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    let missing = checkout.fails(&[("CI", "true")]);
    insta::assert_snapshot!(missing.line(), @"tdg: missing total, no benchmark, nothing written (CI is set)");
    assert!(
        server
            .service()
            .projects(&Page::default())
            .unwrap()
            .items
            .is_empty()
    );

    checkout.passes(&[]);
    std::fs::remove_dir_all(checkout.file(".tdg")).unwrap();
    checkout.passes(&[("CI", "true")]);
    assert!(!checkout.file(".tdg").exists());
    let benchmark = checkout.benchmark().parse().unwrap();
    assert_eq!(
        server.service().benchmark(benchmark).unwrap().history.len(),
        1
    );
}

#[test]
fn tests_that_start_at_once_make_one_project_one_definition_and_one_ensemble() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    thread::scope(|scope| {
        for number in 0..4 {
            let checkout = &checkout;
            scope.spawn(move || {
                checkout.passes(&[("CHILD_TEST", &format!("test_{number}"))]);
            });
        }
    });
    let projects = server.service().projects(&Page::default()).unwrap().items;
    assert_eq!(projects.len(), 1);
    assert_eq!(projects[0].definitions.len(), 1);
    let benchmarks: usize = projects[0].definitions[0]
        .ensembles
        .iter()
        .map(|ensemble| ensemble.benchmarks.len())
        .sum();
    assert_eq!(benchmarks, 4);
}

#[test]
fn the_environment_asks_for_the_server_where_the_configuration_does_not() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.write("tdg.toml", "store = \"local\"\n");
    let remote = [("TDG_STORE", "remote")];
    checkout.passes(&remote);
    checkout.passes(&remote);
    let benchmark = checkout.benchmark().parse().unwrap();
    assert_eq!(
        server.service().benchmark(benchmark).unwrap().history.len(),
        1
    );
}

#[test]
fn the_project_has_the_name_that_is_set() {
    let server = Server::start();
    Checkout::new(&server).passes(&[("TDG_PROJECT", "pricing team")]);
    let project = server
        .service()
        .projects(&Page::default())
        .unwrap()
        .items
        .remove(0);
    assert_eq!(project.project_name, "pricing team");
}

#[test]
fn a_definition_of_the_server_is_named_by_its_uuid() {
    let server = Server::start();
    let relay = Relay::to(&server.url);
    let checkout = Checkout::at(&relay.url, &server.key);
    checkout.passes(&[]);
    let service = server.service();
    let definition = service
        .definitions(&Page::default())
        .unwrap()
        .items
        .remove(0);
    let uuid = definition.definition_uuid.to_string();

    let by_uuid = [
        ("CHILD_DEFINITION", uuid.as_str()),
        ("CHILD_TEST", "by_uuid"),
    ];
    relay.requests();
    checkout.passes(&by_uuid);
    insta::assert_snapshot!(relay.requests().join("\n"), @"
    GET definition
    GET definition
    POST definition/ensemble/benchmarks/add
    ");
    checkout.passes(&by_uuid);
    checkout.passes(&by_uuid);
    let asked = relay.requests();
    assert_eq!(asked.last().unwrap(), "POST benchmark/assert");
    assert!(!asked.contains(&"GET definition".to_owned()), "{asked:?}");
    assert_eq!(
        service.definitions(&Page::default()).unwrap().items.len(),
        1
    );

    let local = checkout.fails(&[by_uuid[0], ("TDG_STORE", "local")]);
    assert!(
        local.report().contains("is on a server"),
        "{}",
        local.report()
    );
}

const RELATED: &str = r#"{"definition_name": "related orders", "features": [
    {"feature_name": "amount", "type": "FLOAT",
     "distribution": {"type": "lognormal", "mu": 3, "sigma": 0.5}},
    {"feature_name": "quantity", "type": "INTEGER",
     "distribution": {"type": "uniform", "min": 1, "max": 20}}
], "correlations": [{"features": ["amount", "quantity"], "correlation": 0.8}]}"#;

/// Adds related orders to the project of the checkouts, as another client.
fn added(service: &RemoteService) -> Uuid {
    let shop = NewProject {
        project_name: Some("shop".to_owned()),
    };
    let request = NewDefinition {
        definition: Definition::parse(RELATED).unwrap(),
        project_uuid: service.create_project(&shop, None).unwrap().project_uuid,
    };
    let added = service.create_definition(&request, None).unwrap();
    added.definition_uuid
}

#[test]
fn features_of_a_definition_of_the_server_are_as_related_as_there() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    let uuid = added(&server.service()).to_string();
    let by_uuid = [("CHILD_DEFINITION", uuid.as_str())];
    let recorded = checkout.passes(&by_uuid);
    assert!(
        recorded.starts_with("tdg: recorded total, 50 cases"),
        "{recorded}"
    );
    assert_eq!(checkout.passes(&by_uuid), "");
}

#[test]
fn a_definition_with_relations_is_found_if_it_was_added_before() {
    let server = Server::start();
    let service = server.service();
    let uuid = added(&service);
    let checkout = Checkout::new(&server);
    std::fs::write(checkout.file("definitions/orders.json"), RELATED).unwrap();
    checkout.passes(&[]);
    let definitions = service.definitions(&Page::default()).unwrap().items;
    let drawn_from: Vec<_> = definitions
        .iter()
        .map(|definition| (definition.definition_uuid, definition.ensembles.len()))
        .collect();
    assert_eq!(drawn_from, [(uuid, 1)]);
}
