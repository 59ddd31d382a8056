//! The cause, the message and the effects of each verdict.

use std::fs;

use tdg_tests::{Checkout, Program, Run};

const SNAPSHOT: &str = "tests/snapshots/pricing__total.snap";

fn snapshot_files(shop: &Checkout<'_>) -> Vec<String> {
    let Ok(entries) = fs::read_dir(shop.path("tests/snapshots")) else {
        return Vec::new();
    };
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

#[test]
fn a_first_run_records_and_says_so_in_one_line() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("total").passes();
    insta::assert_snapshot!(run.stderr, @"tdg: recorded total, 200 cases, tests/snapshots/pricing__total.snap");
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap"]);
}

#[test]
fn a_run_that_is_the_same_says_nothing_and_touches_nothing() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let recorded = shop.read(SNAPSHOT);
    let written = fs::metadata(shop.path(SNAPSHOT))
        .unwrap()
        .modified()
        .unwrap();
    let run = shop.pricing("total").passes();
    assert_eq!(run.stderr, "");
    assert_eq!(shop.read(SNAPSHOT), recorded);
    let now = fs::metadata(shop.path(SNAPSHOT))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(now, written);
}

#[test]
fn a_change_fails_and_is_kept_pending() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let recorded = shop.read(SNAPSHOT);
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.said(), @"tdg: changed total, 13 of 200 cases, pending in tests/snapshots/pricing__total.snap.new");
    insta::assert_snapshot!(run.report(), @r#"
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
      … and 1 more case
      largest error 6.587 (3.0 %), median 3.209
      errors +0.4796 [▄  ▄▄ ▄ ▄▄▄  ▄ █  █    ▄] +6.587
      expected mean 112.9, sd 58.54; actual mean 116.3, sd 60.29

      see all:  cargo tdg show total --changed
      cause:    cargo tdg why
      run one:  TDG_CASES=108 cargo test total
      accept:   cargo tdg review    (or cargo insta review)
    "#);
    assert_eq!(shop.read(SNAPSHOT), recorded);
    assert_eq!(
        snapshot_files(&shop),
        ["pricing__total.snap", "pricing__total.snap.new"]
    );
}

#[test]
fn a_change_of_a_field_is_shown_by_its_pointer() {
    let shop = Program::shop().checkout();
    shop.pricing("invoice").passes();
    let run = shop.pricing("invoice").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.report(), @"
    invoice: 20 of 20 cases changed

      /price/gross: actual = 1.03 × expected in all 20

      case     amount  quantity  field          expected     actual    error
        19  17.710816         4  /price/gross  21.252980  21.890569  +0.6376  +3.0 %
        17  29.364827        11  /price/gross  35.237793  36.294926   +1.057  +3.0 %
         4  27.432540        18  /price/gross  32.919047  33.906619  +0.9876  +3.0 %
         1  14.284702         8  /price/gross  17.141643  17.655892  +0.5142  +3.0 %
        14  25.051960        12  /price/gross  30.062352  30.964222  +0.9019  +3.0 %
        10  16.982718         4  /price/gross  20.379261  20.990639  +0.6114  +3.0 %
        13  28.006776        20  /price/gross  33.608131  34.616375   +1.008  +3.0 %
        15  25.347642        14  /price/gross  30.417170  31.329685  +0.9125  +3.0 %
         2  27.339743         7  /price/gross  32.807692  33.791923  +0.9842  +3.0 %
         5  17.314405         2  /price/gross  20.777287  21.400605  +0.6233  +3.0 %
         0  22.713529        14  /price/gross  27.256235  28.073922  +0.8177  +3.0 %
         7  29.896510        17  /price/gross  35.875812  36.952087   +1.076  +3.0 %
      … and 8 more cases
      largest error 1.076 (3.0 %), median 0.7501
      errors +0.2933 [▃   ▃ ▆  ▆█  ▃▃ ▃▃▆  █ ▆] +1.076
      expected mean 25, sd 7.466; actual mean 25.75, sd 7.69

      see all:  cargo tdg show invoice --changed
      cause:    cargo tdg why
      run one:  TDG_CASES=19 cargo test invoice
      accept:   cargo tdg review    (or cargo insta review)
    ");
}

#[test]
fn a_run_that_is_the_same_again_removes_what_was_pending() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    shop.pricing("total").passes();
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap"]);
}

#[test]
fn tdg_update_always_accepts_a_change() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    let accepting = shop
        .pricing("total")
        .env("FACTOR", "1.03")
        .env("TDG_UPDATE", "always");
    insta::assert_snapshot!(accepting.passes().said(), @"tdg: accepted total, 13 of 200 cases changed, tests/snapshots/pricing__total.snap");
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap"]);
    assert_eq!(
        shop.pricing("total").env("FACTOR", "1.03").passes().stderr,
        ""
    );
    shop.pricing("total").fails();
}

#[test]
fn an_undecided_benchmark_is_reported_once() {
    let shop = Program::shop().checkout();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let git = Run::new("git", shop.folder()).arguments(&identity);
        git.arguments(arguments).passes();
    };
    let cheaper = || shop.pricing("total").env("FACTOR", "1.03").passes().said();
    let recorded = |factor: &str| {
        let run = shop.pricing("total").env("FACTOR", factor);
        run.env("TDG_DIR", "of-others")
            .env("TDG_UPDATE", "always")
            .passes();
    };
    shop.pricing("total").passes();
    let first = shop.read(SNAPSHOT);
    // The file was edited by hand.
    recorded("1.03");
    insta::assert_snapshot!(cheaper(), @"tdg: total: the outputs in tests/snapshots/pricing__total.snap were neither recorded nor accepted here; 13 of 200 differ from before; restore the file, or commit it if they are right");
    assert_eq!(cheaper(), "");
    // The store knows this benchmark.
    shop.write(SNAPSHOT, &first);
    shop.pricing("total").passes();
    // A colleague committed the file.
    recorded("1.04");
    git(&["init", "--quiet"]);
    git(&["add", "tests"]);
    git(&["commit", "--quiet", "--message", "Raise prices"]);
    let raised = || shop.pricing("total").env("FACTOR", "1.04").passes().said();
    insta::assert_snapshot!(raised(), @"tdg: total: a commit changed 13 of 200 outputs in tests/snapshots/pricing__total.snap");
    assert_eq!(raised(), "");
    // The pending change is accepted as cargo-insta does it.
    shop.pricing("total").fails();
    shop.pricing("total").env("FACTOR", "1.05").fails();
    let pending = shop.read("tests/snapshots/pricing__total.snap.new");
    shop.write(SNAPSHOT, &pending);
    let moved = shop.pricing("total").env("FACTOR", "1.05").passes();
    assert_eq!(moved.said(), "");
}

#[test]
fn a_benchmark_that_a_commit_brought_has_a_command_that_explains_it() {
    let shop = Program::shop().checkout();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let git = Run::new("git", shop.folder()).arguments(&identity);
        git.arguments(arguments).passes().stdout
    };
    let commit = || {
        git(&["add", "tests"]);
        git(&["commit", "--quiet", "--message", "Set prices"]);
        git(&["rev-parse", "HEAD"])
    };
    git(&["init", "--quiet"]);
    shop.pricing("total").passes();
    let before = commit();
    shop.pricing("total").passes();
    shop.pricing("total")
        .env("FACTOR", "1.04")
        .env("TDG_DIR", "of-others")
        .env("TDG_UPDATE", "always")
        .passes();
    commit();
    let said = shop.pricing("total").env("FACTOR", "1.04").passes().said();
    let said = said.replace(&before[..10], "<before>");
    insta::assert_snapshot!(said, @"tdg: total: a commit changed 13 of 200 outputs in tests/snapshots/pricing__total.snap; see cargo tdg show total --since <before>..");
}

#[test]
fn what_was_accepted_is_what_was_pending() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.pricing("total").env("FACTOR", "1.03").fails();
    let pending = shop.read("tests/snapshots/pricing__total.snap.new");
    shop.pricing("total")
        .env("FACTOR", "1.03")
        .env("TDG_UPDATE", "always")
        .passes();
    assert_eq!(shop.read(SNAPSHOT), pending);
}

#[test]
fn chosen_cases_are_shown_and_nothing_is_recorded() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("total").env("TDG_CASES", "3,40..42").passes();
    insta::assert_snapshot!(run.said(), @r#"
    tdg: total, cases by TDG_CASES
      case 3: amount = 20.519937315862975, quantity = 13, coupon = "HALF"
        output: 133.37959255310935
      case 40: amount = 11.640276597222826, quantity = 17, coupon = "NONE"
        output: 197.88470215278804
      case 41: amount = 10.427847947558766, quantity = 8, coupon = "NONE"
        output: 83.42278358047012
    "#);
    assert!(snapshot_files(&shop).is_empty());
    assert!(!shop.has(".tdg"));
}

#[test]
fn chosen_cases_are_compared_with_what_is_expected() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let recorded = shop.read(SNAPSHOT);
    let run = shop
        .pricing("total")
        .env("TDG_CASES", "0..200")
        .env("FACTOR", "2")
        .fails();
    assert!(run.said().contains("expected: "), "{run}");
    assert!(run.said().contains("(as expected)"), "{run}");
    insta::assert_snapshot!(run.report().lines().next().unwrap(), @"total: 13 of 200 cases changed");
    assert_eq!(shop.read(SNAPSHOT), recorded);
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap"]);
}

#[test]
fn a_fresh_clone_is_the_same_and_fills_its_store() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.remove(".tdg");
    assert_eq!(shop.pricing("total").passes().stderr, "");
    assert!(shop.has(".tdg/store.db"));
}

#[test]
fn ci_without_a_benchmark_fails_and_writes_nothing() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("total").env("CI", "1").fails();
    insta::assert_snapshot!(run.said(), @"tdg: missing total, no benchmark, nothing written (CI is set)");
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark, and this run must not record one (CI is set)

      tests/snapshots/pricing__total.snap does not exist.
      Record it where files may be written, and commit the file.

      record:  TDG_UPDATE=auto cargo test total
    ");
    assert!(snapshot_files(&shop).is_empty());
    assert!(!shop.has(".tdg"));
}

#[test]
fn ci_with_a_benchmark_passes_and_writes_nothing() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.remove(".tdg");
    assert_eq!(shop.pricing("total").env("CI", "true").passes().stderr, "");
    shop.pricing("total")
        .env("CI", "true")
        .env("FACTOR", "1.03")
        .fails();
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap"]);
    assert!(!shop.has(".tdg"));
}

#[test]
fn what_is_asked_for_beats_what_is_detected() {
    let shop = Program::shop().checkout();
    shop.pricing("total")
        .env("CI", "1")
        .env("TDG_UPDATE", "auto")
        .passes();
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap"]);
}

#[test]
fn with_tdg_update_new_a_first_run_is_pending() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("total").env("TDG_UPDATE", "new").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark, and a new one has to be accepted

      tests/snapshots/pricing__total.snap does not exist.
      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      accept:  cargo tdg review    (or cargo insta review)
    ");
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap.new"]);
}

#[test]
fn outputs_that_differ_between_two_runs_are_not_recorded() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("total").env("UNSTABLE", "1").fails();
    insta::assert_snapshot!(run.said(), @"tdg: unstable total, 200 of 200 cases: output");
    insta::assert_snapshot!(run.report(), @"
    total: unstable: 200 of 200 cases differ between two runs of the same row

      field   cases  for instance  first run  second run
      output    200  case 0              0.0       200.0

      Nothing was recorded. An output must depend on its row alone: no clock, no random numbers, no order of a hash map,
      no address, no state from earlier cases.

      run one:  TDG_CASES=0 cargo test total
    ");
    assert!(snapshot_files(&shop).is_empty());
}

#[test]
fn outputs_that_differ_between_two_runs_are_not_a_change() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let run = shop
        .pricing("total")
        .env("UNSTABLE", "1")
        .env("TDG_UPDATE", "always")
        .fails();
    assert!(run.said().starts_with("tdg: unstable total"), "{run}");
    assert_eq!(snapshot_files(&shop), ["pricing__total.snap"]);
}

#[test]
fn a_set_up_that_fails_everywhere_does_not_become_the_benchmark() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("refused").fails();
    insta::assert_snapshot!(run.report(), @r#"
    refused: invalid: this run can't be compared

      all 10 cases returned an Err, the first: {"Err":"no connection for 22.71352883427666"}

      recording them would turn a broken setup into the benchmark; make at least one row succeed
    "#);
    let run = shop.pricing("unconnected").env("UNCONNECTED", "1").fails();
    insta::assert_snapshot!(run.said(), @r#"tdg: invalid unconnected, all 10 cases panicked, the first: {"$panic":"no connection for 22.71352883427666"}"#);
    assert!(snapshot_files(&shop).is_empty());
    let run = shop.pricing("nothing_found").passes();
    insta::assert_snapshot!(run.said(), @"
    tdg: recorded nothing_found, 10 cases, tests/snapshots/pricing__nothing_found.snap
    tdg: nothing_found: all 10 outputs are equal: null; was everything set up?
    ");
}

#[test]
fn panics_are_collected_and_shown_with_their_rows() {
    let shop = Program::shop().checkout();
    let run = shop.pricing("total").env("PANIC", "1").fails();
    insta::assert_snapshot!(run.said(), @"tdg: panicked total, 17 of 200 cases");
    insta::assert_snapshot!(run.report(), @r#"
    total: 17 of 200 cases panicked

      all 17 have quantity > 18   (17 of 17 such cases panicked, 0 of the other 183)

      17 cases at src/lib.rs:9:9:
        20 of one thing are not in stock
        … and 1 more message
        case              amount  quantity  coupon
           2  20.888769667349056        20  "TENTH"
          12   21.77036786766014        19  "NONE"
          14  12.487674122725808        19  "NONE"
          24  17.256255180526335        20  "HALF"
          34  22.349363450501976        19  "TENTH"
          37  14.802477227370506        19  "TENTH"
        … and 11 more cases

      run one:  TDG_CASES=2 cargo test total
      record:   panics = "record" in the attribute, if these rows should make it panic
    "#);
    assert!(snapshot_files(&shop).is_empty());
}

#[test]
fn panics_do_not_hide_what_else_changed() {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let run = shop
        .pricing("total")
        .env("PANIC", "1")
        .env("FACTOR", "2")
        .fails();
    insta::assert_snapshot!(run.report().lines().next().unwrap(), @"total: 17 of 200 cases panicked, and 12 others changed");
    assert_eq!(
        snapshot_files(&shop),
        ["pricing__total.snap", "pricing__total.snap.new"]
    );
}

#[test]
fn another_size_compares_the_common_rows_first() {
    let shop = Program::shop().checkout();
    shop.pricing("by_the_environment").passes();
    let run = shop.pricing("by_the_environment").env("SIZE", "12").fails();
    insta::assert_snapshot!(run.said(), @"tdg: inputs changed by_the_environment, size, pending in tests/snapshots/pricing__by_the_environment.snap.new");
    insta::assert_snapshot!(run.report(), @"
    by_the_environment: inputs changed: size

            benchmark  now
      size         10   12

      The outputs for the 10 recorded rows are the same as before.
      pending: 12 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    ");
}

#[test]
fn another_seed_is_another_input() {
    let shop = Program::shop().checkout();
    shop.pricing("by_the_environment").passes();
    let run = shop.pricing("by_the_environment").env("SEED", "8").fails();
    insta::assert_snapshot!(run.report(), @"
    by_the_environment: inputs changed: seed

            benchmark  now
      seed          0    8

      The outputs for the 10 recorded rows are the same as before.
      pending: 10 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    ");
}

#[test]
fn another_definition_is_another_input_until_it_is_accepted() {
    let shop = Program::shop().checkout();
    shop.pricing("by_the_environment").passes();
    shop.edit("definitions/orders.json", "\"max\": 20", "\"max\": 30");
    let run = shop.pricing("by_the_environment").fails();
    insta::assert_snapshot!(run.report(), @"
    by_the_environment: inputs changed: definition

                                             benchmark  now
      definition /quantity/distribution/max         20   30

      The outputs for the 10 recorded rows are the same as before.
      pending: 10 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    ");
    shop.pricing("by_the_environment")
        .env("TDG_UPDATE", "always")
        .passes();
    assert_eq!(shop.pricing("by_the_environment").passes().stderr, "");
}

#[test]
fn a_definition_that_is_only_written_differently_is_the_same() {
    let shop = Program::shop().checkout();
    shop.pricing("by_the_environment").passes();
    shop.edit(
        "definitions/orders.json",
        "\"mu\": 20, \"sigma\": 5",
        "\"stddev\": 5.0,\n \"mean\": 2e1",
    );
    assert_eq!(shop.pricing("by_the_environment").passes().stderr, "");
}

#[test]
fn a_tolerated_difference_passes_and_never_replaces_the_benchmark() {
    let shop = Program::shop().checkout();
    shop.pricing("tolerant").passes();
    let recorded = shop.read("tests/snapshots/pricing__tolerant.snap");
    let run = shop
        .pricing("tolerant")
        .env("FACTOR", "1.04")
        .env("TDG_UPDATE", "always")
        .passes();
    assert_eq!(run.stderr, "");
    assert_eq!(
        shop.read("tests/snapshots/pricing__tolerant.snap"),
        recorded
    );
    shop.pricing("tolerant").env("FACTOR", "1.08").fails();
}

#[test]
fn a_test_against_another_function_leaves_nothing_behind() {
    let shop = Program::shop().checkout();
    assert_eq!(shop.pricing("against").passes().stderr, "");
    let changed = || shop.pricing("against").env("FACTOR", "1.03");
    let run = changed().env("TDG_UPDATE", "always").fails();
    insta::assert_snapshot!(run.said(), @"tdg: changed against, 13 of 200 cases differ from old_total");
    assert!(!run.report().contains("accept:"), "{run}");
    assert_eq!(snapshot_files(&shop), [""; 0]);
    assert!(!shop.path(".tdg/store.db").exists());
    let run = changed().env("TDG_CASES", "107,108").fails();
    insta::assert_snapshot!(run.said(), @r#"
    tdg: against, cases by TDG_CASES
      case 107: amount = 21.28321634152444, quantity = 5, coupon = "NONE"
        output: 106.4160817076222 (as expected)
      case 108: amount = 15.988252576854773, quantity = 2, coupon = "HALF"
        output:   16.467900154160418
        expected: 15.988252576854773
    tdg: changed against, 1 of 2 cases differs from old_total
    "#);

    shop.write(PENDING_AGAINST, "");
    let run = shop.pricing("against").fails();
    assert!(run.report().contains("delete it: rm tests/"), "{run}");
}

const PENDING_AGAINST: &str = "tests/snapshots/pricing__against.snap.new";
