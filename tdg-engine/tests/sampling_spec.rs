//! docs/reference/sampling.md says all that it takes to draw the same bits: the program that was written after it draws them.

#![allow(clippy::unwrap_used, clippy::expect_used)] // In helpers too: what fails there fails the test.

use std::path::Path;
use std::process::Command;

use tdg_definition::Definition;
use tdg_engine::Vectors;

const DEFINITIONS: [&str; 5] = [
    include_str!("../../tdg-definition/tests/golden/definition.json"),
    include_str!("../../tdg-definition/tests/golden/dependent.json"),
    include_str!("../../tdg-definition/tests/golden/stratified.json"),
    include_str!("../../tdg-definition/tests/golden/pairs.json"),
    include_str!("../../tdg-definition/tests/golden/triples.json"),
];

#[test]
fn the_program_written_after_the_page_draws_the_same_rows_and_digest() {
    for definition in DEFINITIONS {
        assert_is_reproduced(&Definition::parse(definition).unwrap());
    }
}

fn assert_is_reproduced(definition: &Definition) {
    // The shortest float text that reads back as the same float stands for its bits.
    for (seed, size) in [(0, 500), (u64::MAX, 7)] {
        let vectors = Vectors::generate(definition, seed, size);
        let mut expected = vec![vectors.digest()];
        for row in 0..size {
            let mut text = String::new();
            vectors.write_row(row, &mut text);
            expected.push(text);
        }
        let reference = reference(&definition.canonical(), seed, size);
        for (row, (expected, line)) in expected.iter().zip(reference.lines()).enumerate().skip(1) {
            assert_eq!(line, expected, "row {}", row - 1);
        }
        assert_eq!(reference.lines().collect::<Vec<_>>(), expected);
    }
}

/// What `tests/sampling_spec/reference.py` prints.
fn reference(definition: &str, seed: u64, size: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("definition.json");
    std::fs::write(&file, definition).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/sampling_spec/reference.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(file)
        .args([seed.to_string(), "0".to_owned(), size.to_string()])
        .output()
        .expect(
            "this test runs a program in Python: it needs python3 (3.9 or newer), and no packages",
        );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}
