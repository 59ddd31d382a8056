//! The attribute's errors, with their places. Each line has one mistake.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use crate::ensemble_test::expand;
use crate::mistakes::underlined;

/// Returns the errors for options of a test of orders.
fn options(lines: &str) -> String {
    errors(lines, |option| {
        format!(
            "#[ensemble_test(\ndefinition = \"definitions/orders.json\",\n{option}\n)]\n\
             fn total(amount: f64) -> f64 {{}}"
        )
    })
}

/// Returns the errors for functions that test orders.
fn functions(lines: &str) -> String {
    errors(lines, |function| {
        format!("#[ensemble_test(definition = \"definitions/orders.json\")]\n{function}")
    })
}

/// Returns the errors for parameters of a test without a separate definition.
fn parameters(lines: &str) -> String {
    errors(lines, |parameters| {
        format!("#[ensemble_test]\nfn total(\n{parameters}\n) -> f64 {{}}")
    })
}

/// Returns the errors for attributes, each with its function.
fn tests(lines: &str) -> String {
    errors(lines, str::to_owned)
}

fn errors(lines: &str, source: impl Fn(&str) -> String) -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ensemble_test/tests/package");
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    let errors: String = lines
        .map(|line| errors_of(&source(line), &package))
        .collect();
    let root = format!("{}{}", package.display(), std::path::MAIN_SEPARATOR);
    let errors = errors.replace(&root, "$PACKAGE/");
    // Lists all options only once, so that a new one changes one line.
    let mut is_listed = false;
    let is_kept = |line: &&str| {
        !line.starts_with("   the options are ") || !std::mem::replace(&mut is_listed, true)
    };
    errors.split_inclusive('\n').filter(is_kept).collect()
}

fn errors_of(source: &str, package: &Path) -> String {
    let mut item = source.parse::<TokenStream>().unwrap().into_iter();
    let attribute = item.nth(1).unwrap();
    let TokenTree::Group(attribute) = attribute else {
        panic!("{attribute} is no attribute");
    };
    let arguments = match attribute.stream().into_iter().nth(1) {
        Some(TokenTree::Group(arguments)) => arguments.stream(),
        _ => TokenStream::new(),
    };
    let expansion = expand(arguments, item.collect(), Some(package));
    underlined(source, expansion)
}

#[test]
fn of_options() {
    let said = options(
        r#"
        500
        size
        size = , seed = 3
        size = 500, size = 600
        sise = 500
        epsilon = 0.1
        cases = 100
        samples = 100
        order(a < b)
        correlation(a, b, 0.5)
        unorderd("/tags")
        crate = "::my::tdg"
        panics = "ignore"
        store = "locale"
        policy
        policy = tdg::Policy::exact(), policy = tdg::Policy::exact()
        name = " "
        name = "to\u{1b}[31mtal\n"
        "#,
    ) + &tests(
        r#"#[ensemble_test(definition = "definitions/orders.json" size = 500)] fn total(amount: f64) {}"#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_numbers() {
    let said = options(
        "
        seed = -7
        size = 0
        size = -1
        size = 1.5
        size = 10_001
        threads = 0
        allow
        allow = 5
        allow = 1.0
        allow = -0.01
        ",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_outputs() {
    let said = options(
        r#"
        output
        output = debug
        output = "json"
        output = "Debug"
        output = "dbg"
        output = "serde"
        output("debug")
        output = true
        output = "debug", output = "display"
        debug
        display
        format = "debug"
        output = "display", tolerance(rel = 1e-9)
        output = "display", unordered("/tags"), distribution(ks = 1e-6)
        output = []
        output = [len(), total, len]
        output = ["len"]
        output = [len(), at(1)]
        output = [first.total]
        output = [&len()]
        output = len()
        "#,
    ) + &tests(
        r#"
        #[ensemble_test(definition = "definitions/orders.json", output = "debug")] fn total(amount: f64) {}
        #[ensemble_test(definition = "definitions/orders.json", output = "display")] fn total(amount: f64) -> () {}
        #[ensemble_test(definition = "definitions/orders.json", output = "debug", against = old::total)] fn total(amount: f64) {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_tolerances() {
    let said = options(
        r#"
        tolerance = 1e-9
        tolerance(0.1)
        tolerance("/price", 0.1)
        tolerance("/price")
        tolerance(rel = -1e-9)
        tolerance(rel = 1e999)
        tolerance(rel = "1 %")
        tolerance(relative = 1e-9)
        tolerance(ulps = 4)
        tolerance(ulp = 0.5)
        tolerance(ulp = -4)
        tolerance("/count", integers)
        tolerance(abs = 1, integers = true)
        tolerance(abs = 1, integers, integers)
        tolerance(rel = 1e-9), tolerance(abs = 1e-9)
        tolerance("/a", rel = 1e-9), tolerance("/a", abs = 1e-9)
        tolerance(rel = -1e-9, ulps = 4), ignore("id"), allow = 1.5
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_pointers() {
    let said = options(
        r#"
        ignore = "/id"
        ignore("")
        ignore("/a~b")
        ignore("/id", "/id")
        ignore("/id"), ignore("/price", "/id")
        tolerance("price", abs = 0.01)
        unordered
        unordered(tags)
        unordered("tags")
        unordered("/tags", "/tags")
        unordered("/tags"), unordered("/tags")
        unordered("/tags"), tolerance("/tags/0", abs = 1)
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_distributions() {
    let said = options(
        r#"
        distribution("/price")
        distribution("/price", sk = 1e-6)
        distribution(ks = 0)
        distribution(ks = 1e-6), distribution(ks = 1e-9)
        distribution("/lines/*/price", ks = 1e-6)
        ignore("/meta"), distribution("/meta/draw", ks = 1e-6)
        tolerance("/price", abs = 0.01), distribution("/price", ks = 1e-6)
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_requirements() {
    let said = options(
        r#"
        require(at_least = 0.05)
        require("/refund > 0")
        require("refund > 0", at_least = 0.05)
        require("/refund > 0", at_least = 5)
        require("/refund > 0", at_leest = 0.05)
        require("/refund > 0", at_least = 0.5, at_most = 0.05)
        require("/status = 'late'", at_least = 0.05)
        require("/status == late", at_least = 0.05)
        require("/refund > 0 && /refund < 5", at_least = 0.05)
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_rows_to_keep() {
    let said = options(
        r##"
        keep = r#"{"amount": 1.5, "quantity": 1, "coupon": null}"#
        keep = [{"amount": 1.5}]
        keep = ["{'amount': 1.5}"]
        keep = ["[1.5, 1, null]"]
        keep = [r#"{"amount": 1.5, "quantity": 1, "unit price": 9.5, "type": true}"#]
        keep = [r#"{"amount": null, "quantity": 1, "coupon": null, "unit price": 9.5, "type": true}"#]
        keep = [r#"{"amuont": 1.5, "quantity": 1, "coupon": null, "unit price": 9.5, "type": true}"#]
        keep = [r#"{"amount": "1.5", "quantity": 1.5, "coupon": 3, "unit price": 9.5, "type": true}"#]
        "##,
    ) + &tests(
        r##"#[ensemble_test(keep = [r#"{"quantiy": 3}"#])] fn total(#[define(any)] quantity: u32) {}"##,
    );
    insta::assert_snapshot!(said);
    // The values of a derived type are known at run time.
    let derived = tests(
        r##"#[ensemble_test(keep = [r#"{"line": {"price": 5}, "n": 3}"#])] fn total(line: Line, #[define(any)] n: u32) {}"##,
    );
    assert!(!derived.contains("is not a row"), "{derived}");
}

#[test]
fn of_the_other_function() {
    let said = options(
        r#"
        against = total
        against = old::total()
        against = "old::total"
        against = |amount: f64| amount
        against = move || 1
        against(old::total)
        against = old::total, inputs = false
        against = old::total, store = "remote"
        "#,
    ) + &tests(
        r#"#[ensemble_test(definition = "definitions/orders.json", against = old::total)] fn total(amount: f64) {}"#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_batches() {
    let said = tests(
        r#"
        #[ensemble_test(definition = "definitions/orders.json", batch)] fn total(amount: &[f64]) -> Vec<f64> {}
        #[ensemble_test(definition = "definitions/orders.json", batch)] fn total(row: f64) -> Vec<f64> {}
        #[ensemble_test(definition = "definitions/orders.json", batch)] fn total(rows: &[f64], more: &[f64]) -> Vec<f64> {}
        #[ensemble_test(definition = "definitions/orders.json", batch)] fn total(rows: &[f64]) {}
        #[ensemble_test(definition = "definitions/orders.json", batch)] fn total(rows: &[f64]) -> Result<Vec<f64>, String> {}
        #[ensemble_test(definition = "definitions/orders.json", batch, panics = "record")] fn total(rows: &[f64]) -> Vec<f64> {}
        #[ensemble_test(definition = "definitions/orders.json", batch, threads = 4)] fn total(rows: &[f64]) -> Vec<f64> {}
        #[ensemble_test(definition = "definitions/orders.json", batch = true)] fn total(rows: &[f64]) -> Vec<f64> {}
        #[ensemble_test(batch)] fn total(#[define(uniform(1..=20))] quantity: u32) -> Vec<f64> {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_definitions() {
    let said = tests(
        r#"
        #[ensemble_test(definition = "definitions/order.json")] fn total(amount: f64) {}
        #[ensemble_test(definition = "definition/orders.json")] fn total(amount: f64) {}
        #[ensemble_test(definition = "definitions")] fn total(amount: f64) {}
        #[ensemble_test(definition = "definitions/invalid.json")] fn total(amount: f64) {}
        #[ensemble_test(definition = "definitions/not_json.json")] fn total(amount: f64) {}
        #[ensemble_test(definition = "/definitions/orders.json")] fn total(amount: f64) {}
        #[ensemble_test(definition = "")] fn total(amount: f64) {}
        #[ensemble_test(definition = 7)] fn total(amount: f64) {}
        #[ensemble_test(definition = "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10", store = "remote")] fn total(amount: f64) {}
        #[ensemble_test(definition(remote = "orders"), store = "remote")] fn total(amount: f64) {}
        #[ensemble_test(definition(server = "0b5a36c6-9fd8-4d0c-9f6a-1c1c5d0a3f10"))] fn total(amount: f64) {}
        #[ensemble_test(size = 500)] fn total(amount: f64) {}
        #[ensemble_test] fn total(amount: Option<f64>) {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_rows_of_files() {
    let said = tests(
        r#"
        #[ensemble_test(rows = "rows/order.csv")] fn total(amount: f64) {}
        #[ensemble_test(rows = "rows/orders.xlsx")] fn total(amount: f64) {}
        #[ensemble_test(rows = "rows/twice.csv")] fn total(amount: f64) {}
        #[ensemble_test(rows = "rows/orders.csv")] fn total(amuont: f64, quantity: u32) {}
        #[ensemble_test(rows = "rows/orders.csv")] fn total(order: Order) {}
        #[ensemble_test(rows = "rows/orders.csv", seed = 7)] fn total(amount: f64) {}
        #[ensemble_test(rows = "rows/orders.csv", null = "NA")] fn total(amount: f64) {}
        #[ensemble_test(null("NA"))] fn total(#[define(any)] amount: f64) {}
        #[ensemble_test(rows = "rows/orders.csv", inputs = false, store = "remote")] fn total(amount: f64) {}
        #[ensemble_test(rows = "rows/amounts.csv", definition = "definitions/orders.json")] fn total(amount: f64) {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_functions() {
    let said = functions(
        r#"
        fn total(amount: f64) -> f64;
        fn total(&self, amount: f64) -> f64 {}
        fn total<T: Into<f64>>(amount: T) -> f64 {}
        fn total<const N: usize>(amount: f64) -> [f64; N] {}
        extern "C" fn total(amount: f64) -> f64 {}
        unsafe fn total(amount: f64) -> f64 {}
        struct Total { amount: f64 }
        #[test] fn total(amount: f64) -> f64 {}
        #[tokio::test] fn total(amount: f64) -> f64 {}
        #[rstest] fn total(amount: f64) -> f64 {}
        #[case(1.0)] fn total(#[case] amount: f64) -> f64 {}
        #[ensemble_test(definition = "definitions/number.json")] fn total(amount: f64) -> f64 {}
        #[should_panic] fn total(amount: f64) -> f64 {}
        #[cfg_attr(all(), should_panic(expected = "reason"))] fn total(amount: f64) -> f64 {}
        "#,
    ) + &tests(
        r#"
        #[ensemble_test(definition = "order.json", size = 0, seed = -7, threads)] #[should_panic] fn total<T>(amount: impl Into<f64>) {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[cfg(not(feature = "tokio"))]
#[test]
fn of_async_functions_without_a_runtime() {
    let said =
        functions("async fn total(amount: f64) -> f64 {}") + &options("against(async old::total)");
    insta::assert_snapshot!(said);
}

#[test]
fn of_parameters() {
    let said = functions(
        r#"
        fn total() -> f64 {}
        fn total(amont: f64) -> f64 {}
        fn total(amonut: f64, quantity: i64) -> f64 {}
        fn total(amount: f64, discount: f64) -> f64 {}
        fn total(amount: f64, (a, b): (f64, f64)) -> f64 {}
        fn total(amount: f64, coupon: &str) -> f64 {}
        fn total(amount: impl Into<f64>) -> f64 {}
        fn total(#[cfg(unix)] amount: f64) -> f64 {}
        fn total(#[feature("unit prize")] price: f64) -> f64 {}
        fn total(#[feature(price)] price: f64) -> f64 {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_fixtures() {
    let said = functions(
        r#"
        fn total(amount: f64, db: &Db) -> f64 {}
        fn total(amount: f64, #[fixture] db: &Db) -> f64 {}
        fn total(amount: f64, #[fixture(Db)] db: Db) -> f64 {}
        fn total(amount: f64, #[fixture(Db, each_row)] db: Db) -> f64 {}
        fn total(amount: f64, #[fixture(each_row = Db)] db: Db) -> f64 {}
        fn total(amount: f64, #[fixture(Db)] #[fixture(Db)] db: &Db) -> f64 {}
        fn total(#[feature("unit price")] #[fixture(1.0)] amount: &f64) -> f64 {}
        "#,
    ) + &tests(
        r#"
        #[ensemble_test] fn total(#[define(uniform(1..=20))] #[fixture(7)] quantity: &u32) {}
        #[ensemble_test(definition = "definitions/orders.json", threads = 4)] fn total(amount: f64, #[fixture(Db)] db: &mut Db) {}
        #[ensemble_test(definition = "definitions/orders.json", batch)] fn total(rows: &[f64], #[fixture(each_row, Db)] db: &Db) -> Vec<f64> {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_signatures() {
    let said = parameters(
        r#"
        #[define] quantity: u32
        #[define()] amount: f64
        #[define = 5] quantity: u32
        #[define(unifrom(1..=20))] quantity: u32
        #[define(uniform(1, 20))] quantity: u32
        #[define(uniform(1..=20), name = "number of items")] quantity: u32
        #[define(uniform(1..=20), null_probability = 0.1)] quantity: u32
        #[define([any; 2])] row: Row
        #[define((any, uniform(1..=20)))] row: Row
        #[define(any)] names: Vec<&'static str>
        #[define((any, any))] pair: (&'static str, u8)
        #[define([any; 2])] rows: Option<[[f64; 40]; 2]>
        #[define(uniform(1..=20))] _: u32
        #[define(uniform(1..=20))] (x, y): (u32, u32)
        #[define(uniform(1..=20))] &self
        #[define(uniform(1..=20))] a: u32, #[feature("a")] #[define(uniform(1..=20))] b: u32
        #[define(uniform(1..=20))] quantity: u32, amount: f64
        #[define(uniform(1..=20))] quantity: u32, mut coupon: Option<&str>
        #[define(uniform(1..=20))] quantity: u32, is_member: bool
        #[define(uniform(1..=20))] quantity: u32, prices: [f64; 2]
        #[define(uniform(1..=20))] quantity: u32, #[define(any)] function: fn(i64)
        #[define(uniform(1..=20))] quantity: u32, db: impl Db
        #[define(uniform("2020-01-01"..="2020-12-31"))] day: &str
        #[define(pattern(regex = "[A-Z"))] label: &str
        #[define(categorical(["a", "b"]))] kind: &str
        #[define(categorical("a": 0.5, "b": 0.5))] kind: &str
        #[define(uniform(1..=9), nulls = 0.1)] a: Option<u8>
        #[define(any(max_lenght = 20))] comment: &str
        #[define(any)] a: &mut u8
        #[define(any)] prices: &[f64]
        #[define(gaussian(mu = 1.0, sigma = -2.0))] amount: f64, #[define(unifrm(1..=20), uniqe)] quantity: u32
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_ranges_in_a_signature() {
    let said = parameters(
        "
        #[define(1..=20)] quantity: u32
        #[define(uniform(-1..=20))] quantity: u32
        #[define(uniform(0..=300))] quantity: Option<u8>
        #[define(uniform(1..=MAX))] quantity: u32
        #[define(uniform(20..=1))] quantity: u32
        #[define(uniform(range = 1..=20))] quantity: u32
        #[define(uniform(0.0..=1.0))] share: f64
        #[define(poisson(0..=9))] visits: u32
        #[define(gaussian(0.0..1.0))] a: f64
        #[define(gaussian(mu = 1.0, sigma = 2.0, 0.0..9.5))] amount: f64
        ",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_relations_in_a_signature() {
    let said = tests(
        r#"
        #[ensemble_test(define)] fn total(#[define(any)] a: u8) {}
        #[ensemble_test(define(any))] fn total(#[define(any)] a: u8) {}
        #[ensemble_test(define(samplin = "stratified"))] fn total(#[define(any)] a: u8) {}
        #[ensemble_test(define(order(strat, end)))] fn total(#[define(any)] start: u8, #[define(any)] end: u8) {}
        #[ensemble_test(define(order(start, z)))] fn total(#[define(any)] start: u8, #[define(any)] end: u8) {}
        #[ensemble_test(define(correlation(a, b, 2)))] fn total(#[define(any)] a: u8, #[define(any)] b: u8) {}
        #[ensemble_test(define(order(start, end)))] fn total(start: u32, end: Option<u32>) {}
        #[ensemble_test(definition = Order)] fn total(#[define(any)] quantity: u32) {}
        #[ensemble_test(definition = 5)] fn total(#[define(any)] quantity: u32) {}
        #[ensemble_test(definition = Order, define(order(a, b)))] fn total(a: u32, b: u32) {}
        #[ensemble_test(definition = "definitions/orders.json")] fn total(#[define(any)] amount: f64) {}
        #[ensemble_test(definition = "definitions/orders.json", define(order(amount, quantity)))] fn total(amount: f64) {}
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_makers() {
    let said = parameters(
        r#"
        #[define(via = Money::new)] total: Money
        #[define(parse)] version: Version
        #[define(via = |cents: i64| Money::new(cents))] total: Money
        #[define(uniform(0..=9), via)] total: Money
        #[define(uniform(0..=9), via = )] total: Money
        #[define(uniform(0..=9), via(Money::new))] total: Money
        #[define(uniform(0..=9), via = "Money::new")] total: Money
        #[define(uniform(0..=9), via = Money::new(5))] total: Money
        #[define(uniform(0..=9), via = 5)] total: Money
        #[define(uniform(0..=9), via = Money { cents })] total: Money
        #[define(uniform(0..=9), via = async |n: i64| Money::new(n).await)] total: Money
        #[define(uniform(0..=9), via = |n: i64|)] total: Money
        #[define(uniform(0..=9), via = || Money::zero())] total: Money
        #[define(uniform(0..=9), via = |n: i64, d: i64| Ratio::new(n, d))] ratio: Ratio
        #[define(uniform(0..=9), via = Money::new, via = Money::from_cents)] total: Money
        #[define(pattern(regex = "[0-9]"), via = Money::new, parse)] total: Money
        #[define(pattern(regex = "[0-9]"), parse = Money)] total: Money
        #[define(uniform(0..=9), parse)] total: Money
        #[define(type = INTEGER, any, parse)] total: Money
        #[define(any, via = Money::new)] total: Money
        #[define(any, via = |n| Money::new(n))] total: Money
        #[define(uniform(0..=300), via = |n: u8| Money::from(n))] total: Money
        #[define(uniform(0..=9), null_probability = 0.1, via = |n: i64| Money::new(n))] total: Money
        #[define(uniform(0..=9), via = |day: NaiveDate| Day(day))] day: Day
        #[define(unifrm(0..=9), via = Money::new)] total: Money
        #[define(uniform(0..=9) via = Money::new)] total: Money
        #[define(uniform(0..=9), vai = Money::new)] total: Money
        #[define(uniform(0..=9), via = Money::new)] #[fixture(Money::new(5))] total: Money
        #[define(uniform(0..=9))] a: u8, #[define(via = Money::new)] total: &Money
        #[define((uniform(0..=9), uniform(1..=9), any), via = |n: i64, d: i64| Ratio::new(n, d))] ratio: Ratio
        #[define(via = |n: i64, d: i64| Ratio::new(n, d))] ratio: Ratio
        #[define(uniform(0..=9), uniform(1..=9), via = Ratio::new)] ratio: Ratio
        #[define((any, any), via = Ratio::new)] ratio: Ratio
        #[define((any, any), parse)] ratio: Ratio
        #[define((via = Money::new, any))] pair: (Money, i64)
        #[define((uniform(0..=9), any), via = Ratio::new(1, 2))] ratio: Ratio
        #[define([uniform(0..=9), via = Digit::new(5); 3])] digits: Vec<Digit>
        #[define([uniform(0..=9), via = Digit::new; 3], via = Number::new)] number: Number
        #[define([uniform(0..=9); 3], parse)] digits: Vec<Digit>
        #[define([uniform(0..=9), parse; 3])] digits: Vec<Digit>
        #[define([any, via = Digit::new; 3])] digits: Vec<Digit>
        #[define([via = Digit::new; 3])] digits: Vec<Digit>
        #[define([uniform(0..=9); 3], via = Digit::new, 3)] digits: Vec<Digit>
        #[define(any)] host: IpAddr
        #[define(any)] number: NonZeroI32
        #[define(uniform(0..=9))] number: NonZeroU8
        #[define(uniform(0..=9))] path: &Path
        #[define(pattern(regex = "[a-z]"))] name: UserName
        "#,
    ) + &tests(
        r#"
        #[ensemble_test(definition = Order, batch)] fn total(#[define(via = Money::new)] rows: Vec<Money>) -> Vec<f64> {}
        #[ensemble_test(definition = "definitions/orders.json")] fn total(#[define(uniform(0..9), via = Money::new)] amount: Money) {}
        #[ensemble_test(definition = "definitions/orders.json")] fn total(#[define(via = |n: &str| Money::new(n))] coupon: Money) {}
        #[ensemble_test(definition = "definitions/orders.json")] fn total(#[define(via = Money::new)] amuont: Money, quantity: u32) {}
        "#,
    );
    insta::assert_snapshot!(said);
}
