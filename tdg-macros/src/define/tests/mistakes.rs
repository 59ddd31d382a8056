//! The derive's errors, with their places.

use crate::define::expand;
use crate::mistakes::underlined;

/// Returns the errors of a struct for each line with a field.
fn fields(lines: &str) -> String {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|field| errors_of(&format!("struct Order {{\n{field}\n}}")))
        .collect()
}

/// Returns the errors of items that are separated by blank lines.
fn items(items: &str) -> String {
    items.split("\n\n").map(errors_of).collect()
}

fn errors_of(source: &str) -> String {
    underlined(source, expand(source.parse().unwrap()))
}

#[test]
fn of_distributions() {
    let said = fields(
        r#"
        amount: f64
        #[feature(gaussian(mu = 1, sigma = 1))] amount: f64
        #[define(gausian(mu = 10.0, sigma = 2.0))] amount: f64
        #[define(gaussian(mu = 10.0, sigma = 2.0))] quantity: i64
        #[define(gaussian(mu = 10.0, sigma = 2.0), uniform(min = 0.0, max = 1.0))] amount: f64
        #[define(gaussian(mu = 10.0, sigma = -2.0))] amount: f64
        #[define(gaussian(mu = 10.0, sigam = 2.0))] amount: f64
        #[define(gaussian(mu = 10.0, sigma = 2.0, mu = 1.0))] amount: f64
        #[define(gaussian(mu = 10.0 sigma = 2.0))] amount: f64
        #[define(gaussian(mu = , sigma = 2.0))] amount: f64
        #[define(gaussian(mu = mean(), sigma = 2.0))] amount: f64
        #[define(gaussian(mean = 0.0, std = 1.0))] a: f64
        #[define(normal(mean = 10, 2.5))] amount: f64
        #[define(uniform(1, 20))] quantity: i64
        #[define(uniform(min = 20, max = 1))] quantity: i64
        #[define(pattern("[A-Z"))] label: String
        #[define(uuid(4))] id: String
        #[define(mixture(0.5, uniform(min = 0, max = 9)))] amount: f64
        #[define(mixture(gaussian(mu = 10.0, sigma = 2.0) = 0.7, exponential(rate = 0.0) = 0.3))] amount: f64
        #[define(categorical("HALF" = 0.5, "TENTH" = 0.4))] coupon: String
        #[define(categorical("HALF" = 0.5, "TENTH"))] coupon: String
        #[define(categorical([HALF, TENTH]))] coupon: String
        #[define(MAX)] quantity: i64
        #[define(uniform(1, MAX))] quantity: i64
        #[define(poisson(RATE = 0.5))] quantity: i64
        #[define(uniform(1..=MAX), null_probability = RARE)] quantity: i64
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_types() {
    let said = fields(
        r#"
        #[define(type = DATETIM, uniform(min = "2020-01-01T00:00:00Z", max = "2020-12-31T00:00:00Z"))] placed: String
        #[define(uniform(min = "2020-01-01", max = "2020-12-31"))] day: String
        #[define(uniform(min = "2020-01-01T00:00:00Z", max = "2020-12-31T00:00:00Z"))] placed: String
        #[define(gaussian(mu = 10.0, sigma = 2.0))] amount: Money
        place: (f64, f64)
        #[define(gaussian(mu = 10.0, sigma = 2.0), null_probability = 0.1)] amount: f64
        #[define(rename = "the amount", gaussian(mu = 10.0, sigma = 2.0))] amount: f64
        #[define(any)] amount: f64, #[serde(flatten)] address: Address
        #[define(any)] amount: f64, #[serde(skip)] #[define(any)] price: f64
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_any() {
    let said = fields(
        "
        #[define(any(min = -1))] quantity: u8
        #[define(any(0.0..1.0))] share: f64
        #[define(any(max = 20))] comment: String
        #[define(any(maximum = 20))] quantity: u32
        #[define(any(max = 1000.0))] amount: Money
        #[define(any)] amounts: Vec<f64>
        #[define(any, unique)] id: u64
        ",
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_ranges() {
    let said = fields(
        r#"
        #[define(uniform(0.0..=1.0))] x: f64
        #[define(uniform(0..9))] x: String
        #[define(uniform(0..-170141183460469231731687303715884105728))] x: i64
        #[define(gaussian(mu = 0.0, sigma = 1.0, 0.0..9.5))] x: f64
        #[define(mixture(uniform(0.0..=1.0) = 1.0))] x: f64
        #[define(type = DATE, uniform("2020-01-01".."2020-12-31"))] x: String
        #[define(uniform("2020-01-01"..="2020-12-31"))] x: String
        #[define(1..=20)] x: i64
        #[define(type = INTEGER, 1..=20)] x: Count
        #[define(poisson(1..=20))] x: i64
        #[define(uniform(range = 1..=20))] x: i64
        #[define(uniform(1..=20, max = 30))] x: i64
        #[define(uniform(low = 2, 1..=20))] x: i64
        #[define(uniform(1..=20, 2..=30))] x: i64
        #[define(uniform(1..))] x: i64
        #[define(uniform(1..=))] x: i64
        #[define(uniform(20..=1))] x: i64
        #[define(uniform(1..=max))] x: i64
        #[define(uniform(limits::min..=20))] x: i64
        #[define(uniform(1.5..20))] x: i64
        #[define(uniform(0.0..1.0))] x: u8
        #[define(mixture(uniform(-1e1..3) = 1.0))] x: Option<i32>
        #[define(any(..9.0))] x: u8
        #[define(unifrom(1..=20))] x: i64
        #[define(pareto(1.0..=9.0, shape = 1.0))] x: f64
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_structs() {
    let said = items(
        r#"
struct Order {}

struct Order(f64, i64);

union Order { amount: f64, quantity: i64 }

struct Order<T, const N: usize> { amount: T }

#[define(crate = "::my::tdg")]
struct Order { #[define(any)] amount: f64 }

#[define(definition_nam = "orders")]
struct Order { #[define(any)] amount: f64 }

#[serde(rename_all = "snake-case")]
struct Order { #[define(any)] amount: f64 }

#[define(sampling = "stratified")]
struct Part {
    #[define(mixture(gaussian(mu = 0.0, sigma = 1.0) = 0.5, gaussian(mu = 9.0, sigma = 1.0) = 0.5))]
    length: f64,
}

struct Order {
    #[define(any)] amount: f64,
    #[define(any)] #[serde(rename = "amount")] price: f64,
}

struct Order {
    #[define(gaussian(mu = 10.0, sigma = -2.0))]
    amount: f64,
    #[define(gausian(mu = 10.0, sigma = 2.0), nul_probability = 0.1)]
    price: Option<f64>,
}
"#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_relations() {
    let person = |relation: &str| {
        let fields = "#[define(uniform(0..9))] height: i64, #[define(uniform(0..9))] weight: i64, \
                      #[define(uniform(0..9))] age: i64, #[define(uuid)] id: String, \
                      #[define(bernoulli(p = 0.5))] member: bool, #[define(any)] share: f64, \
                      #[define(type = DATE, uniform(\"2020-01-01\"..=\"2020-12-31\"))] born: String, \
                      #[define(length(0..=12))] lines: Vec<Line>";
        errors_of(&format!(
            "#[define({relation})]\nstruct Person {{ {fields} }}"
        ))
    };
    let said: String = [
        "correlation(height, wieght, 0.7)",
        "correlation(height, id, 0.7)",
        "correlation(height, weight, 1.7)",
        "correlation(height, weight, 0.9), correlation(weight, age, 0.9), correlation(age, height, -0.9)",
        "order(height, share)",
        "order(born, height)",
        "order(lines, height)",
        "order(height, length_of(lines))",
        "order(height, born, lines)",
        "coverage(strength = 4)",
        "coverage(strength = 2, features = [id, member])",
    ]
    .map(person)
    .concat();
    insta::assert_snapshot!(said);
}

#[test]
fn of_enums() {
    let said = items(
        r#"
enum Coupon {}

#[define(uniform(0..3), type = STRING)] enum Coupon { Half, Tenth }

#[define(categories = ["Half"])] enum Coupon { Half, Tenth }

enum Coupon { #[define(probability = 0.2)] Half, Tenth }

enum Coupon { #[define(probability = 0.2)] Half, #[define(probability = 0.7)] Tenth }

enum Coupon { #[define(probabilty = 0.2)] Half, #[define(probability = 0.8)] Tenth }
"#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_variants() {
    let said = items(
        r#"
enum Op { Push(i64), Pop }

enum Op { #[define(uniform(0..9))] Push(i64), Pop }

enum Op { #[define(0.5)] Push(#[define(any)] i64), Pop }

enum Op { Push(#[define(uniform(0..=300))] u8), Pop() }

enum Op { Push(#[define(unifrm(0..9))] i64), Swap(#[define(any)] usize, usize) }

enum Op { Push { #[define(any, via = Money::new)] value: Money }, Pop }

enum Op { #[define(probability = 0.5)] Push(#[define(any)] i64), Pop }

enum Op { #[define(probability = 0.5, type = FLOAT)] Push(#[define(any)] i64), #[define(probability = 0.5, any)] Pop }

enum Op { #[define(probability = 0.5)] Push(#[define(any)] i64), #[define(probability = 0.6)] Pop }

enum Op { #[define(rename = "push")] Push(#[define(any)] i64) }

#[serde(tag = "kind")]
enum Op { Push(#[define(any)] i64), Move { #[define(any)] kind: bool } }

#[serde(content = "kind")]
enum Op { Pop }

#[serde(untagged)]
enum Op { Name(#[define(any)] String), Path(#[define(any)] String), Line(Line) }

enum Op { Push(#[define(any)] Vec<(u8, HashMap<u8, u8>)>), Move { #[serde(flatten)] at: Place } }
"#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_makers() {
    let said = fields(
        r#"
        #[define(via = Money::new)] total: Money
        #[define(uniform(0..=9), parse)] total: Money
        #[define(uniform(0..=9), via = Money::new(5))] total: Money
        #[define(uniform(0..=300), via = |n: u16|)] total: u8
        #[define(uniform(0..=9), via = Money::new)] #[serde(with = "money")] total: Money
        #[define(uniform(0..=9), via = Money::new)] #[serde(alias = "sum")] total: Money
        #[define(uniform(0..=9), via = Money::new)] #[serde(skip)] total: Money
        #[define((uniform(0..=9), uniform(0..=9)), via = |n: i64| Money::new(n))] total: Money
        #[define([uniform(0..=9), via = Money::new; 3])] #[serde(flatten)] totals: Vec<Money>
        #[define((uniform(0..=9), via = Money::new, any, any))] pair: (Money, u8)
        "#,
    ) + &items(
        r#"
        #[serde(deny_unknown_fields, default)] struct Order { #[define(uniform(0..=9), via = Money::new)] total: Money }

        enum Coupon { #[define(via = Money::new)] Half }
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_lists() {
    let said = fields(
        r#"
        #[define(uniform(0..9))] xs: i64, #[define([uniform(0..9); 0..=3])] x: i64
        #[define([uniform(0..9); 3..=1])] xs: Vec<i64>
        #[define([uniform(0..=300); 0..=3])] xs: Vec<u8>
        #[define(uniform(0..300))] xs: Vec<u8>
        #[define(gaussian(mu = 1.0, sigma = -2.0))] xs: Vec<f64>
        #[define([uniform(0..9); -1..=3])] xs: Vec<i64>
        #[define([uniform(0..9); 0.5])] xs: Vec<i64>
        #[define([uniform(0..9); ..=20_000])] xs: Vec<i64>
        #[define([uniform(0..9), unique; 0..=20])] xs: Vec<i64>
        #[define([gaussian(mu = 0.0, sigma = 1.0), unique; 3])] xs: Vec<f64>
        #[define([gausian(mu = 0.0, sigma = 1.0); 3])] xs: Vec<f64>
        #[define([any; any])] xs: Vec<f64>
        #[define([any; poisson(rate = 2.0)])] xs: Vec<f64>
        #[define([any; 0..=3], length(2))] xs: Vec<f64>
        #[define([any; 3])] xs: [f64; 4]
        #[define([any; 0..=4])] xs: [f64; 4]
        #[define(any, length(2))] xs: [f64; 4]
        #[define([any, null_probability = 0.1; 3])] xs: Vec<f64>
        #[define([; 3])] xs: Vec<f64>
        #[define([1, 2, 3])] xs: Vec<f64>
        #[define([any, 0..=3])] xs: Vec<i64>
        #[define([any; 0..=3, via = Digit::new])] xs: Vec<Digit>
        #[define([any => any; 0..=3])] xs: BTreeMap<u8, u8>
        #[define(5)] x: i64
        xs: Vec<f64>
        #[define(length(0..=3), sorted("from"))] xs: Vec<Booking>
        #[define([any; 0..=3], sorted(from))] xs: Vec<i64>
        #[define([(any, uniform(0..9)); 0..=3], sorted(0))] xs: Vec<(i64, i64)>
        #[define([any; 0..=3], sorted = "up")] xs: Vec<i64>
        #[define(sorted(from), [any; 0..=3])] xs: Vec<i64>
        #[define({any => any; 0..=3}, sorted(key))] xs: BTreeMap<u8, u8>
        #[define([(any, any); 0..=3], sorted(2))] xs: Vec<(i64, i64)>
        #[define([(any, any); 0..=3], sorted("0"))] xs: Vec<(i64, i64)>
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_bytes() {
    let said = fields(
        r##"
        #[define(any, length(-1..=3))] xs: Vec<u8>
        #[define(any, length(3))] xs: [u8; 4]
        #[define(any(length = 3), length(4))] xs: Vec<u8>
        #[define(pattern(regex = "(?-u)\\xff"), length(3))] xs: Vec<u8>
        #[define(pattern(regex = "(?-u)é"))] xs: Vec<u8>
        #[define(constant(value = "é"))] xs: Box<[u8]>
        #[define(categorical(b"a" = 0.5, b"b" = 0.6))] xs: Vec<u8>
        #[define(constant(value = b"GIF"))] name: String
        #[define([uniform(0..=9), constant(value = b"GIF"); 3])] xs: Vec<Vec<u8>>
        #[define(constant(value = c"GIF"))] xs: Vec<u8>
        #[define(any, edge_cases(probability = 0.1, values = [b"GIF"]))] name: &str
        "##,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_references() {
    let said = fields(
        r#"
        #[define([any; 2])] xs: Vec<u32>, #[define(index(of = sx))] i: usize
        #[define([any; 0..=2])] xs: Vec<u32>, #[define(index(xs))] i: usize
        #[define([any; xs])] xs: Vec<u32>
        #[define([any; n.x])] xs: Vec<u32>, #[define(uniform(0..=3))] n: usize
        #[define([any; n])] xs: Vec<u32>, #[define(any)] n: i64
        #[define([any; 2])] xs: Vec<u32>, #[define(one_of(xs))] x: bool
        #[define([any; 2])] xs: Vec<u32>, #[define(one_of(xs, missing = 0.5))] x: u32
        #[define([any; 2])] xs: Vec<u32>, #[define(one_of(xs.sku))] x: u32
        #[define(index(0..3))] i: usize
        #[define(length_of("xs"))] i: usize
        #[define([any; 2])] xs: Vec<u32>, #[define(one_of = xs)] x: u32
        #[define([any; 2])] xs: Vec<u32>, #[define(one_of(xs.0))] x: u32
        #[define([any; 2])] xs: Vec<u32>, #[define([any; xs.len()])] ys: Vec<u32>
        #[define(one_of(1, 2, 3))] x: i64
        #[define([any; 0..=2])] xs: Vec<i64>, #[define(sum(xs))] x: i64
        #[define([uniform(0..9); 0..=2])] xs: Vec<i64>, #[define(sum(xs, off = 2))] x: i64
        #[define([uniform(0..9); 0..=2])] xs: Vec<i64>, #[define(share(xs))] x: i64
        #[define(uniform(0..9))] n: i64, #[define([share(n); 0..=2])] xs: Vec<i64>
        #[define(uniform(0.0..9.0))] n: f64, #[define([share(n); 1..=2])] xs: Vec<f64>
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_maps() {
    let said = fields(
        r#"
        #[define({any => any; 0..=3})] x: i64
        #[define({any => any; 0..=3})] xs: Vec<i64>
        #[define({any => any; 0..=3}, via = Stock::new)] stock: Stock
        #[define([any])] map: HashMap<String, f64>
        #[define({any; 0..=3})] map: HashMap<String, f64>
        #[define({any => any; 0..=300})] map: HashMap<u8, f64>
        #[define(uniform(0..9))] map: HashMap<u8, u8>
        #[define({any(0.0..=9.0) => any; 3})] map: BTreeMap<f64, f64>
        #[define({unifrm(0..9) => uniform(0..=300); 3})] map: BTreeMap<u8, u8>
        #[define({any, null_probability = 0.1 => any; 3})] map: BTreeMap<u8, u8>
        #[define({any => any; 3}, length(2))] map: HashMap<u8, u8>
        #[define({any, via = Digit::new => any, parse; 3})] map: HashMap<Digit, u8>
        #[define({any => any, 0..=3})] map: HashMap<u8, u8>
        map: HashMap<String, f64>
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_tuples() {
    let said = fields(
        r#"
        #[define((uniform(0..9), any))] x: i64
        #[define((uniform(0..9), any))] pair: (u8, bool, f64)
        #[define(uniform(0..9))] pair: (u8, u8)
        #[define((uniform(0..9), unifrm(0..9)))] pair: (u8, u8)
        #[define((uniform(0..300), any))] pair: (u8, u8)
        #[define((any, null_probability = 0.1, any))] pair: (u8, u8)
        #[define((any any))] pair: (u8, u8)
        #[define(())] pair: (u8, u8)
        pair: (u8, u8)
        unit: ()
        #[define(any)] function: fn(i64)
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_types_that_contain_themselves() {
    let said = items(
        r#"
        enum Json { Null, Array(#[define(length(0..=5))] Vec<Json>) }

        struct Tree { #[define(any)] value: u8, #[define(null_probability = 0.5)] next: Option<Box<Self>> }

        #[define(depth = 17, leaves = 0)]
        enum Json { Null, Array(Vec<Json>) }

        #[define(depth = "deep")]
        struct Tree { #[define(any)] value: u8, next: Option<Box<Tree>> }
        "#,
    );
    insta::assert_snapshot!(said);
}

#[test]
fn of_structs_of_one_value() {
    let said = items(
        r#"
        struct Sku(String);

        struct Sku(#[define(patern(regex = "[A-Z]{2}"))] String);

        struct Cents(#[define(uniform(0..=300))] u8);

        struct Day(#[define(uniform(1..=31), via = Weekday::new)] Weekday);

        #[define(order(low, high))]
        struct Count(#[define(any)] u8);

        struct Pair(#[define(any)] u8, #[define(any)] u8);

        #[serde(transparent)]
        struct Pair { #[define(any)] low: u8, #[define(any)] high: u8 }

        struct Chain(Vec<Chain>);

        struct Order { #[define(any)] amount: f64, #[serde(flatten)] place: Place }
        "#,
    );
    insta::assert_snapshot!(said);
}
