//! `cargo tdg fit`.

use tdg_tests::Project;

use crate::tdg;

/// Returns a table of 60 orders.
fn orders() -> Project {
    let mut csv = "id,coupon,weekend\n".to_owned();
    for order in 1..=60 {
        let coupon = ["HALF", "", "TENTH", "HALF"][order % 4];
        csv.push_str(&format!("{order},{coupon},{}\n", order % 7 > 4));
    }
    Project::new(&[("orders.csv", &csv), ("ragged.csv", "a,b\n1,2\n3\n")])
}

#[test]
fn the_definition_can_be_piped_and_the_report_is_read_separately() {
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
    insta::assert_snapshot!(error(&["ragged.csv"]), @"error: ragged.csv: line 3: this row has 1 field, but the header has 2; put quotes around a field that has the delimiter in it");
    insta::assert_snapshot!(error(&["orders.csv", "--correlations", "2"]), @"error: --correlations must be from 0 to 1, not 2");
    insta::assert_snapshot!(error(&["orders.csv", "--delimiter", ";;"]), @r#"error: --delimiter must be one ASCII character or `tab`, not ";;""#);
}

#[test]
fn dates_and_times_as_people_write_them_are_drawn_or_reported() {
    let mut csv = "day,month_first,either,time\n".to_owned();
    for row in 1..=40 {
        let (day, minute) = (row % 28 + 1, row * 7 % 60);
        let either = row % 12 + 1;
        csv.push_str(&format!(
            "{day:02}/03/2021,3/{day}/2021,{either:02}.03.2021,{:02}:{minute:02}\n",
            row % 24
        ));
    }
    let project = Project::new(&[("days.csv", &csv), ("one.csv", "a,b\n1,x\n")]);
    let run = tdg(&project, &["fit", "days.csv"]).passes();
    insta::assert_snapshot!(run.stdout, @r#"
    {
        "features": [
            {
                "feature_name": "day",
                "type": "DATE",
                "distribution": {"type": "uniform", "min": "2021-03-01", "max": "2021-03-28"}
            },
            {
                "feature_name": "month_first",
                "type": "DATE",
                "distribution": {"type": "uniform", "min": "2021-03-01", "max": "2021-03-28"}
            },
            {
                "feature_name": "either",
                "type": "STRING",
                "distribution": {
                    "type": "categorical",
                    "categories": [
                        {"value": "02.03.2021", "probability": 0.1},
                        {"value": "03.03.2021", "probability": 0.1},
                        {"value": "04.03.2021", "probability": 0.1},
                        {"value": "05.03.2021", "probability": 0.1},
                        {"value": "01.03.2021", "probability": 0.075},
                        {"value": "06.03.2021", "probability": 0.075},
                        {"value": "07.03.2021", "probability": 0.075},
                        {"value": "08.03.2021", "probability": 0.075},
                        {"value": "09.03.2021", "probability": 0.075},
                        {"value": "10.03.2021", "probability": 0.075},
                        {"value": "11.03.2021", "probability": 0.075},
                        {"value": "12.03.2021", "probability": 0.075}
                    ]
                }
            },
            {
                "feature_name": "time",
                "type": "STRING",
                "distribution": {"type": "pattern", "regex": "(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]"}
            }
        ],
        "correlations": [{"features": ["day", "month_first"], "correlation": 0.999}]
    }
    "#);
    insta::assert_snapshot!(run.stderr, @r#"
    4 features from 40 rows, compared with 40 drawn rows

      feature      type    distribution                                       match                   range  null  drawn
      day          DATE    uniform min "2021-03-01", max "2021-03-28"         0.775  KS              96.3 %
      month_first  DATE    uniform min "2021-03-01", max "2021-03-28"         0.775  KS              96.3 %
      either       STRING  categorical of 12                                  0.850  TV             100.0 %
      time         STRING  pattern regex "(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]"  1.000  KS of lengths  100.0 %

      1 correlation; in the drawn rows, they differ by 0.003 on average. The largest differences:

      features               table  drawn  difference
      day       month_first  1.000  0.997       0.003
    note: column "day": all 40 values are dates in the order day, month, year such as "02/03/2021", read as 2021-03-02
    note: column "month_first": all 40 values are dates in the order month, day, year such as "3/2/2021", read as 2021-03-02
    note: column "either": "02.03.2021" is 2021-03-02 or 2021-02-03, and no value shows which, so its feature is a STRING; write the values in one of these ways
    note: column "time" has times of day, for which there is no type; a pattern draws them, evenings more often than other hours
    "#);
    project.write("days.json", &run.stdout);
    tdg(&project, &["check", "days.json"]).passes();
    let run = tdg(&project, &["fit", "one.csv"]).passes();
    insta::assert_snapshot!(run.stderr, @r#"
    2 features from 1 row, compared with 1 drawn row

      feature  type     distribution        match      range  null  drawn
      a        INTEGER  constant value 1             100.0 %
      b        STRING   constant value "x"           100.0 %
    note: the table has one row, so every feature is a constant, and nothing can be compared; fit a table with more rows
    "#);
}

#[test]
fn a_table_is_read_as_explain_reads_it() {
    let utf16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect()
    };
    let project = Project::new(&[
        ("quote.csv", "x,failed\n1,0\n\"2,1\n3,\"0\n"),
        ("twice.csv", "x,failed,x\n1,0,1\n"),
        ("ragged.tsv", "x\tfailed\n1\t0\n2\n"),
        ("array.json", "[{\"x\": 1, \"failed\": false},\n 2]"),
    ]);
    std::fs::write(project.path("latin.csv"), b"x,failed\ncaf\xe9,0\n").unwrap();
    let run = |arguments: &[&str]| tdg(&project, arguments).finish();
    let mut said = String::new();
    for name in [
        "quote.csv",
        "twice.csv",
        "ragged.tsv",
        "array.json",
        "latin.csv",
    ] {
        let fit = run(&["fit", name]);
        let explain = run(&["explain", name, "--failing", "failed"]);
        assert_eq!((fit.code, &fit.stderr), (Some(2), &explain.stderr));
        said += &fit.stderr;
    }
    insta::assert_snapshot!(said, @r#"
    error: quote.csv: line 4, column 4: text follows the closing quote of a field that begins in line 3; a quote within quotes is written twice
    error: twice.csv: line 1: columns 1 and 3 are both named `x`; rename one of them
    error: ragged.tsv: line 3: this row has 1 field, but the header has 2; put quotes around a field that has the delimiter in it
    error: array.json: line 2, column 2: each row is an object: {"amount": 9.5, "coupon": null}
    error: latin.csv: line 2, column 4: the byte 0xe9 is not UTF-8; save the file as UTF-8, or convert it from its encoding, such as Latin-1: iconv -f WINDOWS-1252 -t UTF-8 latin.csv > utf8.csv
    "#);

    let rows = "id;n;failed\r\n18446744073709551615;1;0\r\n9223372036854775808;-;1\r\n7;3;0\r\n";
    std::fs::write(project.path("rows.csv"), utf16(rows)).unwrap();
    let read = ["rows.csv", "--delimiter", ";", "--null=-"];
    let fit = run(&[&["fit"], &read[..], &["--output", "rows.json"]].concat());
    assert!(
        fit.stdout.contains("max 18446744073709551615") && fit.stdout.contains("33.3 %"),
        "{fit}"
    );
    let explain = [&["explain"], &read[..], &["--failing", "failed"]].concat();
    insta::assert_snapshot!(run(&explain).stdout, @"rows.csv: 1 of 3 cases failed");
    let features = r#"{"features": [
        {"feature_name": "id", "type": "INTEGER", "distribution": {"type": "any"}},
        {"feature_name": "n", "type": "INTEGER", "null_probability": 0.3, "distribution": {"type": "any"}}
    ]}"#;
    project.write("features.json", features);
    let defined = run(&[&explain[..], &["--definition", "features.json"]].concat());
    assert_eq!(defined.stdout, run(&explain).stdout, "{defined}");
}
