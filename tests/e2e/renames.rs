//! A renamed test doesn't silently record a new benchmark.

use tdg_tests::{Checkout, Program, Run};

const TOTAL: &str = "tests/snapshots/pricing__total.snap";
const TOTAL_NEW: &str = "tests/snapshots/pricing__total.snap.new";
const FORMER: &str = "tests/snapshots/pricing__former.snap";

/// Returns a shop in which `total` had another name when its benchmark was recorded.
fn shop_with_a_renamed_test() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    record_as(&shop, "total", "former");
    shop
}

/// Records the benchmark of a test under a former name.
fn record_as(shop: &Checkout<'_>, test: &str, former: &str) {
    shop.pricing(test).passes();
    let recorded = format!("tests/snapshots/pricing__{test}.snap");
    let text = shop.read(&recorded).replace(test, former);
    shop.write(&format!("tests/snapshots/pricing__{former}.snap"), &text);
    shop.remove(&recorded);
    std::fs::remove_dir_all(shop.path(".tdg")).unwrap();
}

#[test]
fn a_regression_under_a_rename_is_not_recorded() {
    let shop = shop_with_a_renamed_test();
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is no longer in tests/pricing.rs. Its benchmark tests/snapshots/pricing__former.snap has the same rows, and
      13 of its 200 outputs differ from this run's.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename former total
                   (or git mv tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap)
      a new test:  cargo tdg review    (or cargo insta review)
      left over:   git rm tests/snapshots/pricing__former.snap
    ");
    assert!(!shop.has(TOTAL));
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn a_rename_alone_is_reported_with_its_equal_outputs() {
    let shop = shop_with_a_renamed_test();
    let run = shop.pricing("total").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is no longer in tests/pricing.rs. Its benchmark tests/snapshots/pricing__former.snap has the same rows, and
      its outputs match this run's.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename former total
                   (or git mv tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap)
      a new test:  cargo tdg review    (or cargo insta review)
      left over:   git rm tests/snapshots/pricing__former.snap
    ");
    insta::assert_snapshot!(run.said(), @"tdg: missing total, no benchmark, perhaps renamed from former, pending in tests/snapshots/pricing__total.snap.new");

    // Nothing is pending if nothing may be written.
    shop.remove(TOTAL_NEW);
    let run = shop.pricing("total").env("CI", "1").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is no longer in tests/pricing.rs. Its benchmark tests/snapshots/pricing__former.snap has the same rows, and
      its outputs match this run's.

      This run writes nothing (CI is set).

      renamed:    cargo tdg rename former total
                  (or git mv tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap)
      left over:  git rm tests/snapshots/pricing__former.snap
    ");
    assert!(!shop.has(TOTAL_NEW));
}

#[test]
fn each_way_out_leads_to_a_run_that_passes() {
    let shop = shop_with_a_renamed_test();
    shop.pricing("total").fails();
    shop.write(TOTAL, &shop.read(FORMER));
    shop.remove(FORMER);
    assert_eq!(shop.pricing("total").passes().said(), "");
    assert!(!shop.has(TOTAL_NEW));

    let shop = shop_with_a_renamed_test();
    shop.pricing("total").fails();
    shop.remove(FORMER);
    insta::assert_snapshot!(shop.pricing("total").passes().said(), @"tdg: recorded total, 200 cases, tests/snapshots/pricing__total.snap");
    assert!(!shop.has(TOTAL_NEW));

    let shop = shop_with_a_renamed_test();
    shop.pricing("total").env("TDG_UPDATE", "always").passes();
}

#[test]
fn several_candidates_are_distinguished_by_their_outputs() {
    let shop = shop_with_a_renamed_test();
    let former = shop.read(FORMER);
    let other = former.replace("former", "older");
    let (lines, last) = other.trim_end().rsplit_once('\n').unwrap();
    let (row, _) = last.rsplit_once(',').unwrap();
    shop.write(
        "tests/snapshots/pricing__older.snap",
        &format!("{lines}\n{row},0.5]\n"),
    );
    let run = shop.pricing("total").fails();
    assert!(
        run.report().contains("`former`") && !run.report().contains("`older`"),
        "{run}"
    );

    // If none is equal, all are listed.
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark; was another test renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is no longer in tests/pricing.rs. Its benchmark tests/snapshots/pricing__former.snap has the same rows, and
      13 of its 200 outputs differ from this run's.
      `older` is no longer in tests/pricing.rs. Its benchmark tests/snapshots/pricing__older.snap has the same rows, and
      14 of its 200 outputs differ from this run's.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename former total
                   cargo tdg rename older total
      a new test:  cargo tdg review    (or cargo insta review)
      left over:   git rm tests/snapshots/pricing__former.snap
                   git rm tests/snapshots/pricing__older.snap
    ");
}

#[test]
fn a_test_may_come_from_another_source_file() {
    let shop = shop_with_a_renamed_test();
    shop.write("src/snapshots/gone__tests__former.snap", &shop.read(FORMER));
    shop.remove(FORMER);
    let run = shop.pricing("total").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark; was `gone::tests::former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `gone::tests::former` is no longer in src/gone.rs. Its benchmark src/snapshots/gone__tests__former.snap has the same
      rows, and its outputs match this run's.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename gone::tests::former total
                   (or git mv src/snapshots/gone__tests__former.snap tests/snapshots/pricing__total.snap)
      a new test:  cargo tdg review    (or cargo insta review)
      left over:   git rm src/snapshots/gone__tests__former.snap
    ");
}

#[test]
fn a_move_from_another_package_carries_no_regression_past_a_test() {
    let shop = shop_with_a_renamed_test();
    let recorded = shop.read(FORMER);
    shop.write("other/Cargo.toml", "");
    shop.write("other/tests/snapshots/pricing__former.snap", &recorded);
    shop.remove(FORMER);
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is no longer in other/tests/pricing.rs. Its benchmark other/tests/snapshots/pricing__former.snap has the
      same rows, and 13 of its 200 outputs differ from this run's.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     git mv other/tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap
      a new test:  cargo tdg review    (or cargo insta review)
      left over:   git rm other/tests/snapshots/pricing__former.snap
    ");

    // Its test exists.
    shop.write("other/tests/pricing.rs", "#[ensemble_test] fn former() {}");
    shop.pricing("total").passes();
}

#[test]
fn an_update_that_accepts_everything_says_past_which_benchmark_it_records() {
    let shop = shop_with_a_renamed_test();
    let run = shop.pricing("total").env("FACTOR", "1.03");
    let run = run.env("TDG_UPDATE", "always").passes();
    insta::assert_snapshot!(run.said(), @"
    tdg: recorded total, 200 cases, tests/snapshots/pricing__total.snap
    tdg: total was recorded anyway. `former` is no longer in tests/pricing.rs. Its benchmark tests/snapshots/pricing__former.snap has the same rows, and 13 of its 200 outputs differ from this run's.
    ");
}

/// Returns a checkout in which a test of `before` was recorded under this name.
fn recorded_before(test: &str, name: &str) -> Checkout<'static> {
    let checkout = Program::renames().checkout();
    checkout.test("before", &["--exact", test]).passes();
    assert!(checkout.has(&before(name)), "{name}");
    checkout
}

fn before(name: &str) -> String {
    format!("tests/snapshots/before__{name}.snap")
}

fn after(name: &str) -> String {
    format!("tests/snapshots/after__{name}.snap")
}

/// Makes a file older than the test binaries.
fn age(checkout: &Checkout<'_>, file: &str) {
    let file = std::fs::File::options()
        .append(true)
        .open(checkout.path(file));
    file.unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
}

/// Turns a test of `after` into one that `before` had, before the binary was built.
fn rename_source(checkout: &Checkout<'_>, name: &str) {
    checkout.write(&after(name), &checkout.read(&before(name)));
    checkout.remove(&before(name));
    age(checkout, &after(name));
}

/// Runs a test of `after` whose function has a regression.
fn regressed(checkout: &Checkout<'_>, test: &str) -> Run {
    let run = checkout.test("after", &["--exact", test]);
    run.env("BUG", "1")
}

/// Returns the part of a report about a former test.
fn about_former(report: &str) -> String {
    let lines = report.lines().map(str::trim);
    let begins = |line: &&str| !line.starts_with('`') && !line.starts_with("The store has");
    let lines = lines.skip_while(begins).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn no_rename_in_a_source_file_carries_a_regression_past_its_test() {
    let pairs = [
        ("plain", "plain", "simple"),
        ("taken", "taken", "taken_over"),
        ("price_gross", "price_gross", "price_net"),
        ("mac_a", "mac_a", "mac_b"),
        ("with_qty", "with_qty", "with_quantity"),
        ("narrow", "narrow", "wide"),
        ("gross::of_order", "gross__of_order", "net::of_order"),
        ("drawn", "drawn", "redrawn"),
        ("named", "the_old_name", "named"),
        ("labelled", "labelled", "labelled"),
        ("gross::converted", "gross__converted", "gross::converted"),
    ];
    let said = pairs.map(|(old, file, new)| {
        let checkout = recorded_before(old, file);
        rename_source(&checkout, file);
        let run = regressed(&checkout, new).fails();
        format!("{new}: {}\n", about_former(&run.report()))
    });
    insta::assert_snapshot!(said.concat(), @"
    simple: `plain` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__plain.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    taken_over: `taken` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__taken.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    price_net: `price_gross` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__price_gross.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    mac_b: `mac_a` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__mac_a.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    with_quantity: `with_qty` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__with_qty.snap has other rows; on these, with `qty` as `quantity`, 8 of its 50 outputs differ from this run's.
    wide: `narrow` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__narrow.snap has other rows; on these, 8 of its 50 outputs differ from this run's.
    net::of_order: `gross::of_order` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__gross__of_order.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    redrawn: `drawn` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__drawn.snap has other rows; on these, 8 of its 50 outputs differ from this run's.
    named: `the old name` may no longer be in tests/after.rs: names of tests are built there at run time. Its benchmark tests/snapshots/after__the_old_name.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    labelled: `labelled` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__labelled.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    gross::converted: `gross::converted` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__gross__converted.snap has the same rows, and 8 of its 50 outputs differ from this run's.
    ");
}

#[test]
fn a_test_whose_source_file_was_renamed_is_found() {
    let checkout = recorded_before("drawn", "drawn");
    checkout.remove("tests/before.rs");
    let run = regressed(&checkout, "redrawn").fails();
    insta::assert_snapshot!(about_former(&run.report()), @"`drawn` is no longer in tests/before.rs. Its benchmark tests/snapshots/before__drawn.snap has other rows; on these, 8 of its 50 outputs differ from this run's.");
}

#[test]
fn a_test_that_moved_to_another_binary_is_found_by_its_rows() {
    let checkout = recorded_before("moved", "moved");
    age(&checkout, &before("moved"));
    // Both the old and the new test exist.
    checkout.test("after", &["--exact", "moved"]).passes();
    checkout.remove(&after("moved"));
    std::fs::remove_dir_all(checkout.path(".tdg")).unwrap();

    checkout.edit("tests/before.rs", "fn moved(", "fn another(");
    let run = regressed(&checkout, "moved").fails();
    insta::assert_snapshot!(about_former(&run.report()), @"`moved` may no longer be in tests/before.rs: another test binary may have it. Its benchmark tests/snapshots/before__moved.snap has the same rows, and 8 of its 50 outputs differ from this run's.");
    // A benchmark of another binary with other rows is ignored.
    checkout.test("after", &["--exact", "unrelated"]).passes();
}

#[test]
fn a_name_that_is_built_at_run_time_is_there_if_its_run_was_in_this_build() {
    let checkout = recorded_before("built", "by_the_dozen");
    for unit in ["piece", "dozen"] {
        rename_source(&checkout, &format!("by_the_{unit}"));
    }
    // Their files are as new as if this build had recorded them.
    for unit in ["piece", "dozen"] {
        let file = after(&format!("by_the_{unit}"));
        checkout.write(&file, &checkout.read(&file));
    }
    checkout.test("after", &["--exact", "built"]).passes();

    checkout.remove(&after("by_the_score"));
    std::fs::remove_dir_all(checkout.path(".tdg")).unwrap();
    for unit in ["piece", "dozen"] {
        age(&checkout, &after(&format!("by_the_{unit}")));
    }
    let run = regressed(&checkout, "built").fails();
    insta::assert_snapshot!(about_former(&run.report()), @"`by the dozen` may no longer be in tests/after.rs: names of tests are built there at run time. Its benchmark tests/snapshots/after__by_the_dozen.snap has the same rows, and 8 of its 50 outputs differ from this run's. `by the piece` may no longer be in tests/after.rs: names of tests are built there at run time. Its benchmark tests/snapshots/after__by_the_piece.snap has the same rows, and 8 of its 50 outputs differ from this run's.");
}

#[test]
fn a_new_test_next_to_others_is_recorded() {
    let checkout = recorded_before("plain", "plain");
    for test in ["unrelated", "simple", "mac_b", "net::of_order"] {
        checkout.test("after", &["--exact", test]).passes();
        age(&checkout, &after(&test.replace("::", "__")));
    }
    // One isn't compiled and has other outputs, and one has an explicit name.
    let other = checkout
        .read(&after("simple"))
        .replace("simple", "not_compiled")
        .replace("]\n", "0]\n");
    checkout.write(&after("not_compiled"), &other);
    checkout.test("after", &["--exact", "named"]).passes();
    checkout.test("after", &["--exact", "price_net"]).passes();
    // Run all tests at once, in one process.
    checkout.test("after", &[]).passes();
}

#[test]
fn a_function_that_is_no_longer_compiled_hides_no_rename() {
    let checkout = recorded_before("plain", "plain");
    let recorded = checkout.read(&before("plain"));
    checkout.write(
        &after("not_compiled"),
        &recorded.replace("plain", "not_compiled"),
    );
    checkout.remove(&before("plain"));
    age(&checkout, &after("not_compiled"));
    let run = regressed(&checkout, "simple").fails();
    insta::assert_snapshot!(about_former(&run.report()), @"`not_compiled` may no longer be in tests/after.rs: a function of that name exists, but not compiled. Its benchmark tests/snapshots/after__not_compiled.snap has the same rows, and 8 of its 50 outputs differ from this run's.");
}

#[test]
fn a_leftover_benchmark_is_reported_for_every_new_test_of_its_features() {
    let checkout = recorded_before("plain", "plain");
    rename_source(&checkout, "plain");
    let features = checkout.read(&after("plain"));
    checkout.write(&after("plain"), &features.replace("qty", "digit"));
    age(&checkout, &after("plain"));
    let run = checkout.test("after", &["--exact", "unrelated"]).fails();
    insta::assert_snapshot!(run.report(), @"
    unrelated: missing: no benchmark; was `plain` renamed to this?

      tests/snapshots/after__unrelated.snap does not exist.

      `plain` is no longer in tests/after.rs. Its benchmark tests/snapshots/after__plain.snap has other rows, and no
      output was compared.

      The outputs are pending in tests/snapshots/after__unrelated.snap.new.

      renamed:     cargo tdg rename plain unrelated
                   (or git mv tests/snapshots/after__plain.snap tests/snapshots/after__unrelated.snap)
      a new test:  cargo tdg review    (or cargo insta review)
      left over:   git rm tests/snapshots/after__plain.snap
    ");
    checkout.remove(&after("plain"));
    checkout.test("after", &["--exact", "unrelated"]).passes();
}

#[test]
fn a_benchmark_of_other_features_and_outputs_is_unrelated_to_a_new_test() {
    let checkout = recorded_before("plain", "plain");
    rename_source(&checkout, "plain");
    let run = checkout.test("after", &["--exact", "unrelated"]).passes();
    insta::assert_snapshot!(run.said(), @"tdg: recorded unrelated, 50 cases, tests/snapshots/after__unrelated.snap");
}

#[test]
fn a_file_that_was_deleted_is_recorded_again_if_its_outputs_are_the_same() {
    let checkout = recorded_before("narrow", "narrow");
    let recorded = checkout.read(&before("narrow"));
    checkout.remove(&before("narrow"));
    checkout.test("before", &["--exact", "narrow"]).passes();
    assert_eq!(checkout.read(&before("narrow")), recorded);

    checkout.remove(&before("narrow"));
    let run = || {
        checkout
            .test("before", &["--exact", "narrow"])
            .env("BUG", "1")
    };
    insta::assert_snapshot!(run().fails().report(), @"
    narrow: missing: no benchmark, but the store has a former one

      tests/snapshots/before__narrow.snap does not exist.

      The store has a former benchmark of this test, with the same rows, and 8 of its 50 outputs differ from this run's.

      The outputs are pending in tests/snapshots/before__narrow.snap.new.

      restore:  git restore tests/snapshots/before__narrow.snap
      accept:   cargo tdg review    (or cargo insta review)
    ");
    assert!(!checkout.has(&before("narrow")));
    insta::assert_snapshot!(run().env("TDG_UPDATE", "always").passes().said(), @"tdg: recorded narrow, 50 cases, tests/snapshots/before__narrow.snap");
}

#[test]
fn in_the_store_alone_a_rename_is_found_by_its_rows() {
    let checkout = Program::renames().checkout();
    checkout.write("tdg.toml", "snapshots = false\n");
    checkout.test("before", &["--exact", "plain"]).passes();
    checkout.test("after", &["--exact", "unrelated"]).passes();
    checkout.edit("tests/before.rs", "fn plain(", "fn another(");
    let run = regressed(&checkout, "simple").fails();
    insta::assert_snapshot!(run.report(), @"
    simple: missing: no benchmark; was `plain` renamed to this?

      The store has none for this test.

      `plain` is no longer in tests/before.rs. Its benchmark in the store has the same rows, and 8 of its 50 outputs
      differ from this run's.

      The outputs are pending in the store.

      renamed:     cargo tdg rename plain simple
      a new test:  cargo tdg review
    ");
}
