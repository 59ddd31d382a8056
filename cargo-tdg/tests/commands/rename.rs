//! Tests that were renamed.

use tdg_tests::{Checkout, Program};

use crate::{TOTAL, tdg};

const RENAMED: &str = "tests/snapshots/pricing__after__moved__renamed.snap";

/// A shop in which `total` became `after::moved::renamed`, and git moved its file.
fn shop_after_git_mv() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("total").passes();
    shop.write(RENAMED, &shop.read(TOTAL));
    shop.remove(TOTAL);
    shop
}

#[test]
fn after_git_mv_every_command_knows_the_new_name() {
    let shop = shop_after_git_mv();
    shop.pricing("after::moved::renamed").passes();
    shop.pricing("after::moved::renamed")
        .env("FACTOR", "1.03")
        .fails();
    for command in [
        &["show", "after::moved::renamed", "--changed"][..],
        &["history", "after::moved::renamed"],
        &["accept", "after::moved::renamed"],
    ] {
        tdg(&shop, command).passes();
    }
    shop.pricing("after::moved::renamed")
        .env("FACTOR", "1.03")
        .passes();
}
