//! A test with rows from a file, which are matched by content.

use super::{Project, tdg};
use crate::terminal::Terminal;

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
    let shop = Project::package("rows-of-a-file", &[(FILE, TEST), ("cases.csv", CASES)]);
    // Without inputs in snapshot files, only the file has the rows.
    shop.write("tdg.toml", "inputs = false\n");
    let test = || shop.cargo(&["test"]);
    insta::assert_snapshot!(test().passes().said(), @"tdg: recorded total, 4 cases, tests/snapshots/orders__total.snap");
    let recorded = shop.read(SNAPSHOT);
    insta::assert_snapshot!(recorded.lines().skip(5).collect::<Vec<_>>().join("\n"), @r#"
    [[10.0,1,"HALF"],5.0]
    [[20.0,2,null],40.0]
    [[30.0,3,"HALF"],45.0]
    [[40.0,4,"TENTH"],160.0]
    "#);

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
    insta::assert_snapshot!(test().fails().said(), @"tdg: changed total, 2 of 4 cases, pending in tests/snapshots/orders__total.snap.new");

    let inserted = CASES
        .replace("2,20,2,\n", "2,20,2,\n5,25,1,HALF\n")
        .replace("4,40,4,TENTH\n", "");
    shop.write("cases.csv", &inserted);
    insta::assert_snapshot!(test().fails().report(), @r#"
    total: on the recorded rows, 2 of 4 cases changed; inputs changed: rows

      case  amount  quantity  coupon  expected  actual  error
         2    30.0         3  "HALF"      45.0    54.0     +9  +20.0 %
         0    10.0         1  "HALF"       5.0     6.0     +1  +20.0 %
      largest error 9 (20.0 %), median 5

                         benchmark                     now
      rows of cases.csv     4 rows  1 row added, 1 removed

      pending: 4 new rows, with their outputs

      run one:  TDG_CASES=2 cargo test total
      accept:   cargo tdg review    (or cargo insta review)
    "#);
    insta::assert_snapshot!(tdg(&shop, &["show", "total", "--changed"]).passes().stdout, @r#"
    total: on the recorded rows, 2 of 4 cases changed; inputs changed: rows

      case  amount  quantity  coupon  expected  actual  error
         2    30.0         3  "HALF"      45.0    54.0     +9  +20.0 %
         0    10.0         1  "HALF"       5.0     6.0     +1  +20.0 %
      largest error 9 (20.0 %), median 5

                         benchmark                     now
      rows of cases.csv     4 rows  1 row added, 1 removed

      pending: 4 new rows, with their outputs
    "#);
    insta::assert_snapshot!(tdg(&shop, &["show", "total"]).passes().stdout, @r#"
    total
      4 cases, rows of cases.csv, tests/snapshots/orders__total.snap
      tests/orders.rs, digest e6adcb292a3b90dc0368a6958d7793d9
      pending: 2 of 4 recorded cases changed; inputs changed: rows

      feature   type     values
      amount    FLOAT    10 ▕█         █         █         █▏ 40  mean 25, sd 12.91
      quantity  INTEGER  1 ▕████▏ 4  mean 2.5, sd 1.291
      coupon    STRING   "HALF" 50 %, "TENTH" 25 %, null 25 %

      output
      (all)              5 ▕█ ██        █▏ 160  mean 62.5, sd 67.39
    "#);
    tdg(&shop, &["history", "total"]).passes();
    let mut review = Terminal::start(&shop, &["review"], &[("NO_COLOR", "1")]);
    review.sees("1 row added, 1 removed");
    review.press("q");
    review.ends_with();

    shop.edit(FILE, "gross * 0.6", "gross * 0.5");
    insta::assert_snapshot!(test().fails().report(), @"
    total: inputs changed: rows

                         benchmark                     now
      rows of cases.csv     4 rows  1 row added, 1 removed

      The outputs for the 4 recorded rows are the same as before.
      pending: 4 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    ");
    tdg(&shop, &["accept", "total"]).passes();
    assert_eq!(test().passes().said(), "");
    insta::assert_snapshot!(shop.read(SNAPSHOT).lines().skip(5).collect::<Vec<_>>().join("\n"), @r#"
    [[10.0,1,"HALF"],5.0]
    [[20.0,2,null],40.0]
    [[25.0,1,"HALF"],12.5]
    [[30.0,3,"HALF"],45.0]
    "#);

    let explored = test().env("TDG_SEED", "7").passes();
    insta::assert_snapshot!(explored.said(), @"tdg: total takes the rows of cases.csv, so none were explored");

    // The store also has the rows.
    std::fs::remove_dir_all(shop.path(".tdg")).unwrap();
    shop.write("tdg.toml", "snapshots = false\n");
    test().passes();
    shop.write("cases.csv", reordered);
    let said = test().fails().said().to_owned();
    insta::assert_snapshot!(said, @"tdg: inputs changed total, rows, pending in the store");
    insta::assert_snapshot!(tdg(&shop, &["show", "total", "--changed"]).passes().stdout, @"
    total: inputs changed: rows

            benchmark     now
      rows     4 rows  4 rows

      The outputs for the 4 recorded rows are the same as before.
      pending: 4 new rows, with their outputs
    ");
    shop.write("cases.csv", &reversed(&inserted));
    assert_eq!(test().passes().said(), "");
}

/// Returns the rows in reverse order.
fn reversed(cases: &str) -> String {
    let (header, rows) = cases.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().rev().collect();
    format!("{header}\n{}\n", rows.join("\n"))
}
