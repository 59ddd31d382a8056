//! Builds tdg next to other crates that bring SQLite, which a graph can only contain once.

use tdg_tests::Project;

use crate::first_run::ORDERS;

/// Builds a crate that depends on tdg and on another crate, and runs an ensemble test.
///
/// Cargo resolves the versions as it does for a user who adds both.
fn builds_next_to(name: &str, dependency: &str, line: &str) {
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [lib]\ndoctest = false\n\
         [dependencies]\n{dependency}\n\
         [dev-dependencies]\ntdg = {{ path = \"{{tdg}}\" }}\n\
         [profile.dev]\ndebug = 0\n"
    );
    let source = format!(
        "{line}\n\n#[cfg(test)]\nmod tests {{\n\
         #[tdg::ensemble_test(definition = \"orders.json\", size = 10)]\n\
         fn total(amount: f64) -> f64 {{ amount }}\n}}\n"
    );
    let project = Project::without_lock(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", &source),
        ("orders.json", ORDERS),
    ]);
    let run = project.cargo(&["test"]).passes();
    assert!(
        run.said().starts_with("tdg: recorded tests::total"),
        "{run}"
    );
    assert!(project.has(".tdg/store.db"));
    assert_eq!(project.cargo(&["test"]).passes().said(), "");
}

#[test]
#[ignore = "compiles for minutes; part of `./test all`"]
fn tdg_builds_and_runs_next_to_sqlx_0_8() {
    let sqlx = "sqlx = { version = \"0.8\", default-features = false, features = [\"sqlite\"] }";
    builds_next_to("beside-sqlx-08", sqlx, "pub use sqlx::SqlitePool;");
}

#[test]
#[ignore = "compiles for minutes; part of `./test all`"]
fn tdg_builds_and_runs_next_to_sqlx_0_9() {
    let sqlx = "sqlx = { version = \"0.9\", default-features = false, features = [\"sqlite\"] }";
    builds_next_to("beside-sqlx-09", sqlx, "pub use sqlx::SqlitePool;");
}

#[test]
#[ignore = "compiles for minutes; part of `./test all`"]
fn tdg_builds_and_runs_next_to_diesel_2_3() {
    let diesel = "diesel = { version = \"2.3\", default-features = false, features = [\"sqlite\"] }\n\
                  libsqlite3-sys = { version = \"*\", features = [\"bundled\"] }";
    builds_next_to("beside-diesel", diesel, "pub use diesel::SqliteConnection;");
}
