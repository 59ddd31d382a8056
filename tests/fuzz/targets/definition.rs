//! Every accepted definition has a canonical form, and its rows are read back as they were written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tdg_definition::Definition;
use tdg_engine::Vectors;

fuzz_target!(|text: &str| {
    let Ok(definition) = Definition::parse(text) else {
        return;
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
});
