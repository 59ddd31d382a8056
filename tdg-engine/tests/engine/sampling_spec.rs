//! A program written from docs/reference/sampling.md alone draws the same bits.

use std::path::Path;
use std::process::Command;

use tdg_definition::Definition;
use tdg_definition::math::normal::quantile;
use tdg_definition::random::uniform::unit_open;
use tdg_definition::random::{Purpose, Stream};
use tdg_engine::Vectors;

const PAGE: &str = include_str!("../../../docs/reference/sampling.md");

/// Defines one test per definition, since they take long and run in parallel.
macro_rules! the_program_written_from_the_page_draws_the_same_rows_and_digest_of {
    ($($name:ident),+ $(,)?) => {
        mod the_program_written_from_the_page_draws_the_same_rows_and_digest_of {
            $(#[test]
            fn $name() {
                let file = concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/../tdg-definition/tests/golden/",
                    stringify!($name),
                    ".json"
                );
                let text = std::fs::read_to_string(file).unwrap();
                super::assert_is_reproduced(&super::Definition::parse(&text).unwrap());
            })+
        }
    };
}

the_program_written_from_the_page_draws_the_same_rows_and_digest_of! {
    definition,
    dependent,
    stratified,
    pairs,
    triples,
    nested,
    tuples,
    variants,
    bytes,
    references,
    maps,
    shapes,
    totals,
    edges,
    listed,
    lengths,
    stratified_lengths,
    ordered_lengths,
}

#[test]
fn the_worked_example_of_the_page_is_what_is_drawn() {
    let (_, example) = PAGE.split_once("\n## A worked example\n").unwrap();
    let (seed, size) = (7, 5);
    assert!(example.contains("first five rows of this definition with seed 7:"));
    let mut blocks = example.split("```json\n").skip(1);
    let mut block = || blocks.next().unwrap().split_once("```").unwrap().0;
    let definition = Definition::parse(block()).unwrap();
    let reference = reference(&definition.canonical(), seed, size);
    let (digest, rows) = reference.split_once('\n').unwrap();
    assert_eq!(block(), rows);
    assert!(example.contains(&format!("the digest of the five rows is `{digest}`")));
    let has_line = |line: String| assert!(example.lines().any(|found| found == line), "{line}");
    let hex = |word: u64| format!("0x{word:016x}");
    let features = definition.features().iter();
    let streams: Vec<Stream> = features
        .clone()
        .map(|feature| Stream::new(seed, feature.name()))
        .collect();
    for feature in features {
        let text = format!("tdg:1:{seed}:{}", feature.name());
        let hash = hmac_sha256::Hash::hash(text.as_bytes());
        let (words, _) = hash.as_chunks::<8>();
        let [k0, k1] = [0, 1].map(|word| hex(u64::from_le_bytes(words[word])));
        has_line(format!("| {} | {k0} | {k1} |", feature.name()));
    }
    for row in 0..size as u64 {
        let word = |feature: usize, purpose| hex(streams[feature].word(purpose, row, 0));
        let [amount, quantity, coupon] = [0, 1, 2].map(|feature| word(feature, Purpose::Value));
        let null = word(2, Purpose::Null);
        has_line(format!(
            "| {row} | {amount} | {quantity} | {coupon} | {null} |"
        ));
    }
    let u = unit_open(streams[0].word(Purpose::Value, 0, 0));
    has_line(format!(
        "In row 0, open(w) of `amount` is {u}, and normal(w) is {}.",
        quantile(u)
    ));
    assert_is_reproduced(&definition);
}

fn assert_is_reproduced(definition: &Definition) {
    // A float's text is the shortest that reads back as the same float, so it determines the bits.
    for (seed, size) in [(0, 200), (u64::MAX, 7)] {
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

/// Returns the output of `tests/sampling_spec/reference.py`.
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
