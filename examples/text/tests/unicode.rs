//! Splits strings into their parts, and converts them to ASCII.

use serde::Serialize;
use tdg::ensemble_test;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

#[derive(Serialize)]
struct Parts<'a> {
    graphemes: Vec<&'a str>,
    words: Vec<&'a str>,
    longest_in_bytes: usize,
}

#[ensemble_test(definition = "definitions/pairs.json", size = 40)]
fn parts(left: &str) -> Parts<'_> {
    let graphemes: Vec<&str> = left.graphemes(true).collect();
    Parts {
        longest_in_bytes: graphemes.iter().map(|part| part.len()).max().unwrap_or(0),
        words: left.unicode_words().collect(),
        graphemes,
    }
}

#[derive(Serialize)]
struct Normalized {
    composed: String,
    decomposed_length: usize,
    compatible: String,
}

#[ensemble_test(definition = "definitions/pairs.json", size = 40)]
fn normalized(right: Option<&str>) -> Option<Normalized> {
    let right = right?;
    Some(Normalized {
        composed: right.nfc().collect(),
        decomposed_length: right.nfd().count(),
        compatible: right.nfkc().collect(),
    })
}

#[ensemble_test(definition = "definitions/pairs.json", size = 40)]
fn ascii(left: &str) -> String {
    deunicode::deunicode(left)
}
