//! A test crate with the feature `dynamic`, which links tdg as a shared library.

use tdg_tests::{Project, Run, tools};

use crate::first_run::small_crate;

const DYNAMIC: &str = "\", default-features = false, features = [\"explain\", \"dynamic\"] }";

fn dynamic_crate(name: &str) -> Project {
    let shop = small_crate(name);
    shop.edit("Cargo.toml", "\" }", DYNAMIC);
    shop
}

/// The path of the crate's test binary, which is built.
fn test_binary(shop: &Project) -> String {
    let built = shop
        .cargo(&["test", "--no-run", "--message-format=json"])
        .passes();
    let messages = built.stdout.lines();
    let messages = messages.filter_map(|it| serde_json::from_str::<serde_json::Value>(it).ok());
    let mut paths = messages.filter_map(|it| it["executable"].as_str().map(str::to_owned));
    paths.next().expect("a test binary")
}

#[test]
#[ignore = "compiles tdg with other features; part of `./test all`"]
fn tests_run_on_the_shared_library_and_explain_failures() {
    let shop = dynamic_crate("dynamic");
    // Its own SQLite is another than tdg's.
    shop.edit(
        "Cargo.toml",
        "[dev-dependencies]",
        "[dependencies]\nrusqlite = { version = \"*\", features = [\"bundled\"] }\n[dev-dependencies]",
    );
    shop.edit(
        "src/lib.rs",
        "#[cfg(test)]",
        "pub fn open() -> rusqlite::Connection { rusqlite::Connection::open_in_memory().unwrap() }\n\
         #[test]\nfn sqlite_opens() { open(); }\n#[cfg(test)]",
    );
    let run = shop.cargo(&["test"]).passes();
    assert!(run.stderr.contains("tdg: recorded tests::total"), "{run}");

    // Cargo sets the path of the library, which a program that is started without it lacks.
    let alone = || {
        let run = Run::new(test_binary(&shop), shop.folder());
        run.env("LD_LIBRARY_PATH", "")
            .env("DYLD_FALLBACK_LIBRARY_PATH", "")
    };
    let run = alone().fails();
    assert!(run.stderr.contains("libtdg_dylib"), "{run}");

    shop.edit("src/lib.rs", "price * 0.5", "price * 0.485");
    let run = shop.cargo(&["test"]).fails();
    assert!(run.report().contains("2 of 50 cases changed"), "{run}");
    let run = tools::nextest(&shop, &["run", "--color=never"]).fails();
    assert!(run.stderr.contains("2 of 50 cases changed"), "{run}");

    // A release build is static: it has no debug assertions.
    let manifest = shop.read("Cargo.toml");
    let of_release = "[profile.dev.package.tdg]\ndebug-assertions = false\n";
    shop.write("Cargo.toml", &(manifest + of_release));
    let run = alone().fails();
    assert!(run.stdout.contains("2 of 50 cases changed"), "{run}");
}

#[test]
#[ignore = "compiles tdg with other features; part of `./test all`"]
fn what_a_shared_library_would_hide_is_refused() {
    let shop = small_crate("dynamic-and-sqlite");
    shop.edit("Cargo.toml", "\" }", "\", features = [\"dynamic\"] }");
    let run = shop.cargo(&["test"]).fails();
    let error = run.stderr.split("error:").nth(1).unwrap_or_default();
    insta::assert_snapshot!(error.lines().next().unwrap_or_default());
}
