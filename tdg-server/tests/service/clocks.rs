//! Machines with clocks that are ahead: their records count from their arrival, on both databases.

use std::time::Duration;

use tdg_conformance::replica::timed;
use tdg_engine::Verdict;
use tdg_engine::store::{Decision, DecisionKind, RunFacts};
use tdg_service::record::{AssertionRecord, DecisionRecord, Record, RecordKind, RunRecord};
use tdg_service::sync::{Replica, Wanted};
use tdg_service::{Timestamp, Uuid};

use crate::support::{Browser, History, ParsedPage, Server, checkout, on_each};

const AHEAD: Duration = Duration::from_secs(23 * 60 * 60);

/// Returns the time on a clock that is ahead, or right.
fn now(ahead: Duration) -> Timestamp {
    Timestamp::from_micros(Timestamp::now().as_micros() + ahead.as_micros() as i64)
}

fn run(shop: &History, verdict: Verdict, ahead: Duration) -> Record {
    let time = now(ahead);
    let facts = RunFacts {
        changed: u64::from(!verdict.passes()),
        checkout: checkout("shop"),
        ..RunFacts::new(verdict, 40)
    };
    Record::Assertion(AssertionRecord {
        uuid: timed(time, 1),
        benchmark: shop.benchmarks[0],
        time,
        asserted: verdict.passes(),
        run: Some(RunRecord {
            test: shop.test,
            facts,
        }),
    })
}

fn decision(shop: &History, ahead: Duration) -> Record {
    let time = now(ahead);
    Record::Decision(DecisionRecord {
        uuid: timed(time, 2),
        test: shop.test,
        benchmark: Some(shop.benchmarks[1]),
        time,
        decision: Decision {
            checkout: checkout("shop"),
            ..Decision::new(DecisionKind::Accepted)
        },
        from: None,
    })
}

/// Returns the text of the badge, at an address that wasn't requested before.
fn badge(server: &Server, shop: &History) -> String {
    let browser = Browser::signed_in(server, &server.key("team"));
    let page = ParsedPage::parse(&browser.get(&format!("/project/{}", shop.project)));
    let hrefs = page.attributes("href");
    let badge = hrefs.iter().find(|href| href.contains("badge.svg"));
    let answer = browser.get(badge.unwrap());
    let title = answer.text().split_once("<title>tdg: ").unwrap().1;
    title.split_once("</title>").unwrap().0.to_owned()
}

#[test]
fn a_run_of_a_clock_that_is_ahead_hides_no_later_run() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        let ahead = run(&shop, Verdict::Same, AHEAD);
        shop.add(server, &key, std::slice::from_ref(&ahead));
        assert_eq!(badge(server, &shop), "1 passing");
        shop.add(
            server,
            &key,
            &[run(&shop, Verdict::Changed, Duration::ZERO)],
        );
        assert_eq!(badge(server, &shop), "1 pending");

        let browser = Browser::signed_in(server, &key);
        let test = format!("/project/{}/test/{}", shop.project, shop.test);
        let path = format!("{test}/run/{}", ahead.uuid());
        assert_eq!(browser.get(&path).status, 200);
        // The newest run has the right clock.
        let hrefs = ParsedPage::parse(&browser.get(&test)).attributes("href");
        let newest = hrefs.iter().find(|href| href.contains("/run/"));
        assert!(!newest.unwrap().contains(&path), "{hrefs:?}");
        assert!(hrefs.iter().any(|href| href.contains(&path)));
    });
}

#[test]
fn a_decision_of_a_clock_that_is_ahead_is_about_no_later_run() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &[Verdict::Changed]);
        let ahead = decision(&shop, AHEAD);
        shop.add(server, &key, std::slice::from_ref(&ahead));
        assert_eq!(badge(server, &shop), "1 failing");
        let changed = run(&shop, Verdict::Changed, Duration::ZERO);
        shop.add(server, &key, std::slice::from_ref(&changed));
        assert_eq!(badge(server, &shop), "1 pending");

        let browser = Browser::signed_in(server, &key);
        let path = format!(
            "/project/{}/test/{}/run/{}",
            shop.project,
            shop.test,
            changed.uuid()
        );
        let rejected = browser.post(&path, "decision=reject");
        assert_eq!(rejected.status, 303, "{}", rejected.text());
        assert_eq!(badge(server, &shop), "1 failing");
        let newest = newest_decision(server, &key, &shop);
        assert_eq!(newest.decision.kind, DecisionKind::Rejected);
        // Clients of earlier versions go by dates.
        assert!(dated_after(&newest, &ahead));
    });
}

#[test]
fn a_synchronised_decision_says_when_it_came_if_its_clock_was_ahead() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &[Verdict::Changed]);
        let mut ahead = decision(&shop, AHEAD);
        if let Record::Decision(it) = &mut ahead {
            // The server replaces this value.
            it.decision.arrived = Some(0);
        }
        let before = Timestamp::now();
        shop.add(server, &key, std::slice::from_ref(&ahead));
        let arrived = newest_decision(server, &key, &shop);
        assert_eq!(arrived.uuid, ahead.uuid());
        assert!((before..=Timestamp::now()).contains(&arrived.credible()));

        let later = decision(&shop, Duration::ZERO);
        shop.add(server, &key, std::slice::from_ref(&later));
        let newest = newest_decision(server, &key, &shop);
        assert_eq!((newest.uuid, newest.decision.arrived), (later.uuid(), None));
    });
}

fn dated_after(decision: &DecisionRecord, other: &Record) -> bool {
    matches!(other, Record::Decision(other) if decision.time > other.time)
}

/// Returns the newest of the synchronized decisions, in the order of `cargo tdg pull`.
fn newest_decision(server: &Server, key: &str, shop: &History) -> DecisionRecord {
    let service = server.service(key);
    let replica = service.replica(shop.project);
    let everywhere: Vec<u8> = (0..=u8::MAX).collect();
    let uuids: Vec<Uuid> = replica
        .identities(RecordKind::Decision, &everywhere)
        .unwrap();
    let wanted = uuids.iter();
    let wanted: Vec<Wanted> = wanted
        .map(|uuid| Wanted::Other(RecordKind::Decision, *uuid))
        .collect();
    let found = replica.records(&wanted).unwrap().into_iter().flatten();
    let decisions = found.filter_map(|record| match record {
        Record::Decision(decision) => Some(decision),
        _ => None,
    });
    decisions.max_by_key(|it| (it.credible(), it.uuid)).unwrap()
}
