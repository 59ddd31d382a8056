//! Webhooks, on both databases.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::HMAC;
use rusqlite::Connection;
use serde_json::{Value, json};
use tdg_conformance::replica::timed;
use tdg_engine::Verdict;
use tdg_engine::store::RunFacts;
use tdg_service::record::{AssertionRecord, Record, RunRecord};
use tdg_service::{Timestamp, Uuid};

use crate::support::{
    Authority, Browser, History, Received, Schema, Server, WebhookReceiver, checkout, on_each_with,
    soon,
};

/// The receivers of tests are on this machine.
const ALLOWED: [&str; 2] = ["--webhook-network", "127.0.0.1"];

/// Adds a webhook for a receiver. Returns its identifier and its secret.
fn add(server: &Server, receiver: &WebhookReceiver) -> (String, String) {
    let added = run(server, &["add", &receiver.url(), "--account", "team"]);
    let (webhook, secret) = added.trim().split_once("  ").unwrap();
    (webhook.to_owned(), secret.to_owned())
}

/// Returns the output of a command about webhooks.
fn run(server: &Server, arguments: &[&str]) -> String {
    let said = server.said(&[&["webhooks"], arguments].concat());
    said.unwrap()
}

/// Returns the error of a command about webhooks.
fn refused(server: &Server, arguments: &[&str]) -> String {
    let said = server.said(&[&["webhooks"], arguments].concat());
    said.unwrap_err()
}

fn failed(server: &Server) -> Vec<Value> {
    let list = run(server, &["failed", "--json"]);
    serde_json::from_str(&list).unwrap()
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap())
}

/// Pushes a run of a test on the branch `main`, dated now.
fn push(server: &Server, key: &str, of: &History, verdict: Verdict) -> Uuid {
    push_all(server, key, of, &[run_of(of, verdict, "main", now())])
}

/// Pushes runs of a test. Returns the last.
fn push_all(server: &Server, key: &str, of: &History, runs: &[Record]) -> Uuid {
    of.add(server, key, runs);
    runs.last().unwrap().uuid()
}

/// Pushes runs of a test that fail and pass alternately.
fn push_in_turns(server: &Server, key: &str, of: &History, count: usize) {
    for verdict in [Verdict::Changed, Verdict::Same].iter().cycle().take(count) {
        push(server, key, of, *verdict);
    }
}

fn run_of(of: &History, verdict: Verdict, branch: &str, time: Timestamp) -> Record {
    let facts = RunFacts {
        changed: if verdict.passes() { 0 } else { 7 },
        checkout: checkout(branch),
        ..RunFacts::new(verdict, 40)
    };
    Record::Assertion(AssertionRecord {
        // Two may have the same millisecond.
        uuid: timed(time, time.as_micros().unsigned_abs().into()),
        benchmark: of.benchmarks[0],
        time,
        asserted: verdict.passes(),
        run: Some(RunRecord {
            test: of.test,
            facts,
        }),
    })
}

/// Returns the type of the next message, and its run.
fn next_message(receiver: &WebhookReceiver) -> (String, String) {
    let message = receiver.accept_next().json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (
        text(&message["type"]),
        text(&message["data"]["run"]["uuid"]),
    )
}

/// Checks the signature with a secret, according to Standard Webhooks.
fn check_signature(received: &Received, secret: &str) {
    let secret = STANDARD
        .decode(secret.strip_prefix("whsec_").unwrap())
        .unwrap();
    let (id, time) = (
        received.field("webhook-id"),
        received.field("webhook-timestamp"),
    );
    let signed = format!("{id}.{time}.{}", received.body);
    let mac = STANDARD.encode(HMAC::mac(signed.as_bytes(), &secret));
    assert_eq!(received.field("webhook-signature"), format!("v1,{mac}"));
    let age = now().as_micros() / 1_000_000 - time.parse::<i64>().unwrap();
    assert!((0..300).contains(&age), "{age}");
}

#[test]
fn a_pushed_failing_run_is_announced() {
    on_each_with(&ALLOWED, |server, _| {
        let key = server.key("team");
        let (one, other) = (WebhookReceiver::start(), WebhookReceiver::start());
        let secrets = [&one, &other].map(|receiver| add(server, receiver).1);
        // These runs are months old: history isn't reported.
        let shop = History::push(server, &key, "shop", &[Verdict::Same, Verdict::Changed]);
        push(server, &key, &shop, Verdict::Same);
        let run = push(server, &key, &shop, Verdict::Changed);
        let received = [&one, &other].map(|receiver| receiver.receive().answer("204 No Content"));
        for (received, secret) in received.iter().zip(&secrets) {
            check_signature(received, secret);
            assert_eq!(received.line, "POST /hook HTTP/1.1");
            assert_eq!(received.field("content-type"), "application/json");
        }
        assert_eq!(received[0].body, received[1].body);
        let message = received[0].json();
        assert_eq!(message["type"], "run.failed");
        let page = message["data"]["page"].as_str().unwrap();
        let browser = Browser::signed_in(server, &key);
        assert_eq!(browser.get(page).status, 200);
        let mut data = message["data"].clone();
        assert!(data["run"]["time"].take().as_str().unwrap().ends_with('Z'));
        let project = json!({"uuid": shop.project.to_string(), "name": "shop"});
        let test = json!({"uuid": shop.test.to_string(), "package": "shop", "name": "shop",
            "source": "src/lib.rs"});
        let commit = "1f3a9c0d21b4e5f60718293a4b5c6d7e8f901234";
        let run = json!({"uuid": run.to_string(), "time": null, "verdict": "changed",
            "cases": 40, "changed": 7, "checkout": {"branch": "main", "commit": commit}});
        let expected = json!({"project": project, "test": test, "run": run, "page": page});
        assert_eq!(data, expected);
    });
}

#[test]
fn a_test_that_begins_to_fail_on_a_branch_or_passes_again_is_a_message() {
    use Verdict::{Changed, Panicked, Same};

    on_each_with(&ALLOWED, |server, _| {
        let key = server.key("team");
        let receiver = WebhookReceiver::start();
        add(server, &receiver);
        let shop = History::push(server, &key, "shop", &[Same]);
        let brought = [Same, Changed, Changed, Panicked, Same, Same, Changed];
        let runs = brought.map(|verdict| push(server, &key, &shop, verdict).to_string());
        for (kind, run) in [("run.failed", 1), ("run.passed", 4), ("run.failed", 6)] {
            assert_eq!(
                next_message(&receiver),
                (kind.to_owned(), runs[run].clone())
            );
        }
        // Each branch is separate, and so are runs without one.
        let other = push_all(
            server,
            &key,
            &shop,
            &[run_of(&shop, Changed, "other", now())],
        );
        let failed = |run: Uuid| ("run.failed".to_owned(), run.to_string());
        assert_eq!(next_message(&receiver), failed(other));
        let mut nowhere = run_of(&shop, Changed, "", now());
        if let Record::Assertion(run) = &mut nowhere {
            run.run.as_mut().unwrap().facts.checkout.branch = None;
        }
        let nowhere = push_all(server, &key, &shop, &[nowhere]);
        assert_eq!(next_message(&receiver), failed(nowhere));
        let passed = push(server, &key, &shop, Same);
        assert_eq!(
            next_message(&receiver),
            ("run.passed".to_owned(), passed.to_string())
        );
    });
}

#[test]
fn of_runs_that_are_brought_together_the_newest_counts() {
    use Verdict::{Changed, Same};

    on_each_with(&ALLOWED, |server, _| {
        let key = server.key("team");
        let receiver = WebhookReceiver::start();
        add(server, &receiver);
        let shop = History::push(server, &key, "shop", &[Same]);
        let begin = now().as_micros() - 60_000_000;
        let run = |verdict, second: i64| {
            let time = Timestamp::from_micros(begin + second * 1_000_000);
            run_of(&shop, verdict, "main", time)
        };
        let failing: Vec<Record> = (10..40).map(|second| run(Changed, second)).collect();
        let last = push_all(server, &key, &shop, &failing);
        assert_eq!(
            next_message(&receiver),
            ("run.failed".to_owned(), last.to_string())
        );
        // Late runs, and turns that are reversed in the same request, change nothing.
        push_all(server, &key, &shop, &[run(Same, 5)]);
        push_all(server, &key, &shop, &[run(Same, 41), run(Changed, 42)]);
        let passed = push_all(server, &key, &shop, &[run(Changed, 43), run(Same, 44)]);
        push_all(server, &key, &shop, &[run(Changed, 6)]);
        assert_eq!(
            next_message(&receiver),
            ("run.passed".to_owned(), passed.to_string())
        );
        let failed = push(server, &key, &shop, Changed);
        assert_eq!(
            next_message(&receiver),
            ("run.failed".to_owned(), failed.to_string())
        );
    });
}

#[test]
fn of_failing_runs_that_come_at_once_one_is_a_message() {
    on_each_with(&ALLOWED, |server, _| {
        let key = server.key("team");
        let receiver = WebhookReceiver::start();
        add(server, &receiver);
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| push(server, &key, &shop, Verdict::Changed));
            }
        });
        assert_eq!(next_message(&receiver).0, "run.failed");
        let passed = push(server, &key, &shop, Verdict::Same);
        assert_eq!(
            next_message(&receiver),
            ("run.passed".to_owned(), passed.to_string())
        );
    });
}

#[test]
fn the_oldest_messages_are_removed_when_there_are_too_many() {
    let server = Server::with(&ALLOWED);
    let key = server.key("team");
    let receiver = WebhookReceiver::start();
    add(&server, &receiver);
    let shop = History::push(&server, &key, "shop", &[Verdict::Same]);
    let database = Connection::open(server.database_file()).unwrap();
    let fill = "WITH RECURSIVE number (n) AS (
             SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10010
         )
         INSERT INTO delivery (account, uuid, webhook, body, added, attempts)
             SELECT account, unhex(printf('%032d', n)), uuid, '{}', 9e18, 10
             FROM number, webhook";
    database.execute_batch(fill).unwrap();
    push(&server, &key, &shop, Verdict::Changed);
    receiver.accept_next();
    let counted = || {
        let sql = "SELECT count(*), hex(min(uuid)) FROM delivery";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        database.query_row(sql, [], read).ok()
    };
    let left: (i64, String) = soon(|| counted().filter(|(count, _)| *count < 10_000));
    assert_eq!(left, (9_999, format!("{:032}", 12)));
}

#[test]
fn a_decision_on_a_page_is_announced() {
    on_each_with(&ALLOWED, |server, _| {
        let key = server.key_with(&["--account", "team", "--name", "ada"]);
        let receiver = WebhookReceiver::start();
        add(server, &receiver);
        let shop = History::push(server, &key, "shop", &[Verdict::Changed]);
        let browser = Browser::signed_in(server, &key);
        let (project, test, run) = (shop.project, shop.test, shop.runs[0]);
        let path = format!("/project/{project}/test/{test}/run/{run}");
        let decided = browser.post(&path, "decision=reject&reason=rounding");
        assert_eq!(decided.status, 303, "{}", decided.text());
        let message = receiver.accept_next().json();
        assert_eq!(message["type"], "decision.made");
        let decision = &message["data"]["decision"];
        let told = ["kind", "author", "through", "reason"].map(|member| &decision[member]);
        assert_eq!(told, ["rejected", "ada", "page", "rounding"]);
        assert_eq!(decision["checkout"]["branch"], "shop");
        let page = format!("/project/{project}/test/{test}");
        assert_eq!(message["data"]["page"], page);
    });
}

#[test]
fn what_fails_is_tried_again_then_listed_and_sent_again() {
    on_each_with(&ALLOWED, |server, sql| {
        let key = server.key("team");
        let (receiver, elsewhere) = (WebhookReceiver::start(), WebhookReceiver::start());
        let (webhook, secret) = add(server, &receiver);
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        push(server, &key, &shop, Verdict::Changed);
        let first = receiver.receive();
        assert_eq!(failed(server), Vec::<Value>::new());
        // As if it were the last but one: until then, three days pass.
        sql("UPDATE delivery SET attempts = 9");
        let first = first.answer("500 Internal Server Error");

        let redirection = format!("302 Found\r\nlocation: {}", elsewhere.url());
        let last = receiver.receive().answer(&redirection);
        check_signature(&last, &secret);
        assert_eq!(last.field("webhook-id"), first.field("webhook-id"));
        assert_eq!(last.body, first.body);
        let message = soon(|| failed(server).into_iter().next());
        assert_eq!(message["message"], first.field("webhook-id"));
        assert_eq!(message["webhook"], webhook.as_str());
        assert_eq!(message["account"], "team");
        assert_eq!(message["type"], "run.failed");
        let error = "answered with 302, and redirects are not followed";
        assert_eq!(message["error"], error);
        assert!(elsewhere.is_idle());
        let listed = run(server, &["failed"]);
        assert!(listed.contains("run.failed"), "{listed}");
        assert!(!listed.contains(&secret), "{listed}");

        run(server, &["resend", first.field("webhook-id")]);
        let resent = receiver.accept_next();
        check_signature(&resent, &secret);
        assert_eq!(resent.body, first.body);
        assert_eq!(failed(server), Vec::<Value>::new());
        let unknown = refused(server, &["resend", first.field("webhook-id")]);
        assert!(
            unknown.contains("is not a message that failed"),
            "{unknown}"
        );
    });
}

#[test]
fn a_receiver_that_is_gone_is_not_asked_again() {
    on_each_with(&ALLOWED, |server, _| {
        let key = server.key("team");
        let receiver = WebhookReceiver::start();
        add(server, &receiver);
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        for verdict in [Verdict::Changed, Verdict::Same] {
            push(server, &key, &shop, verdict);
            receiver.receive().answer("410 Gone");
        }
        let failed = soon(|| Some(failed(server)).filter(|failed| failed.len() == 2));
        assert_eq!(failed[0]["error"], "answered with 410");
        run(server, &["resend", "--all"]);
        for _ in 0..2 {
            receiver.accept_next();
        }
    });
}

#[test]
fn addresses_that_are_not_public_get_no_messages_unless_they_are_allowed() {
    let server = Server::start();
    let key = server.key("team");
    let receiver = WebhookReceiver::start();
    add(&server, &receiver);
    // A name that resolves to the address doesn't bypass the check.
    let named = receiver.url().replace("127.0.0.1", "localhost");
    run(&server, &["add", &named, "--account", "team"]);
    let shop = History::push(&server, &key, "shop", &[Verdict::Same]);
    push(&server, &key, &shop, Verdict::Changed);
    let database = Connection::open(server.database_file()).unwrap();
    let errors = || {
        let mut statement = database
            .prepare("SELECT error FROM delivery WHERE error IS NOT NULL")
            .unwrap();
        let errors = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        Some(errors.map(Result::unwrap).collect::<Vec<_>>()).filter(|it| it.len() == 2)
    };
    for error in soon(errors) {
        let is_refused = error.contains("is not a public address");
        assert!(is_refused && error.contains("--webhook-network"), "{error}");
    }
    assert!(receiver.is_idle());
}

#[test]
fn of_several_servers_one_sends_each_message() {
    const RUNS: usize = 40;
    let schema = Schema::new();
    let servers = [(); 3].map(|()| Server::on_with(&schema.url, &ALLOWED));
    let key = servers[0].key("team");
    let receiver = WebhookReceiver::start();
    add(&servers[0], &receiver);
    let shop = History::push(&servers[0], &key, "shop", &[Verdict::Same]);
    push_in_turns(&servers[0], &key, &shop, RUNS);
    let receive = |_| receiver.accept_next();
    let received: Vec<Received> = (0..RUNS).map(receive).collect();
    let ids: BTreeSet<&str> = received.iter().map(|it| it.field("webhook-id")).collect();
    assert_eq!(ids.len(), RUNS);
    // In the order in which they were added.
    assert!(received.iter().map(|it| it.field("webhook-id")).is_sorted());
    soon(|| (schema.query("SELECT count(*) FROM delivery") == "0").then_some(()));
    assert!(receiver.is_idle());
}

/// Checks receivers whose certificate's authority the system trusts or doesn't.
#[test]
fn a_receiver_shows_a_certificate_that_the_system_trusts() {
    for is_trusted in [true, false] {
        let (known, other) = (Authority::new("known"), Authority::new("other"));
        let issuer = if is_trusted { &known } else { &other };
        let server = Server::after_with(
            &format!("export SSL_CERT_FILE={}", known.file().display()),
            &ALLOWED,
        );
        let key = server.key("team");
        let receiver = WebhookReceiver::start();
        let url = receiver.url().replace("http:", "https:");
        run(&server, &["add", &url, "--account", "team"]);
        let shop = History::push(&server, &key, "shop", &[Verdict::Same]);
        push(&server, &key, &shop, Verdict::Changed);
        let received = receiver.receive_encrypted(&issuer.issue("127.0.0.1"));
        assert_eq!(
            received.is_some_and(|it| it.contains("run.failed")),
            is_trusted
        );
    }
}

#[test]
fn no_message_is_about_another_account() {
    on_each_with(&ALLOWED, |server, _| {
        let (key, others) = (server.key("team"), server.key("others"));
        let receiver = WebhookReceiver::start();
        add(server, &receiver);
        let theirs = History::push(server, &others, "secret", &[Verdict::Same]);
        push(server, &others, &theirs, Verdict::Changed);
        let mine = History::push(server, &key, "shop", &[Verdict::Same]);
        push(server, &key, &mine, Verdict::Changed);
        let message = receiver.accept_next().json();
        assert_eq!(message["data"]["project"]["name"], "shop");
        assert!(receiver.is_idle());
    });
}

#[test]
fn webhooks_are_listed_without_secrets_and_removed() {
    on_each_with(&ALLOWED, |server, _| {
        server.key("team");
        let receivers = [WebhookReceiver::start(), WebhookReceiver::start()];
        let [one, other] = receivers.each_ref().map(|receiver| add(server, receiver));
        let listed = || -> Vec<Value> {
            let list = run(server, &["list", "--json"]);
            assert!(!list.contains("whsec_"), "{list}");
            serde_json::from_str(&list).unwrap()
        };
        let webhooks = listed();
        let urls = webhooks
            .iter()
            .map(|it| it["url"].as_str().unwrap().to_owned());
        assert_eq!(
            urls.collect::<Vec<_>>(),
            receivers.each_ref().map(WebhookReceiver::url)
        );
        let list = run(server, &["list"]);
        assert!(list.contains(&one.0) && !list.contains("whsec_"), "{list}");
        run(server, &["remove", &one.0]);
        assert_eq!(listed()[..], webhooks[1..]);
        assert_eq!(webhooks[1]["webhook"], other.0.as_str());
        let unknown = refused(server, &["remove", &one.0]);
        assert!(unknown.contains("is not a webhook"), "{unknown}");

        let deleted = server.run(&["accounts", "delete", "team", "--yes", "team"]);
        assert!(deleted.status.success());
        assert_eq!(listed(), Vec::<Value>::new());
        let audit = String::from_utf8(server.run(&["audit"]).stdout).unwrap();
        for action in ["webhooks add", "webhooks remove"] {
            assert!(audit.contains(action), "{audit}");
        }
    });
}

#[test]
fn a_receiver_that_does_not_answer_keeps_no_other_account_waiting() {
    const RUNS: usize = 60;
    on_each_with(&ALLOWED, |server, _| {
        let (key, others) = (server.key("team"), server.key("others"));
        let (silent, receiver) = (WebhookReceiver::start(), WebhookReceiver::start());
        run(server, &["add", &silent.url(), "--account", "others"]);
        add(server, &receiver);
        let theirs = History::push(server, &others, "theirs", &[Verdict::Same]);
        let mine = History::push(server, &key, "mine", &[Verdict::Same]);
        push_in_turns(server, &others, &theirs, RUNS);
        let waiting = silent.receive();
        push_in_turns(server, &key, &mine, RUNS);
        for _ in 0..RUNS {
            receiver.accept_next();
        }
        // One at a time, and at a decreasing rate.
        let tried = (0..RUNS).take_while(|_| !silent.is_idle()).count();
        assert!(tried <= 3, "{tried}");
        drop(waiting);
    });
}

#[test]
fn one_failure_postpones_all_messages_of_the_webhook() {
    const RUNS: usize = 4;
    on_each_with(&ALLOWED, |server, _| {
        let key = server.key("team");
        let receiver = WebhookReceiver::start();
        add(server, &receiver);
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        push_in_turns(server, &key, &shop, RUNS);
        let refused = receiver.receive().answer("503 Service Unavailable");
        let received = [(); RUNS].map(|()| receiver.accept_next());
        let ids = received.each_ref().map(|it| it.field("webhook-id"));
        assert_eq!(ids[0], refused.field("webhook-id"));
        assert!(ids.is_sorted());
    });
}

#[test]
fn a_damaged_webhook_keeps_no_other_waiting() {
    on_each_with(&ALLOWED, |server, sql| {
        let key = server.key("team");
        let (damaged, receiver) = (WebhookReceiver::start(), WebhookReceiver::start());
        let (webhook, _) = add(server, &damaged);
        add(server, &receiver);
        let is_it = format!("url = '{}'", damaged.url());
        sql(&format!("UPDATE webhook SET secret = 'x' WHERE {is_it}"));
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        push(server, &key, &shop, Verdict::Changed);
        receiver.accept_next();
        assert!(damaged.is_idle());
        assert!(run(server, &["list"]).contains(&webhook));
        run(server, &["remove", &webhook]);
        assert!(!run(server, &["list"]).contains(&webhook));
    });
}

#[test]
fn what_is_not_a_url_is_refused() {
    let server = Server::start();
    let refused = |url: &str| refused(&server, &["add", url]);
    insta::assert_snapshot!(refused("ftp://example.com"), @"tdg-server: `ftp://example.com` does not begin with https://: give a URL such as `https://chat.example.com/hooks/tdg`");
    insta::assert_snapshot!(refused("example.com/hook"), @"tdg-server: `example.com/hook` is not a URL (invalid format): give a URL such as `https://chat.example.com/hooks/tdg`");
    insta::assert_snapshot!(refused("https://ada:pass@example.com"), @"tdg-server: the URL has a password or a name before its host: omit it, messages are signed");
}
