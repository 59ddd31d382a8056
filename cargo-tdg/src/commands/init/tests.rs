//! Tests of functions in small crates.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::function;
use super::glue::DrawnAs;
use super::parameter_constants::ParameterConstants;
use super::test::{self, GeneratedTest, taken_names};
use super::ways::{FunctionToTest, Ways};
use crate::error::Result;
use crate::sources::{CallGraph, Effects, Examples, FunctionConstants, PublicFunction, Sources};
use crate::workspace::Dependency;

/// Returns the crate `shop` with these files.
fn sources(files: &[(&str, &str)]) -> Sources {
    let files: BTreeMap<&str, &str> = files.iter().copied().collect();
    let read = |path: &Path| {
        let path = path.to_string_lossy().replace('\\', "/");
        let text = files.get(path.as_str()).map(|text| (*text).to_owned());
        text.ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    Sources::of_files(&read).unwrap()
}

fn dependencies() -> Vec<Dependency> {
    let dependency = |name: &str, features: &[&str]| Dependency {
        name: name.to_owned(),
        features: features.iter().map(|it| (*it).to_owned()).collect(),
    };
    vec![dependency("tdg", &["tokio"])]
}

/// Returns the path of the function, or the reason why it can't be called.
fn found(sources: &Sources, asked: &str) -> String {
    match function::find(sources, asked) {
        Ok(function) => function.path.clone(),
        Err(error) => error.to_string(),
    }
}

/// Returns the ways to test a function, before any is built.
fn ways(
    function: &PublicFunction<'_>,
    taken: &[String],
    dependencies: &[Dependency],
) -> Result<Ways> {
    test::check(function, dependencies)?;
    let calls = CallGraph::new(function.sources, false);
    let examples = Examples::new(function.sources, Path::new("no-such-folder"));
    let constants = FunctionConstants::of_sources(function.sources, &calls);
    let constants = ParameterConstants::new(&constants, &calls, function);
    let effects = Effects::new(&calls, function.sources);
    let of = FunctionToTest {
        function,
        dependencies,
        taken,
        constants: &constants,
        effects: &effects,
        examples: &examples,
    };
    Ok(Ways::new(Default::default(), &of, DrawnAs::Any))
}

/// Returns the most usual test.
fn generated(
    function: &PublicFunction<'_>,
    taken: &[String],
    dependencies: &[Dependency],
) -> Result<GeneratedTest> {
    let ways = ways(function, taken, dependencies)?;
    ways.most_usual().cloned()
}

/// Returns the first and the last test of each group that repeats the function's example.
fn of_example(root: &str, asked: &str) -> String {
    let sources = sources(&[("src/lib.rs", root)]);
    let function = function::find(&sources, asked).unwrap();
    let ways = ways(&function, &[], &dependencies()).unwrap();
    let tests = ways.examples.iter().flat_map(|it| [it.first(), it.last()]);
    let tests = tests.flatten();
    let texts: Vec<String> = tests.map(GeneratedTest::formatted).collect();
    texts.join("\n")
}

/// Returns the test and its notices, or the reason why none was generated.
fn written(sources: &Sources, asked: &str) -> String {
    let test = function::find(sources, asked);
    match test.and_then(|function| generated(&function, &[], &dependencies())) {
        Ok(test) => {
            let notices = test.notices.iter().map(|it| format!("to do: {it}\n"));
            test.text() + &notices.collect::<String>()
        }
        Err(error) => format!("{error}\n"),
    }
}

/// Returns the tests of all functions of a root module, in order.
fn all(root: &str) -> String {
    let sources = sources(&[("src/lib.rs", root)]);
    let lines = root.lines().filter_map(|line| line.split_once("fn "));
    let names = lines.filter_map(|(_, rest)| rest.split(['(', '<']).next());
    let tests: Vec<String> = names.map(|name| written(&sources, name)).collect();
    tests.join("\n")
}

#[test]
fn functions_are_found_in_the_files_that_rustc_reads() {
    let sources = sources(&[
        (
            "src/lib.rs",
            "pub mod beside; pub mod folder; pub mod inline { pub fn f() {} pub mod deep; } \
             #[path = \"elsewhere/other.rs\"] pub mod stated; \
             pub mod holder { #[path = \"moved.rs\"] pub mod moved; } \
             #[cfg(test)] mod tests { pub fn f() {} } \
             pub mod r#type; pub fn f() {}",
        ),
        ("src/beside.rs", "pub mod child; pub fn f() {}"),
        ("src/beside/child.rs", "pub fn f() {}"),
        ("src/folder/mod.rs", "pub mod child; pub fn f() {}"),
        ("src/folder/child.rs", "pub fn f() {}"),
        ("src/inline/deep.rs", "pub fn f() {}"),
        ("src/elsewhere/other.rs", "pub mod child; pub fn f() {}"),
        ("src/elsewhere/child.rs", "pub fn f() {}"),
        ("src/holder/moved.rs", "pub fn f() {}"),
        ("src/type.rs", "pub fn r#match() {}"),
    ]);
    for (asked, path) in [
        ("f", "shop::f"),
        ("crate::f", "shop::f"),
        ("shop::f", "shop::f"),
        ("::shop::f", "shop::f"),
        ("shop::beside::f", "shop::beside::f"),
        ("beside::child::f", "shop::beside::child::f"),
        ("folder::f", "shop::folder::f"),
        ("folder::child::f", "shop::folder::child::f"),
        ("inline::f", "shop::inline::f"),
        ("inline::deep::f", "shop::inline::deep::f"),
        ("stated::f", "shop::stated::f"),
        ("stated::child::f", "shop::stated::child::f"),
        ("holder::moved::f", "shop::holder::moved::f"),
        ("type::match", "shop::r#type::r#match"),
        ("r#type::r#match", "shop::r#type::r#match"),
    ] {
        assert_eq!(found(&sources, asked), path, "{asked}");
    }
    assert!(found(&sources, "tests::f").starts_with("no function `tests::f`"));
}

#[test]
fn functions_are_called_by_a_path_that_is_public() {
    let sources = sources(&[(
        "src/lib.rs",
        "mod total { pub fn total() {} pub fn hidden() {} pub(crate) fn inner() {} }
         pub use total::total;
         mod all { pub fn one() {} mod more { pub fn two() {} } pub use more::*; }
         pub use self::all::{self as everything, *};
         mod circle { pub use super::circle::*; pub use super::*; }
         pub struct Cart; impl Cart { pub fn price() {} fn secret() {} }
         pub struct Of<T>(T); impl<T> Of<T> { pub fn new() {} }
         fn own() {}",
    )]);
    insta::assert_snapshot!(
        [
            "total",
            "total::total",
            "one",
            "everything::two",
            "total::hidden",
            "total::inner",
            "own",
            "Cart::price",
            "Cart::secret",
            "Of::new"
        ]
        .map(|asked| found(&sources, asked))
        .join("\n")
    );
}

#[test]
fn a_function_that_is_not_there_has_neighbours() {
    let sources = sources(&[
        (
            "src/lib.rs",
            "pub mod cart; pub mod broken; pub mod absent; pub fn total() {}",
        ),
        (
            "src/cart.rs",
            "pub fn total() {} pub struct Cart; impl Cart { pub fn price() {} }",
        ),
        ("src/broken.rs", "pub fn ("),
    ]);
    insta::assert_snapshot!(
        ["totl", "cart::totals", "cart::pirce", "weather", "cart"]
            .map(|asked| found(&sources, asked))
            .join("\n\n")
    );
}

#[test]
fn values_are_drawn_from_the_whole_range_of_their_types() {
    insta::assert_snapshot!(all(
        "use std::borrow::Cow;
        pub type Amount = f64;
        type Coupon<'a> = &'a str;
        pub fn one(amount: f64) -> f64 {}
        pub fn alias(at: Seconds) -> Seconds {}
        type Seconds = u8;
        pub fn total(amount: Amount, mut quantity: u32, coupon: Option<&str>, paid: bool) -> Amount {}
        pub fn texts(a: &str, b: String, c: char, d: &String, e: Cow<'_, str>, f: Box<str>) -> String {}
        pub fn lent(a: &f64, b: &Option<u8>, c: Option<&i64>, d: &(bool)) -> f64 {}
        pub fn nothing(_: u8, _unused: std::string::String) {}
        pub fn unit(r#type: u8) -> () {}
        pub fn kept<'a>(text: &'a str, _: &str) -> &'a str {}
        pub async fn later(amount: f64) -> Result<f64, Box<dyn std::error::Error + Send>> {}
        pub const fn constant(a: u8) -> [u8; 2] {}"
    ));
}

#[test]
fn values_of_several_are_drawn_part_by_part() {
    insta::assert_snapshot!(all("use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
        #[derive(Define, Deserialize)]
        pub struct Row { #[define(any)] amount: f64 }
        #[derive(Define, Deserialize)]
        pub struct Sku(String);
        #[derive(Define, Deserialize)]
        #[serde(transparent)]
        pub struct Cents { cents: u64 }
        #[derive(Define, Deserialize)]
        pub enum Payment { Card(String), Invoice { days: u16 }, Cash }
        pub fn lists(a: &[f64], b: Vec<f64>, c: VecDeque<Option<u8>>, d: [bool; 3], e: &[&str], f: &[Vec<char>]) -> f64 {}
        pub fn sets(a: HashSet<bool>, b: &BTreeSet<String>) -> f64 {}
        pub fn tuples(pair: (f64, f64), list: &[(u8, &str, Option<Payment>)]) -> f64 {}
        pub fn bytes(a: &[u8], b: Vec<u8>, c: Option<&[u8]>, d: [u8; 4], e: &[u8; 2], f: Box<[u8]>, g: &[Vec<u8>]) -> f64 {}
        pub fn maps(a: &HashMap<String, f64>, b: BTreeMap<i64, Vec<Row>>, c: Option<HashMap<u8, HashMap<char, Payment>>>) -> f64 {}
        pub fn rows(row: Row, more: u8, other: Option<Row>, all: &[Row]) -> f64 {}
        pub fn row(row: Row) -> f64 {}
        pub fn maybe(row: Option<&Row>) -> f64 {}
        pub fn alone(sku: &Sku) -> f64 {}
        pub fn transparent(cents: Cents) -> f64 {}
        pub fn variants(payment: &Payment, all: Vec<Payment>, boxed: Box<Payment>) -> f64 {}"));
}

#[test]
fn types_are_named_by_their_public_paths() {
    insta::assert_snapshot!(all("mod model {
            #[derive(Debug, serde::Serialize)]
            pub struct Invoice { pub total: f64 }
            pub struct Receipt;
            pub struct Signed;
            impl serde::Serialize for Signed {}
            #[derive(Define, Deserialize)]
            pub enum Ward { Surgery, Maternity }
            #[derive(tdg::Define, serde::Deserialize)]
            pub struct Order { amount: f64 }
            pub enum Error { Late }
        }
        pub use model::{Error, Invoice, Order, Receipt as Slip, Signed, Ward};
        pub type Result<T> = std::result::Result<T, Error>;
        use chrono::{DateTime, NaiveDate, Utc};
        use std::collections::{self, BTreeMap};
        pub fn invoice(amount: f64) -> Result<Invoice> {}
        pub fn receipts(amount: f64) -> Vec<Option<model::Receipt>> {}
        pub fn signed(amount: f64) -> std::result::Result<(Signed, u8), Error> {}
        pub fn ward(ward: Ward, beds: u8, other: Option<&model::Ward>) -> &'static str {}
        pub fn order(order: &Order) -> f64 {}
        pub fn due(day: NaiveDate, at: &DateTime<Utc>) -> Option<NaiveDate> {}
        pub fn counts(text: &str) -> BTreeMap<String, collections::HashSet<u8>> {}"));
}

#[test]
fn a_test_that_can_not_be_written_is_refused_with_a_reason() {
    insta::assert_snapshot!(all("use std::collections::{BTreeMap, HashMap};
        use uuid::Uuid;
        use model::Hidden;
        mod model { pub struct Hidden; }
        pub struct Order { amount: f64 }
        #[derive(Define, Deserialize)]
        pub struct Row { amount: f64 }
        pub enum Ward { Surgery, Maternity }
        pub enum Shape { Circle(f64) }
        pub trait Priced {}
        pub unsafe fn raw(a: u8) -> u8 {}
        pub fn none() -> u8 {}
        pub fn generic<T: Into<f64>>(a: T) -> f64 {}
        pub fn sized<const N: usize>(a: u8) -> f64 {}
        pub fn shown(a: impl ToString) -> f64 {}
        pub fn object(priced: &dyn Priced) -> f64 {}
        pub fn changed(cache: &mut String) -> f64 {}
        pub fn order(order: &Order) -> f64 {}
        pub fn weights(weights: HashMap<u64, HashMap<String, f64>, Hasher>) -> f64 {}
        pub fn keys(map: BTreeMap<(u8, u8), f64>, more: u8) -> f64 {}
        pub fn flags(map: BTreeMap<bool, f64>) -> f64 {}
        pub fn made(map: std::collections::HashMap<u8, Vec<Uuid>>) -> f64 {}
        pub fn constants(names: &[&'static str]) -> u8 {}
        pub fn ward(ward: Ward) -> f64 {}
        pub fn shape(shape: Shape) -> f64 {}
        pub fn hidden(hidden: Hidden) -> f64 {}
        pub fn hides(a: u8) -> Hidden {}
        pub fn id(id: Uuid) -> f64 {}
        pub fn tree(tree: ego_tree::Tree<u8>) -> f64 {}
        pub fn path(path: std::path::PathBuf) -> f64 {}
        pub fn many(a: u8) -> impl Iterator<Item = u8> {}
        pub fn borrowed<'a>(a: &'a f64, b: &'a f64) -> &'a f64 {}
        pub fn fixed(name: &'static str) -> u8 {}
        pub fn chosen(name: Option<&'static str>) -> u8 {}
        pub fn counted(a: [u8; COUNT]) -> u8 {}
        pub fn unknown(a: Nowhere) -> u8 {}
        pub fn unseen(a: u8) -> Nowhere {}"));
    let sources = sources(&[(
        "src/lib.rs",
        "pub struct Cart; impl Cart { pub fn price(&self, a: u8) -> u8 {} pub async fn new(a: u8) -> Self {} }",
    )]);
    insta::assert_snapshot!(written(&sources, "Cart::price"), @"
    #[tdg::ensemble_test]
    fn cart_price(#[define(any)] a: u8) -> u8 {
        let cart = shop::Cart;
        shop::Cart::price(&cart, a)
    }
    ");
    insta::assert_snapshot!(written(&sources, "Cart::new"), @"
    #[tdg::ensemble_test]
    async fn cart_new(#[define(any)] a: u8) -> shop::Cart {
        shop::Cart::new(a).await
    }
    to do: `Cart` is in the output: derive `serde::Serialize` or `Debug` for it first
    ");
    let function = function::find(&sources, "Cart::new").unwrap();
    let refused = generated(&function, &[], &[]).err().unwrap();
    insta::assert_snapshot!(refused, @"no test was written for `shop::Cart::new`: it is async, which needs a feature of tdg: `cargo add --dev tdg --features tokio`");
}

#[test]
fn an_output_without_serialize_is_recorded_by_its_debug_form() {
    insta::assert_snapshot!(all("#[derive(Debug)]
        pub struct Receipt { total: f64 }
        #[derive(Debug, serde::Serialize)]
        pub struct Line;
        pub struct Hidden;
        #[derive(tdg::Define, serde::Deserialize)]
        pub struct Order { amount: f64 }
        pub fn receipt(amount: f64) -> Option<Receipt> {}
        pub fn billed(order: Order) -> (Line, Receipt) {}
        pub fn mixed(amount: f64) -> (Receipt, Hidden) {}"), @r#"
    #[tdg::ensemble_test(output = "debug")]
    fn receipt(#[define(any)] amount: f64) -> Option<shop::Receipt> {
        shop::receipt(amount)
    }

    #[tdg::ensemble_test(definition = shop::Order, output = "debug")]
    fn billed(order: shop::Order) -> (shop::Line, shop::Receipt) {
        shop::billed(order)
    }

    #[tdg::ensemble_test]
    fn mixed(#[define(any)] amount: f64) -> (shop::Receipt, shop::Hidden) {
        shop::mixed(amount)
    }
    to do: `Receipt` is in the output: derive `serde::Serialize` or `Debug` for it first
    to do: `Hidden` is in the output: derive `serde::Serialize` or `Debug` for it first
    "#);
}

#[test]
fn an_output_of_a_crate_without_its_serde_is_recorded_by_its_debug_form() {
    let sources = sources(&[(
        "src/lib.rs",
        "pub fn next(day: u8) -> Option<jiff::civil::Date> {}\n\
         pub fn read(day: u8) -> Result<serde_json::Value, jiff::Error> {}",
    )]);
    let test = |name: &str, features: &[&str]| {
        let dependencies = ["jiff", "serde_json"].map(|name| Dependency {
            name: name.to_owned(),
            features: features.iter().map(|it| (*it).to_owned()).collect(),
        });
        let function = function::find(&sources, name).unwrap();
        generated(&function, &[], &dependencies).unwrap().text()
    };
    let debug = "#[tdg::ensemble_test(output = \"debug\")]\n";
    assert!(test("next", &[]).starts_with(debug));
    for text in [test("next", &["serde"]), test("read", &[])] {
        assert!(text.starts_with("#[tdg::ensemble_test]\n"), "{text}");
    }
}

#[test]
fn the_name_of_a_test_is_new_in_its_file() {
    let sources = sources(&[("src/lib.rs", "pub fn total(amount: f64) -> f64 { amount }")]);
    let name = |file: &str| {
        let function = function::find(&sources, "total").unwrap();
        let taken = taken_names(file).unwrap();
        generated(&function, &taken, &[]).unwrap().name
    };
    assert_eq!(name(""), "total");
    assert_eq!(name("mod a { fn total() {} }"), "total");
    assert_eq!(name("#[tdg::ensemble_test] fn total() {}"), "total_2");
    assert_eq!(name("fn total() {} const total_2: u8 = 0;"), "total_3");
    assert_eq!(name("use shop::{total, other as total_2};"), "total_3");
    assert_eq!(name("use shop::*;"), "total_2");
    assert!(taken_names("fn (").is_err());
}

#[test]
fn values_are_made_by_the_functions_of_their_types() {
    let sources = sources(&[(
        "src/lib.rs",
        "pub struct Money(i64); \
         pub struct Ratio(i64, i64); \
         impl Ratio { pub fn new(n: i64, d: i64) -> Self {} pub fn is_whole(&self) -> bool {} } \
         impl Money { \
             pub fn zero() -> Self {} \
             pub fn from_text(text: &str) -> Option<Self> {} \
             pub fn new(cents: i64) -> Result<Self, String> {} \
             pub fn of_parts(units: i64, cents: i64) -> Self {} \
             pub fn tax(&self, percent: u8) -> i64 {} \
             pub fn into_cents(self) -> i64 {} \
             pub fn add(&mut self, other: i64) {} \
             pub fn same(&self) -> &Self {} \
             pub fn most(self, other: Self) -> Self {} \
             pub fn unboxed(self: Box<Self>) -> i64 {} \
         } \
         pub struct Port(u16); \
         impl TryFrom<u16> for Port { type Error = (); } \
         impl std::str::FromStr for Port {} \
         pub enum Version { Old, New(u8) } \
         impl std::str::FromStr for Version {} \
         pub struct Opaque { a: u8 } \
         pub struct Place { pub x: u8, pub r#type: bool } \
         pub struct Pair(pub u8, pub i64); \
         pub fn places(places: &[Place], pair: Pair) -> u8 {} \
         pub fn total(prices: Money, tip: Option<&Money>, port: &Port, version: Version) -> i64 {} \
         pub fn opaque(opaque: &Opaque) -> u8 {}",
    )]);
    let of = |names: &[&str]| -> String {
        let tests = names.iter().map(|name| written(&sources, name));
        tests.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(of(&[
        "total", "Money::tax", "Money::into_cents", "Money::add", "Money::same", "opaque", "Ratio::is_whole",
        "Money::most", "Money::unboxed", "places",
    ]), @r#"
    #[tdg::ensemble_test]
    fn total(
        #[define(any, via = |cents: i64| shop::Money::new(cents))] prices: shop::Money,
        #[define(any, via = |cents: i64| shop::Money::new(cents))] tip: Option<shop::Money>,
        #[define(any, via = |value: u16| shop::Port::try_from(value))] port: shop::Port,
        #[define(categorical("Old", "New"))] version: &str,
        #[define(any)] version_new: u8,
    ) -> i64 {
        let version = match version { "Old" => shop::Version::Old, _ => shop::Version::New(version_new), };
        shop::total(prices, tip.as_ref(), &port, version)
    }

    #[tdg::ensemble_test]
    fn money_tax(
        #[define(any, via = |cents: i64| shop::Money::new(cents))] money: shop::Money,
        #[define(any)] percent: u8,
    ) -> i64 {
        shop::Money::tax(&money, percent)
    }

    #[tdg::ensemble_test]
    fn money_into_cents(
        #[define(any, via = |cents: i64| shop::Money::new(cents))] money: shop::Money,
    ) -> i64 {
        shop::Money::into_cents(money)
    }

    #[tdg::ensemble_test(output = "debug")]
    fn money_add(
        #[define(any, via = |cents: i64| shop::Money::new(cents))] money: shop::Money,
        #[define(any)] other: i64,
    ) -> impl std::fmt::Debug {
        let mut money = money;
        shop::Money::add(&mut money, other);
        money
    }

    #[tdg::ensemble_test]
    fn money_same(
        #[define(any, via = |cents: i64| shop::Money::new(cents))] money: shop::Money,
    ) -> String {
        format!("{:?}", shop::Money::same(&money))
    }
    to do: `Money` is in the output: derive `serde::Serialize` or `Debug` for it first

    #[tdg::ensemble_test]
    fn opaque(#[define(any)] value: u32) {
        let _ = shop::opaque(todo!("opaque: &Opaque"));
    }
    to do: replace each `todo!` of opaque by a value made from drawn ones

    #[tdg::ensemble_test]
    fn ratio_is_whole(
        #[define((any, any), via = |n: i64, d: i64| shop::Ratio::new(n, d))] ratio: shop::Ratio,
    ) -> bool {
        shop::Ratio::is_whole(&ratio)
    }

    #[tdg::ensemble_test]
    fn money_most(
        #[define(any, via = |cents: i64| shop::Money::new(cents))] money: shop::Money,
        #[define(any, via = |cents: i64| shop::Money::new(cents))] other: shop::Money,
    ) -> shop::Money {
        shop::Money::most(money, other)
    }
    to do: `Money` is in the output: derive `serde::Serialize` or `Debug` for it first

    #[tdg::ensemble_test]
    fn money_unboxed(#[define(any)] money: i64) -> Option<i64> {
        Some(shop::Money::unboxed(Box::new(shop::Money::new(money).ok()?)))
    }

    #[tdg::ensemble_test]
    fn places(
        #[define([(any, any), via = |x: u8, r#type: bool| shop::Place { x, r#type }; 0..=8])]
        places: Vec<shop::Place>,
        #[define((any, any), via = |value_1: u8, value_2: i64| shop::Pair(value_1, value_2))]
        pair: shop::Pair,
    ) -> u8 {
        shop::places(&places, pair)
    }
    "#);
}

#[test]
fn the_constants_of_a_type_are_its_values_if_nothing_makes_others() {
    insta::assert_snapshot!(all("
        pub struct Unit { factor: f64 }
        pub const METER: Unit = Unit { factor: 1.0 };
        impl Unit { pub const FOOT: Unit = Unit { factor: 0.3048 }; }
        pub fn meters(length: f64, unit: Unit) -> f64 {}
    "), @r#"
    #[tdg::ensemble_test]
    fn meters(#[define(any)] length: f64, #[define(categorical("FOOT", "METER"))] unit: &str) -> f64 {
        let unit = match unit { "FOOT" => shop::Unit::FOOT, _ => shop::METER, };
        shop::meters(length, unit)
    }
    "#);
}

#[test]
fn functions_and_static_values_are_written_as_arguments() {
    insta::assert_snapshot!(all("
        pub fn scaled(price: u32, by: impl Fn(u32) -> u32) -> u32 {}
        pub fn found(word: &str, matches: &mut dyn FnMut(&str, usize) -> bool) -> bool {}
        pub fn named<F: FnOnce() -> String>(id: u8, or: F) -> String {}
        pub fn each(id: u8, seen: &dyn Fn(u8)) -> u8 {}
        pub fn label(text: &'static str) -> usize {}
        pub fn totals(of: &'static [u16], or: Option<&'static u8>) -> u32 {}
    "));
}

#[test]
fn parameters_have_the_constants_that_they_are_compared_with() {
    insta::assert_snapshot!(all(
        "pub fn price(grams: u32, express: bool) -> u32 {
            let heavy = if grams > 10_000 { 350 } else { 0 };
            let price = 549 + grams.div_ceil(1000) * 40 + heavy;
            if express { price * 2 } else { price }
        }
        pub fn share(region: Option<&str>, part: f32) -> f32 {
            match region { Some(\"OVERSEAS\") => part.min(0.5), _ => part }
        }"
    ), @r#"
    #[tdg::ensemble_test]
    fn price(
        #[define(any, edge_cases(probability = 0.12, values = [999, 1000, 1001, 9999, 10000, 10001]))]
        grams: u32,
        #[define(any)] express: bool,
    ) -> u32 {
        shop::price(grams, express)
    }

    #[tdg::ensemble_test]
    fn share(
        #[define(any, edge_cases(probability = 0.05, values = ["OVERSEAS"]))] region: Option<&str>,
        #[define(any, edge_cases(probability = 0.06, values = [0.49999997, 0.5, 0.50000006]))]
        part: f32,
    ) -> f32 {
        shop::share(region, part)
    }
    "#);
}

#[test]
fn a_variant_is_made_where_it_is_chosen_and_some_are_enough() {
    insta::assert_snapshot!(all(
        "pub struct Comment { pub text: String, pub likes: u8 }
        pub struct Size { pub width: u32, pub height: u32, pub depth: u32, pub weight: u32, pub volume: u32 }
        pub enum Part { Empty, Comment(Comment), Sizes(Size, Size), Named(String, Comment) }
        pub fn shown(part: Part) -> String {}"
    ), @r#"
    #[tdg::ensemble_test]
    fn shown(
        #[define(categorical("Empty", "Comment", "Named"))] part: &str,
        #[define(any)] part_comment_text: String,
        #[define(any)] part_comment_likes: u8,
        #[define(any)] part_named_value_1: String,
        #[define(any)] part_named_value_2_text: String,
        #[define(any)] part_named_value_2_likes: u8,
    ) -> String {
        let part = match part { "Empty" => shop::Part::Empty, "Comment" => { let part_comment = shop::Comment { text: part_comment_text, likes: part_comment_likes }; shop::Part::Comment(part_comment) }, _ => { let part_named_value_2 = shop::Comment { text: part_named_value_2_text, likes: part_named_value_2_likes }; shop::Part::Named(part_named_value_1, part_named_value_2) }, };
        shop::shown(part)
    }
    "#);
}

#[test]
fn parameters_that_are_compared_with_each_other_are_sometimes_equal() {
    insta::assert_snapshot!(all(
        "pub fn fits(weight: u32, limit: Option<u8>, room: u32) -> bool {
            weight <= room && limit.is_none_or(|limit| limit < 9)
        }
        pub fn overdue(due: chrono::NaiveDate, paid: chrono::NaiveDate) -> bool { (paid - due).num_days() > 14 }
        pub fn near(a: f32, b: f32) -> bool { (a - b).abs() < 0.5 && a < 90.0 }
        pub fn sorted(a: &[u8], b: &[u8]) -> bool { a <= b }
        pub fn area(width: u16, height: u16) -> u32 { u32::from(width) * u32::from(height) }"
    ), @r#"
    #[tdg::ensemble_test]
    fn fits(
        #[define(any, edge_cases(probability = 0.4, values = [100]))] weight: u32,
        #[define(any, edge_cases(probability = 0.06, values = [8, 9, 10]))] limit: Option<u8>,
        #[define(any, edge_cases(probability = 0.4, values = [100, 101, 99]))] room: u32,
    ) -> bool {
        shop::fits(weight, limit, room)
    }

    #[tdg::ensemble_test]
    fn overdue(
        #[define(type = DATE, any, parse, edge_cases(probability = 0.4, values = ["2024-02-28"]))]
        due: chrono::NaiveDate,
        #[define(type = DATE, any, parse, edge_cases(probability = 0.4, values = ["2024-02-28", "2024-02-29", "2024-02-27", "2024-03-13", "2024-02-14"]))]
        paid: chrono::NaiveDate,
    ) -> bool {
        shop::overdue(due, paid)
    }

    #[tdg::ensemble_test]
    fn near(
        #[define(any, edge_cases(probability = 0.4, values = [100.0, 89.0, 89.99999, 90.0, 90.00001, 91.0]))]
        a: f32,
        #[define(any, edge_cases(probability = 0.4, values = [100.0, 100.5, 99.5]))] b: f32,
    ) -> bool {
        shop::near(a, b)
    }

    #[tdg::ensemble_test]
    fn sorted(
        #[define(any, length(0..=64))] a: Vec<u8>,
        #[define(any, length(0..=64))] b: Vec<u8>,
    ) -> bool {
        shop::sorted(&a, &b)
    }

    #[tdg::ensemble_test]
    fn area(#[define(any)] width: u16, #[define(any)] height: u16) -> u32 {
        shop::area(width, height)
    }
    "#);
}

#[test]
fn examples_are_repeated_with_drawn_values() {
    let root = r#"
        pub struct Queue<T>(Vec<T>);
        impl<T> Queue<T> {
            /// Moves elements to another queue.
            ///
            /// ```
            /// use shop::{Moved, Queue};
            /// use std::fmt::Write;
            ///
            /// let one = Queue::bounded(8);
            /// one.add("tea");
            /// println!("{}", one.len());
            /// let other = Queue::bounded(3);
            /// assert_eq!(one.move_to(&other), Moved::All(1));
            /// ```
            pub fn move_to(&self, other: &Queue<T>) -> Moved { todo!() }
            pub fn bounded(capacity: usize) -> Self { todo!() }
            pub fn add(&self, element: T) {}
        }
    "#;
    insta::assert_snapshot!(of_example(root, "Queue::move_to"));
}

#[test]
fn an_output_without_debug_is_recorded_as_its_example_checks_it() {
    let root = r#"
        pub struct Encoding(Secret);
        impl Encoding { pub fn relative(length: usize, width: usize) -> Self { todo!() } }
        #[cfg(test)]
        mod tests {
            use super::*;
            use approx::assert_close;
            #[test]
            fn relative() {
                let length = 10;
                let encoding = Encoding::relative(length, 6);
                assert_eq!(encoding.shape(), &[length, 6]);
                assert_close!(encoding.0, 1.0);
                assert!(encoding.is_square());
            }
        }
    "#;
    insta::assert_snapshot!(of_example(root, "Encoding::relative"));
}

#[test]
fn a_value_that_only_a_closure_gets_is_used_within_it() {
    let root = r#"
        pub struct Writer<'a>(&'a mut Vec<u8>);
        impl Writer<'_> {
            /// ```
            /// let text = shop::written(|writer| writer.number(7));
            /// assert_eq!(text, b"7");
            /// ```
            pub fn number(self, number: i8) { self.0.push(number as u8) }
        }
        pub fn written<F: FnOnce(Writer<'_>)>(write: F) -> Vec<u8> { todo!() }
    "#;
    insta::assert_snapshot!(of_example(root, "Writer::number"));
}

#[test]
fn an_example_with_effects_or_that_does_not_run_is_not_repeated() {
    let root = r#"
        pub struct Text(String);
        impl Text {
            /// ```
            /// let text = shop::Text::read(std::fs::read_to_string("tea.txt").unwrap());
            /// #
            /// assert_eq!(text.limited(8).len(), 8);
            /// ```
            pub fn limited(&self, to: usize) -> &str { todo!() }
            pub fn read(text: String) -> Self { todo!() }
        }
    "#;
    assert_eq!(of_example(root, "Text::limited"), "");
    let without = root.replace("std::fs::read_to_string", "String::from_str");
    assert!(of_example(&without, "Text::limited").contains("limited(&text, to)"));
    let not_run = without.replacen("```", "```no_run", 1);
    assert_eq!(of_example(&not_run, "Text::limited"), "");
    let in_call = r#"
        /// ```
        /// assert_eq!(shop::lines(&std::fs::read_to_string("tea.txt").unwrap()), 3);
        /// ```
        pub fn lines(text: &str) -> usize { todo!() }
    "#;
    assert_eq!(of_example(in_call, "lines"), "");
    let test = "pub fn half(x: u8) -> u8 { x / 2 }\n#[cfg(test)] mod tests {\n#[test]\n#[ignore]\n\
                fn f() { assert_eq!(half(8), 4); }\n}";
    assert_eq!(of_example(test, "half"), "");
    assert!(of_example(&test.replace("#[ignore]", ""), "half").contains("half(x)"));
}
