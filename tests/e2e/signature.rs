//! A crate with only a manifest and a test file: the definition is in the signature.

use tdg_tests::Project;

const TEST: &str = r#"#[tdg::ensemble_test(size = 500)]
fn total(
    #[define(lognormal(mu = 3.0, sigma = 0.5), decimals = 2)] amount: f64,
    #[define(uniform(1..=20))] quantity: u32,
    #[define(categorical("HALF" = 0.2, "TENTH" = 0.8), null_probability = 0.3)] coupon: Option<&str>,
) -> f64 {
    let gross = amount * f64::from(quantity);
    match coupon {
        Some("HALF") => gross * 0.5,
        Some(_) => gross * 0.9,
        None => gross,
    }
}
"#;

const FILE: &str = "tests/orders.rs";

#[test]
fn a_definition_in_the_signature_needs_no_other_file() {
    let shop = Project::package("in-the-signature", &[(FILE, TEST)]);
    let run = shop.cargo(&["test"]).passes();
    insta::assert_snapshot!(run.said(), @"tdg: recorded total, 500 cases, tests/snapshots/orders__total.snap");
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");

    shop.edit(FILE, "gross * 0.5", "gross * 0.6");
    insta::assert_snapshot!(shop.cargo(&["test"]).fails().report(), @r#"
    total: 77 of 500 cases changed

      all 77 have coupon = "HALF"   (77 of 77 such cases changed, 0 of the other 423)
      actual = 1.2 × expected in all 77

      case  amount  quantity  coupon   expected     actual   error
       444    17.9         3  "HALF"  26.850000      32.22   +5.37  +20.0 %
        42   47.12        15  "HALF"      353.4     424.08  +70.68  +20.0 %
        38   28.31        20  "HALF"  283.10000  339.72000  +56.62  +20.0 %
       289   19.02        19  "HALF"     180.69    216.828  +36.14  +20.0 %
       315    20.6        16  "HALF"      164.8  197.76000  +32.96  +20.0 %
       251   14.39        19  "HALF"    136.705  164.04600  +27.34  +20.0 %
       216    8.92        17  "HALF"      75.82     90.984  +15.16  +20.0 %
        51   14.73        10  "HALF"      73.65  88.380000  +14.73  +20.0 %
        69   23.91         6  "HALF"      71.73  86.076000  +14.35  +20.0 %
       205   27.06         5  "HALF"  67.650000  81.180000  +13.53  +20.0 %
       465   25.17        20  "HALF"  251.70000     302.04  +50.34  +20.0 %
       327   28.27        16  "HALF"     226.16    271.392  +45.23  +20.0 %
      … and 65 more cases
      largest error 76.03 (20.0 %), median 17.98
      errors +0.808 [▆▄█▅█▄▃▁▃▄▅▃▃▄▁▁▁▁▁   ▁▁] +76.03
      expected mean 115.4, sd 84.86; actual mean 138.5, sd 101.8

      see all:  cargo tdg show total --changed
      cause:    cargo tdg why
      run one:  TDG_CASES=444 cargo test total
      accept:   cargo tdg review    (or cargo insta review)
    "#);
    shop.edit(FILE, "gross * 0.6", "gross * 0.5");

    // Another name draws other values, unless only the parameter is renamed.
    shop.edit(FILE, "amount", "price");
    insta::assert_snapshot!(shop.cargo(&["test"]).fails().report(), @r#"
    total: inputs changed: definition

                         benchmark  now
      definition /price  –          FLOAT lognormal

      `price` is drawn as `amount` was, but values depend on the name. To rename it and keep the rows, write
      #[feature("amount")] before the parameter.

      The outputs for the 500 recorded rows, with `amount` as `price`, are the same as before.
      pending: 500 new rows, with their outputs

      accept:  cargo tdg review    (or cargo insta review)
    "#);
    shop.edit(
        FILE,
        "#[define(lognormal",
        "#[feature(\"amount\")]\n    #[define(lognormal",
    );
    assert_eq!(shop.cargo(&["test"]).passes().said(), "");
}
