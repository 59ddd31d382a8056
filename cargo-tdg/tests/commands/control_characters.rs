//! Control characters: rejected in input, escaped in existing data.

use tdg_engine::TestId;
use tdg_engine::store::{Decision, DecisionKind, Store};

use crate::terminal::Terminal;
use crate::{TOTAL, TOTAL_NEW, changed_shop, ended, tdg};

const ODD: &str = "\u{1b}[31mRED\u{1b}[2J\u{7} hello\nnew line";

#[test]
fn a_reason_with_control_characters_is_refused() {
    let shop = changed_shop();
    let benchmark = shop.read(TOTAL);
    for command in ["accept", "reject"] {
        let run = tdg(&shop, &[command, "total", "--reason", ODD]).finish();
        insta::allow_duplicates!(insta::assert_snapshot!(ended(&shop, &run), @r#"
        error: the reason has control characters: "\u001b[31mRED\u001b[2J\u0007 hello\nnew line"; give one line of plain text
        (2)
        "#));
    }
    assert_eq!(shop.read(TOTAL), benchmark);
    assert!(shop.has(TOTAL_NEW));
}

#[test]
fn control_characters_of_a_store_are_shown_escaped() {
    let shop = changed_shop();
    let total = TestId {
        package: "shop".to_owned(),
        source: "tests/pricing.rs".to_owned(),
        name: "total".to_owned(),
    };
    let mut odd = Decision::new(DecisionKind::Accepted);
    odd.reason = Some(ODD.to_owned());
    odd.author = Some("\u{9b}31mEve".to_owned());
    odd.checkout.branch = Some("main\u{202e}niam".to_owned());
    odd.ci = Some("https://ci.example/\u{1b}[2J".to_owned());
    let store = Store::open(&shop.path(".tdg")).unwrap();
    store.reject(&total, None, &odd).unwrap();
    let history = tdg(&shop, &["history", "total"]).passes();
    insta::assert_snapshot!(ended(&shop, &history), @r"
    total
               when (UTC)  run       changed  cases  decision  commit          by            reason
      yyyy-mm-dd hh:mm:ss                            accepted  main\u202eniam  \u009b31mEve  \u001b[31mRED\u001b[2J\u0007 hello\nnew line
      yyyy-mm-dd hh:mm:ss  changed        13    200
      yyyy-mm-dd hh:mm:ss  recorded        0    200  recorded
    (0)
    ");
}

#[test]
fn control_characters_of_a_file_are_not_shown() {
    let shop = changed_shop();
    for file in [TOTAL, TOTAL_NEW] {
        shop.edit(
            file,
            r#""ensemble":"total""#,
            r#""ensemble":"to\u001b[31mtal""#,
        );
    }
    let shown = [
        &["show"][..],
        &["show", TOTAL],
        &["show", TOTAL, "--changed"],
        &["pending"],
        &["history", TOTAL],
        &["accept", TOTAL],
    ];
    let shown = shown.map(|arguments| ended(&shop, &tdg(&shop, arguments).finish()));
    let shown = shown.concat();
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    // The file's name identifies the test.
    assert!(shown.contains("accepted total,"), "{shown}");
}

#[test]
fn escape_cancels_a_reason() {
    let shop = changed_shop();
    let mut terminal = Terminal::start(&shop, &["review", "total"], &[("NO_COLOR", "1")]);
    terminal.sees("quit");
    terminal.press("w");
    terminal.sees("why? ");
    terminal.press("prices rose\u{1b}");
    terminal.sees("quit");
    terminal.press("w");
    terminal.sees("why? ");
    // An arrow key, and a deleted character.
    terminal.press("prices\u{1b}[D fellx\u{7f}\r");
    terminal.sees("for this reason");
    terminal.press("a");
    terminal.sees("accepted");
    assert_eq!(terminal.ends(), 0);
    let history = tdg(&shop, &["history", "total", "--json"]).passes();
    let line = history.stdout.lines().next().unwrap();
    assert!(line.contains(r#""reason":"prices fell""#), "{line}");
}

/// Characters that terminals interpret or hide: C1 controls, bidi overrides, invisible characters.
const HIDDEN: &str = "\u{9d}0;owned\u{9c}\u{202e}\u{2067}\u{61c}\u{200b}\u{feff}\u{e0041}";
/// The escaped form of `HIDDEN`.
const ESCAPED: &str = "\\u009d0;owned\\u009c\\u202e\\u2067\\u061c\\u200b\\ufeff\\udb40\\udc41";

#[test]
fn control_characters_of_rows_and_outputs_are_shown_escaped() {
    let shop = changed_shop();
    for file in [TOTAL, TOTAL_NEW] {
        let text = shop.read(file);
        let odd = |line: &str| match line.rsplit_once(',') {
            Some((inputs, output)) if line.starts_with("[[") => {
                let output = output.trim_end_matches(']');
                format!("{inputs},\"{output}{HIDDEN}\"]\n")
            }
            _ => format!("{line}\n"),
        };
        shop.write(file, &text.lines().map(odd).collect::<String>());
    }
    for arguments in [
        &["show", "total", "--rows"][..],
        &["show", "total", "--rows", "--full"],
        &["show", "total", "--changed", "--full"],
        &["show", "total", "--changed"],
        &["show", "total"],
    ] {
        let shown = ended(&shop, &tdg(&shop, arguments).passes());
        let hidden = shown
            .chars()
            .find(|c| HIDDEN.contains(*c) && !"0;owned".contains(*c));
        assert_eq!(hidden, None, "{arguments:?}: {shown}");
        let is_shown = shown.contains("\\u009d") || shown.contains("\\udc41");
        assert!(is_shown || arguments.len() == 2, "{arguments:?}: {shown}");
    }
    let whole = tdg(&shop, &["show", "total", "--rows", "--full"]).passes();
    assert!(whole.stdout.contains(ESCAPED), "{}", whole.stdout);
    let mut terminal = Terminal::start(&shop, &["review", "total"], &[]);
    terminal.sees("quit");
    terminal.press("c");
    let cases = terminal.sees("\\u009d");
    assert!(!cases.contains('\u{9d}'), "{cases}");
    terminal.press("qq");
    assert_eq!(terminal.ends(), 1);
}
