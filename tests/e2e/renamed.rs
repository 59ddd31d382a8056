//! A test that was renamed doesn't record anew in silence.

use tdg_tests::{Checkout, Program};

const TOTAL: &str = "tests/snapshots/pricing__total.snap";
const FORMER: &str = "tests/snapshots/pricing__former.snap";

/// A shop in which `total` was called `former` when its benchmark was recorded.
fn shop_with_a_renamed_test() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    let former = shop.read(TOTAL).replace("total", "former");
    shop.write(FORMER, &former);
    shop.remove(TOTAL);
    shop
}

#[test]
#[ignore = "D5: a renamed test records a regression as its benchmark"]
fn a_regression_under_a_rename_is_not_recorded() {
    let shop = shop_with_a_renamed_test();
    let run = shop.pricing("total").env("FACTOR", "1.03").fails();
    assert!(run.report().starts_with("total: missing"), "{run}");
    assert!(!shop.has(TOTAL));
}
