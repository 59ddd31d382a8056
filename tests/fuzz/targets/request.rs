//! Every accepted request is read back the same. Each input is passed to all readers.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tdg_service::{NewAssertion, NewBenchmark, NewDefinition, NewEnsemble, NewProject, rules};

fuzz_target!(|text: &str| {
    if let Ok(request) = NewProject::parse(text) {
        assert_eq!(NewProject::parse(&request.to_json()), Ok(request));
    }
    if let Ok(request) = NewDefinition::parse(text) {
        assert_eq!(NewDefinition::parse(&request.to_json()), Ok(request));
    }
    if let Ok(request) = NewEnsemble::parse(text) {
        assert_eq!(NewEnsemble::parse(&request.to_json()), Ok(request));
    }
    if let Ok(request) = NewBenchmark::parse(text) {
        assert_eq!(NewBenchmark::parse(&request.to_json()), Ok(request));
    }
    if let Ok(request) = NewAssertion::parse(text) {
        assert_eq!(NewAssertion::parse(&request.to_json()), Ok(request.clone()));
        let outputs = &request.output_to_assert;
        assert_eq!(rules::differing(outputs, outputs, None), Ok(None));
    }
});
