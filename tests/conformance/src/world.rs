//! Sample objects for the rules.

use tdg_definition::Faults;
use tdg_engine::output::Outputs;
use tdg_service::{
    Benchmark, Definition, Ensemble, NewAssertion, NewBenchmark, NewDefinition, NewEnsemble,
    NewProject, Page, Project, RemoteService, Result, ServiceError, Uuid,
};

/// A float, an integer, a string with nulls.
pub(crate) const ORDERS: &str = r#"{"definition_name": "orders", "features": [
    {"feature_name": "amount", "type": "FLOAT",
     "distribution": {"type": "gaussian", "mu": 20, "sigma": 5}},
    {"feature_name": "quantity", "type": "INTEGER",
     "distribution": {"type": "uniform", "min": 1, "max": 20}},
    {"feature_name": "coupon", "type": "STRING", "null_probability": 0.2,
     "distribution": {"type": "categorical", "categories": [
       {"value": "HALF", "probability": 0.5}, {"value": "null", "probability": 0.5}]}}
]}"#;

/// Every kind of relation, and a shape. They can't all be combined in one definition.
pub(crate) const RELATED: [&str; 3] = [
    r#"{"definition_name": "visits", "features": [
        {"feature_name": "height", "type": "FLOAT",
         "distribution": {"type": "gaussian", "mu": 170, "sigma": 9}},
        {"feature_name": "weight", "type": "FLOAT",
         "distribution": {"type": "gaussian", "mu": 75, "sigma": 15}},
        {"feature_name": "first", "type": "DATE",
         "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}},
        {"feature_name": "last", "type": "DATE",
         "distribution": {"type": "uniform", "min": "2020-01-01", "max": "2020-12-31"}},
        {"feature_name": "member", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.01}},
        {"feature_name": "visits", "type": "INTEGER", "distribution": {"type": "poisson", "rate": 4}}
    ],
    "correlations": [{"features": ["height", "weight"], "correlation": 0.7}],
    "order": [["first", "last"]],
    "coverage": {"strength": 2, "bins": 3}}"#,
    r#"{"definition_name": "machines", "features": [
        {"feature_name": "temperature", "type": "FLOAT",
         "distribution": {"type": "gaussian", "mu": 20, "sigma": 5}}
    ],
    "sampling": "stratified"}"#,
    r#"{"definition_name": "trees", "features": [{"feature_name": "tree", "shape": "tree"}],
    "shapes": {"tree": {"type": "VARIANT", "distribution": {"type": "variant", "variants": [
        {"variant": "Leaf", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}},
        {"variant": "Branches", "type": "LIST", "distribution": {"type": "list", "element": {"shape": "tree"}}}]}}}}"#,
];

/// Nested values, and values that refer to others.
pub(crate) const NESTED: &str = r#"{"definition_name": "baskets", "features": [
    {"feature_name": "count", "type": "INTEGER",
     "distribution": {"type": "uniform", "min": 0, "max": 4}},
    {"feature_name": "lines", "type": "LIST", "distribution": {"type": "list", "length": "count",
     "element": {"type": "OBJECT", "distribution": {"type": "object", "features": [
       {"feature_name": "sku", "type": "STRING",
        "distribution": {"type": "pattern", "regex": "[A-Z]{3}"}},
       {"feature_name": "before", "type": "INTEGER",
        "distribution": {"type": "index", "of": "count"}}]}}}},
    {"feature_name": "gift", "type": "STRING",
     "distribution": {"type": "one_of", "of": "lines/sku"}},
    {"feature_name": "payment", "type": "VARIANT", "distribution": {"type": "variant", "variants": [
      {"variant": "Cash"},
      {"variant": "Card", "type": "BYTES", "distribution": {"type": "any"}}]}}
]}"#;

/// Returns a definition with this many constants.
pub(crate) fn wide(features: usize) -> String {
    let feature = r#"{"type": "INTEGER", "distribution": {"type": "constant", "value": 1}}"#;
    format!(r#"{{"features": [{}]}}"#, vec![feature; features].join(","))
}

/// Returns a definition with one string of this length.
pub(crate) fn long(bytes: usize) -> String {
    let value = "x".repeat(bytes);
    format!(
        r#"{{"features": [{{"type": "STRING", "distribution": {{"type": "constant", "value": "{value}"}}}}]}}"#
    )
}

/// Returns a definition of nearly 1 MB, the maximum.
pub(crate) fn longest() -> String {
    let value = "x".repeat(60_000);
    let feature = format!(
        r#"{{"type": "STRING", "distribution": {{"type": "constant", "value": "{value}"}}}}"#
    );
    format!(r#"{{"features": [{}]}}"#, vec![feature; 16].join(","))
}

pub(crate) fn language(text: &str) -> tdg_definition::Definition {
    tdg_definition::Definition::parse(text).unwrap()
}

pub(crate) fn project(service: &RemoteService, name: &str) -> Project {
    service.create_project(&new_project(name), None).unwrap()
}

pub(crate) fn new_project(name: &str) -> NewProject {
    NewProject {
        project_name: Some(name.to_owned()),
    }
}

pub(crate) fn definition(service: &RemoteService, project: Uuid, text: &str) -> Definition {
    let request = new_definition(project, text);
    service.create_definition(&request, None).unwrap()
}

pub(crate) fn new_definition(project: Uuid, text: &str) -> NewDefinition {
    NewDefinition {
        definition: language(text),
        project_uuid: project,
    }
}

pub(crate) fn ensemble(service: &RemoteService, definition: Uuid, size: usize) -> Ensemble {
    let request = sized(size);
    service.create_ensemble(definition, &request, None).unwrap()
}

pub(crate) fn sized(size: usize) -> NewEnsemble {
    NewEnsemble {
        size,
        ..NewEnsemble::default()
    }
}

pub(crate) fn benchmark(service: &RemoteService, ensemble: &Ensemble, outputs: &str) -> Benchmark {
    let (definition, ensemble) = (ensemble.definition_uuid, ensemble.ensemble_uuid);
    let request = new_benchmark(outputs);
    let made = service.create_benchmark(definition, ensemble, &request, None);
    made.unwrap()
}

pub(crate) fn new_benchmark(outputs: &str) -> NewBenchmark {
    NewBenchmark {
        expected_output: Outputs::parse(outputs).unwrap(),
        policy: None,
    }
}

pub(crate) fn new_assertion(outputs: &str) -> NewAssertion {
    NewAssertion {
        output_to_assert: Outputs::parse(outputs).unwrap(),
    }
}

/// A project, its definition, its ensemble of 3 rows, and its benchmark `[1,2,3]`.
pub(crate) struct World {
    pub(crate) project: Uuid,
    pub(crate) definition: Uuid,
    pub(crate) ensemble: Uuid,
    pub(crate) benchmark: Uuid,
}

impl World {
    pub(crate) fn new(service: &RemoteService) -> Self {
        let project = project(service, "shop").project_uuid;
        let definition = definition(service, project, ORDERS).definition_uuid;
        let ensemble = ensemble(service, definition, 3);
        let benchmark = benchmark(service, &ensemble, "[1,2,3]").benchmark_uuid;
        World {
            project,
            definition,
            ensemble: ensemble.ensemble_uuid,
            benchmark,
        }
    }
}

/// Returns the faults of a refused request.
#[track_caller]
pub(crate) fn faults<T>(refused: Result<T>) -> Faults {
    match refused {
        Err(ServiceError::Invalid(faults)) => faults,
        Err(other) => panic!("not a fault of the request: {other:?}"),
        Ok(_) => panic!("not refused"),
    }
}

#[track_caller]
pub(crate) fn is_fault_at<T>(pointer: &str, refused: Result<T>) {
    let faults = faults(refused);
    let pointers: Vec<_> = faults
        .iter()
        .map(|fault| fault.pointer.to_string())
        .collect();
    assert_eq!(pointers, [pointer], "{faults}");
}

#[track_caller]
pub(crate) fn is_not_found<T>(refused: Result<T>) {
    match refused {
        Err(ServiceError::NotFound(..)) => {}
        Err(other) => panic!("not unknown: {other:?}"),
        Ok(_) => panic!("found"),
    }
}

/// Returns the first page, with everything.
pub(crate) fn all() -> Page {
    Page::default()
}
