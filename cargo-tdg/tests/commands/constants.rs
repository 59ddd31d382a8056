//! `cargo tdg constants`.

use tdg_tests::{Finished, Project, Run, target_directory, workspace};

use crate::terminal::Terminal;
use crate::{ended, tdg};

/// Returns the how-to's blocks: library, test, answer and written code.
fn of_how_to() -> [String; 4] {
    let page = std::fs::read_to_string(workspace().join("docs/how-to/constants.md")).unwrap();
    let blocks = page.split("```").skip(1).step_by(2);
    let mut blocks = blocks.filter(|it| !it.starts_with("console"));
    let mut next = || {
        blocks
            .next()
            .unwrap()
            .split_once('\n')
            .unwrap()
            .1
            .to_owned()
    };
    [next(), next(), next(), next()]
}

fn package(name: &str, files: &[(&str, &str)]) -> Project {
    let [library, _, _, _] = of_how_to();
    Project::package(name, &[&[("src/lib.rs", &library[..])], files].concat())
}

fn in_target(run: Run) -> Run {
    run.env("CARGO_TARGET_DIR", target_directory())
}

fn tests(project: &Project) -> Finished {
    in_target(project.cargo(&["test", "--test", "prices"])).finish()
}

fn constants(project: &Project, arguments: &[&str]) -> Finished {
    tdg(project, &["constants"]).arguments(arguments).finish()
}

#[test]
fn the_constants_of_the_how_to_are_written_next_to_the_distributions() {
    let [_, test, answer, written] = of_how_to();
    let project = package("parcels", &[("tests/prices.rs", &test)]);
    let run = constants(&project, &["price"]);
    assert_eq!(run.code, Some(2), "{run}");
    let run = tests(&project);
    assert!(run.success, "{run}");

    let run = constants(&project, &["price"]);
    assert_eq!((run.code, &run.stdout), (Some(1), &answer), "{run}");
    assert_eq!(project.read("tests/prices.rs"), test);
    let run = in_target(tdg(&project, &["test", "--test", "prices"])).finish();
    let line = "price has no row with grams = 9999, 10000, 10001; region = \"OVERSEAS\"\n";
    assert!(run.stdout.contains(line), "{run}");

    // In a terminal, the command asks first.
    for (key, code, source) in [("n", 1, &test), ("y", 0, &written)] {
        let mut terminal = Terminal::start(&project, &["constants", "price"], &[]);
        terminal.sees("Write");
        terminal.sees("(y/n) ");
        terminal.press(key);
        assert_eq!(terminal.ends(), code);
        assert_eq!(&project.read("tests/prices.rs"), source);
    }

    // The old rows are compared first. The new rows have all constants.
    let changed = tests(&project);
    assert!(
        !changed.success && changed.report().contains("inputs"),
        "{changed}"
    );
    tdg(&project, &["accept", "price"]).passes();
    let run = constants(&project, &["price"]);
    insta::assert_snapshot!(ended(&project, &run), @"
    price calls price
      each constant that the features can have is in one of 500 rows
    (0)
    ");
}

const ORDERS: &str = r#"{
    "features": [
        // In grams.
        {"feature_name": "grams", "type": "INTEGER", "edge_cases": {"probability": 0.1}, "distribution": {"type": "uniform", "min": 700, "max": 10000}},
        {
            "feature_name": "places",
            "type": "LIST",
            "distribution": {"type": "list", "length": 2, "element": {"type": "STRING", "distribution": {"type": "uuid"}}}
        },
        {"feature_name": "days", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 99}}
    ]
}
"#;

#[test]
fn constants_are_written_into_a_definition_file_and_its_comments_stay() {
    let test = "#[tdg::ensemble_test(definition = \"orders.json\", size = 40)]
        fn total(grams: u32, places: Vec<String>, days: u32) -> u32 {
            places.iter().map(|it| parcels_of_file::price(grams, it)).sum::<u32>() + days
        }";
    let project = package(
        "parcels-of-file",
        &[("tests/prices.rs", test), ("orders.json", ORDERS)],
    );
    let run = tests(&project);
    assert!(run.success, "{run}");
    let run = constants(&project, &["total", "--write"]);
    insta::assert_snapshot!(ended(&project, &run), @r#"
    total calls price
      grams   9999  in none of 40 rows
      places  "OVERSEAS"  in none of 40 rows
    Wrote edge cases of 2 features into orders.json.
    (0)
    "#);
    insta::assert_snapshot!(project.read("orders.json"), @r#"
    {
        "features": [
            // In grams.
            {"feature_name": "grams", "type": "INTEGER", "edge_cases": {"probability": 0.05, "usual": 0.1, "values": [9999]}, "distribution": {"type": "uniform", "min": 700, "max": 10000}},
            {
                "feature_name": "places",
                "type": "LIST",
                "distribution": {"type": "list", "length": 2, "element": {"type": "STRING", "distribution": {"type": "uuid"}, "edge_cases": {"probability": 0.05, "values": ["OVERSEAS"]}}}
            },
            {"feature_name": "days", "type": "INTEGER", "unique": true, "distribution": {"type": "uniform", "min": 1, "max": 99}}
        ]
    }
    "#);
    tdg(&project, &["check", "orders.json"]).passes();

    // The file may have another test's constants by now.
    let written = project.read("orders.json");
    let run = constants(&project, &["total", "--write"]);
    insta::assert_snapshot!(run.stderr, @"error: orders.json has changed since the benchmark of total was recorded; run the test and accept its new rows, and then write the constants");
    assert_eq!((run.code, project.read("orders.json")), (Some(2), written));
}

#[test]
fn what_can_not_be_written_is_said() {
    let test = "#[derive(tdg::Define)]
        struct Parcel {
            #[define(uniform(1..=20_000))]
            grams: u32,
            #[define(uniform(1..=900))]
            places: u32,
            #[define([pattern(regex = \"[a-z]\"); 0..=2])]
            regions: Vec<String>,
        }
        #[tdg::ensemble_test(definition = Parcel, size = 30)]
        fn total(grams: u32, places: u32, regions: Vec<String>) -> u32 {
            regions.iter().map(|it| parcels_of_type::price(grams, it)).sum::<u32>() * places.min(300)
        }
        #[tdg::ensemble_test(size = 9)]
        fn alone(#[define(any)] x: u8) -> u8 {
            x
        }";
    let project = package("parcels-of-type", &[("tests/prices.rs", test)]);
    let run = tests(&project);
    assert!(run.success, "{run}");
    // A user has listed values by hand.
    project.edit(
        "tests/prices.rs",
        "uniform(1..=900)",
        "uniform(1..=900), edge_cases(probability = 0.5, values = [MOST])",
    );
    let run = constants(&project, &["total", "--write"]);
    insta::assert_snapshot!(ended(&project, &run), @r#"
    total calls price
      grams    299, 300, 301, 9999, 10000, 10001  in none of 30 rows
      places   299, 300, 301  in none of 30 rows
      regions  "OVERSEAS"  in none of 30 rows
    Wrote edge cases of 1 feature into tests/prices.rs.
    note: can't edit the definition of `places` in tests/prices.rs; add this by hand: edge_cases(probability = 0.2, values = [299, 300, 301])
    note: can't edit the definition of `regions` in tests/prices.rs; add this by hand: edge_cases(probability = 0.07, values = ["OVERSEAS"])
    (1)
    "#);
    let source = project.read("tests/prices.rs");
    insta::assert_snapshot!(&source[..source.find("#[tdg::").unwrap()], @r#"
    #[derive(tdg::Define)]
            struct Parcel {
                #[define(uniform(1..=20_000), edge_cases(probability = 0.25, values = [299, 300, 301, 9999, 10000, 10001]))]
                grams: u32,
                #[define(uniform(1..=900), edge_cases(probability = 0.5, values = [MOST]))]
                places: u32,
                #[define([pattern(regex = "[a-z]"); 0..=2])]
                regions: Vec<String>,
            }
    "#);
    insta::assert_snapshot!(ended(&project, &constants(&project, &["alone"])), @"
    error: alone calls no function of parcels_of_type by its name
    (2)
    ");
}
