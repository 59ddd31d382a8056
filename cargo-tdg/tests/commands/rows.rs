//! A test over the rows of a file, which are matched by content.

use super::{Project, tdg};
use crate::terminal::Terminal;

const MANIFEST: &str = r#"[package]
name = "rows-of-a-file"
version = "0.1.0"
edition = "2024"

[workspace]

[dev-dependencies]
tdg = { path = "{tdg}" }

[profile.dev]
debug = 0
"#;

const TEST: &str = r#"#[tdg::ensemble_test(rows = "cases.csv")]
fn total(amount: f64, quantity: u32, coupon: Option<&str>) -> f64 {
    let gross = amount * f64::from(quantity);
    match coupon {
        Some("HALF") => gross * 0.5,
        _ => gross,
    }
}
"#;

const CASES: &str = "\
id,amount,quantity,coupon
1,10,1,HALF
2,20,2,
3,30,3,HALF
4,40,4,TENTH
";

const FILE: &str = "tests/orders.rs";
const SNAPSHOT: &str = "tests/snapshots/orders__total.snap";

#[test]
fn rows_of_a_file_are_matched_by_content() {
    let shop = Project::new(&[("Cargo.toml", MANIFEST), (FILE, TEST), ("cases.csv", CASES)]);
    let test = || shop.cargo(&["test"]);
    insta::assert_snapshot!(test().passes().said(), @"");
    let recorded = shop.read(SNAPSHOT);
    insta::assert_snapshot!(recorded.lines().skip(5).collect::<Vec<_>>().join("\n"), @"");

    let reordered = "\
coupon,amount,quantity
TENTH,40,4
HALF,30,3
,20,2
HALF,10,1
";
    shop.write("cases.csv", reordered);
    assert_eq!(test().passes().said(), "");
    assert_eq!(shop.read(SNAPSHOT), recorded);
    shop.edit(FILE, "gross * 0.5", "gross * 0.6");
    insta::assert_snapshot!(test().fails().said(), @"");

    let inserted = CASES
        .replace("2,20,2,\n", "2,20,2,\n5,25,1,HALF\n")
        .replace("4,40,4,TENTH\n", "");
    shop.write("cases.csv", &inserted);
    insta::assert_snapshot!(test().fails().report(), @"");
    insta::assert_snapshot!(tdg(&shop, &["show", "total", "--changed"]).passes().stdout, @"");
    insta::assert_snapshot!(tdg(&shop, &["show", "total"]).passes().stdout, @"");
    tdg(&shop, &["history", "total"]).passes();
    let mut review = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    review.sees("1 row added, 1 removed");
    review.press("q");
    review.ends_with();

    shop.edit(FILE, "gross * 0.6", "gross * 0.5");
    insta::assert_snapshot!(test().fails().report(), @"");
    tdg(&shop, &["accept", "total"]).passes();
    assert_eq!(test().passes().said(), "");
    insta::assert_snapshot!(shop.read(SNAPSHOT).lines().skip(5).collect::<Vec<_>>().join("\n"), @"");
}
