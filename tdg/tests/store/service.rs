//! The store as a service, where it is more than what every service is (the suite in tests/conformance).

use tdg::{
    Definition, Ensemble, Vectors, Verdict,
    output::Outputs,
    service::{Page, Service, ServiceError, rules::output_digest},
};

use crate::sample::{Fixture, run, test};

fn dice() -> (Definition, Vectors, Ensemble) {
    let text = r#"{"definition_name": "dice", "features": [
        {"feature_name": "eyes", "type": "INTEGER",
         "distribution": {"type": "uniform", "min": 1, "max": 6}}
    ]}"#;
    let definition = Definition::parse(text).unwrap();
    let vectors = Vectors::generate(&definition, 7, 3);
    let ensemble = Ensemble {
        name: "game::throw".to_owned(),
        size: 3,
        seed: 7,
        sampler_version: 1,
        digest: vectors.digest(),
        definition: definition.canonical(),
    };
    (definition, vectors, ensemble)
}

#[test]
fn what_tests_have_recorded_is_in_it() {
    let fixture = Fixture::new();
    let (definition, vectors, ensemble) = dice();
    let throw = test("throw");
    for verdict in [Verdict::Recorded, Verdict::Same] {
        let run = run(&throw, &ensemble, verdict, "[1,2,3]");
        fixture.store.commit(&run).unwrap();
    }

    let service = fixture.store.service();
    let project = service.projects(&Page::default()).unwrap().items.remove(0);
    assert_eq!(project.project_name, "shop");
    let found = &project.definitions[0];
    assert_eq!(found.definition_name, "dice");
    assert_eq!(found.to_definition().unwrap(), definition);
    let drawn = &found.ensembles[0];
    assert_eq!((drawn.size, drawn.seed), (3, 7));
    assert_eq!(drawn.digest, vectors.digest());
    // The rows are in a snapshot file; here they are drawn again.
    assert_eq!(
        service.vectors(drawn.ensemble_uuid).unwrap(),
        vectors.to_json()
    );
    let benchmark = &drawn.benchmarks[0];
    let outputs = Outputs::parse("[1,2,3]").unwrap();
    assert_eq!(benchmark.digest, output_digest(&outputs));
    assert_eq!(benchmark.history.len(), 2);
    let expected = service.expected_output(benchmark.benchmark_uuid).unwrap();
    assert_eq!(expected, "[1,2,3]");
}

#[test]
fn rows_that_can_not_be_drawn_again_are_said_to_be_in_a_file() {
    let fixture = Fixture::new();
    let (_, _, mut ensemble) = dice();
    ensemble.digest = "0".repeat(32);
    let throw = test("throw");
    let run = run(&throw, &ensemble, Verdict::Recorded, "[1,2,3]");
    fixture.store.commit(&run).unwrap();
    let service = fixture.store.service();
    let project = service.projects(&Page::default()).unwrap().items.remove(0);
    let uuid = project.definitions[0].ensembles[0].ensemble_uuid;
    let error = service.vectors(uuid).unwrap_err();
    assert!(matches!(error, ServiceError::Unexpected(_)), "{error:?}");
}

#[test]
fn a_project_of_another_account_is_not_the_tests() {
    use tdg::service::NewProject;
    use tdg::store::service::Account;

    let fixture = Fixture::new();
    let theirs = fixture.store.service_of(Account(2));
    let request = NewProject {
        project_name: Some("shop".to_owned()),
    };
    theirs.create_project(&request, None).unwrap();
    let (_, _, ensemble) = dice();
    let throw = test("throw");
    let run = run(&throw, &ensemble, Verdict::Recorded, "[1,2,3]");
    fixture.store.commit(&run).unwrap();
    let projects = theirs.projects(&Page::default()).unwrap().items;
    assert!(projects[0].definitions.is_empty());
}
