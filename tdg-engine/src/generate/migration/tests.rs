use super::*;
use proptest::prelude::*;

const NINE: &str = r#"{"type":"INTEGER","distribution":{"type":"uniform","min":1,"max":9}}"#;
const FIVE: &str = r#"{"type":"INTEGER","distribution":{"type":"uniform","min":1,"max":5}}"#;
const TEXT: &str = r#"{"type":"STRING","distribution":{"type":"constant","value":"x"}}"#;

/// Returns a feature or member with this name.
fn named(name: &str, drawn: &str) -> String {
    drawn.replacen('{', &format!(r#"{{"feature_name":"{name}","#), 1)
}

fn all_named(members: &[(&str, &str)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, it)| named(name, it)).collect();
    members.join(",")
}

fn object(members: &[(&str, &str)]) -> String {
    let members = all_named(members);
    format!(r#"{{"type":"OBJECT","distribution":{{"type":"object","features":[{members}]}}}}"#)
}

fn tuple(members: &[&str]) -> String {
    let members = members.join(",");
    format!(
        r#"{{"type":"OBJECT","distribution":{{"type":"object","form":"array","features":[{members}]}}}}"#
    )
}

fn list(element: &str) -> String {
    format!(
        r#"{{"type":"LIST","distribution":{{"type":"list","length":{{"min":1,"max":3}},"element":{element}}}}}"#
    )
}

fn map(key: &str, value: &str) -> String {
    let key = key.replacen('{', r#"{"unique":true,"#, 1);
    let entry = object(&[("key", &key), ("value", value)]);
    list(&entry).replacen(r#""type":"list""#, r#""type":"list","form":"map""#, 1)
}

fn variants(variants: &[(&str, Option<&str>)], form: &str) -> String {
    let variant = |(name, value): &(&str, Option<&str>)| {
        value.map_or(format!(r#"{{"variant":"{name}"}}"#), |value| {
            value.replacen('{', &format!(r#"{{"variant":"{name}","#), 1)
        })
    };
    let variants: Vec<String> = variants.iter().map(variant).collect();
    let variants = variants.join(",");
    format!(
        r#"{{"type":"VARIANT","distribution":{{"type":"variant","variants":[{variants}]{form}}}}}"#
    )
}

fn categories(categories: &[(&str, f64)]) -> String {
    let category = |(value, p): &(&str, f64)| format!(r#"{{"value":"{value}","probability":{p}}}"#);
    let categories: Vec<String> = categories.iter().map(category).collect();
    let categories = categories.join(",");
    format!(
        r#"{{"type":"STRING","distribution":{{"type":"categorical","categories":[{categories}]}}}}"#
    )
}

fn definition(features: &[(&str, &str)]) -> Definition {
    let features = all_named(features);
    Definition::parse(&format!(r#"{{"features":[{features}]}}"#)).unwrap()
}

fn ensemble(definition: &Definition, size: usize) -> Ensemble {
    Ensemble {
        name: String::new(),
        size,
        seed: 0,
        sampler_version: 1,
        digest: String::new(),
        definition: definition.canonical(),
        rows: None,
    }
}

/// Migrates rows from the first features to the others, and lists the changed names.
fn migrated(old: &[(&str, &str)], new: &[(&str, &str)], rows: &str) -> String {
    let (old, new) = (definition(old), definition(new));
    let recorded = Vectors::from_json(&old, rows).unwrap();
    let now = Vectors::generate(&new, 0, 20);
    let ensembles = [&old, &new].map(|it| ensemble(it, recorded.size()));
    let [old, new] = &ensembles;
    let Migration {
        vectors,
        renames,
        lost,
    } = Migration::new((old, &recorded), (new, &now), &Takes::All, None);
    let names: Vec<&str> = vectors.names().collect();
    let mut text = format!("{}: {}", names.join(","), vectors.to_json());
    text += &renames.with();
    if !renames.added.is_empty() {
        text += &format!(", added {}", renames.added.join(", "));
    }
    for (row, reason) in lost.iter().enumerate() {
        text.extend(reason.iter().map(|it| format!("; {row}: {it}")));
    }
    text
}

/// Does the same within a list of objects.
fn migrated_lines(old: &[(&str, &str)], new: &[(&str, &str)], rows: &str) -> String {
    let [old, new] = [old, new].map(|members| list(&object(members)));
    migrated(&[("lines", &old)], &[("lines", &new)], rows)
}

#[test]
fn a_feature_is_the_one_that_is_gone_if_it_is_drawn_as_that() {
    let migrated =
        |new: &[(&str, &str)]| migrated(&[("amount", NINE), ("quantity", FIVE)], new, "[[1,2]]");
    insta::assert_snapshot!(migrated(&[("quantity", FIVE), ("cost", NINE)]), @"quantity,cost: [[2,1]], with `amount` as `cost`");
    insta::assert_snapshot!(migrated(&[("price", NINE), ("count", FIVE)]), @"price,count: [[1,2]], with `amount` as `price`, `quantity` as `count`");
    // Either new feature may be the old one.
    insta::assert_snapshot!(migrated(&[("a", NINE), ("b", NINE)]), @": [[]]; 0: `a` was not recorded, and the definition no longer has `amount`");
    insta::assert_snapshot!(migrated(&[("quantity", NINE)]), @"quantity: [[2]]");
    // Nulls are drawn separately from the values.
    let nulls = NINE.replacen('{', r#"{"null_probability":0.5,"#, 1);
    insta::assert_snapshot!(migrated(&[("cost", &nulls), ("quantity", FIVE)]), @"cost,quantity: [[1,2]], with `amount` as `cost`");
}

#[test]
fn several_that_are_drawn_alike_are_known_by_their_spelling_or_their_order() {
    let old = [("unit_price", NINE), ("quantity", NINE)];
    let migrated = |new: &[(&str, &str)]| migrated(&old, new, "[[1,2]]");
    insta::assert_snapshot!(migrated(&[("quantity", NINE), ("unitPrice", NINE)]), @"quantity,unitPrice: [[2,1]], with `unit_price` as `unitPrice`");
    insta::assert_snapshot!(migrated(&[("UNIT-PRICE", FIVE), ("Quantity", TEXT)]), @"UNIT-PRICE,Quantity: [[1,2]], with `unit_price` as `UNIT-PRICE`, `quantity` as `Quantity`");
    insta::assert_snapshot!(migrated(&[("price", NINE), ("count", NINE)]), @"price,count: [[1,2]], with `unit_price` as `price`, `quantity` as `count`");
    insta::assert_snapshot!(migrated(&[("price", NINE), ("count", FIVE)]), @": [[]]; 0: `price` was not recorded, and the definition no longer has `unit_price`");
}

#[test]
fn the_only_new_one_of_a_type_may_be_the_only_one_that_is_gone() {
    let seven = NINE.replace('9', "7");
    let migrated =
        |new: &[(&str, &str)]| migrated(&[("amount", NINE), ("quantity", FIVE)], new, "[[1,2]]");
    insta::assert_snapshot!(migrated(&[("quantity", FIVE), ("b", FIVE)]), @"quantity,b: [[2,1]], with `amount` as `b`");
    insta::assert_snapshot!(migrated(&[("cost", &seven), ("count", FIVE)]), @"cost,count: [[1,2]], with `amount` as `cost`, `quantity` as `count`");
    insta::assert_snapshot!(migrated(&[("quantity", FIVE), ("b", TEXT)]), @"quantity: [[2]]");
    insta::assert_snapshot!(migrated(&[("b", &seven), ("c", &seven)]), @": [[]]; 0: `b` was not recorded, and the definition no longer has `amount`");
    insta::assert_snapshot!(migrated(&[("amount", FIVE)]), @"amount: [[1]]");
}

#[test]
fn members_are_renamed_at_every_level() {
    let old = [("qty", NINE), ("unit_price", NINE)];
    let rows = r#"[[[{"qty":1,"unit_price":2},{"qty":3,"unit_price":4}]],[null]]"#;
    let migrated = |new: &[(&str, &str)]| migrated_lines(&old, new, rows);
    insta::assert_snapshot!(migrated(&[("quantity", NINE), ("unit_price", NINE)]), @r#"lines: [[[{"quantity":1,"unit_price":2},{"quantity":3,"unit_price":4}]],[null]], with `lines/qty` as `lines/quantity`"#);
    insta::assert_snapshot!(migrated(&[("qty", NINE), ("unitPrice", NINE)]), @r#"lines: [[[{"qty":1,"unitPrice":2},{"qty":3,"unitPrice":4}]],[null]], with `lines/unit_price` as `lines/unitPrice`"#);
    insta::assert_snapshot!(migrated(&[("quantity", NINE), ("price", NINE)]), @r#"lines: [[[{"quantity":1,"price":2},{"quantity":3,"price":4}]],[null]], with `lines/qty` as `lines/quantity`, `lines/unit_price` as `lines/price`"#);
    insta::assert_snapshot!(migrated(&[("unit_price", NINE)]), @r#"lines: [[[{"unit_price":2},{"unit_price":4}]],[null]]"#);
    insta::assert_snapshot!(migrated(&[("qty", NINE), ("kind", TEXT)]), @r#"lines: [[[{"qty":1},{"qty":3}]],[null]]"#);
    let [old, new] = ["qty", "count"].map(|name| list(&object(&[(name, NINE)])));
    let [old, new] = [("lines", old), ("items", new)].map(|(name, it)| object(&[(name, &*it)]));
    insta::assert_snapshot!(super::tests::migrated(&[("order", &old)], &[("basket", &new)], r#"[[{"lines":[{"qty":7}]}]]"#), @r#"basket: [[{"items":[{"count":7}]}]], with `order` as `basket`, `order/lines` as `basket/items`, `order/lines/qty` as `basket/items/count`"#);
}

#[test]
fn what_was_not_recorded_has_the_values_of_now() {
    let rows = r#"[[[{"qty":1},{"qty":3}]],[[{"qty":5}]]]"#;
    let old = [("qty", NINE)];
    insta::assert_snapshot!(migrated_lines(&old, &[("tax", TEXT), ("qty", NINE)], rows), @r#"lines: [[[{"tax":"x","qty":1},{"tax":"x","qty":3}]],[[{"tax":"x","qty":5}]]], added lines/tax"#);
    insta::assert_snapshot!(migrated_lines(&old, &[("tax", TEXT), ("count", NINE)], rows), @r#"lines: [[[{"tax":"x","count":1},{"tax":"x","count":3}]],[[{"tax":"x","count":5}]]], with `lines/qty` as `lines/count`, added lines/tax"#);
    insta::assert_snapshot!(migrated(&[("a", NINE)], &[("d", TEXT), ("a", NINE)], "[[1],[2]]"), @r#"d,a: [["x",1],["x",2]], added d"#);
    insta::assert_snapshot!(migrated(&[("a", NINE)], &[("d", TEXT), ("b", NINE)], "[[1],[2]]"), @r#"d,b: [["x",1],["x",2]], with `a` as `b`, added d"#);
    // It may be the removed feature.
    insta::assert_snapshot!(migrated(&[("a", NINE), ("b", FIVE)], &[("d", TEXT), ("b", FIVE)], "[[1,2]]"), @"b: [[2]]");
    insta::assert_snapshot!(migrated(&[("a", NINE)], &[("d", TEXT)], "[[1]]"), @": [[]]; 0: `d` was not recorded, and the definition no longer has `a`");
}

#[test]
fn rows_are_lost_in_which_a_new_value_goes_with_no_other() {
    let old = definition(&[("xs", &list(NINE))]);
    let sum = r#"{"type":"INTEGER","distribution":{"type":"sum","of":"xs"}}"#;
    let new = definition(&[("xs", &list(FIVE)), ("total", sum)]);
    let recorded = Vectors::generate(&old, 0, 20);
    let now = Vectors::generate(&new, 0, 20);
    let ensembles = [&old, &new].map(|it| ensemble(it, 20));
    let of = |recorded: &Vectors, old: &Ensemble| {
        let migration = Migration::new((old, recorded), (&ensembles[1], &now), &Takes::All, None);
        migration.lost
    };
    let lost = of(&recorded, &ensembles[0]);
    insta::assert_snapshot!(lost.iter().flatten().next().unwrap(), @"`total` was not recorded, and its values depend on others");
    let same = definition(&[("xs", &list(FIVE))]);
    let recorded = Vectors::generate(&same, 0, 20);
    assert_eq!(of(&recorded, &ensemble(&same, 20)), vec![None; 20]);
}

#[test]
fn rows_of_files_have_the_new_values_of_the_same_rows() {
    let (old, new) = (
        definition(&[("a", NINE)]),
        definition(&[("a", NINE), ("d", FIVE)]),
    );
    let recorded = Vectors::from_json(&old, "[[1],[2],[3]]").unwrap();
    let now = Vectors::from_json(&new, "[[3,5],[1,4],[7,1]]").unwrap();
    let ensembles = [&old, &new].map(|it| Ensemble {
        rows: Some("orders.csv".to_owned()),
        ..ensemble(it, 3)
    });
    let [old, new] = &ensembles;
    let migration = Migration::new((old, &recorded), (new, &now), &Takes::All, None);
    assert_eq!(migration.vectors.to_json(), "[[1,4],[2,4],[3,5]]");
    let lost = Some("the file no longer has such a row".to_owned());
    assert_eq!(migration.lost, [None, lost, None]);
}

#[test]
fn values_move_into_an_object_and_out_of_one() {
    let line = object(&[("qty", NINE), ("cents", FIVE)]);
    let parts = [("qty", NINE), ("cents", FIVE)];
    insta::assert_snapshot!(migrated(&parts, &[("line", &line)], "[[1,2],[3,null]]"), @r#"line: [[{"qty":1,"cents":2}],[{"qty":3,"cents":null}]], with `qty` as `line/qty`, `cents` as `line/cents`"#);
    insta::assert_snapshot!(migrated(&[("line", &line)], &parts, r#"[[{"qty":1,"cents":2}],[null]]"#), @"qty,cents: [[1,2],[null,null]], with `line/qty` as `qty`, `line/cents` as `cents`");
    let only = object(&[("value", NINE)]);
    insta::assert_snapshot!(migrated(&[("qty", NINE)], &[("qty", &only)], "[[1],[null]]"), @r#"qty: [[{"value":1}],[null]], with `qty` as `qty/value`"#);
    insta::assert_snapshot!(migrated(&[("qty", &only)], &[("qty", NINE)], r#"[[{"value":1}],[null]]"#), @"qty: [[1],[null]], with `qty/value` as `qty`");
}

#[test]
fn tuples_structs_maps_and_lists_of_pairs_are_the_same_in_another_form() {
    let (pair, point) = (tuple(&[NINE, FIVE]), object(&[("x", NINE), ("y", FIVE)]));
    insta::assert_snapshot!(migrated(&[("at", &pair)], &[("at", &point)], "[[[1,2]]]"), @r#"at: [[{"x":1,"y":2}]], with `at/0` as `at/x`, `at/1` as `at/y`"#);
    insta::assert_snapshot!(migrated(&[("at", &point)], &[("at", &pair)], r#"[[{"x":1,"y":2}]]"#), @"at: [[[1,2]]], with `at/x` as `at/0`, `at/y` as `at/1`");
    let (rates, pairs) = (map(NINE, FIVE), list(&tuple(&[NINE, FIVE])));
    insta::assert_snapshot!(migrated(&[("rates", &rates)], &[("rates", &pairs)], r#"[[{"7":1,"8":2}],[{}]]"#), @"rates: [[[[7,1],[8,2]]],[[]]], with `rates/key` as `rates/0`, `rates/value` as `rates/1`");
    insta::assert_snapshot!(migrated(&[("rates", &pairs)], &[("rates", &rates)], r#"[[[[7,1],[8,2]]]]"#), @r#"rates: [[{"7":1,"8":2}]], with `rates/0` as `rates/key`, `rates/1` as `rates/value`"#);
}

#[test]
fn one_value_becomes_a_list_of_it() {
    let (line, lines) = (object(&[("qty", NINE)]), list(&object(&[("count", NINE)])));
    insta::assert_snapshot!(migrated(&[("x", &line)], &[("x", &lines)], r#"[[{"qty":1}],[null]]"#), @r#"x: [[[{"count":1}]],[null]], with `x/qty` as `x/count`"#);
    insta::assert_snapshot!(migrated(&[("x", &lines)], &[("x", &line)], r#"[[[{"count":1}]]]"#), @r#"x: [[[{"count":1}]]]"#);
}

#[test]
fn variants_have_other_names_members_and_forms() {
    let of = |name: &str, member: &str| {
        let card = object(&[(member, NINE)]);
        variants(&[(name, Some(&card)), ("Cash", None)], "")
    };
    let rows = r#"[["Cash"],[{"Card":{"no":1}}]]"#;
    let migrated = |new: &str| migrated(&[("kind", &of("Card", "no"))], &[("kind", new)], rows);
    insta::assert_snapshot!(migrated(&of("Credit", "no")), @r#"kind: [["Cash"],[{"Credit":{"no":1}}]], with `kind/Card` as `kind/Credit`"#);
    insta::assert_snapshot!(migrated(&of("Credit", "number")), @r#"kind: [["Cash"],[{"Credit":{"number":1}}]], with `kind/Card` as `kind/Credit`, `kind/Card/no` as `kind/Credit/number`"#);
    let card = object(&[("no", NINE), ("cvc", TEXT)]);
    insta::assert_snapshot!(migrated(&variants(&[("Card", Some(&card)), ("Cash", None)], "")), @r#"kind: [["Cash"],[{"Card":{"no":1,"cvc":"x"}}]], added kind/Card/cvc"#);
    let card = object(&[("no", NINE)]);
    insta::assert_snapshot!(migrated(&variants(&[("Card", Some(&card)), ("Cash", None)], r#","tag":"type""#)), @r#"kind: [[{"type":"Cash"}],[{"type":"Card","no":1}]]"#);
    insta::assert_snapshot!(migrated(&variants(&[("Card", None), ("Cash", Some(TEXT))], "")), @r#"kind: [[{"Cash":"x"}],["Card"]], added kind/Cash"#);
    insta::assert_snapshot!(migrated(&variants(&[("Cash", None)], "")), @r#"kind: [["Cash"],[{"Card":{"no":1}}]]"#);
}

#[test]
fn a_category_is_the_one_that_is_gone_if_it_has_its_share() {
    let old = categories(&[("HALF", 0.25), ("TENTH", 0.25), ("NONE", 0.5)]);
    let rows = r#"[["HALF"],["TENTH"],["NONE"],[null]]"#;
    let migrated =
        |new: &[(&str, f64)]| migrated(&[("coupon", &old)], &[("coupon", &categories(new))], rows);
    insta::assert_snapshot!(migrated(&[("NONE", 0.5), ("fifty", 0.25), ("TENTH", 0.25)]), @r#"coupon: [["fifty"],["TENTH"],["NONE"],[null]], with "HALF" of `coupon` as "fifty""#);
    insta::assert_snapshot!(migrated(&[("fifty", 0.5), ("TENTH", 0.25), ("NONE", 0.25)]), @r#"coupon: [["HALF"],["TENTH"],["NONE"],[null]]"#);
    insta::assert_snapshot!(migrated(&[("Half", 0.25), ("Tenth", 0.25), ("None", 0.5)]), @r#"coupon: [["Half"],["Tenth"],["None"],[null]], with "HALF" of `coupon` as "Half", "TENTH" of `coupon` as "Tenth", "NONE" of `coupon` as "None""#);
    insta::assert_snapshot!(migrated(&[("TENTH", 0.5), ("NONE", 0.5)]), @r#"coupon: [["HALF"],["TENTH"],["NONE"],[null]]"#);
}

#[test]
fn values_within_others_of_a_shape_are_renamed_too() {
    let shaped = |member: &str| {
        let children =
            named("children", &list(r#"{"shape":"node"}"#)).replace(r#""min":1"#, r#""min":0"#);
        let size = named(member, NINE);
        let text = format!(
            r#"{{"shapes":{{"node":{{"type":"OBJECT","distribution":{{"type":"object","features":[{size},{children}]}},"depth":3}}}},
                "features":[{{"feature_name":"tree","shape":"node"}}]}}"#
        );
        Definition::parse(&text).unwrap()
    };
    let (old, new) = (shaped("size"), shaped("weight"));
    let rows = r#"[[{"size":1,"children":[{"size":2,"children":[]}]}]]"#;
    let recorded = Vectors::from_json(&old, rows).unwrap();
    let now = Vectors::generate(&new, 0, 1);
    let ensembles = [&old, &new].map(|it| ensemble(it, 1));
    let migration = Migration::new(
        (&ensembles[0], &recorded),
        (&ensembles[1], &now),
        &Takes::All,
        None,
    );
    assert_eq!(migration.vectors.to_json(), rows.replace("size", "weight"));
    assert_eq!(
        migration.renames.to_string(),
        "`tree/size` as `tree/weight`"
    );
}

#[test]
fn the_names_that_a_message_shows_are_few() {
    let names = ["one_a", "two_b", "three_c", "four_d", "five_e", "six_f"];
    let camel = ["oneA", "twoB", "threeC", "fourD", "fiveE", "sixF"];
    let [old, new] = [names, camel].map(|names| names.map(|name| (name, NINE)));
    let rows = r#"[[[{"one_a":1,"two_b":2,"three_c":3,"four_d":4,"five_e":5,"six_f":6}]]]"#;
    insta::assert_snapshot!(migrated_lines(&old, &new, rows), @r#"lines: [[[{"oneA":1,"twoB":2,"threeC":3,"fourD":4,"fiveE":5,"sixF":6}]]], with `lines/one_a` as `lines/oneA`, `lines/two_b` as `lines/twoB`, `lines/three_c` as `lines/threeC`, `lines/four_d` as `lines/fourD`, 2 more"#);
}

#[test]
fn a_row_is_migrated_on_its_own() {
    let of = |name: &str| {
        ensemble(
            &definition(&[("lines", &list(&object(&[(name, NINE)]))), ("n", FIVE)]),
            1,
        )
    };
    let row = Migration::of_row(r#"{"n":2,"lines":[{"qty":1}]}"#, &of("qty"), &of("count"));
    assert_eq!(row.unwrap().to_string(), r#"{"lines":[{"count":1}],"n":2}"#);
    assert_eq!(
        Migration::of_row(r#"{"n":2}"#, &of("qty"), &of("count")),
        None
    );
}

/// The definition of a feature whose members and variants are named later.
#[derive(Clone, Debug)]
enum Drawn {
    Integer(u8),
    List(Box<Self>),
    Object(Vec<Self>),
    Tuple(Vec<Self>),
    Variant(Vec<Option<Self>>),
}

impl Drawn {
    fn any() -> impl Strategy<Value = Self> {
        (1..4_u8)
            .prop_map(Self::Integer)
            .prop_recursive(3, 16, 3, |inner| {
                let several = || prop::collection::vec(inner.clone(), 1..4);
                prop_oneof![
                    inner.clone().prop_map(|it| Self::List(Box::new(it))),
                    several().prop_map(Self::Object),
                    several().prop_map(Self::Tuple),
                    prop::collection::vec(prop::option::of(inner.clone()), 1..4)
                        .prop_map(Self::Variant),
                ]
            })
    }

    fn text(&self, name: &dyn Fn(usize) -> String) -> String {
        let all = |all: &[Self]| -> Vec<String> { all.iter().map(|it| it.text(name)).collect() };
        match self {
            Self::Integer(max) => NINE.replace('9', &max.to_string()),
            Self::List(element) => list(&element.text(name)),
            Self::Object(members) => {
                let members = all(members).into_iter().enumerate();
                let members: Vec<_> = members.map(|(index, it)| (name(index), it)).collect();
                let members: Vec<_> = members.iter().map(|(name, it)| (&**name, &**it)).collect();
                object(&members)
            }
            Self::Tuple(members) => {
                let members = all(members);
                tuple(&members.iter().map(|it| &**it).collect::<Vec<_>>())
            }
            Self::Variant(all) => {
                let all = all.iter().enumerate();
                let all: Vec<_> = all
                    .map(|(index, it)| (name(index), it.as_ref().map(|it| it.text(name))))
                    .collect();
                let all: Vec<_> = all
                    .iter()
                    .map(|(name, it)| (&**name, it.as_deref()))
                    .collect();
                variants(&all, "")
            }
        }
    }
}

proptest! {
    #[test]
    fn renamed_rows_are_those_that_the_definition_of_now_reads(drawn in Drawn::any(), spelling in 0..2_usize) {
        let old_name = |index: usize| format!("unit_{index}");
        let new_name = |index: usize| [format!("Unit{index}"), format!("other {index}")][spelling].clone();
        let (old, new) = (drawn.text(&old_name), drawn.text(&new_name));
        let [old, new] = [old, new].map(|it| definition(&[("feature", &it)]));
        let recorded = Vectors::generate(&old, 0, 12);
        let now = Vectors::generate(&new, 1, 7);
        let ensembles = [&old, &new].map(|it| ensemble(it, 12));
        let migration = Migration::new((&ensembles[0], &recorded), (&ensembles[1], &now), &Takes::All, None);
        let mut expected = recorded.to_json();
        for index in 0..4 {
            expected = expected.replace(&format!("\"{}\"", old_name(index)), &format!("\"{}\"", new_name(index)));
        }
        prop_assert_eq!(migration.vectors.to_json(), &*expected);
        prop_assert!(migration.renames.added.is_empty());
        let read = Vectors::from_json(&new, &expected).unwrap();
        prop_assert_eq!(read.to_json(), expected);
    }
}
