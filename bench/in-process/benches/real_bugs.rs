//! Measures how well the causes of real bugs are found, from bench/real-bugs.
//!
//!     real_bugs judged [DIRECTORY]    counts by file, as one JSON object
//!     real_bugs rules [DIRECTORY]     each explanation, to read
//!     real_bugs tables DIRECTORY      writes rows and failing rows there, for peers
//!
//! With a directory, the tables that bench/lists wrote there are used instead.

use std::fs;
use std::path::{Path, PathBuf};

use tdg_bench::judged::{Tally, claim};
use tdg_definition::json::{Value, parse};
use tdg_definition::{Definition, Policy};
use tdg_engine::Vectors;
use tdg_engine::compare::DifferingCase;
use tdg_explain::{Vocabulary, 
    CauseChange, ExplainedRows, Explanation, FieldChange, attributes, changes_by_cause,
};

/// The number of explained rows. The others judge.
const SEEN: usize = 500;

/// The tables of bench/real-bugs.
const REAL_BUGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../real-bugs");
const FILES: [&str; 3] = ["median", "digits", "syllables"];

fn main() {
    // cargo adds `--bench`.
    let arguments = std::env::args().skip(1).filter(|it| it != "--bench");
    let arguments: Vec<String> = arguments.collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["judged"] => judged(&real_bugs()),
        ["rules"] => rules(&real_bugs()),
        ["judged", directory] => judged(&written(Path::new(directory))),
        ["rules", directory] => rules(&written(Path::new(directory))),
        ["tables", directory] => tables(Path::new(directory)),
        _ => eprintln!("real_bugs judged [DIRECTORY] | rules [DIRECTORY] | tables DIRECTORY"),
    }
}

/// The names and texts of tables.
type Files = Vec<(String, String)>;

fn real_bugs() -> Files {
    let read = |name: &str| {
        let path = Path::new(REAL_BUGS).join(format!("{name}.json"));
        (name.to_owned(), fs::read_to_string(path).expect("a table"))
    };
    FILES.into_iter().map(read).collect()
}

fn written(directory: &Path) -> Files {
    let files = fs::read_dir(directory).expect("a directory").flatten();
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy();
        (name.into_owned(), fs::read_to_string(&path).expect("text"))
    };
    paths.into_iter().map(read).collect()
}

/// An assignment with its rows, and the bugs of submitted programs.
struct Assignment {
    vectors: Vectors,
    expected: Vec<Value>,
    bugs: Vec<Bug>,
}

struct Bug {
    failing: Vec<bool>,
    actual: Vec<Value>,
}

impl Assignment {
    fn read(text: &str) -> Self {
        let value = parse(text).expect("JSON");
        let number = |key| value.get(key).and_then(Value::as_u64).expect("a number");
        let outputs = |of: &Value, key| {
            of.get(key)
                .and_then(Value::as_array)
                .expect("outputs")
                .to_vec()
        };
        let definition = value.get("definition").expect("a definition");
        let definition = Definition::from_value(definition).expect("a valid definition");
        let bugs = value.get("bugs").and_then(Value::as_array).expect("bugs");
        let bug = |bug: &Value| Bug {
            failing: bug
                .get("failing")
                .and_then(Value::as_str)
                .expect("a digit for each row")
                .chars()
                .map(|digit| digit == '1')
                .collect(),
            actual: outputs(bug, "actual"),
        };
        Self {
            vectors: Vectors::generate(&definition, number("seed"), number("size") as usize),
            expected: outputs(&value, "expected"),
            bugs: bugs.iter().map(bug).collect(),
        }
    }

    /// Returns the reported changes in the outputs of the failing rows that were seen.
    fn changes(&self, bug: &Bug, explanation: &Explanation) -> Changes {
        let exact = Policy::exact();
        let failing = (0..SEEN).filter(|row| bug.failing[*row]);
        let differing: Vec<DifferingCase> = failing
            .map(|row| {
                let (expected, actual) = (self.expected[row].clone(), bug.actual[row].clone());
                DifferingCase::compared(&exact, row, expected, actual)
            })
            .collect();
        let differing: Vec<&DifferingCase> = differing.iter().collect();
        let changes = changes_by_cause(
            explanation,
            &self.vectors,
            Some(&self.expected),
            &differing,
            |_| true,
        );
        Changes {
            failing: differing.len(),
            rules: explanation.rules.len(),
            changes,
        }
    }
}

struct Changes {
    failing: usize,
    rules: usize,
    changes: Vec<CauseChange>,
}

impl Changes {
    /// Returns true if a change is reported for all failing rows, or for every rule.
    fn is_told(&self, is_meant: impl Fn(&FieldChange) -> bool) -> bool {
        let is_of = |rule: Option<usize>| {
            self.changes.iter().any(|told| {
                let is_of_all = rule.is_some() || told.change.holds == self.failing;
                told.rule == rule && is_of_all && is_meant(&told.change)
            })
        };
        is_of(None) || (self.rules > 0 && (0..self.rules).all(|rule| is_of(Some(rule))))
    }
}

fn judged(tables: &Files) {
    let mut files = Vec::new();
    for (name, text) in tables {
        let assignment = Assignment::read(text);
        let (mut tally, mut changes, mut formulas) = (Tally::default(), 0, 0);
        for bug in &assignment.bugs {
            let claim = claim(
                &assignment.vectors,
                Some(&assignment.expected),
                &bug.failing,
                SEEN,
            );
            tally.add(&claim, &bug.failing, SEEN);
            let told = assignment.changes(bug, &claim.explanation);
            changes += u64::from(told.is_told(|_| true));
            formulas += u64::from(told.is_told(|change| change.pattern.is_formula()));
        }
        let mut figures = tally.to_value();
        if let Value::Object(figures) = &mut figures {
            figures.insert("changes", Value::from(changes));
            figures.insert("formulas", Value::from(formulas));
        }
        files.push((name.as_str(), figures));
    }
    println!("{}", Value::object(files));
}

fn rules(tables: &Files) {
    for (name, text) in tables {
        let assignment = Assignment::read(text);
        for (index, bug) in assignment.bugs.iter().enumerate() {
            let claim = claim(
                &assignment.vectors,
                Some(&assignment.expected),
                &bug.failing,
                SEEN,
            );
            let verdict = claim.verdict(&bug.failing, SEEN, claim.explanation.side);
            let wording = claim.explanation.rules.first().map(|rule| rule.wording);
            println!(
                "{name} {index}: {verdict:?}, {wording:?}, {:?}",
                claim.explanation.side
            );
            for rule in &claim.explanation.rules {
                let equivalent = rule
                    .equivalent
                    .iter()
                    .map(|it| format!("; equivalently {it}"));
                println!("    {rule}{}", equivalent.collect::<String>());
            }
            if let Some(rule) = &claim.explanation.shared {
                let (all, such) = (rule.rows.len(), rule.rows.len() + rule.exceptions.len());
                println!("    all {all} have {rule} ({all} of {such})");
            }
            for told in assignment.changes(bug, &claim.explanation).changes {
                let of = told.rule.map(|rule| format!(", rule {rule}"));
                let (change, of) = (told.change, of.unwrap_or_default());
                println!(
                    "    → {} in {} of {}{of}",
                    change.pattern, change.holds, change.cases
                );
            }
        }
    }
}

fn tables(directory: &Path) {
    for (name, text) in real_bugs() {
        let Assignment {
            vectors,
            expected,
            bugs,
        } = Assignment::read(&text);
        let masks = bugs.iter().map(|bug| {
            let digits = bug
                .failing
                .iter()
                .map(|failing| if *failing { '1' } else { '0' });
            Value::from(digits.collect::<String>())
        });
        let attributes = attributes(&ExplainedRows {
            vectors: &vectors,
            expected: Some(&expected),
            failing: &vec![None; vectors.size()], vocabulary: Vocabulary::Full, constants: &[],
        });
        let attributes = attributes.into_iter().map(Value::Array).collect();
        let table = Value::object([
            ("rows", parse(&vectors.to_json()).expect("JSON")),
            ("expected", Value::Array(expected)),
            ("attributes", Value::Array(attributes)),
            ("failing", Value::Array(masks.collect())),
        ]);
        let file = directory.join(format!("{name}.json"));
        std::fs::write(file, table.to_string()).expect("a writable directory");
    }
}
