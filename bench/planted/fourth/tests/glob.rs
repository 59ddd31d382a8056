//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use glob::{MatchOptions, Pattern};

#[derive(serde::Serialize)]
struct Description {
    escaped: String,
    error: Option<String>,
}

/// The files of a project that a rule selects.
#[tdg::ensemble_test(size = 800)]
fn selected(
    #[define(categorical("" = 0.4, "src/" = 0.2, "**/" = 0.2, "*/" = 0.1, "src/**/" = 0.1))] folder: &str,
    #[define(categorical("*.rs" = 0.25, "*" = 0.15, "[a-m]*" = 0.2, "[!m]*" = 0.15, "?????.*" = 0.15, "*.md" = 0.1))]
    name: &str,
    #[define([categorical(
        "main.rs", "build.rs", "Makefile", "CHANGES.md", "readme.md", "LICENSE", ".gitignore", ".ci/run.rs",
        "src/main.rs", "src/lib.rs", "src/bin/tool.rs", "src/.hidden.rs", "docs/index.md", "docs/v1.2/Notes.md"
    ); 1..=5])]
    files: Vec<String>,
    #[define(bernoulli(0.6))] case_sensitive: bool,
    #[define(bernoulli(0.5))] literal_separator: bool,
    #[define(bernoulli(0.4))] literal_dot: bool,
) -> Vec<String> {
    let pattern = Pattern::new(&format!("{folder}{name}")).unwrap();
    let options = MatchOptions {
        case_sensitive,
        require_literal_separator: literal_separator,
        require_literal_leading_dot: literal_dot,
    };
    files.into_iter().filter(|it| pattern.matches_with(it, options)).collect()
}

#[tdg::ensemble_test(size = 400)]
fn described(#[define(pattern(regex = "([ab/?!-]|[*\\[\\]]){1,8}"))] text: &str) -> Description {
    Description { escaped: Pattern::escape(text), error: Pattern::new(text).err().map(|it| it.to_string()) }
}
