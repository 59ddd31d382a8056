//! The test that a benchmark belongs to.

use tdg_tests::{Program, Project, Run, manifest, target_directory, tools};

use crate::first_run::{ORDERS, small_crate};
use crate::history::{history, integrity, test_of};

/// Returns the line about the ensemble without the name, and the cases.
fn rows_and_outputs(snapshot: &str) -> (String, Vec<&str>) {
    let mut lines = snapshot
        .lines()
        .skip_while(|line| !line.starts_with("{\"tdg\""));
    let ensemble = lines.next().unwrap();
    let (_, ensemble) = ensemble.split_once("\"size\"").unwrap();
    (ensemble.to_owned(), lines.collect())
}

#[test]
fn a_test_that_is_renamed_or_moved_keeps_its_rows() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("before::sum").passes();
    shop.pricing("after::moved::renamed").passes();
    let total = shop.read("tests/snapshots/pricing__total.snap");
    for moved in ["before__sum", "after__moved__renamed"] {
        let moved = shop.read(&format!("tests/snapshots/pricing__{moved}.snap"));
        assert_eq!(rows_and_outputs(&moved), rows_and_outputs(&total));
    }
}

#[test]
fn a_test_that_is_moved_with_its_snapshot_file_is_the_same() {
    let shop = Program::shop().checkout();
    shop.pricing("before::sum").passes();
    let before = shop.read("tests/snapshots/pricing__before__sum.snap");
    shop.remove("tests/snapshots/pricing__before__sum.snap");
    shop.write(
        "tests/snapshots/pricing__after__moved__renamed.snap",
        &before,
    );
    let run = shop
        .pricing("after::moved::renamed")
        .env("CI", "1")
        .passes();
    assert_eq!(run.stderr, "");
}

#[test]
fn a_test_of_another_binary_with_the_same_file_is_reported_and_keeps_it() {
    let shop = Program::shop().checkout();
    let snapshot = "tests/snapshots/pricing__before__sum.snap";
    shop.pricing("before::sum").passes();
    shop.edit(
        snapshot,
        r#""ensemble":"before::sum""#,
        r#""ensemble":"sum""#,
    );
    let other = "#[ensemble_test(size = 10)]\nfn sum(amount: f64) -> f64 { amount }\n";
    shop.write("tests/pricing__before.rs", other);
    let recorded = shop.read(snapshot);
    let run = shop.pricing("before::sum").env("FACTOR", "1.03");
    let said = run.env("TDG_UPDATE", "always").fails().said();
    insta::assert_snapshot!(said, @"tdg: invalid before::sum, the snapshot file tests/snapshots/pricing__before__sum.snap is claimed by two tests: sum in tests/pricing__before.rs, and sum at tests/pricing.rs:73");
    assert_eq!(shop.read(snapshot), recorded);
    // Once the other test is gone, the benchmark is its own.
    shop.remove("tests/pricing__before.rs");
    shop.pricing("before::sum").passes();
}

#[test]
fn two_tests_of_one_name_are_reported_in_one_process() {
    let shop = Program::shop().checkout();
    let run = shop.test("pricing", &["alike", "--test-threads=1"]).fails();
    insta::assert_snapshot!(run.report(), @r#"
    twin: invalid: this run can't be compared

      the snapshot file tests/snapshots/pricing__twin.snap is claimed by two tests: first at tests/pricing.rs:89, and
      second at tests/pricing.rs:94

      give one of the two another name: name = "…" in the attribute, or EnsembleTest::new("…")
    "#);
}

#[test]
fn two_tests_of_one_name_are_reported_in_two_processes() {
    let shop = small_crate("alike-in-processes");
    shop.write(
        "tests/alike.rs",
        r#"
        #[tdg::ensemble_test(definition = "definitions/orders.json", name = "twin")]
        fn first(amount: f64) -> f64 { amount }

        #[tdg::ensemble_test(definition = "definitions/orders.json", name = "twin")]
        fn second(amount: f64) -> f64 { amount }
        "#,
    );
    let arguments = [
        "run",
        "--test",
        "alike",
        "--no-fail-fast",
        "--test-threads=1",
        "--color=never",
    ];
    let run = tools::nextest(&shop, &arguments).fails();
    let reports = run.stderr.contains("first at tests/alike.rs")
        && run.stderr.contains("give one of the two another name");
    assert!(reports, "{run}");
}

#[test]
fn packages_of_a_workspace_may_have_tests_of_one_name() {
    let member = |name: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [lib]\ndoctest = false\n\
             [dev-dependencies]\ntdg = {{ path = \"{{tdg}}\" }}\n"
        )
    };
    let source = |factor: &str| {
        format!(
            "#[cfg(test)]\nmod tests {{\n\
             #[tdg::ensemble_test(definition = \"../orders.json\", size = 10)]\n\
             fn total(amount: f64) -> f64 {{ {factor} * amount }}\n}}\n"
        )
    };
    let project = Project::new(&[
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"cart\", \"till\"]\n[profile.dev]\ndebug = 0\n",
        ),
        ("cart/Cargo.toml", &member("cart")),
        ("till/Cargo.toml", &member("till")),
        ("cart/src/lib.rs", &source("1.0")),
        ("till/src/lib.rs", &source("2.0")),
        ("orders.json", ORDERS),
    ]);
    project.cargo(&["test", "--workspace"]).passes();
    let again = project.cargo(&["test", "--workspace"]).passes();
    assert_eq!(again.said(), "");
    let (cart, till) = (
        project.read("cart/src/snapshots/lib__tests__total.snap"),
        project.read("till/src/snapshots/lib__tests__total.snap"),
    );
    assert_ne!(cart, till);
    for package in ["cart", "till"] {
        let test = test_of(package, "src/lib.rs", "tests::total");
        assert_eq!(history(&project, &test).len(), 2);
    }
}

#[test]
fn packages_that_share_a_source_are_reported() {
    let member = |name: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             [dev-dependencies]\ntdg = {{ path = \"{{tdg}}\" }}\n\
             [[test]]\nname = \"common\"\npath = \"../common/t.rs\"\n"
        )
    };
    let test = "#[tdg::ensemble_test(size = 20)]\n\
                fn total(#[define(uniform(1..=9))] n: u32) -> u32 { n }\n";
    let members = "[workspace]\nresolver = \"3\"\nmembers = [\"lender\", \"borrower\"]\n\
                   [profile.dev]\ndebug = 0\n";
    let project = Project::new(&[
        ("Cargo.toml", members),
        ("lender/Cargo.toml", &member("lender")),
        ("borrower/Cargo.toml", &member("borrower")),
        ("common/t.rs", test),
    ]);
    let run = project.cargo(&["test", "-p", "lender"]).passes();
    insta::assert_snapshot!(run.said(), @"tdg: recorded total, 20 cases, common/snapshots/t__total.snap");
    let run = project.cargo(&["test", "-p", "borrower"]).fails();
    insta::assert_snapshot!(run.report(), @r#"
    total: invalid: this run can't be compared

      the snapshot file common/snapshots/t__total.snap is claimed by two tests: total of the package lender, and total of
      borrower, which has the same source file

      name the tests after their packages, as with EnsembleTest::new(concat!(env!("CARGO_PKG_NAME"), " total")), or run
      them in one package
    "#);
    project.cargo(&["test", "-p", "lender"]).passes();
    // A renamed package doesn't count as another one.
    project.edit("lender/Cargo.toml", "lender", "former");
    project.edit("Cargo.toml", "\"lender\", ", "");
    project.cargo(&["test", "-p", "borrower"]).passes();
}

#[test]
fn a_copy_of_the_file_of_another_test_is_reported() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let total = shop.read("tests/snapshots/pricing__total.snap");
    shop.write("tests/snapshots/pricing__before__sum.snap", &total);
    let said = shop.pricing("before::sum").passes().said();
    insta::assert_snapshot!(said, @"tdg: tests/snapshots/pricing__before__sum.snap was recorded by total, which has tests/snapshots/pricing__total.snap: is it a copy?");
    // The same happens after `git mv`.
    shop.remove("tests/snapshots/pricing__total.snap");
    assert_eq!(shop.pricing("before::sum").passes().said(), "");
}

#[test]
fn a_documentation_test_has_a_benchmark_only_in_a_source_file_that_stays() {
    let test =
        "tdg::EnsembleTest::new(\"doc\").definition(shop::definition()).run(|(n,): (u32,)| n * 2);";
    let library = |attribute: &str| {
        format!(
            "/// ```{attribute}\n/// {test}\n/// ```\n\
             pub fn definition() -> tdg::Definition {{\n\
             tdg::Definition::parse(r#\"{{\"features\":[{{\"feature_name\":\"n\",\"type\":\"INTEGER\",\
             \"distribution\":{{\"type\":\"uniform\",\"min\":1,\"max\":20}}}}]}}\"#).unwrap()\n}}\n"
        )
    };
    let manifest = manifest("documented", "name = \"shop\"");
    let manifest = manifest.replace("[dev-dependencies]", "[dependencies]");
    let files = [("Cargo.toml", &*manifest), ("src/lib.rs", &library(""))];
    let shop = Project::new(&files);
    let run = shop.cargo(&["test", "--doc"]).fails();
    assert!(run.stdout.contains("```standalone_crate"), "{run}");

    shop.write("src/lib.rs", &library("standalone_crate"));
    shop.cargo(&["test", "--doc"]).passes();
    shop.edit("src/lib.rs", "n * 2", "n * 2 + n / 20");
    let run = shop.cargo(&["test", "--doc"]).fails();
    assert!(run.stdout.contains("tdg: changed doc, "), "{run}");
}

#[test]
#[ignore = "compiles all dependencies a second time; part of `./test all`"]
fn one_crate_in_two_target_directories_at_once_has_one_benchmark() {
    let shop = small_crate("two-targets");
    let directories = [target_directory(), target_directory().join("second")];
    let test = |directory| {
        let cargo = Run::cargo(&["test", "--lib"], shop.folder());
        cargo.env("CARGO_TARGET_DIR", directory)
    };
    for directory in &directories {
        test(directory).arguments(&["--no-run"]).passes();
    }
    for _ in 0..5 {
        let running = directories
            .each_ref()
            .map(|directory| test(directory).start());
        for child in running {
            let output = child.wait_with_output().unwrap();
            let finished = tdg_tests::Finished::new(output);
            assert!(finished.success, "{finished}");
        }
    }
    assert_eq!(integrity(&shop), "ok");
    let runs = history(&shop, &test_of("two-targets", "src/lib.rs", "tests::total")).len();
    assert_eq!(runs, 5 * directories.len());
}
