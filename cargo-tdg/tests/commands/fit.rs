//! `cargo tdg fit`.

use tdg_tests::Project;

use crate::tdg;

/// 60 orders.
fn orders() -> Project {
    let mut csv = "id,coupon,weekend\n".to_owned();
    for order in 1..=60 {
        let coupon = ["HALF", "", "TENTH", "HALF"][order % 4];
        csv.push_str(&format!("{order},{coupon},{}\n", order % 7 > 4));
    }
    Project::new(&[("orders.csv", &csv), ("ragged.csv", "a,b\n1,2\n3\n")])
}

#[test]
fn the_definition_can_be_piped_and_the_report_is_read_beside_it() {
    let project = orders();
    let run = tdg(&project, &["fit", "orders.csv"]).passes();
    insta::assert_snapshot!(run.stdout, @r#"
    {
        "features": [
            {"feature_name": "id", "type": "INTEGER", "distribution": {"type": "sequence", "start": 1, "step": 1}},
            {
                "feature_name": "coupon",
                "type": "STRING",
                "null_probability": 0.25,
                "distribution": {
                    "type": "categorical",
                    "categories": [{"value": "HALF", "probability": 0.666667}, {"value": "TENTH", "probability": 0.333333}]
                }
            },
            {"feature_name": "weekend", "type": "BOOLEAN", "distribution": {"type": "bernoulli", "p": 0.266667}}
        ]
    }
    "#);
    insta::assert_snapshot!(run.stderr, @"
    3 features from 60 rows, compared with 60 drawn rows

      feature  type     distribution              match        range    null   drawn
      id       INTEGER  sequence start 1, step 1  1.000  KS  100.0 %
      coupon   STRING   categorical of 2          0.978  TV  100.0 %  25.0 %  25.0 %
      weekend  BOOLEAN  bernoulli p 0.266667      0.983  TV  100.0 %
    ");
    project.write("orders.json", &run.stdout);
    tdg(&project, &["check", "orders.json"]).passes();
}

#[test]
fn a_definition_is_written_to_a_new_file_alone() {
    let project = orders();
    let fit = || {
        tdg(
            &project,
            &["fit", "orders.csv", "--output", "orders.json", "--json"],
        )
    };
    insta::assert_snapshot!(fit().passes().stdout, @r#"{"correlations":[],"drawn":60,"features":[{"distribution":"sequence","drawn_nulls":0.0,"match":1.0,"measure":"KS","name":"id","nulls":0.0,"range":1.0,"type":"INTEGER"},{"distribution":"categorical","drawn_nulls":0.25,"match":0.977778,"measure":"TV","name":"coupon","nulls":0.25,"range":1.0,"type":"STRING"},{"distribution":"bernoulli","drawn_nulls":0.0,"match":0.983333,"measure":"TV","name":"weekend","nulls":0.0,"range":1.0,"type":"BOOLEAN"}],"notes":[],"rows":60}"#);
    let written = project.read("orders.json");
    let run = fit().finish();
    assert_eq!(run.code, Some(2), "{run}");
    insta::assert_snapshot!(run.stderr, @"error: orders.json already exists; add --force to overwrite it, or write to another file");
    assert_eq!(project.read("orders.json"), written);
    project.write("orders.json", "other");
    fit().arguments(&["--force"]).passes();
    assert_eq!(project.read("orders.json"), written);
}

#[test]
fn a_correlated_feature_has_a_distribution_that_can_be_correlated() {
    let project = Project::new(&[("iris.csv", include_str!("../../../tdg-fit/src/iris.csv"))]);
    let run = tdg(&project, &["fit", "iris.csv"]).passes();
    assert!(run.stdout.contains("\"correlations\""), "{run}");
    assert!(!run.stdout.contains("\"mixture\""), "{run}");
    let run = tdg(&project, &["fit", "iris.csv", "--correlations", "1"]).passes();
    assert!(!run.stdout.contains("\"correlations\""), "{run}");
    assert!(run.stdout.contains("\"mixture\""), "{run}");
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let project = orders();
    let error = |arguments: &[&str]| {
        let run = tdg(&project, &["fit"]).arguments(arguments).finish();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run}");
        run.stderr
    };
    insta::assert_snapshot!(error(&["none.csv"]), @"error: can't read none.csv: No such file or directory (os error 2)");
    insta::assert_snapshot!(error(&["ragged.csv"]), @"error: ragged.csv: line 3 has 1 field, and the header has 2; quote fields that contain the delimiter or quotes, or choose another delimiter");
    insta::assert_snapshot!(error(&["orders.csv", "--correlations", "2"]), @"error: --correlations must be from 0 to 1, not 2");
    insta::assert_snapshot!(error(&["orders.csv", "--delimiter", ";;"]), @r#"error: --delimiter must be one ASCII character or `tab`, not ";;""#);
}
