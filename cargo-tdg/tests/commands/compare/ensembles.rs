//! `cargo tdg compare --tests`, on crates with ensemble tests and a history.

use tdg_tests::{Project, Run, target_directory};

use crate::compare::{answer, compare, ended_with, git, init};

/// Tests use the shared target directory, so that tdg is compiled only once.
pub(crate) fn compare_tests(project: &Project, arguments: &[&str]) -> Run {
    compare(project, arguments)
        .arguments(&["--tests"])
        .env("CARGO_TARGET_DIR", target_directory())
}

const LIBRARY: &str = "\
pub mod tax;
pub mod shipping;

pub fn total(cents: u32, half: bool) -> u32 {
    if half { cents / 2 } else { cents }
}

pub fn doubled(cents: u32) -> u64 {
    u64::from(cents) * 2
}
";
const TAX: &str = "\
pub fn tax(cents: u32) -> u32 {
    rate(cents)
}

fn rate(cents: u32) -> u32 {
    cents / 5
}
";
const SHIPPING: &str = "\
pub fn shipping(grams: u32) -> u32 {
    grams / 10
}
";
const TESTS: &str = "\
use tdg::ensemble_test;

#[ensemble_test(definition = \"definitions/../definitions/order.json\", size = 100)]
fn total(cents: u32, half: bool) -> u32 {
    ordered::total(cents, half)
}

#[ensemble_test]
fn doubled(#[define(uniform(0..=1000))] cents: u32) -> u64 {
    ordered::doubled(cents)
}

#[ensemble_test]
fn total_fee(#[define(uniform(0..=9))] cents: u32) -> u32 {
    ordered::fee(cents)
}

#[test]
fn ordinary_t() {
    panic!(\"not asked for\");
}
";
const DEFINITION: &str = r#"{"features": [
    {"feature_name": "cents", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 9999}},
    {"feature_name": "half", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.5}}
]}"#;
const NEW: &str = "\
use ordered::fee;

#[tdg::ensemble_test]
fn total_new(#[define(uniform(0..=9))] cents: u32) -> u32 {
    fee(cents)
}
";

/// Returns a module with a test that calls a function.
fn unit(call: &str) -> String {
    format!(
        "\n#[cfg(test)]\nmod tests {{\n    #[tdg::ensemble_test]\n    \
         fn unit(#[define(uniform(0..=999))] x: u32) -> u32 {{\n        {call}\n    }}\n}}\n"
    )
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn the_tests_of_today_run_on_what_had_none() {
    let project = Project::package(
        "ordered",
        &[("src/lib.rs", LIBRARY), (".gitignore", "target\n")],
    );
    let (manifest, lock) = (project.read("Cargo.toml"), project.read("Cargo.lock"));
    // The first commit doesn't use tdg yet.
    let (former, _) = manifest.split_once("[dev-dependencies]").unwrap();
    project.write("Cargo.toml", former);
    project.write(
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"ordered\"\nversion = \"0.1.0\"\n",
    );
    project.write("src/tax.rs", TAX);
    project.write("src/shipping.rs", SHIPPING);
    project.write("definitions/order.json", &DEFINITION.replace("9999", "99"));
    init(&project);
    project.write("Cargo.toml", &manifest);
    project.write("Cargo.lock", &lock);
    project.write("tests/prices.rs", TESTS);
    project.write("tests/new.rs", NEW);
    project.write("definitions/order.json", DEFINITION);
    project.edit(
        "src/lib.rs",
        "cents / 2 }",
        "cents / 2 + u32::from(cents > 5000) }",
    );
    project.write(
        "src/lib.rs",
        &(project.read("src/lib.rs") + "pub fn fee(cents: u32) -> u32 { cents }\n"),
    );
    project.edit("src/tax.rs", "cents / 5", "cents / 5 + cents / 900");
    project.write(
        "src/tax.rs",
        &(project.read("src/tax.rs") + &unit("super::rate(x)")),
    );
    project.edit("src/shipping.rs", "grams / 10", "weight(grams)");
    project.write(
        "src/shipping.rs",
        &(project.read("src/shipping.rs")
            + "fn weight(grams: u32) -> u32 { grams / 10 }\n"
            + &unit("super::weight(x)")),
    );
    let status = git(
        &project,
        &["status", "--porcelain", "--untracked-files=all"],
    )
    .stdout;
    let run = ended_with(1, compare_tests(&project, &["--only", "T"]));
    let answer_of_tests = answer(&project, &run);
    let (_, answer_of_tests) = answer_of_tests.split_once("\n\nordered: ").unwrap();
    insta::assert_snapshot!(answer_of_tests, @"
    5 ensemble tests; 2 compared, 3 not compared
      tax::tests::unit  10 of 100 cases changed
        all 10 have x > 900   (10 of 10 such cases changed, 0 of the other 90)
        actual = expected + 1 in all 10

        case    x  expected  actual  error
           9  901       180     181     +1  +0.56 %
          20  911       182     183     +1  +0.55 %
          42  920       184     185     +1  +0.54 %
          90  929       185     186     +1  +0.54 %
          38  943       188     189     +1  +0.53 %
          81  955       191     192     +1  +0.52 %
          87  968       193     194     +1  +0.52 %
           5  992       198     199     +1  +0.51 %
          68  992       198     199     +1  +0.51 %
           8  996       199     200     +1  +0.50 %
        largest error 1 (0.56 %)
        expected mean 189.8, sd 7.052; actual mean 190.8, sd 7.052
      total             32 of 100 cases changed
        all 32 have half = true and cents > 5000   (32 of 32 such cases changed, 0 of the other 68)
        actual = expected + 1 in all 32

        case  cents  half  expected  actual  error
          39   5124  true      2562    2563     +1  +0.039 %
          74   5234  true      2617    2618     +1  +0.038 %
          46   5418  true      2709    2710     +1  +0.037 %
          11   5498  true      2749    2750     +1  +0.036 %
          22   5537  true      2768    2769     +1  +0.036 %
          93   5638  true      2819    2820     +1  +0.035 %
          89   6071  true      3035    3036     +1  +0.033 %
          17   6132  true      3066    3067     +1  +0.033 %
          42   6201  true      3100    3101     +1  +0.032 %
          18   6251  true      3125    3126     +1  +0.032 %
           5   6320  true      3160    3161     +1  +0.032 %
          60   6496  true      3248    3249     +1  +0.031 %
        … and 20 more cases
        largest error 1 (0.039 %)
        expected mean 3598, sd 696.6; actual mean 3599, sd 696.6
      not compared total_fee: doesn't compile there: cannot find function `fee` in crate `ordered`
      not compared shipping::tests::unit: doesn't compile there: cannot find function `weight` in module `super`
      not compared total_new: tests/new.rs doesn't compile there: unresolved import `ordered::fee`
    ");
    let run = ended_with(
        1,
        compare_tests(&project, &["--only", "tests::unit", "--markdown"]),
    );
    insta::assert_snapshot!(answer(&project, &run), @"
    ### ordered

    2 ensemble tests; 1 compared, 1 not compared

    <details><summary><code>tax::tests::unit</code>: 10 of 100 cases changed</summary>

    ```text
      all 10 have x > 900   (10 of 10 such cases changed, 0 of the other 90)
      actual = expected + 1 in all 10

      case    x  expected  actual  error
         9  901       180     181     +1  +0.56 %
        20  911       182     183     +1  +0.55 %
        42  920       184     185     +1  +0.54 %
        90  929       185     186     +1  +0.54 %
        38  943       188     189     +1  +0.53 %
        81  955       191     192     +1  +0.52 %
        87  968       193     194     +1  +0.52 %
         5  992       198     199     +1  +0.51 %
        68  992       198     199     +1  +0.51 %
         8  996       199     200     +1  +0.50 %
      largest error 1 (0.56 %)
      expected mean 189.8, sd 7.052; actual mean 190.8, sd 7.052
    ```

    </details>

    - not compared: `shipping::tests::unit`: doesn't compile there: cannot find function `weight` in module `super`
    ");
    let run = ended_with(0, compare_tests(&project, &["--only", "doubled", "--json"]));
    let json = tdg_definition::json::parse(&run.stdout).unwrap();
    let tests = json.get("ensemble_tests").unwrap().to_string();
    insta::assert_snapshot!(tests, @r#"[{"changed":[],"not_compared":[],"package":"ordered","same":["doubled"]}]"#);
    let after = git(
        &project,
        &["status", "--porcelain", "--untracked-files=all"],
    )
    .stdout;
    assert_eq!(after, status);
}

#[test]
#[ignore = "compiles for long; part of `./test all`"]
fn the_tests_run_on_another_build_and_on_other_sources() {
    let library = "pub fn double(x: u32) -> u32 {\n    if cfg!(feature = \"fast\") { x << 1 | 1 } else { x.wrapping_mul(2) }\n}\n\n\
                   pub fn scaled(x: i64, by: f32) -> f64 {\n    x as f64 * f64::from(by.clamp(0.0, 1.0))\n}\n";
    let test = "#[tdg::ensemble_test]\nfn twice(#[define(uniform(0..=9))] x: u32) -> u32 {\n    rebuilt::double(x)\n}\n\n\
                #[tdg::ensemble_test]\nfn failing(#[define(uniform(0..=9))] x: u32) -> u32 {\n    assert!(x > 10);\n    x\n}\n";
    let project = Project::package("rebuilt", &[("src/lib.rs", library), ("tests/a.rs", test)]);
    let manifest = format!("{}\n[features]\nfast = []\n", project.read("Cargo.toml"));
    project.write("Cargo.toml", &manifest);
    // Cargo would write a different one.
    let lock = project.read("Cargo.lock");
    let lines = |arguments: &[&str], code| {
        let run = ended_with(code, compare_tests(&project, arguments));
        let (_, tests) = run.stdout.split_once("ensemble tests; ").unwrap();
        let lines = tests.lines().filter(|it| !it.starts_with("    "));
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(lines(&["--features", "fast"], 1), @"
    1 compared, 1 not compared
      twice  100 of 100 cases changed

      not compared failing: fails there: 100 of 100 cases panicked
    ");
    assert_eq!(project.read("Cargo.lock"), lock);
    let run = compare(&project, &["--features", "fast", "--keep", "scaled"]);
    let said = ended_with(1, run).stdout;
    let (_, written) = said.split_once("\n\nwrote ").unwrap();
    insta::assert_snapshot!(written, @"
    the test scaled in tests/ensembles.rs
    added *.snap.new to .gitignore

    Run `cargo test` to record the first benchmark; the next run compares with it.
    `any` draws every value of a type; narrow it to the values that the function is for: #[define(uniform(1..=20))]
    To fold snapshot files in the diffs on GitHub: cargo tdg init --gitattributes
    ");
    insta::assert_snapshot!(project.read("tests/ensembles.rs"), @"
    //! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

    #[tdg::ensemble_test]
    fn scaled(
        #[define(mixture(any() = 1, uniform(-10..=30) = 1))] x: i64,
        #[define(mixture(any() = 1, uniform(-20.0..100.0) = 1), edge_cases(probability = 0.16, values = [-1.0, -1e-45, 0.0, 1e-45, 0.99999994, 1.0, 1.0000001, 2.0]))]
        by: f32,
    ) -> f64 {
        rebuilt::scaled(x, by)
    }
    ");
    let run = compare(&project, &["--features", "fast", "--keep", "scald"]);
    insta::assert_snapshot!(ended_with(2, run).stderr, @"error: no function `scald` in the sources of the crate `rebuilt`; did you mean `rebuilt::scaled`?");
    project.cargo(&["test", "--test", "ensembles"]).passes();
    project.write("other/Cargo.toml", &manifest);
    project.write(
        "other/src/lib.rs",
        &library.replace("x.wrapping_mul(2)", "2_u32.wrapping_mul(x)"),
    );
    project.write("other/tests/broken.rs", "of another time");
    insta::assert_snapshot!(lines(&["--path", "other"], 0), @"
    2 compared, 1 not compared
      2 tests gave the same
      not compared failing: fails there: 100 of 100 cases panicked
    ");
}
