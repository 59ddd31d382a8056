use tdg_definition::Definition;
use tdg_definition::json::Value;
use tdg_engine::Vectors;

use super::*;
use crate::commands::compare::calls::{CallOutcome, Runs};
use crate::commands::compare::functions::Paired;
use crate::sources::UncalledItems;
use tdg_html::LIMIT;
use tdg_tests::page::{HOSTILE, assert_obeys_nothing, seen, texts};

const ORDERS: &str = r#"{"features":[
    {"feature_name":"quantity","type":"INTEGER","distribution":{"type":"uniform","min":1,"max":20}},
    {"feature_name":"coupon","type":"STRING","distribution":{"type":"categorical","categories":[{"value":"HALF","probability":0.5},{"value":"NONE","probability":0.5}]}}
]}"#;
const SIZE: usize = 300;

/// Returns a compared function with these outputs before and after.
fn compared(
    name: &str,
    definition: &str,
    before: impl Fn(&[String]) -> String,
    after: impl Fn(&[String]) -> String,
) -> ComparedFunction {
    let definition = Definition::parse(definition).unwrap();
    let vectors = Vectors::generate(&definition, 0, SIZE);
    let runs = |output: &dyn Fn(&[String]) -> String| {
        let outcome = |row| {
            let text = output(&vectors.cells(row));
            CallOutcome::Returned(vec![(String::new(), text)])
        };
        Runs::new((0..SIZE).map(outcome).collect(), None)
    };
    ComparedFunction::new(name, &vectors, &[], &[runs(&before), runs(&after)])
}

/// A function that now takes half the price above a quantity.
fn total(name: &str, more_than: i64) -> ComparedFunction {
    let number = |row: &[String]| row[0].parse::<i64>().unwrap();
    compared(
        name,
        ORDERS,
        |row| (number(row) * 30).to_string(),
        |row| {
            let is_half = row[1] == "\"HALF\"" && number(row) > more_than;
            (number(row) * if is_half { 15 } else { 30 }).to_string()
        },
    )
}

fn same(name: &str) -> ComparedFunction {
    compared(name, ORDERS, |_| "1".to_owned(), |_| "1".to_owned())
}

fn page(compared: Vec<ComparedFunction>, functions: Paired) -> String {
    let answer = PackageAnswer::new("shop".to_owned(), compared, functions);
    super::page("main (5d6e7f8)", SIZE, &[&answer], &[], &Default::default())
}

/// Returns the visible words, one line per element.
fn lines(page: &str) -> String {
    let seen = seen(&page.replace("</", "\n</"));
    let lines = seen
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[test]
fn changed_functions_come_first_with_their_charts_an_example_and_their_rows() {
    let rounding = compared(
        "tax",
        ORDERS,
        |_| "0.1".into(),
        |_| "0.10000000000000002".into(),
    );
    let functions = Paired {
        skipped: [("apply".to_owned(), "takes a function".to_owned())].into(),
        resigned: [("narrow".to_owned(), "takes other arguments")].into(),
        added: vec!["new".to_owned()],
        removed: vec!["old".to_owned()],
        uncalled: UncalledItems {
            constants: vec!["LIMIT".to_owned()],
            ..UncalledItems::default()
        },
        ..Paired::default()
    };
    let all = vec![
        same("even"),
        rounding,
        total("rare", 18),
        total("total", 10),
    ];
    let page = page(all, functions);
    let (head, sections) = page.split_once("<section id=").unwrap();
    insta::assert_snapshot!(lines(head), @r#"
    tdg
    compared with main (5d6e7f8)
    Expected is the output of main (5d6e7f8), actual is the output now.
    shop
    7 public functions; 4 compared on 300 rows each, 1 not compared, 1 with a changed signature, 1 new, 1 removed
    function
    changed
    rows
    total
    perhaps coupon = "HALF" and quantity &gt; 10
    76
    300
    rare
    perhaps quantity &gt; 18 and coupon = "HALF"
    14
    300
    tax
    : 300 cases differ in the last digits only
    narrow
    takes other arguments
    old
    was removed
    1 function gave the same
    Not compared 1
    apply
    : takes a function
    New 1
    new
    "#);
    let [total, rare] = [0, 1].map(|at| sections.split("<section id=").nth(at).unwrap());
    assert!(lines(rare).contains("14 of 300 cases changed"));
    for (anchor, section) in [("function-0-0", total), ("function-0-1", rare)] {
        assert!(head.contains(&format!("<a href=\"#{anchor}\">")));
        assert!(section.starts_with(&format!("\"{anchor}\"")));
    }
    assert_eq!(
        texts(total, "h3"),
        ["perhaps coupon = &quot;HALF&quot; and quantity &gt; 10"]
    );
    let (findings, rest) = total.split_once("<pre>").unwrap();
    assert!(lines(findings).contains("actual = 0.5 × expected in all 76"));
    for drawing in [
        "<svg class=\"bins\"",
        "<line class=\"threshold\"",
        "<svg class=\"plot\"",
    ] {
        assert!(findings.contains(drawing), "{drawing}");
    }
    let (example, rest) = rest.split_once("</pre>").unwrap();
    assert_eq!(
        example,
        "total(18, &quot;HALF&quot;)\n  before: 540\n  after:  270"
    );
    assert!(rest.contains("<details><summary>Findings as text</summary>"));
    assert_eq!(rest.matches("<tbody").count(), 76);
    let (_, last) = sections.rsplit_once("<section>").unwrap();
    insta::assert_snapshot!(lines(last), @r"
    Not looked at in shop 1
    LIMIT
    (constant)
    ");
}

#[test]
fn nothing_of_rows_outputs_and_names_is_obeyed() {
    let text = Value::from(HOSTILE).to_string();
    let definition = format!(
        r#"{{"features":[{{"feature_name":"<i>n","type":"STRING","distribution":{{"type":"categorical","categories":[{{"value":{text},"probability":0.5}},{{"value":"b","probability":0.5}}]}}}}]}}"#
    );
    let after = |row: &[String]| if row[0] == "\"b\"" { "1" } else { &text }.to_owned();
    let changed = compared(HOSTILE, &definition, |_| text.clone(), |_| "2".to_owned());
    let partly = compared("partly", &definition, |_| text.clone(), after);
    let hostile = || HOSTILE.to_owned();
    let functions = Paired {
        skipped: [(hostile(), hostile())].into(),
        resigned: [(hostile(), HOSTILE)].into(),
        added: vec![hostile()],
        removed: vec![hostile()],
        ..Paired::default()
    };
    let answer = PackageAnswer::new(hostile(), vec![changed, partly], functions);
    let page = super::page(HOSTILE, SIZE, &[&answer], &[], &Default::default());
    assert_obeys_nothing(&page);
}

#[test]
fn a_page_stays_within_its_limit_and_says_what_is_left_out() {
    let long = |add: &'static str| {
        move |row: &[String]| format!("\"{}{add}{}\"", "long ".repeat(200), row[0])
    };
    let changed = |number| compared(&format!("f{number}"), ORDERS, long("a"), long("b"));
    let skipped = |number| (format!("skipped_{number}"), "takes a function".to_owned());
    let functions = Paired {
        skipped: (0..2000).map(skipped).collect(),
        ..Paired::default()
    };
    let page = page((0..20).map(changed).collect(), functions);
    assert!(page.len() <= LIMIT, "{}", page.len());
    assert!(page.len() > LIMIT / 2, "{}", page.len());
    let lines = lines(&page);
    assert!(
        lines.contains("Left out to stay within 2 MB: changed cases ("),
        "{lines}"
    );
    // Every function is listed, but not all rows.
    assert_eq!(page.matches("<section id=").count(), 20);
    assert_eq!(page.matches("skipped_").count(), 2000);
}

#[test]
fn of_long_outputs_there_are_sentences_and_an_example() {
    let long = |of: &'static str| {
        move |row: &[String]| format!("[\"{}\",{}]", "long".repeat(2_000), row[0].clone() + of)
    };
    let page = page(
        vec![compared("long", ORDERS, long(""), long("0"))],
        Paired::default(),
    );
    let (_, section) = page.split_once("<section id=").unwrap();
    insta::assert_snapshot!(lines(section), @r#"
    "function-0-0"> long changed
    300 of 300 cases changed
    long(8, "HALF")
    before: …glonglonglonglonglonglonglonglong",8]
    after: …glonglonglonglonglonglonglonglong",80]
    Findings as text
    /*: actual = expected with "0" appended in all 300
    "#);
    let mut constant = compared("limit", ORDERS, |_| "1".into(), |_| "2".into());
    if let CallVerdict::Changed(changed) = &mut constant.verdict {
        changed.without_inputs();
    }
    let page = self::page(vec![constant], Paired::default());
    let (_, section) = page.split_once("<section id=").unwrap();
    insta::assert_snapshot!(lines(section), @r#"
    "function-0-0"> limit changed
    300 of 300 cases changed
    limit()
    before: 1
    after: 2
    Findings as text
    1 became 2 in all 300
    "#);
}

#[test]
fn a_changed_result_says_more_than_a_changed_signature() {
    let functions = Paired {
        resigned: ["total", "tax"]
            .map(|it| (it.to_owned(), "takes different arguments now"))
            .into(),
        ..Paired::default()
    };
    let compared = vec![total("total", 10), same("tax")];
    let answer = PackageAnswer::new("shop".to_owned(), compared, functions);
    let signatures: Vec<_> = answer.changed_signatures().map(|(name, _)| name).collect();
    assert_eq!(signatures, ["tax"]);
}

#[test]
fn many_functions_whose_result_says_little_share_a_line() {
    let on_fewer_rows = |name: &str, rows: usize| ComparedFunction { rows, ..same(name) };
    let text = |names: &[&str], all: bool| {
        let names = names.iter().zip([290, 280, 120, 270]);
        let mut compared: Vec<_> = names
            .map(|(name, rows)| on_fewer_rows(name, rows))
            .collect();
        compared.push(same("whole"));
        let answer = PackageAnswer::new("shop".to_owned(), compared, Paired::default());
        anstream::adapter::strip_str(&answer.text(SIZE, all)).to_string()
    };
    insta::assert_snapshot!(text(&["ln", "exp", "sin", "cos"], false), @"
    shop: 5 public functions; 5 compared on 300 rows each (see --all)
      4 functions gave the same on fewer rows, as the others took too long or crashed: sin (120 of 300 rows), cos (270 of 300 rows), exp (280 of 300 rows) and 1 other
      1 function gave the same
    ");
    // A long name moves no other result.
    let long = "<angles::Degrees<f64> as TryFrom<&Measurement<Radians<f64>>>>::try_from";
    insta::assert_snapshot!(text(&["ln", "exp", long], false), @"
    shop: 4 public functions; 4 compared on 300 rows each
      <angles::Degrees<f64> as TryFrom<&Measurement<Radians<f64>>>>::try_from  the same on 120 of 300 rows; the others took too long or crashed
      exp  the same on 280 of 300 rows; the others took too long or crashed
      ln   the same on 290 of 300 rows; the others took too long or crashed
      1 function gave the same
    ");
    assert!(text(&["ln", "exp", "sin", "cos"], true).contains("cos  the same on 270 of 300"));
    let of_kind = |kind: &dyn Fn(ComparedFunction) -> ComparedFunction| {
        let compared = ["a", "b", "c", "d"].map(|name| kind(same(name))).into();
        let answer = PackageAnswer::new("shop".to_owned(), compared, Paired::default());
        let text = anstream::adapter::strip_str(&answer.text(SIZE, false)).to_string();
        text.lines().nth(1).unwrap_or_default().trim().to_owned()
    };
    let no_inputs = SIZE - 2;
    insta::assert_snapshot!(of_kind(&|it| ComparedFunction { no_inputs, ..it }), @"4 functions gave the same, but few rows were inputs: a (2 of 300 rows), b (2 of 300 rows), c (2 of 300 rows) and 1 other");
    let (rows, is_rest_same) = (7, true);
    let verdict = || CallVerdict::Unstable { rows, is_rest_same };
    insta::assert_snapshot!(of_kind(&|it| ComparedFunction { verdict: verdict(), ..it }), @"4 functions differ between two runs: a (7 cases), b (7 cases), c (7 cases) and 1 other");
}
