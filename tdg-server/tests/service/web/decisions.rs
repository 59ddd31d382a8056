//! Deciding about a run's change on its page, on both databases.

use std::thread;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tdg_conformance::replica::timed;
use tdg_definition::json::{self, Value};
use tdg_definition::limits::REASON_BYTES;
use tdg_engine::Verdict;
use tdg_engine::store::{Channel, Decision, DecisionKind};
use tdg_service::record::{BenchmarkRecord, DecisionRecord, Record, RecordKind};
use tdg_service::sync::{RecordOutcome, Replica, Wanted};
use tdg_service::{RemoteService, Uuid};

use crate::support::{
    Answer, Browser, Client, History, ParsedPage, Server, checkout, minutes, on_each,
};

const CHANGED_LAST: [Verdict; 2] = [Verdict::Same, Verdict::Changed];

/// A project whose newest run changed, and a user who may decide.
struct Scene<'s> {
    server: &'s Server,
    key: String,
    history: History,
    browser: Browser,
}

impl<'s> Scene<'s> {
    fn new(server: &'s Server) -> Self {
        let key = server.key_with(&["--name", "ada"]);
        let history = History::push(server, &key, "shop", &CHANGED_LAST);
        Scene::with_history(server, key, history)
    }

    /// Creates a change in parts: in seven cases the total, in three others the note and the tax.
    fn of_parts(server: &'s Server) -> Self {
        let key = server.key_with(&["--name", "ada"]);
        let changed = |row: usize| match row {
            0..7 => format!(r#"{{"total":{},"note":"shop"}}"#, row + 1),
            _ => format!(r#"{{"total":{row},"tax":19}}"#),
        };
        let rows = (0..10).map(|row| (row, json::parse(&changed(row)).unwrap()));
        let rows: Vec<(usize, Value)> = rows.collect();
        let history = History::push_changed(server, &key, "shop", &CHANGED_LAST, &rows);
        Scene::with_history(server, key, history)
    }

    fn with_history(server: &'s Server, key: String, history: History) -> Self {
        let browser = Browser::signed_in(server, &key);
        Scene {
            server,
            key,
            history,
            browser,
        }
    }

    fn test_path(&self) -> String {
        format!(
            "/project/{}/test/{}",
            self.history.project, self.history.test
        )
    }

    fn path(&self) -> String {
        format!("{}/run/{}", self.test_path(), self.history.runs[1])
    }

    fn page(&self) -> ParsedPage {
        page(&self.browser, &self.path())
    }

    fn send(&self, fields: &[(&str, &str)]) -> Answer {
        self.browser.post(&self.path(), &form(fields))
    }

    fn service(&self) -> RemoteService {
        self.server.service(&self.key)
    }

    /// Returns the decisions since the first.
    fn decisions(&self) -> Vec<DecisionRecord> {
        let records = self.records(RecordKind::Decision).into_iter();
        let decisions = records.map(|record| match record {
            Record::Decision(decision) => decision,
            other => panic!("{other:?}"),
        });
        decisions.filter(|it| it.time > minutes(0)).collect()
    }

    fn benchmark(&self, uuid: Uuid) -> BenchmarkRecord {
        let records = self.records(RecordKind::Benchmark).into_iter();
        let mut found = records.filter(|record| record.uuid() == uuid);
        match found.next() {
            Some(Record::Benchmark(benchmark)) => benchmark,
            other => panic!("{other:?}"),
        }
    }

    fn records(&self, kind: RecordKind) -> Vec<Record> {
        let service = self.service();
        let replica = service.replica(self.history.project);
        let everywhere: Vec<u8> = (0..=u8::MAX).collect();
        let found = replica.identities(kind, &everywhere).unwrap().into_iter();
        let wanted: Vec<Wanted> = found.map(|uuid| Wanted::Other(kind, uuid)).collect();
        let records = replica.records(&wanted).unwrap().into_iter();
        records.map(Option::unwrap).collect()
    }

    fn add(&self, record: Record) {
        self.history.add(self.server, &self.key, &[record]);
    }

    /// Adds a decision of another user at a command line.
    fn decide_elsewhere(&self, author: &str, kind: DecisionKind, benchmark: Option<Uuid>) {
        self.decide_on("shop", author, kind, benchmark);
    }

    /// Adds a later passing run against another benchmark.
    fn run_on(&self, branch: &str) {
        self.add(self.history.run_on(branch, 20, 1));
    }

    fn decide_on(&self, branch: &str, author: &str, kind: DecisionKind, benchmark: Option<Uuid>) {
        let time = minutes(10);
        self.add(Record::Decision(DecisionRecord {
            uuid: timed(time, 0xdec),
            test: self.history.test,
            benchmark,
            time,
            decision: Decision {
                author: Some(author.to_owned()),
                checkout: checkout(branch),
                ..Decision::new(kind)
            },
            from: None,
        }));
    }
}

fn page(browser: &Browser, path: &str) -> ParsedPage {
    let answer = browser.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    ParsedPage::parse(&answer)
}

fn form(fields: &[(&str, &str)]) -> String {
    let escape = |text| utf8_percent_encode(text, NON_ALPHANUMERIC);
    let fields = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", escape(value)));
    fields.collect::<Vec<_>>().join("&")
}

/// Returns the message of a page that refuses a form.
fn refused(answer: &Answer, status: u16) -> String {
    assert_eq!(answer.status, status, "{}", answer.text());
    ParsedPage::parse(answer).texts("#content > p")[0].clone()
}

const ACCEPT: (&str, &str) = ("decision", "accept");
const REJECT: (&str, &str) = ("decision", "reject");

#[test]
fn a_change_is_accepted_on_its_page_and_becomes_a_benchmark() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        assert_eq!(scene.page().count("form.decide"), 1);
        let fields = [ACCEPT, ("part", ""), ("reason", " cents are rounded ")];
        for _ in 0..2 {
            let answer = scene.send(&fields);
            assert_eq!(answer.status, 303, "{}", answer.text());
            assert_eq!(answer.header("location"), Some(&*scene.path()));
        }
        let [decision] = &scene.decisions()[..] else {
            panic!("{:?}", scene.decisions())
        };
        let replaced = scene.benchmark(scene.history.benchmarks[0]);
        assert_eq!(
            decision.decision,
            Decision {
                reason: Some("cents are rounded".to_owned()),
                author: Some("ada".to_owned()),
                checkout: checkout("shop"),
                replaces: Some(replaced.outputs.digest()),
                ..Decision::new(DecisionKind::Accepted)
            }
        );
        let accepted = scene.benchmark(decision.benchmark.unwrap());
        assert_eq!(accepted.ensemble, replaced.ensemble);
        for row in 0..40 {
            let total = if row < 7 { row + 1 } else { row };
            let output = format!(r#"{{"note":"shop","total":{total}}}"#);
            assert_eq!(accepted.outputs.get(row), output);
        }

        let run = scene.page();
        assert_eq!(run.count("form.decide"), 0);
        let rows = run.texts("[aria-labelledby=decisions] tbody td");
        assert_eq!(
            rows,
            ["accepted", "ada", "cents are rounded", "shop 1f3a9c0d21"]
        );
        let test = page(&scene.browser, &scene.test_path());
        assert_eq!(test.count("[aria-labelledby=decisions] tbody tr"), 2);
        assert_eq!(test.count("p.note"), 0);

        let [before, made] = [scene.history.benchmarks[0], decision.benchmark.unwrap()];
        let comparison = format!("/benchmark/{before}/against/{made}");
        for page in [&run, &test] {
            let links = page.links("[aria-labelledby=decisions] td a");
            assert_eq!(links, [comparison.as_str()]);
        }
        assert_eq!(page(&scene.browser, &comparison).count("div.finding"), 1);
    });
}

#[test]
fn what_a_decision_made_is_in_the_audit_log() {
    let mut server = Server::start();
    let scene = Scene::new(&server);
    assert_eq!(scene.send(&[ACCEPT]).status, 303);
    let decision = &scene.decisions()[0];
    let (decision, benchmark) = (decision.uuid, decision.benchmark.unwrap());
    drop(scene);
    server.terminate();
    assert!(server.wait());
    let output = server.run(&["audit"]).stdout;
    let audit = String::from_utf8(output).unwrap();
    let place = "POST /project/{project}/test/{test}/run/{run}";
    for (kind, uuid) in [("decision", decision), ("benchmark", benchmark)] {
        let is_of = |line: &str| line.contains(place) && line.contains(&format!("{kind} {uuid}"));
        assert!(audit.lines().any(is_of), "{audit}");
    }
}

#[test]
fn a_part_is_accepted_by_its_cause_its_cases_or_its_fields() {
    on_each(|server, _| {
        let scene = Scene::of_parts(server);
        let page = scene.page();
        let offered = page.texts(".decide fieldset label");
        insta::allow_duplicates! {
            insta::assert_snapshot!(offered.join("\n"), @"
            the whole change, 10 cases
            /note, removed in 3 cases
            /tax, added in 3 cases
            /total, 7 cases
            or only these cases
            or only these fields
            ");
        }
        let names = page.values("input[name=part]");
        let tax = offered.iter().position(|it| it.contains("/tax")).unwrap();
        let accepted = |fields: &[(&str, &str)]| {
            let scene = Scene::of_parts(server);
            let answer = scene.send(&[&[ACCEPT], fields].concat());
            assert_eq!(answer.status, 303, "{}", answer.text());
            let [decision] = &scene.decisions()[..] else {
                panic!("{:?}", scene.decisions())
            };
            assert_eq!(decision.decision.kind, DecisionKind::AcceptedInPart);
            let outputs = scene.benchmark(decision.benchmark.unwrap()).outputs;
            let of = |row| outputs.get(row).replace('"', "");
            [0, 6, 7, 9].map(of).join(" ")
        };
        let found = [
            accepted(&[("part", &names[tax])]),
            accepted(&[("cases", "6,9..10")]),
            accepted(&[("fields", "/total")]),
            accepted(&[("cases", "0"), ("fields", "/total /note")]),
        ];
        insta::allow_duplicates! {
            insta::assert_snapshot!(found.join("\n"), @"
            {note:shop,total:0} {note:shop,total:6} {note:shop,tax:19,total:7} {note:shop,tax:19,total:9}
            {note:shop,total:0} {note:shop,total:7} {note:shop,total:7} {tax:19,total:9}
            {note:shop,total:1} {note:shop,total:7} {note:shop,total:7} {note:shop,total:9}
            {note:shop,total:1} {note:shop,total:6} {note:shop,total:7} {note:shop,total:9}
            ");
        }
    });
}

#[test]
fn changed_cases_are_found_by_their_cause_and_come_by_pages() {
    on_each(|server, _| {
        let scene = Scene::of_parts(server);
        let page = scene.page();
        assert_eq!(
            page.texts("#cases > ul li").join("\n"),
            "all, the worst first\n/note, removed in 3 cases\n/tax, added in 3 cases\n/total, 7 cases"
        );
        assert_eq!(page.count("#cases tbody"), 10);
        assert_eq!(page.count("#cases[open]"), 0);
        let of_tax = &page.links("#cases > ul a")[2];
        let address = of_tax.strip_suffix("#cases").unwrap();

        let part = self::page(&scene.browser, address);
        assert_eq!(part.count("#cases[open] tbody"), 3);
        assert_eq!(
            part.texts("#cases [aria-current]"),
            ["/tax, added in 3 cases"]
        );
        let hrefs = part.attributes("href");
        let csv = hrefs
            .iter()
            .find(|href| href.contains("cases.csv"))
            .unwrap();
        let answer = scene.browser.get(csv);
        let cases: Vec<String> = answer
            .text()
            .lines()
            .skip(1)
            .map(|line| line.split(',').next().unwrap().to_owned())
            .collect();
        assert_eq!(cases, ["7", "8", "9"]);

        let later = self::page(&scene.browser, &format!("{}?from=8", scene.path()));
        assert_eq!(later.count("#cases[open] tbody"), 2);
        assert_eq!(later.texts("#cases .pages"), ["Previous"]);
        let first = format!("{}?from=0#cases", scene.path());
        assert_eq!(later.links("#cases .pages a"), [first]);

        // An outdated address, whose change is different now.
        let stale = self::page(&scene.browser, &format!("{}?part=9-x", scene.path()));
        assert_eq!(stale.count("#cases tbody"), 10);
        let files = stale.attributes("href");
        assert!(
            files.contains(&format!("{}/cases.csv", scene.path())),
            "{files:?}"
        );
        let no_part = format!("{}/cases.csv?part=9-x", scene.path());
        assert_eq!(scene.browser.get(&no_part).status, 422);
    });
}

#[test]
fn a_change_is_rejected_and_the_benchmark_stays() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        let before = scene.records(RecordKind::Benchmark).len();
        let reason = ("reason", "fix the discount");
        assert_eq!(scene.send(&[REJECT, reason]).status, 303);
        let [decision] = &scene.decisions()[..] else {
            panic!("{:?}", scene.decisions())
        };
        assert_eq!(decision.decision.kind, DecisionKind::Rejected);
        assert_eq!(decision.benchmark, None);
        assert_eq!(scene.records(RecordKind::Benchmark).len(), before);
        let rows = scene.page().texts("[aria-labelledby=decisions] tbody td");
        assert_eq!(rows[..3], ["rejected", "ada", "fix the discount"]);
    });
}

#[test]
fn a_form_that_says_nothing_sensible_decides_nothing() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        let long = "x".repeat(REASON_BYTES + 1);
        let many = "/a ".repeat(65);
        let forms: [&[(&str, &str)]; 14] = [
            &[],
            &[("decision", "both")],
            &[ACCEPT, ("cases", "x")],
            &[ACCEPT, ("cases", "0..99")],
            &[ACCEPT, ("cases", "3..1")],
            &[ACCEPT, ("cases", "30")],
            &[ACCEPT, ("fields", "total")],
            &[ACCEPT, ("fields", "/nothing")],
            &[ACCEPT, ("fields", &many)],
            &[ACCEPT, ("part", "1")],
            &[ACCEPT, ("part", "<b>"), ("cases", "0")],
            &[ACCEPT, ("reason", "a\nb")],
            &[ACCEPT, ("reason", &long)],
            &[REJECT, ("reason", "\u{1b}[2J")],
        ];
        let said: Vec<String> = forms
            .iter()
            .map(|fields| refused(&scene.send(fields), 422))
            .collect();
        insta::allow_duplicates! {
            insta::assert_snapshot!(said.join("\n"), @r#"
            decision must be accept or reject
            decision must be accept or reject
            cases is "x", where "x" is not a case or a range of cases; write it like cases=3,40..60 (60 excluded)
            cases is "0..99", but this test has the cases 0 to 39
            cases is "3..1", where "3..1" is not a case or a range of cases; write it like cases=3,40..60 (60 excluded)
            cases and fields nothing has changed there
            fields total: "total" is not a JSON Pointer: a pointer starts with /; write "/total"
            cases and fields nothing has changed there
            fields must be at most 64
            part is not a part of this change; look at the page of the run again
            cases and fields must be empty if a part is chosen
            reason must not contain control characters
            reason must be at most 4096 bytes long, but has 4097
            reason must not contain control characters
            "#);
        }
        let large = "x".repeat(40_000);
        refused(&scene.send(&[ACCEPT, ("reason", &large)]), 413);
        let run = format!("{}/run/{}", scene.test_path(), scene.history.runs[0]);
        let same = scene.browser.post(&run, &form(&[ACCEPT]));
        insta::allow_duplicates! {
            insta::assert_snapshot!(refused(&same, 409), @"the run did not keep all outputs of its change; decide where the test ran, with `cargo tdg review`");
        }
        assert_eq!(scene.decisions(), []);
        assert_eq!(scene.records(RecordKind::Benchmark).len(), 2);
        assert_eq!(scene.page().count("form.decide"), 1);
    });
}

#[test]
fn a_user_who_may_not_decide_sees_no_form_and_changes_nothing() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        let path = scene.path();
        let sent = form(&[ACCEPT]);
        let reader = server.key_with(&["--scopes", "read,assert"]);
        let reader = Browser::signed_in(server, &reader);
        assert_eq!(page(&reader, &path).count("form.decide"), 0);
        insta::allow_duplicates! {
            insta::assert_snapshot!(refused(&reader.post(&path, &sent), 403), @"the API key may not do this: it needs the scope `write`");
        }
        for from in [
            &[][..],
            &[("sec-fetch-site", "cross-site")],
            &[("origin", "https://evil.example")],
            &[
                ("sec-fetch-site", "same-origin"),
                ("origin", "https://evil.example"),
            ],
        ] {
            refused(&scene.browser.post_from(from, &path, &sent), 403);
        }
        let stranger = Browser::signed_in(server, &server.key_with(&["--account", "others"]));
        let nowhere = path.replace(&scene.history.runs[1].to_string(), &Uuid::max().to_string());
        refused(&stranger.post(&path, &sent), 404);
        refused(&scene.browser.post(&nowhere, &sent), 404);
        let odd = format!("{}/run/x", scene.test_path());
        refused(&scene.browser.post(&odd, &sent), 404);
        insta::allow_duplicates! {
            let ended = Browser::new(server).post(&path, &sent);
            insta::assert_snapshot!(refused(&ended, 401), @"the session has ended, or its key was revoked, so nothing was changed; sign in and send the form again");
        }
        // Keys don't work for pages.
        let with_key = Client::new(&server.url, &scene.key).post(&path, &sent);
        assert_eq!(with_key.status, 403);
        let revoked = server.key_with(&["--name", "gone"]);
        let gone = Browser::signed_in(server, &revoked);
        assert!(
            server
                .run(&["keys", "revoke", &revoked[..16]])
                .status
                .success()
        );
        refused(&gone.post(&path, &sent), 401);
        assert_eq!(scene.decisions(), []);
    });
}

#[test]
fn a_change_that_is_gone_is_not_decided_about() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        scene.decide_elsewhere("ben", DecisionKind::Rejected, None);
        assert_eq!(scene.page().count("form.decide"), 0);
        let decided = refused(&scene.send(&[ACCEPT]), 409);
        assert_eq!(scene.decisions().len(), 1);

        let scene = Scene::new(server);
        scene.run_on("shop");
        assert_eq!(scene.page().count("form.decide"), 0);
        let superseded = refused(&scene.send(&[REJECT]), 409);
        assert_eq!(scene.decisions(), []);
        insta::allow_duplicates! {
            insta::assert_snapshot!(format!("{decided}\n{superseded}"), @"
            on 2026-09-21 14:23:20, the change was rejected by ben, through key ada; look at the page of the run again
            the change is gone: the run of 2026-09-21 14:33:20 was compared with another benchmark; decide about the newest run
            ");
        }

        let scene = Scene::new(server);
        let deleted = Client::new(&server.url, &scene.key)
            .delete(&format!("/v1/project/{}/delete", scene.history.project));
        assert_eq!(deleted.status, 200, "{}", deleted.text());
        refused(&scene.send(&[ACCEPT]), 404);
    });
}

#[test]
fn of_two_users_who_decide_at_once_one_sees_the_others_decision() {
    on_each(|server, _| {
        for _ in 0..5 {
            let scene = Scene::new(server);
            let statuses: Vec<u16> = thread::scope(|scope| {
                let scene = &scene;
                let both = [ACCEPT, REJECT]
                    .map(|choice| scope.spawn(move || scene.send(&[choice]).status));
                both.map(|it| it.join().unwrap()).to_vec()
            });
            assert!(
                matches!(statuses[..], [303, 409] | [409, 303]),
                "{statuses:?}"
            );
            assert_eq!(scene.decisions().len(), 1);
        }
    });
}

#[test]
fn two_who_decide_differently_are_both_heard() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        assert_eq!(scene.send(&[ACCEPT]).status, 303);
        scene.decide_elsewhere("ben", DecisionKind::Rejected, None);
        assert_eq!(scene.decisions().len(), 2);
        for path in [scene.path(), scene.test_path()] {
            let page = page(&scene.browser, &path);
            let rows = page
                .texts("[aria-labelledby=decisions] tbody tr")
                .join("\n");
            assert!(rows.contains("accepted ada"), "{rows}");
            assert!(rows.contains("rejected ben"), "{rows}");
            insta::allow_duplicates! {
                insta::assert_snapshot!(page.texts("p.note").join("\n"), @"There are different decisions about this change. All of them are kept; the committed snapshot file shows which one applies.");
            }
        }
    });
}

#[test]
fn what_is_done_on_another_branch_leaves_the_change_of_this_one_open() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        scene.decide_on("other", "ben", DecisionKind::Rejected, None);
        scene.run_on("other");
        assert_eq!(scene.page().count("form.decide"), 1);
        assert_eq!(scene.send(&[ACCEPT]).status, 303);
        assert_eq!(scene.page().count("form.decide"), 0);
        assert_eq!(scene.page().count("p.note"), 0);
    });
}

#[test]
fn a_trusted_proxy_may_name_the_user_who_decides() {
    let proxy = ["--trusted-proxy", "127.0.0.1"];
    for (named, author) in [(true, "grace"), (false, "ada")] {
        let header: &[&str] = if named {
            &["--person-header", "X-User"]
        } else {
            &[]
        };
        let server = Server::with(&[&proxy, header].concat());
        let scene = Scene::new(&server);
        let person = ("x-user", "grace@example.org");
        let home = scene.browser.get_with("/", &[person]);
        let signed_in = ParsedPage::parse(&home).texts("form.out span");
        assert_eq!(signed_in, [format!("default · {author}")]);
        let from = [("sec-fetch-site", "same-origin"), person];
        let answer = scene
            .browser
            .post_from(&from, &scene.path(), &form(&[REJECT]));
        assert_eq!(answer.status, 303, "{}", answer.text());
        let decisions = scene.decisions();
        assert_eq!(decisions[0].decision.author.as_deref(), Some(author));
    }
}

/// Text that would be executed if it weren't escaped.
const HOSTILE: &str = "</td><script>alert(1)</script><i onclick=x>\"'&{{7*7}}\\";

#[test]
fn whatever_a_reason_says_is_only_text() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        assert_eq!(scene.send(&[REJECT, ("reason", HOSTILE)]).status, 303);
        for path in [scene.path(), scene.test_path()] {
            let page = page(&scene.browser, &path);
            assert!(page.texts("td").contains(&HOSTILE.to_owned()), "{path}");
            assert_eq!((page.count("script"), page.count("i[onclick]")), (1, 0));
        }
    });
}

#[test]
fn a_decision_says_how_it_reached_the_server() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        let ci = server.key_with(&["--name", "ci", "--scopes", "read,assert,write"]);
        let pushed = scene.benchmark(scene.history.benchmarks[1]);
        let time = minutes(10);
        // Forged as if made on a page.
        let forged = Record::Decision(DecisionRecord {
            uuid: timed(time, 0xdec),
            test: scene.history.test,
            benchmark: Some(Record::Benchmark(pushed).uuid()),
            time,
            decision: Decision {
                author: Some("ada".to_owned()),
                checkout: checkout("shop"),
                replaces: Some("0123456789abcdef".repeat(2)),
                through: Some(Channel::Page),
                ..Decision::new(DecisionKind::Accepted)
            },
            from: None,
        });
        scene
            .history
            .add(server, &ci, std::slice::from_ref(&forged));
        let through = || -> Vec<_> {
            let decisions = scene.decisions().into_iter();
            decisions.map(|it| it.decision.through).collect()
        };
        let key = Some(Channel::Key("ci".to_owned()));
        assert_eq!(through(), std::slice::from_ref(&key));
        let run = scene.page();
        let rows = run.texts("[aria-labelledby=decisions] tbody td");
        assert_eq!(rows[..2], ["accepted", "ada, through key ci"]);
        let said = refused(&scene.send(&[ACCEPT]), 409);
        assert!(
            said.ends_with(
                "the change was accepted by ada, through key ci; look at the page of the run again"
            ),
            "{said}"
        );
        // Another key that sends it again changes nothing.
        let service = scene.service();
        let replica = service.replica(scene.history.project);
        assert_eq!(replica.add(&[forged]).unwrap(), [RecordOutcome::Had]);
        assert_eq!(through(), [key]);
    });
}

#[test]
fn a_decision_on_a_page_stays_one_when_it_is_sent_back() {
    on_each(|server, _| {
        let scene = Scene::new(server);
        assert_eq!(scene.send(&[ACCEPT]).status, 303);
        let decision = scene.decisions().remove(0);
        assert_eq!(decision.decision.through, Some(Channel::Page));
        let service = scene.service();
        let replica = service.replica(scene.history.project);
        let sent = Record::Decision(decision);
        assert_eq!(replica.add(&[sent]).unwrap(), [RecordOutcome::Had]);
        assert_eq!(scene.decisions()[0].decision.through, Some(Channel::Page));
    });
}
