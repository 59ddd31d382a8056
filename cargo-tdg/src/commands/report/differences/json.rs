//! The differences as JSON, for programs.

use tdg_definition::json::Value;
use tdg_report::Extent;

use crate::commands::differences::{BenchmarkDifference, BenchmarkDifferences, ContentDifference};
use crate::record::RecordedTest;
use crate::terminal::date_time;

pub(super) fn text(
    all: &BenchmarkDifferences<'_>,
    differences: &[BenchmarkDifference<'_>],
) -> String {
    let base = &all.base;
    let document = Value::object([
        ("since", Value::from(base.revision.as_str())),
        ("commit", Value::from(base.commit.as_str())),
        ("differences", differences.iter().map(value).collect()),
    ]);
    format!("{document}\n")
}

fn value(difference: &BenchmarkDifference<'_>) -> Value {
    let (changed, cases) = difference.counts();
    let number = |count: Option<usize>| Value::from(count.map(|it| it as u64));
    let of_test = |of: fn(&RecordedTest) -> &str| Value::from(difference.record.map(of));
    let has_report = difference.compared().is_some();
    let report = || difference.headline() + "\n" + &difference.sections(Extent::SCREEN).0;
    let error = match &difference.content {
        ContentDifference::Unknown(error) => Some(error.to_string()),
        _ => None,
    };
    let decisions = difference.decisions.iter().map(|it| {
        Value::object([
            ("decision", Value::from(it.decision.kind.as_str())),
            ("when", Value::from(date_time(it.time))),
            ("author", Value::from(it.decision.author.clone())),
            ("reason", Value::from(it.decision.reason.clone())),
        ])
    });
    Value::object([
        ("test", Value::from(difference.test.as_str())),
        ("package", of_test(|it| &it.test.package)),
        ("source", of_test(|it| &it.test.source)),
        ("snapshot", Value::from(difference.file.as_str())),
        ("difference", Value::from(difference.content.kind())),
        ("renamed_from", Value::from(difference.from.clone())),
        ("changed", number(changed)),
        ("cases", number(cases)),
        ("report", Value::from(has_report.then(report))),
        ("error", Value::from(error)),
        ("decisions", decisions.collect()),
    ])
}
