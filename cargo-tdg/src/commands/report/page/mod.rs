//! The report as a self-contained page. It starts with the reports of all ensembles, followed by
//! their charts and cases, failed ensembles first.

mod commands;
mod ensemble;
mod history;
mod overview;

use std::ptr;

use maud::{Markup, html};

use super::entry::ReportEntry;
use super::headline::headline;
use super::newer::NewerRun;
use crate::results::{Circumstances, TestRun};
use crate::terminal::{counted, time};
use crate::test_group::TestGroup;
use ensemble::EnsembleSection;
use tdg_html::{Round, document, room};

/// A page, and the runs of which it has all sentences and changed cases.
pub(super) struct HtmlPage<'e> {
    pub(super) text: String,
    pub(super) in_full: Vec<&'e TestRun>,
}

pub(super) fn page<'e>(
    circumstances: &Circumstances,
    newer: &[NewerRun],
    entries: &'e [ReportEntry],
) -> HtmlPage<'e> {
    let (failed, passed): (Vec<&ReportEntry>, Vec<&ReportEntry>) = entries
        .iter()
        .partition(|entry| !entry.run.verdict.passes());
    let entries = [failed, passed].concat();
    let headline = headline(circumstances, entries.iter().map(|entry| &entry.run));
    let groups = TestGroup::all_of(entries.iter().map(|it| (it.run.cause.clone(), *it)));
    let mut ensembles: Vec<EnsembleSection<'_>> = entries
        .iter()
        .map(|entry| EnsembleSection::new(entry))
        .collect();
    let mut room = room();
    let causes = groups
        .iter()
        .map(|it| room.take("causes", overview::cause(it)));
    let causes: Vec<Option<Markup>> = causes.collect();
    let rows = ensembles.iter().filter_map(|it| {
        let is_first = groups.iter().any(|group| ptr::eq(group.first, it.entry));
        room.take("lines of the table", overview::row(it, is_first))
    });
    let table = overview::table(&ensembles, &rows.collect::<Vec<_>>());
    ensembles.retain(|it| room.take("ensembles", it.section()).is_some());
    for round in Round::ALL {
        for ensemble in &mut ensembles {
            ensemble.add_parts(round, &mut room);
        }
    }
    let in_full = groups.iter().zip(&causes).flat_map(|(group, cause)| {
        let is_whole = |entry: &&&ReportEntry| {
            let mut whole = ensembles.iter().filter(|it| it.parts.have_all_facts());
            whole.any(|it| ptr::eq(it.entry, **entry))
        };
        let stands_for_all = cause.is_some() && is_whole(&&group.first);
        let tests = group
            .tests()
            .filter(move |it| stands_for_all || is_whole(it));
        tests.map(|entry| &entry.run).collect::<Vec<_>>()
    });
    let in_full = in_full.collect();
    let text = document(
        &headline,
        &html! {
            header {
                p.brand { "tdg" }
                h1 { (headline) }
                (about(circumstances, &entries))
                @for newer in newer { p.note { (newer.text()) } }
                @for remark in &circumstances.remarks {
                    p.note {
                        (remark.mark()) " " (remark.text)
                        @if let Some(command) = &remark.command {
                            " " code { (command) } " " button type="button" data-copy hidden { "Copy" }
                        }
                    }
                }
                @if let Some(note) = room.note("`cargo tdg show NAME` has them.") { p.note { (note) } }
            }
            @for cause in causes.iter().flatten() { (cause) }
            @if !entries.is_empty() { (table) }
            @for ensemble in &ensembles { (ensemble.section()) }
        },
    );
    HtmlPage { text, in_full }
}

/// Lists the number of cases, the time, the commit and the compiler.
fn about(circumstances: &Circumstances, entries: &[&ReportEntry]) -> Markup {
    let cases: usize = entries.iter().map(|entry| entry.run.cases).sum();
    let checkout = &circumstances.checkout;
    html! {
        ul.about {
            li { (counted(cases, "case")) }
            @if let Some(started) = circumstances.time { li { (time(started * 1000)) " UTC" } }
            @if let Some(commit) = &checkout.commit {
                li { "commit " code title=(commit) { (commit.get(..10).unwrap_or(commit)) } }
            }
            @if let Some(branch) = &checkout.branch { li { "branch " code { (branch) } } }
            @if let Some(compiler) = &circumstances.compiler { li { (compiler) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use tdg_engine::Verdict;

    use super::*;
    use crate::record::KeptCause;
    use crate::record::sample;
    use crate::results;
    use tdg_engine::compare::parts;
    use tdg_engine::store::VerifiedRule;
    use tdg_html::LIMIT;
    use tdg_tests::page::{HOSTILE, assert_obeys_nothing, seen, texts};

    const TEXTS: &str = r#"{"features":[
        {"feature_name":"n","type":"INTEGER","distribution":{"type":"uniform","min":0,"max":99}},
        {"feature_name":"text","type":"STRING","distribution":{"type":"pattern","regex":"[a-z]{900}"}}
    ]}"#;

    fn entry(number: usize, verdict: Verdict, report: Option<String>) -> ReportEntry {
        ReportEntry {
            number,
            source: "tests/<prices>.rs".to_owned(),
            source_url: None,
            snapshot: None,
            vectors: None,
            compared: None,
            cause: None,
            history: Vec::new(),
            decisions: Vec::new(),
            run: TestRun {
                tolerance_use: Some(0.25),
                report,
                ..results::sample::run(&format!("test_{number}"), verdict)
            },
        }
    }

    /// Returns an entry with outputs that contain an array and a long text.
    fn changed(number: usize, size: usize) -> ReportEntry {
        let output = |add: f64| {
            move |case: usize| {
                let numbers: Vec<String> = (0..20)
                    .map(|at| format!("{:?}", case as f64 + f64::from(at) + add))
                    .collect();
                let text = "long ".repeat(100);
                format!(
                    r#"{{"curve":[{}],"name":"{text}{add}","total":{:?}}}"#,
                    numbers.join(","),
                    case as f64 * 1.5 + add
                )
            }
        };
        let change = sample::change(TEXTS, size, output(0.0), output(1.0));
        ReportEntry {
            compared: Some(change.compare().unwrap()),
            ..entry(number, Verdict::Changed, Some("test: changed\n".to_owned()))
        }
    }

    fn page(entries: &[ReportEntry]) -> String {
        super::page(&Circumstances::default(), &[], entries).text
    }

    /// Returns a changed ensemble with these rows and outputs.
    fn changed_from(
        definition: &str,
        expected: impl Fn(&[String]) -> String,
        actual: impl Fn(&[String]) -> String,
    ) -> ReportEntry {
        const SIZE: usize = 300;
        let rows = sample::change(definition, SIZE, |_| "0".to_owned(), |_| "0".to_owned());
        let rows = rows.compare().unwrap().rows.vectors;
        let expected = |case: usize| expected(&rows.cells(case));
        let actual = |case: usize| actual(&rows.cells(case));
        let change = sample::change(definition, SIZE, expected, actual);
        ReportEntry {
            compared: Some(change.compare().unwrap()),
            ..entry(0, Verdict::Changed, Some("test: changed\n".to_owned()))
        }
    }

    #[test]
    fn each_part_of_a_change_has_its_rules_over_its_charts() {
        let definition = r#"{"features":[
            {"feature_name":"n","type":"INTEGER","distribution":{"type":"uniform","min":1,"max":20}},
            {"feature_name":"zone","type":"STRING","distribution":{"type":"categorical","categories":[{"value":"A","probability":0.5},{"value":"B","probability":0.25},{"value":"C","probability":0.25}]}},
            {"feature_name":"noise","type":"FLOAT","distribution":{"type":"uniform","min":0,"max":1}}
        ]}"#;
        let output = |tax: i32, fee: i32| format!(r#"{{"tax":{tax},"fee":{fee}}}"#);
        let entry = changed_from(
            definition,
            |_| output(1, 1),
            |row| {
                let is_much = row[0].parse::<i32>().unwrap() > 15;
                output(1 + i32::from(is_much), 1 + i32::from(row[1] == "\"B\""))
            },
        );
        let page = page(&[entry]);
        assert_eq!(texts(&page, "h3"), ["zone = &quot;B&quot;", "n &gt; 15"]);
        let findings = page.split("<div class=\"finding\">").skip(1);
        let captions: Vec<String> = findings
            .map(|finding| {
                let (finding, _) = finding.split_once("<details>").unwrap_or((finding, ""));
                let names = finding.split("<b>").skip(1);
                let names: Vec<&str> = names.filter_map(|it| it.split('<').next()).collect();
                format!(
                    "{} with {} threshold",
                    names.join(", "),
                    finding.matches("<line class=\"threshold\"").count()
                )
            })
            .collect();
        assert_eq!(
            captions,
            ["zone, /fee with 0 threshold", "n, /tax with 1 threshold"]
        );
        // No rule uses it.
        let (_, folded) = page.split_once("Other features").unwrap();
        assert!(folded.contains("<b>noise</b>"));
    }

    #[test]
    fn a_rule_that_an_experiment_verified_is_the_headline() {
        let mut entry = changed_from(
            r#"{"features":[{"feature_name":"n","type":"INTEGER","distribution":{"type":"uniform","min":1,"max":20}}]}"#,
            |_| "1".to_owned(),
            |row| (1 + i32::from(row[0].parse::<i32>().unwrap() > 15)).to_string(),
        );
        let part = &parts(&entry.compared.as_ref().unwrap().rows.differing)[0];
        let rule = VerifiedRule {
            part: part.key(),
            rule: "exactly those with n >= 16".to_owned(),
            evidence: "2,000 more rows: no exception".to_owned(),
        };
        entry.cause = Some(KeptCause {
            text: "lines: src/lib.rs:7".to_owned(),
            rules: vec![rule],
        });
        let page = page(&[entry]);
        assert_eq!(texts(&page, "h3"), ["exactly those with n &gt;= 16"]);
        for shown in ["2,000 more rows: no exception", "lines: src/lib.rs:7"] {
            assert!(seen(&page).contains(shown), "{shown}");
        }
    }

    #[test]
    fn nothing_of_rows_outputs_and_names_is_obeyed() {
        let text = tdg_definition::json::Value::from(HOSTILE).to_string();
        let definition = format!(
            r#"{{"features":[{{"feature_name":"<i>n","type":"STRING","distribution":{{"type":"categorical","categories":[{{"value":{text},"probability":0.5}},{{"value":"b","probability":0.5}}]}}}}]}}"#
        );
        let mut entry = changed_from(
            &definition,
            |_| format!(r#"{{"<b>":{text}}}"#),
            |row| match row[0] == "\"b\"" {
                true => format!(r#"{{"<b>":{text}}}"#),
                false => format!(r#"{{"<b>":"{}"}}"#, "<u>\u{2067}".repeat(100)),
            },
        );
        entry.run.test.name = HOSTILE.to_owned();
        entry.source = HOSTILE.to_owned();
        let part = &parts(&entry.compared.as_ref().unwrap().rows.differing)[0];
        let rule = VerifiedRule {
            part: part.key(),
            rule: HOSTILE.to_owned(),
            evidence: HOSTILE.to_owned(),
        };
        entry.cause = Some(KeptCause {
            text: HOSTILE.to_owned(),
            rules: vec![rule],
        });
        entry.run.report = Some(format!("{HOSTILE}\n\n  run one:  cargo test {HOSTILE}\n"));
        entry.source_url = Some(format!("https://example.org/\"{HOSTILE}"));
        let page = page(&[entry]);
        assert_obeys_nothing(&page);
        for tag in ["<b>\"", "<u>"] {
            assert!(!page.contains(tag), "{tag}");
        }
    }

    #[test]
    fn a_page_stays_within_its_limit_and_says_what_is_left_out() {
        let mut entries: Vec<ReportEntry> = (0..40).map(|number| changed(number, 60)).collect();
        entries.extend((40..2000).map(|number| entry(number, Verdict::Same, None)));
        let page = page(&entries);
        assert!(page.len() <= LIMIT, "{}", page.len());
        assert!(page.len() > LIMIT / 2, "{}", page.len());
        assert!(seen(&page).contains("Left out to stay within 2 MB: "));
        // Every ensemble is listed and has its sentences. Cases and charts are of some.
        let sections: Vec<&str> = page.split("<section").skip(1).collect();
        assert_eq!(sections.len(), 2000);
        let count = |part: &str| sections.iter().filter(|it| it.contains(part)).count();
        let [findings, cases, charts] = [
            "<div class=\"finding\">",
            "<tbody data-parts",
            "<div class=\"features\">",
        ]
        .map(count);
        assert_eq!(findings, 40);
        let is_of_some = |count: usize| (1..40).contains(&count);
        assert!(is_of_some(cases) && is_of_some(charts), "{cases} {charts}");
    }

    #[test]
    fn only_runs_of_which_nothing_is_left_out_are_in_full() {
        let names = |entries: &[ReportEntry]| -> Vec<String> {
            let page = super::page(&Circumstances::default(), &[], entries);
            let runs = page.in_full.iter();
            runs.map(|run| run.test.name.clone()).collect()
        };
        let mut entries: Vec<ReportEntry> = (0..40).map(|number| changed(number, 60)).collect();
        assert_eq!(names(&entries[..2]), ["test_0", "test_1"]);
        let in_full = names(&entries);
        assert!(!in_full.is_empty() && in_full.len() < 40, "{in_full:?}");
        for entry in &mut entries {
            entry.run.cause = Some("all cases changed".to_owned());
        }
        // All are shown by the first.
        assert_eq!(names(&entries).len(), 40);
        // If a report is too long, its whole section is omitted.
        let report = Some("long\n".repeat(LIMIT / 5));
        let long = [entry(0, Verdict::Changed, report), changed(1, 3)];
        assert_eq!(names(&long), ["test_1"]);
    }

    #[test]
    fn tests_that_changed_by_one_cause_are_named_once_above_the_table() {
        let by_one_cause = |number: usize| {
            let mut entry = changed(number, 12);
            entry.run.cause = Some("all changed cases have b > 40".to_owned());
            entry
        };
        let entries = [by_one_cause(0), by_one_cause(1), changed(2, 12)];
        let page = page(&entries);
        let (above, below) = page.split_once("<table").unwrap();
        let cause =
            "2 tests: all changed cases have b &gt; 40</b><br>test_0, test_1; in full below: ";
        assert!(above.contains(cause), "{above}");
        // Only the first of them has its rules in the table.
        let (table, _) = below.split_once("</table>").unwrap();
        let lines = table.split("<tr data-ensemble").skip(1);
        let rules = lines.map(|line| line.contains("class=\"rule\""));
        assert_eq!(rules.collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn a_case_is_a_group_of_lines_with_its_inputs_once() {
        let page = page(&[changed(0, 3)]);
        let groups: Vec<&str> = page.split("<tbody data-parts").skip(1).collect();
        assert_eq!(groups.len(), 3);
        for group in groups {
            let (group, _) = group.split_once("</tbody>").unwrap();
            // Eight fields and the rest, next to the inputs.
            assert_eq!(group.matches("<tr>").count(), 9);
            assert_eq!(group.matches("rowspan=\"9\"").count(), 3);
        }
    }

    #[test]
    fn no_long_word_makes_the_page_wider() {
        let page = page(&[changed(0, 3)]);
        let mut rest = page.as_str();
        // Whole values are in an element that wraps them.
        let mut without = String::new();
        while let Some((before, after)) = rest.split_once("<div class=\"whole\">") {
            without.push_str(before);
            rest = after.split_once("</div>").map_or("", |(_, rest)| rest);
        }
        without.push_str(rest);
        let words = seen(&without);
        let longest = words
            .split_whitespace()
            .max_by_key(|word| word.chars().count());
        let longest = longest.unwrap_or_default();
        assert!(longest.chars().count() <= 40, "{longest}");
    }

    #[test]
    fn rows_that_panicked_are_marked() {
        let mut panicked = entry(0, Verdict::Panicked, Some("test: panicked\n".to_owned()));
        panicked.vectors = Some(changed(1, 20).compared.unwrap().rows.vectors);
        panicked.run.panicked = vec![0, 1, 2];
        let page = page(&[panicked]);
        let (_, features) = page.split_once("Features").unwrap();
        assert!(features.contains("class=\"changed\""));
        assert!(features.contains(" panicked</title>"), "{features}");
    }

    #[test]
    fn arrays_and_numbers_are_plotted() {
        let page = page(&[changed(0, 12)]);
        assert_eq!(page.matches("<polyline class=\"expected\"").count(), 3);
        assert_eq!(page.matches("<polyline class=\"actual\"").count(), 3);
        assert!(page.contains("case 3: 4.5 → 5.5"));
        assert!(page.contains("<option value=\"0\">/curve/*</option>"));
    }

    #[test]
    fn a_page_links_to_the_line_and_says_when_and_where_it_ran() {
        let mut entry = entry(0, Verdict::Same, None);
        entry.source_url = Some("https://example.org/prices.rs#L7".to_owned());
        let circumstances = Circumstances {
            time: Some(1_700_000_000_000),
            checkout: tdg_engine::checkout::Checkout {
                commit: Some("52fdfc072182654f163f5f0f9a621d7252fdfc07".to_owned()),
                branch: Some("main".to_owned()),
            },
            compiler: Some("rustc 1.95.0".to_owned()),
            remarks: Vec::new(),
        };
        let page = super::page(&circumstances, &[], &[entry]).text;
        assert!(page.contains(
            r#"<a href="https://example.org/prices.rs#L7">tests/&lt;prices&gt;.rs:7</a>"#
        ));
        let about = "10 cases 2023-11-14 22:13:20 UTC commit 52fdfc0721 branch main rustc 1.95.0";
        let words: Vec<String> = seen(&page).split_whitespace().map(str::to_owned).collect();
        assert!(words.join(" ").contains(about), "{}", words.join(" "));
    }
}
