//! A damaged snapshot file is reported as such and left as it is.

use tdg_tests::{Checkout, Program};

const SNAPSHOT: &str = "tests/snapshots/pricing__invoice.snap";

/// Returns the report about the file after it was damaged.
fn said_after(damage: impl Fn(&str) -> String) -> String {
    let shop = recorded();
    let damaged = damage(&shop.read(SNAPSHOT));
    shop.write(SNAPSHOT, &damaged);
    // Accepting everything must not overwrite an unreadable file either.
    let run = shop.pricing("invoice").env("TDG_UPDATE", "always").fails();
    assert_eq!(shop.read(SNAPSHOT), damaged);
    assert!(!shop.has("tests/snapshots/pricing__invoice.snap.new"));
    assert_eq!(shop.pricing("invoice").fails().report(), run.report());
    run.report()
}

fn recorded() -> Checkout<'static> {
    let shop = Program::shop().checkout();
    shop.pricing("invoice").passes();
    shop
}

#[test]
fn a_truncated_file() {
    insta::assert_snapshot!(said_after(|text| text[..text.len() / 2].to_owned()), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap, line 13: truncated: it ends in the middle of this line; restore it from
      version control, or delete it to record again
    ");
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(said_after(|_| String::new()), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap: truncated: it ends before the line about the ensemble; restore it from
      version control, or delete it to record again
    ");
}

#[test]
fn a_file_with_conflict_markers() {
    let conflict = |text: &str| {
        let line = text.lines().nth(7).unwrap();
        text.replace(
            line,
            &format!("<<<<<<< HEAD\n{line}\n=======\n{line}\n>>>>>>> prices"),
        )
    };
    insta::assert_snapshot!(said_after(conflict), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap, line 8: conflict marker of an unfinished merge; run `cargo tdg resolve`, or
      take one side whole (git checkout --ours or --theirs) and run the test
    ");
}

#[test]
fn a_file_that_was_edited_to_another_length() {
    let cut = |text: &str| {
        text.lines()
            .take(15)
            .map(|line| format!("{line}\n"))
            .collect()
    };
    insta::assert_snapshot!(said_after(cut), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap: hand-edited or truncated: says 20 cases, has 10; restore it from version
      control, or delete it to record again
    ");
}

#[test]
fn a_file_from_a_later_version() {
    insta::assert_snapshot!(said_after(|text| text.replace("{\"tdg\":1,", "{\"tdg\":3,")), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap, line 5: written by a newer tdg (format 3; this one reads 2); update tdg
    ");
}

#[test]
fn a_file_of_later_samplers() {
    insta::assert_snapshot!(said_after(|text| text.replace("\"sampler\":1", "\"sampler\":9")), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap: its rows were drawn by version 9 of the samplers; this tdg has version 1

      use the tdg that recorded it, or a later one
    ");
}

#[test]
fn a_file_that_is_something_else() {
    insta::assert_snapshot!(said_after(|_| "---\nsource: a.rs\n---\nhello\n".to_owned()), @r#"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap, line 4: not a benchmark of tdg: no line {"tdg":1,…} follows the header; if
      the file belongs to another tool, give the test another `name`; otherwise delete it to record again
    "#);
}

#[test]
fn a_file_with_a_case_that_is_not_json() {
    insta::assert_snapshot!(said_after(|text| text.replacen("\"gross\":", "gross:", 1)), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap, line 6: case 0 is not [[inputs…],output]: expected a key in double quotes,
      found `gross` (column 68); restore it from version control, or delete it to record again
    ");
}

#[test]
fn a_file_whose_outputs_were_edited_shows_a_change() {
    let shop = recorded();
    let text = shop.read(SNAPSHOT);
    shop.write(SNAPSHOT, &text.replacen("\"gross\":", "\"gross\":1", 1));
    let run = shop.pricing("invoice").fails();
    assert!(
        run.said().contains("\ntdg: changed invoice, 1 of 20 cases"),
        "{run}"
    );
}

#[test]
fn a_file_whose_inputs_were_edited_says_so() {
    let digest = |text: &str| {
        let (before, after) = text.split_once("\"digest\":\"").unwrap();
        format!("{before}\"digest\":\"{}{}", "0".repeat(32), &after[32..])
    };
    insta::assert_snapshot!(said_after(digest), @"
    invoice: invalid: this run can't be compared

      tests/snapshots/pricing__invoice.snap: its inputs were edited: they don't match its definition and seed

      restore the file from version control, or delete it to record again
    ");
}

#[test]
fn what_editors_do_to_a_file_does_not_matter() {
    let shop = recorded();
    let text = shop.read(SNAPSHOT);
    for same in [
        text.replace('\n', "\r\n"),
        text.trim_end().to_owned(),
        format!("{text}\n\n"),
    ] {
        shop.write(SNAPSHOT, &same);
        assert_eq!(shop.pricing("invoice").passes().stderr, "");
        assert_eq!(shop.read(SNAPSHOT), same);
    }
}
