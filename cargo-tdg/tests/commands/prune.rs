//! `cargo tdg prune`.

use crate::{changed_shop, tdg};

#[test]
fn the_outputs_of_former_benchmarks_are_removed_and_their_history_stays() {
    let shop = changed_shop();
    let prune = |arguments: &[&str]| {
        tdg(&shop, &[&["prune"], arguments].concat())
            .passes()
            .stdout
    };
    let history = || tdg(&shop, &["history", "total"]).passes().stdout;
    let nothing = "The store has no outputs of former benchmarks.\n";
    assert_eq!(prune(&[]), nothing);
    tdg(&shop, &["accept", "total"]).passes();
    let before = history();
    let foreseen = prune(&["--dry-run"]);
    assert!(foreseen.starts_with("would remove the outputs of 1 former benchmark, "));
    assert_eq!(prune(&[]), foreseen.replace("would remove", "removed"));
    assert_eq!(prune(&[]), nothing);
    assert_eq!(history(), before);
    shop.pricing("total").env("FACTOR", "1.03").passes();
}
