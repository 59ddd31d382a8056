//! A package in a temporary folder, and its test: this binary again, controlled by the environment.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::{env, fs};

use rusqlite::Connection;
use tdg::Outcome;
use tdg::{Definition, DefinitionSource, Policy, Tolerance};
use tdg_engine::Site;
use tempfile::TempDir;

use crate::server::Server;

const ORDERS: &str = include_str!("orders.json");

pub(crate) fn orders() -> Definition {
    Definition::parse(ORDERS).unwrap()
}

/// The test that runs in a checkout. In an ordinary test run, it does nothing.
#[test]
fn child() {
    let Ok(name) = env::var("CHILD_TEST") else {
        return;
    };
    let number =
        |name: &str, default: f64| env::var(name).map_or(default, |text| text.parse().unwrap());
    let definition = match env::var("CHILD_DEFINITION") {
        Ok(uuid) => DefinitionSource::remote(uuid),
        Err(_) => "definitions/orders.json".into(),
    };
    let site = Site {
        package: "shop",
        manifest_dir: "",
        file: "tests/pricing.rs",
        line: 1,
        module_path: "pricing",
        function: "total",
    };
    let policy = match number("CHILD_TOLERANCE", 0.0) {
        0.0 => Ok(Policy::exact()),
        relative => Policy::exact().tolerance(Tolerance::rel(relative)),
    };
    tdg::__private::test_at(site, tdg::__private::Taken::row())
        .name(name)
        .definition(definition)
        .size(number("CHILD_SIZE", 50.0) as usize)
        .seed(number("CHILD_SEED", 0.0) as u64)
        .policy(policy)
        .run_rows(|row| {
            let (amount, quantity): (f64, i64) = (row.get("amount")?, row.get("quantity")?);
            let factor = if quantity > 15 {
                number("CHILD_FACTOR", 1.0)
            } else {
                1.0
            };
            Ok(Outcome::of(&(amount * quantity as f64 * factor)))
        });
}

/// A package whose tests run against a server by default.
pub(crate) struct Checkout {
    folder: TempDir,
    url: String,
    key: String,
    /// The path of its test in this binary.
    test: String,
}

impl Checkout {
    pub(crate) fn new(server: &Server) -> Self {
        Self::at(&server.url, &server.key)
    }

    pub(crate) fn at(url: &str, key: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let checkout = Self {
            folder,
            url: url.to_owned(),
            key: key.to_owned(),
            test: "checkout::child".to_owned(),
        };
        // The tests of this binary are in the package's source file.
        let tests = r#"const TESTS: [&str; 6] =
            ["total", "by_uuid", "test_0", "test_1", "test_2", "test_3"];"#;
        checkout.write("tests/pricing.rs", tests);
        checkout.write("definitions/orders.json", ORDERS);
        checkout.write("tdg.toml", "store = \"remote\"\n");
        checkout
    }

    /// Returns the checkout of another test of this binary, which is in the given file.
    pub(crate) fn with_test(mut self, test: &str, file: &str) -> Self {
        test.clone_into(&mut self.test);
        self.write(file, "");
        self
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.file(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn file(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn snapshot(&self) -> PathBuf {
        self.file("tests/snapshots/pricing__total.snap")
    }

    pub(crate) fn pending(&self) -> PathBuf {
        self.file("tests/snapshots/pricing__total.snap.new")
    }

    /// Returns the committed file.
    pub(crate) fn pinned(&self) -> String {
        fs::read_to_string(self.snapshot()).unwrap()
    }

    /// Replaces a part of the committed file.
    #[track_caller]
    pub(crate) fn edit(&self, from: &str, to: &str) {
        let pinned = self.pinned();
        assert!(pinned.contains(from), "{pinned}");
        fs::write(self.snapshot(), pinned.replace(from, to)).unwrap();
    }

    /// Returns the value of a key in the committed file.
    #[track_caller]
    pub(crate) fn pinned_value(&self, key: &str) -> String {
        let text = self.pinned();
        let (_, rest) = text.split_once(&format!("\"{key}\":\"")).unwrap();
        let (value, _) = rest.split_once('"').unwrap();
        value.to_owned()
    }

    /// Returns the UUID that the committed file pins.
    pub(crate) fn benchmark(&self) -> String {
        self.pinned_value("benchmark_uuid")
    }

    /// Replaces the fetched and cached data.
    pub(crate) fn damage_kept(&self, text: &str) {
        let store = Connection::open(self.file(".tdg/store.db")).unwrap();
        let damaged = store.execute("UPDATE download SET text = ?1", [text]);
        assert_eq!(damaged, Ok(1));
    }

    /// Runs the test with these variables.
    pub(crate) fn run(&self, variables: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env::current_exe().unwrap());
        command
            .args([&self.test, "--exact", "--include-ignored", "--nocapture"])
            .env_clear()
            .env("CARGO_MANIFEST_DIR", self.folder.path())
            .env("TDG_URL", &self.url)
            .env("TDG_API_KEY", &self.key)
            .env("CHILD_TEST", "total")
            .envs(variables.iter().copied());
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().unwrap();
        let said = String::from_utf8([stdout, stderr].concat()).unwrap();
        assert!(!said.contains(&self.key), "the key is shown: {said}");
        Ran {
            passed: status.success(),
            said: said.replace(&self.url, "<url>"),
        }
    }

    /// Runs the test and checks that it passes.
    #[track_caller]
    pub(crate) fn passes(&self, variables: &[(&str, &str)]) -> String {
        let ran = self.run(variables);
        assert!(ran.passed, "{}", ran.said);
        ran.line()
    }

    /// Runs the test and checks that it fails.
    #[track_caller]
    pub(crate) fn fails(&self, variables: &[(&str, &str)]) -> Ran {
        let ran = self.run(variables);
        assert!(!ran.passed, "{}", ran.said);
        ran
    }
}

pub(crate) struct Ran {
    pub(crate) passed: bool,
    pub(crate) said: String,
}

impl Ran {
    /// Returns the line that tdg prints past the harness.
    pub(crate) fn line(&self) -> String {
        let lines = self.said.lines().filter(|line| line.starts_with("tdg: "));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the panic message, which is the report.
    pub(crate) fn report(&self) -> String {
        let (_, rest) = self.said.split_once("panicked at ").unwrap();
        let (_, report) = rest.split_once('\n').unwrap();
        let (report, _) = report.split_once("\nnote: run with").unwrap();
        report.trim_end().to_owned()
    }
}
