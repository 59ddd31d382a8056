//! A test that was renamed doesn't record anew in silence.

use tdg_tests::{Checkout, Program};

const TOTAL: &str = "tests/snapshots/pricing__total.snap";
const TOTAL_NEW: &str = "tests/snapshots/pricing__total.snap.new";
const FORMER: &str = "tests/snapshots/pricing__former.snap";

/// A shop in which `total` had another name when its benchmark was recorded.
fn shop_with_a_renamed_test() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    record_as(&shop, "total", "former");
    shop
}

/// Records the benchmark of a test, as if it had another name.
fn record_as(shop: &Checkout<'_>, test: &str, former: &str) {
    shop.pricing(test).passes();
    let recorded = format!("tests/snapshots/pricing__{test}.snap");
    let text = shop.read(&recorded).replace(test, former);
    shop.write(&format!("tests/snapshots/pricing__{former}.snap"), &text);
    shop.remove(&recorded);
}

#[test]
fn a_regression_under_a_rename_is_not_recorded() {
    let shop = shop_with_a_renamed_test();
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: there is no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is not in tests/pricing.rs any more. Its benchmark tests/snapshots/pricing__former.snap has the same rows,
      and 13 of its 200 outputs are not those of this run.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename former total
                   (without history: git mv tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap)
      a new test:  remove tests/snapshots/pricing__former.snap and run the test again
      accept:      cargo tdg review    (or cargo insta review)
    ");
    assert!(!shop.has(TOTAL));
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn a_rename_alone_is_reported_with_its_equal_outputs() {
    let shop = shop_with_a_renamed_test();
    let run = shop.pricing("total").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: there is no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is not in tests/pricing.rs any more. Its benchmark tests/snapshots/pricing__former.snap has the same rows,
      and its outputs are those of this run.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename former total
                   (without history: git mv tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap)
      a new test:  remove tests/snapshots/pricing__former.snap and run the test again
      accept:      cargo tdg review    (or cargo insta review)
    ");
    insta::assert_snapshot!(run.said(), @"tdg: missing total, no benchmark, perhaps renamed from former, pending in tests/snapshots/pricing__total.snap.new");

    // Nothing is pending where nothing may be written.
    shop.remove(TOTAL_NEW);
    let run = shop.pricing("total").env("CI", "1").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: there is no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is not in tests/pricing.rs any more. Its benchmark tests/snapshots/pricing__former.snap has the same rows,
      and its outputs are those of this run.

      This run writes nothing (CI is set).

      renamed:     cargo tdg rename former total
                   (without history: git mv tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap)
      a new test:  remove tests/snapshots/pricing__former.snap and run the test again
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
fn several_candidates_are_told_apart_by_their_outputs() {
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

    // None is equal: all are listed.
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: there is no benchmark; was another test renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is not in tests/pricing.rs any more. Its benchmark tests/snapshots/pricing__former.snap has the same rows,
      and 13 of its 200 outputs are not those of this run.
      `older` is not in tests/pricing.rs any more. Its benchmark tests/snapshots/pricing__older.snap has the same rows,
      and 14 of its 200 outputs are not those of this run.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:  cargo tdg rename former total
                cargo tdg rename older total
      accept:   cargo tdg review    (or cargo insta review)
    ");
}

#[test]
fn a_rename_together_with_other_rows_is_seen_in_the_same_source_file() {
    let shop = Program::shop().checkout();
    record_as(&shop, "invoice", "former");
    let run = shop.pricing("total").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: there is no benchmark; was `former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `former` is not in tests/pricing.rs any more. Its benchmark tests/snapshots/pricing__former.snap has other rows of
      the same features or definition file, so no output was compared.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename former total
                   (without history: git mv tests/snapshots/pricing__former.snap tests/snapshots/pricing__total.snap)
      a new test:  remove tests/snapshots/pricing__former.snap and run the test again
      accept:      cargo tdg review    (or cargo insta review)
    ");

    // In another source file only the same rows count.
    shop.write(
        "tests/gone/snapshots/pricing__former.snap",
        &shop.read(FORMER),
    );
    shop.remove(FORMER);
    shop.pricing("total").passes();
}

#[test]
fn a_test_may_come_from_another_source_file() {
    let shop = shop_with_a_renamed_test();
    shop.write("src/snapshots/gone__tests__former.snap", &shop.read(FORMER));
    shop.remove(FORMER);
    let run = shop.pricing("total").fails();
    insta::assert_snapshot!(run.report(), @"
    total: missing: there is no benchmark; was `gone::tests::former` renamed to this?

      tests/snapshots/pricing__total.snap does not exist.

      `gone::tests::former` is not in src/gone.rs any more. Its benchmark src/snapshots/gone__tests__former.snap has the
      same rows, and its outputs are those of this run.

      The outputs are pending in tests/snapshots/pricing__total.snap.new.

      renamed:     cargo tdg rename gone::tests::former total
                   (without history: git mv src/snapshots/gone__tests__former.snap tests/snapshots/pricing__total.snap)
      a new test:  remove src/snapshots/gone__tests__former.snap and run the test again
      accept:      cargo tdg review    (or cargo insta review)
    ");
}

#[test]
fn a_test_that_may_still_exist_is_left_alone() {
    let shop = Program::shop().checkout();
    record_as(&shop, "total", "former");
    let source = shop.read("tests/pricing.rs");
    for more in [
        "#[tdg::ensemble_test(definition = \"a.json\")] fn former() {}",
        "generate! { former }",
        "fn f() { EnsembleTest::new(format!(\"x_{k}\")); }",
        "fn f() { EnsembleTest::new(\"former\"); }",
    ] {
        shop.write("tests/pricing.rs", &format!("{source}{more}\n"));
        shop.pricing("total").passes();
        shop.remove(TOTAL);
    }
    shop.write("tests/pricing.rs", &format!("{source}fn former() {{}}\n"));
    shop.pricing("total").fails();
}

#[test]
fn attributes_of_definitions_and_parameters_hide_no_rename() {
    let shop = Program::shop().checkout();
    record_as(&shop, "total", "max_price");
    let source = shop.read("tests/pricing.rs");
    let more = r#"
        #[derive(Define, Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Order {
            #[define(uniform(min = 1, max = 9))]
            quantity: f64,
            #[serde(rename = "max_price")]
            limit: f64,
        }
        fn cost(#[feature("unit price")] price: f64) -> f64 { price }
    "#;
    shop.write("tests/pricing.rs", &format!("{source}{more}"));
    let run = shop.pricing("total").fails();
    assert!(
        run.report().contains("was `max_price` renamed to this?"),
        "{run}"
    );
}
