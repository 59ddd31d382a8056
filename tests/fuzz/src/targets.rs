//! What reads texts.

use tdg::{
    Definition, Vectors,
    service::{NewAssertion, NewBenchmark, NewDefinition, NewEnsemble, NewProject, rules},
};

/// One reader.
pub(crate) struct Target {
    pub(crate) name: &'static str,
    /// Texts that it accepts, to begin with.
    pub(crate) corpus: &'static [&'static str],
    /// Whether it accepts a text; it panics where it reads differently what it has written.
    pub(crate) read: fn(&str) -> bool,
}

pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "definition",
        corpus: DEFINITIONS,
        read: definition,
    },
    Target {
        name: "request",
        corpus: REQUESTS,
        read: request,
    },
];

const DEFINITIONS: &[&str] = &[
    r#"{"definition_name":"orders","features":[{"feature_name":"amount","type":"FLOAT","distribution":{"type":"gaussian","mu":20,"sigma":5,"min":0,"max":1e3},"decimals":2},{"feature_name":"quantity","type":"INTEGER","null_probability":0.25,"distribution":{"type":"uniform","min":1,"max":20}}]}"#,
    r#"{"features":[{"type":"STRING","distribution":{"type":"categorical","categories":[{"value":"HALF","probability":0.5},{"value":"null","probability":0.5}]}}]}"#,
    r#"{"features":[{"type":"string","distribution":{"type":"pattern","regex":"[A-Z]{2,4}-\\d{2}(x|y)?"}},{"type":"STRING","distribution":{"type":"uuid"}}]}"#,
    r#"{"features":[{"type":"INTEGER","distribution":{"type":"binomial","n":20,"p":0.3}},{"type":"INTEGER","distribution":{"type":"poisson","rate":3.5}},{"type":"INTEGER","distribution":{"type":"zipf","n":100,"s":1.1}},{"type":"INTEGER","distribution":{"type":"negative_binomial","n":3,"p":0.5}},{"type":"INTEGER","distribution":{"type":"geometric","p":0.1}}]}"#,
    r#"{"features":[{"type":"FLOAT","distribution":{"type":"mixture","components":[{"weight":0.5,"mu":0,"sigma":1},{"weight":0.5,"type":"pareto","min":1,"shape":2}]}},{"type":"FLOAT","distribution":{"type":"gamma","shape":2,"rate":1}},{"type":"FLOAT","distribution":{"type":"beta","alpha":2,"beta":3}},{"type":"FLOAT","distribution":{"type":"student_t","nu":3,"mu":0,"sigma":1}}]}"#,
    r#"{"features":[{"type":"DATETIME","distribution":{"type":"uniform","min":"2020-01-01T00:00:00Z","max":"2021-01-01T00:00:00Z"}},{"type":"DATE","distribution":{"type":"uniform","min":"2020-01-01","max":"2021-01-01"}},{"type":"BOOLEAN","distribution":{"type":"bernoulli","p":0.5}},{"type":"INTEGER","distribution":{"type":"sequence","start":1,"step":2}},{"type":"FLOAT","distribution":{"type":"constant","value":1.5}}]}"#,
];

const REQUESTS: &[&str] = &[
    r#"{"project_name":"shop"}"#,
    "{}",
    r#"{"project_uuid":"6f0c1c1e-0d3a-4c3b-9d56-0f1f2a7c9b10","definition":{"features":[{"type":"FLOAT","distribution":{"type":"gaussian","mu":0,"sigma":1}}]}}"#,
    r#"{"ensemble_name":"orders","size":3,"seed":18446744073709551615}"#,
    r#"{"expected_output":[1,{"a":[null,true,"x\u00e9"]},-1.5e-7],"policy":{"tolerance":{"abs":0.1}}}"#,
    r#"{"output_to_assert":[1,{"$float":"NaN"},[[[]]]]}"#,
];

fn definition(text: &str) -> bool {
    let Ok(definition) = Definition::parse(text) else {
        return false;
    };
    let canonical = definition.canonical();
    let again = Definition::parse(&canonical).map(|again| again.canonical());
    assert_eq!(
        again,
        Ok(canonical),
        "the canonical form is a definition, and its own"
    );
    if definition.features().len() <= 20 && definition.check_size(3).is_ok() {
        let vectors = Vectors::generate(&definition, 1, 3);
        let read = Vectors::from_json(&definition, &vectors.to_json());
        assert_eq!(read.map(|read| read.digest()), Ok(vectors.digest()));
    }
    true
}

/// Every reader of requests has a look: what is meant for one comes to the others too.
fn request(text: &str) -> bool {
    let mut accepted = false;
    if let Ok(request) = NewProject::parse(text) {
        assert_eq!(NewProject::parse(&request.to_json()), Ok(request.clone()));
        accepted |= rules::project_name(&request).is_ok();
    }
    if let Ok(request) = NewDefinition::parse(text) {
        assert_eq!(NewDefinition::parse(&request.to_json()), Ok(request));
        accepted = true;
    }
    if let Ok(request) = NewEnsemble::parse(text) {
        assert_eq!(NewEnsemble::parse(&request.to_json()), Ok(request));
        accepted = true;
    }
    if let Ok(request) = NewBenchmark::parse(text) {
        assert_eq!(NewBenchmark::parse(&request.to_json()), Ok(request));
        accepted = true;
    }
    if let Ok(request) = NewAssertion::parse(text) {
        assert_eq!(NewAssertion::parse(&request.to_json()), Ok(request.clone()));
        let outputs = &request.output_to_assert;
        assert_eq!(rules::differing(outputs, outputs, None), Ok(None));
        accepted = true;
    }
    accepted
}
