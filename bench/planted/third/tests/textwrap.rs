//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use textwrap::{Options, WordSplitter};

#[tdg::ensemble_test(size = 600)]
fn paragraphs(
    #[define([[categorical("a", "the", "of", "and", "quick", "letter", "well-known", "UTF-8", "covid-19", "state-of-the-art", "incomprehensibilities", "editor", "wraps", "lines"); 1..=9]; 1..=2])]
    paragraphs: Vec<Vec<String>>,
    #[define(uniform(10..=32))] width: usize,
    #[define(categorical("" = 0.4, "* " = 0.3, "    " = 0.3))] initial: &str,
    #[define(categorical("" = 0.6, "  " = 0.4))] subsequent: &str,
    #[define(bernoulli(0.8))] break_words: bool,
    #[define(bernoulli(0.7))] hyphens: bool,
) -> Vec<String> {
    let text = paragraphs.iter().map(|it| it.join(" ")).collect::<Vec<_>>().join("\n");
    let splitter = if hyphens { WordSplitter::HyphenSplitter } else { WordSplitter::NoHyphenation };
    let options = Options::new(width)
        .initial_indent(initial)
        .subsequent_indent(subsequent)
        .break_words(break_words)
        .word_splitter(splitter);
    textwrap::wrap(&text, options).into_iter().map(|it| it.into_owned()).collect()
}

#[tdg::ensemble_test(size = 500)]
fn columns(
    #[define([categorical("a", "the", "of", "quick", "letter", "well-known", "editor", "wraps", "lines"); 3..=14])]
    words: Vec<String>,
    #[define(uniform(1..=4))] columns: usize,
    #[define(uniform(20..=80))] total: usize,
    #[define(categorical("" = 0.5, "| " = 0.5))] left: &str,
    #[define(categorical(" " = 0.5, " | " = 0.5))] middle: &str,
    #[define(categorical("" = 0.5, " |" = 0.5))] right: &str,
) -> Vec<String> {
    textwrap::wrap_columns(&words.join(" "), columns, total, left, middle, right)
}

/// The text of a mail in its answer.
#[tdg::ensemble_test(size = 400)]
fn quoted(
    #[define([categorical("" = 0.15, "  " = 0.1, "Hello," = 0.2, "thanks for the parcel." = 0.2, "  > older" = 0.15, "Best, Ann" = 0.2); 1..=6])]
    lines: Vec<String>,
    #[define(categorical("> " = 0.4, "    " = 0.2, "//" = 0.2, "# " = 0.2))] prefix: &str,
    #[define(bernoulli(0.5))] final_newline: bool,
) -> String {
    let mut text = lines.join("\n");
    if final_newline {
        text.push('\n');
    }
    textwrap::indent(&text, prefix)
}
