//! Feeds and badges: addresses that show one project to anyone who has them, on both databases.

use quick_xml::Reader;
use quick_xml::events::Event;
use tdg_engine::Verdict;
use tdg_service::Uuid;

use crate::support::{Browser, Client, History, ParsedPage, Server, on_each};

const CHANGED_LAST: [Verdict; 2] = [Verdict::Same, Verdict::Changed];

/// Returns the addresses of the feed and the badge on a project's page.
fn addresses(server: &Server, key: &str, history: &History) -> [String; 2] {
    let browser = Browser::signed_in(server, key);
    let page = ParsedPage::parse(&browser.get(&format!("/project/{}", history.project)));
    let hrefs = page.attributes("href");
    ["feed.atom", "badge.svg"].map(|file| {
        let found = hrefs.iter().find(|href| href.contains(file));
        found.unwrap().clone()
    })
}

fn assert_is_xml(text: &str) {
    let mut reader = Reader::from_str(text);
    while reader.read_event().unwrap() != Event::Eof {}
}

#[test]
fn a_feed_lists_failing_runs_and_decisions() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &CHANGED_LAST);
        let [feed, _] = addresses(server, &key, &shop);
        let reader = Browser::new(server);
        let answer = reader.get(&feed);
        assert_eq!(
            answer.header("content-type"),
            Some("application/atom+xml; charset=utf-8")
        );
        assert_is_xml(answer.text());
        let text = answer.text().to_owned();
        let uuids = [shop.project, shop.test, shop.runs[1]];
        let names = ["PROJECT", "TEST", "RUN"];
        let text = uuids.iter().zip(names).fold(text, |text, (uuid, name)| {
            text.replace(&uuid.to_string(), name)
        });
        let (head, rest) = text.split_once("<entry>").unwrap();
        let (run, decision) = rest.split_once("<entry>").unwrap();
        insta::allow_duplicates! {
            insta::assert_snapshot!(head.replace("><", ">\n<"), @r#"
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <id>urn:uuid:PROJECT</id>
            <title>shop</title>
            <author>
            <name>tdg</name>
            </author>
            <updated>2026-09-21T14:15:20Z</updated>
            <link href="https://test/project/PROJECT"/>
            "#);
            insta::assert_snapshot!(run.replace("><", ">\n<"), @r#"
            <id>urn:uuid:RUN</id>
            <title>shop changed: 7 of 40 cases</title>
            <updated>2026-09-21T14:15:20Z</updated>
            <link href="https://test/project/PROJECT/test/TEST/run/RUN"/>
            </entry>
            "#);
        }
        assert!(
            decision.contains("<title>shop accepted by shop, through key tdg_"),
            "{decision}"
        );
    });
}

#[test]
fn a_badge_counts_the_worst_status_on_a_branch() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &CHANGED_LAST);
        let fine = History::push(server, &key, "fine", &[Verdict::Same]);
        let none = History::push(server, &key, "none", &[]);
        let shown = |history: &History, more: &str| {
            // A badge is built once a minute at each address.
            let [_, badge] = addresses(server, &server.key("team"), history);
            let answer = Browser::new(server).get(&format!("{badge}{more}"));
            assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
            let policy = answer.header("cross-origin-resource-policy");
            assert_eq!(policy, Some("cross-origin"));
            assert_eq!(answer.header("cache-control"), Some("max-age=60"));
            assert_is_xml(answer.text());
            let title = answer.text().split_once("<title>").unwrap().1;
            title.split_once("</title>").unwrap().0.to_owned()
        };
        assert_eq!(shown(&shop, ""), "tdg: 1 pending");
        assert_eq!(shown(&shop, "&branch=shop"), "tdg: 1 pending");
        assert_eq!(shown(&shop, "&branch=main"), "tdg: no runs");
        assert_eq!(shown(&fine, ""), "tdg: 1 passing");
        // Many runs on another branch don't change that.
        let runs: Vec<_> = (10..70)
            .map(|minute| fine.run_on("other", minute, 0))
            .collect();
        fine.add(server, &key, &runs);
        assert_eq!(shown(&fine, "&branch=fine"), "tdg: 1 passing");
        assert_eq!(shown(&none, ""), "tdg: no runs");
        let run = format!(
            "/project/{}/test/{}/run/{}",
            shop.project, shop.test, shop.runs[1]
        );
        let rejected = Browser::signed_in(server, &key).post(&run, "decision=reject");
        assert_eq!(rejected.status, 303, "{}", rejected.text());
        assert_eq!(shown(&shop, ""), "tdg: 1 failing");
    });
}

#[test]
fn a_feed_or_a_badge_that_a_client_has_is_not_sent_again() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &CHANGED_LAST);
        for path in addresses(server, &key, &shop) {
            let reader = Browser::new(server);
            let first = reader.get(&path);
            let tag = first.header("etag").unwrap();
            let again = reader.get_with(&path, &[("if-none-match", tag)]);
            assert_eq!((again.status, again.text()), (304, ""), "{path}");
            for field in ["etag", "cache-control", "cross-origin-resource-policy"] {
                assert_eq!(again.header(field), first.header(field), "{field}");
            }
            let other = reader.get_with(&path, &[("if-none-match", "\"other\"")]);
            assert_eq!((other.status, other.text()), (200, first.text()));
        }
    });
}

#[test]
fn a_feed_token_opens_one_project_until_its_key_ends() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &CHANGED_LAST);
        let other = History::push(server, &key, "other", &CHANGED_LAST);
        let [feed, badge] = addresses(server, &key, &shop);
        let reader = Browser::new(server);
        let status = |path: &str| reader.get(path).status;
        assert_eq!((status(&feed), status(&badge)), (200, 200));

        let token = feed.split_once("token=").unwrap().1;
        let project = format!("/project/{}", shop.project);
        for path in [
            format!("{project}/feed.atom"),
            format!("{project}/feed.atom?token="),
            format!("{project}/feed.atom?token={}x", &token[..token.len() - 1]),
            format!("{project}/feed.atom?token={}", &token[..20]),
            format!("{project}/badge.svg?token={key}"),
            format!("/project/{}/feed.atom?token={token}", other.project),
            format!("/project/{}/feed.atom?token={token}", Uuid::new_v4()),
            format!("/project/x/feed.atom?token={token}"),
        ] {
            assert_eq!(status(&path), 404, "{path}");
        }
        // The token doesn't work for anything else.
        assert_eq!(status(&format!("{project}?token={token}")), 303);
        let as_key = Client::new(&server.url, token).get("/v1/projects");
        assert_eq!(as_key.status, 401);

        let deleted = Client::new(&server.url, &key).delete(&format!("/v1{project}/delete"));
        assert_eq!(deleted.status, 200);
        assert_eq!((status(&feed), status(&badge)), (404, 404));

        let [feed, _] = addresses(server, &key, &other);
        assert_eq!(status(&feed), 200);
        assert!(server.run(&["keys", "revoke", &key[..16]]).status.success());
        assert_eq!(status(&feed), 404);
    });
}

#[test]
fn everything_in_a_feed_is_only_text() {
    let server = Server::start();
    let key = server.key("team");
    let hostile = "</title><script>alert(1)</script>&\"'\u{202e}";
    let shop = History::push(&server, &key, hostile, &CHANGED_LAST);
    let [feed, _] = addresses(&server, &key, &shop);
    let text = Browser::new(&server).get(&feed).text().to_owned();
    assert_is_xml(&text);
    assert!(
        !text.contains("<script") && !text.contains('\u{202e}'),
        "{text}"
    );
    assert_eq!(text.matches("</title>").count(), 3);
}
