//! `cargo tdg show`.

use tdg_tests::Program;
use unicode_width::UnicodeWidthStr as _;

use crate::terminal::Terminal;
use crate::{TOTAL, TOTAL_NEW, changed_shop, ended, tdg};

#[test]
fn all_benchmarks_are_listed() {
    let shop = changed_shop();
    shop.pricing("invoice").passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show"]).finish()), @"
    test     cases           benchmark
    invoice     20           tests/snapshots/pricing__invoice.snap
    total      200  pending  tests/snapshots/pricing__total.snap
    (0)
    ");
}

#[test]
fn an_ensemble_shows_what_its_rows_and_outputs_look_like() {
    let shop = changed_shop();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "total"]).finish()), @r#"
    total
      200 cases, seed 7, tests/snapshots/pricing__total.snap
      tests/pricing.rs, digest e550031c68e893327cbc05a0954aae14
      pending: 13 of 200 cases changed

      feature   type     values
      amount    FLOAT    7.087 ▕▁▁▁▁▂▃▅▆▆▆▆▄█▅██▄▄▃▃▂▁▁▂▏ 32.51  mean 20.14, sd 5.058
      quantity  INTEGER  1 ▕▄▇▄▆▆▄▆█▃▅▃▅▆▆▅▆▆▅▅▄▏ 20  mean 10.33, sd 5.723
      coupon    STRING   "NONE" 54 %, "TENTH" 19 %, "HALF" 6 %, null 19 %

      output
      (all)              13.02 ▕▆▇▆██▅▆▆▆▆▆▃▄▅▂▃▄▄▁▃▃▁▂▂▏ 506.1  mean 197.4, sd 126.9
    (0)
    "#);
}

#[test]
fn fields_of_outputs_have_a_line_each() {
    let shop = Program::shop().checkout();
    shop.pricing("invoice").passes();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "invoice"]).finish()), @r#"
    invoice
      20 cases, seed 0, tests/snapshots/pricing__invoice.snap
      tests/pricing.rs, digest b511e5edae0e0a6aeb6704dad58d9419

      feature       type     values
      amount        FLOAT    8.148 ▕▃   ▃ ▆  ▆█  ▃▃ ▃▃▆  █ ▆▏ 29.9  mean 20.83, sd 6.221
      quantity      INTEGER  2 ▕▃▃▆ ▃▃▆▃ █▃ ▆▃ ▃▆ ▃▏ 20  mean 10.6, sd 5.394
      coupon        STRING   "NONE" 55 %, "TENTH" 15 %, "HALF" 5 %, null 25 %

      output
      /lines                 [2] 50 %, [0] 35 %, [1] 15 %
      /price/gross           9.778 ▕▃   ▃ ▆  ▆█  ▃▃ ▃▃▆  █ ▆▏ 35.88  mean 25, sd 7.466
      /price/net             8.148 ▕▃   ▃ ▆  ▆█  ▃▃ ▃▃▆  █ ▆▏ 29.9  mean 20.83, sd 6.221
    (0)
    "#);
}

#[test]
fn every_changed_case_is_shown() {
    let shop = changed_shop();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "total", "--changed"]).finish()), @r#"
    total: 13 of 200 cases changed

      all 13 have coupon = "HALF"   (13 of 13 such cases changed, 0 of the other 187)
      actual = 1.03 × expected in all 13

      case     amount  quantity  coupon   expected     actual    error
       108  15.988253         2  "HALF"  15.988253  16.467900  +0.4796  +3.0 %
        35  23.297771         6  "HALF"  69.893312  71.990111   +2.097  +3.0 %
       119  23.267077        15  "HALF"  174.50307  179.73817   +5.235  +3.0 %
       194  24.259579         4  "HALF"  48.519159  49.974734   +1.456  +3.0 %
       179  18.685964         9  "HALF"  84.086840  86.609445   +2.523  +3.0 %
       190  31.367064        14  "HALF"  219.56945  226.15653   +6.587  +3.0 %
        55  30.560647         7  "HALF"  106.96226  110.17113   +3.209  +3.0 %
       103  22.626147         5  "HALF"  56.565367  58.262328   +1.697  +3.0 %
        24  17.256255        20  "HALF"  172.56255  177.73943   +5.177  +3.0 %
       177  22.237596        13  "HALF"  144.54437  148.88070   +4.336  +3.0 %
       104  17.095065        11  "HALF"  94.022860  96.843546   +2.821  +3.0 %
         3  20.519937        13  "HALF"  133.37959  137.38098   +4.001  +3.0 %
       133  17.332005        17  "HALF"  147.32205  151.74171    +4.42  +3.0 %
      largest error 6.587 (3.0 %), median 3.209
      errors +0.4796 [▄  ▄▄ ▄ ▄▄▄  ▄ █  █    ▄] +6.587
      expected mean 112.9, sd 58.54; actual mean 116.3, sd 60.29
    (0)
    "#);
}

#[test]
fn a_report_fits_into_a_terminal_of_80_columns() {
    let shop = Program::shop().checkout();
    shop.pricing("invoice").passes();
    shop.pricing("invoice").env("FACTOR", "2").fails();
    shop.inputs("priced").passes();
    shop.inputs("priced").env("TAX", "1").fails();
    for test in ["invoice", "priced"] {
        let show = ["show", test, "--changed"];
        let shown = Terminal::of_size((40, 80), &shop, &show, &[]).ends_with();
        let shown = anstream::adapter::strip_str(&shown).to_string();
        assert!(shown.contains("cases changed"), "{shown}");
        for line in shown.lines() {
            assert!(line.width() <= 80, "{} columns: {line}", line.width());
        }
    }
}

#[test]
fn fields_that_changed_are_named() {
    let shop = Program::shop().checkout();
    shop.pricing("invoice").passes();
    shop.pricing("invoice").env("FACTOR", "2").fails();
    let shown = tdg(&shop, &["show", "invoice", "--changed"])
        .passes()
        .stdout;
    insta::assert_snapshot!(shown.lines().take(5).collect::<Vec<_>>().join("\n"), @"
    invoice: 20 of 20 cases changed

      /price/gross: actual = 2 × expected in all 20

      case     amount  quantity  field          expected     actual   error
    ");
}

#[test]
fn every_row_is_shown_with_its_output() {
    let shop = changed_shop();
    let shown = tdg(&shop, &["show", "total", "--rows"]).passes().stdout;
    assert_eq!(shown.lines().count(), 201);
    insta::assert_snapshot!(shown.lines().take(4).collect::<Vec<_>>().join("\n"), @r#"
    case              amount  quantity  coupon               output
       0   23.23157308380156         4  "TENTH"   83.63366310168561
       1  21.908630081188562        18  null      394.3553414613941
       2  20.888769667349056        20  "TENTH"    375.997854012283
    "#);
    let lines = tdg(&shop, &["show", "total", "--rows", "--json"])
        .passes()
        .stdout;
    insta::assert_snapshot!(lines.lines().next().unwrap(), @r#"{"case":0,"output":83.63366310168561,"row":{"amount":23.23157308380156,"coupon":"TENTH","quantity":4}}"#);
}

#[test]
fn scripts_get_the_definition() {
    let shop = changed_shop();
    let line = tdg(&shop, &["show", "total", "--json"]).passes().stdout;
    let shown = tdg_definition::json::parse(&line).unwrap();
    assert_eq!(shown.get("pending").unwrap().as_bool(), Some(true));
    let definition = shown.get("ensemble").unwrap().get("definition").unwrap();
    tdg_definition::Definition::from_value(definition).unwrap();
}

#[test]
fn pending_outputs_that_would_be_the_first_benchmark_are_shown() {
    let shop = Program::shop().checkout();
    shop.pricing("total").env("TDG_UPDATE", "new").fails();
    let shown = tdg(&shop, &["show", "total"]).passes();
    assert!(shown.stdout.contains("pending: new, 200 cases"), "{shown}");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "total", "--changed"]).finish()), @"
    total: missing: no benchmark, and a new one has to be accepted

      tests/snapshots/pricing__total.snap does not exist.
      The outputs are pending in tests/snapshots/pricing__total.snap.new.
    (0)
    ");
}

#[test]
fn a_report_from_the_store_has_no_hints() {
    let shop = Program::shop().checkout();
    shop.write("tdg.toml", "snapshots = false\n");
    shop.pricing("total").env("TDG_UPDATE", "new").fails();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show", "total", "--changed"]).finish()), @"
    total: missing: no benchmark, and a new one has to be accepted

      The store has none for this test.
      The outputs are pending in the store.
    (0)
    ");
}

#[test]
fn a_damaged_benchmark_is_reported_and_left_alone() {
    let shop = changed_shop();
    shop.pricing("invoice").passes();
    let text = shop.read(TOTAL);
    let cut = &text[..text.len() / 2];
    shop.write(TOTAL, cut);
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["show"]).finish()), @"
    test     cases    benchmark
    invoice     20    tests/snapshots/pricing__invoice.snap
    error: <shop>/tests/snapshots/pricing__total.snap, line 99: truncated: it ends in the middle of this line; restore it from version control, or delete it to record again
    (2)
    ");
    assert_eq!(tdg(&shop, &["show", "total"]).finish().code, Some(2));
    assert_eq!(shop.read(TOTAL), cut);
}

#[test]
fn differences_within_the_tolerance_of_the_test_are_not_changes() {
    let shop = Program::shop().checkout();
    shop.pricing("tolerant").passes();
    // One output is within its 5 %, all others are outside.
    let snapshot = "tests/snapshots/pricing__tolerant.snap";
    let text = shop.read(snapshot);
    let line = text.lines().find(|line| line.starts_with("[[")).unwrap();
    let output: f64 = line
        .rsplit(',')
        .next()
        .unwrap()
        .trim_end_matches(']')
        .parse()
        .unwrap();
    let raised = line.replace(&format!(",{output}]"), &format!(",{}]", output * 1.08));
    assert_ne!(raised, line);
    shop.write(snapshot, &text.replace(line, &raised));
    shop.pricing("tolerant").env("FACTOR", "1.1").fails();
    let pending = tdg(&shop, &["pending"]).finish();
    assert!(
        pending.stdout.contains("9 of 10 cases changed"),
        "{pending}"
    );
    let shown = tdg(&shop, &["show", "tolerant", "--changed", "--json"]).passes();
    assert_eq!(shown.stdout.lines().count(), 9, "{shown}");
}

#[test]
fn a_benchmark_on_a_server_can_be_decided_about_and_its_rows_be_shown() {
    let shop = changed_shop();
    let recorded = tdg_engine::snapshot::Snapshot::read(&shop.path(TOTAL))
        .unwrap()
        .unwrap();
    let pin = tdg_engine::snapshot::Pin {
        ensemble: "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10".to_owned(),
        benchmark: "4f1f0b1e-6f0e-4c58-8c0e-6a4a3c1d2b20".to_owned(),
        digest: "6a2d0291523a530621ab3d149d5df861".to_owned(),
    };
    shop.write(
        TOTAL,
        &tdg_engine::snapshot::render_pin("total", "", recorded.ensemble(), &pin),
    );
    let listed = tdg(&shop, &["show"]).passes();
    assert!(listed.stdout.contains("total    200  pending"), "{listed}");
    let shown = tdg(&shop, &["show", "total"]).passes();
    assert!(shown.stdout.contains("mean 20.14, sd 5.058"), "{shown}");
    assert!(shown.stdout.contains("on a server"), "{shown}");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["pending"]).finish()), @"
    error: the expected outputs of total are on a server; run the test to fetch them, or decide without them by `cargo tdg accept total` or `cargo tdg reject total`
    (2)
    ");
    // As stored by a run that fetched them.
    let outputs: Vec<_> = (0..recorded.len())
        .map(|case| recorded.output_text(case).unwrap())
        .collect();
    let store = rusqlite::Connection::open(shop.path(".tdg/store.db")).unwrap();
    let key = format!("outputs {}", pin.digest);
    let keep = "INSERT INTO download (key, used, text) VALUES (?1, 0, ?2)";
    let text = format!("[{}]", outputs.join(","));
    store.execute(keep, (key, text)).unwrap();
    let listed = tdg(&shop, &["pending"]).finish();
    assert!(
        listed.stdout.contains("13 of 200 cases changed"),
        "{listed}"
    );
    let shown = tdg(&shop, &["show", "total"]).passes();
    assert!(!shown.stdout.contains("on a server"), "{shown}");

    let pending = shop.read(TOTAL_NEW);
    tdg(&shop, &["accept", "total"]).passes();
    assert_eq!(shop.read(TOTAL), pending);
}

#[test]
fn commands_answer_to_the_names_that_other_tools_have() {
    let shop = changed_shop();
    let said = |arguments: &[&str]| ended(&shop, &tdg(&shop, arguments).finish());
    assert_eq!(said(&["list"]), said(&["show"]));
    assert_eq!(
        said(&["diff", "total"]),
        said(&["show", "total", "--changed"])
    );
    assert_eq!(said(&["run", "--help"]), said(&["test", "--help"]));
    let (short, long) = (said(&["show", "-h"]), said(&["show", "--help"]));
    assert!(!short.contains("--manifest-path") && long.contains("--manifest-path"));
}

#[test]
fn last_bits_on_the_platform_of_the_benchmark_are_no_reason_for_a_tolerance() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let changed = || shop.pricing("total").env("FACTOR", "1.0000000000000002");
    let run = changed().fails();
    let shown = tdg(&shop, &["show", "total", "--changed"]).passes();
    for text in [run.report(), shown.stdout.clone()] {
        assert!(text.contains("computed on this platform"), "{text}");
        assert!(text.contains("have coupon = \"HALF\""), "{text}");
        assert!(!text.contains("tolerance("), "{text}");
    }
    // In a fresh clone, the platform is unknown.
    shop.remove(".tdg");
    let run = changed().fails();
    let text = run.report();
    assert!(
        text.contains("If the benchmark was recorded on another platform"),
        "{text}"
    );
}
