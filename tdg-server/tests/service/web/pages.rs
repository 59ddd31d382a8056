//! The pages, on both databases.

use std::collections::BTreeSet;
use std::io::Read;

use tdg_engine::Verdict;
use tdg_service::Uuid;

use crate::support::{Answer, Browser, Client, History, ParsedPage, Server, on_each};

const CHANGED_LAST: [Verdict; 3] = [Verdict::Same, Verdict::Same, Verdict::Changed];

/// Returns the lines of a page's tables.
fn lines(page: &ParsedPage) -> String {
    page.texts("tbody tr").join("\n")
}

#[test]
fn from_the_projects_to_a_run_of_a_failing_test() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &CHANGED_LAST);
        let _fine = History::push(server, &key, "fine", &[Verdict::Same]);
        let browser = Browser::signed_in(server, &key);
        let page = |path: &str| {
            let answer = browser.get(path);
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            ParsedPage::parse(&answer)
        };

        let projects = page("/");
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&projects), @r"
            shop 1 0 0 0 2026-09-21 14:16:20
            fine 0 0 1 0 2026-09-21 14:14:20
            ");
        }
        let project = format!("/project/{}", shop.project);
        assert!(
            projects
                .attributes("href")
                .contains(&format!("{project}?standing=pending"))
        );
        insta::allow_duplicates! {
            insta::assert_snapshot!(lines(&page(&project)), @"shop shop pending changed 7 of 40 2026-09-21 14:16:20 shop 1f3a9c0d21");
        }
        for (filter, found) in [
            ("standing=pending", 1),
            ("standing=passing", 0),
            ("branch=shop&name=SH", 1),
            ("branch=other", 0),
            ("name=hop+shop", 1),
            ("days=1", 0),
            ("from=99999999999999999999", 1),
        ] {
            let found_lines = page(&format!("{project}?{filter}")).count("tbody tr");
            assert_eq!(found_lines, found, "{filter}");
        }

        let test = format!("{project}/test/{}", shop.test);
        let history = page(&test);
        let (prefix, _) = key.rsplit_once('_').unwrap();
        let decided = lines(&history).replace(prefix, "KEY");
        insta::allow_duplicates! {
            insta::assert_snapshot!(decided, @r"
            2026-09-21 14:16:20 changed 7 of 40 25 % shop 1f3a9c0d21 linux x86_64
            2026-09-21 14:15:20 same 0 of 40 25 % shop 1f3a9c0d21 linux x86_64
            2026-09-21 14:14:20 same 0 of 40 25 % shop 1f3a9c0d21 linux x86_64
            2026-09-21 14:13:20 accepted shop, through key KEY shop shop 1f3a9c0d21
            ");
        }
        assert_eq!(history.count(".runs a.good"), 2);
        assert_eq!(history.count("figure polyline"), 1);
        let run = format!("{test}/run/{}", shop.runs[2]);
        assert!(history.attributes("href").contains(&run));
        let run = page(&run);
        assert_eq!(run.texts("main > p .verdict"), ["changed"]);
        assert_eq!(run.count("table.cases tbody"), 7);
        insta::allow_duplicates! {
            insta::assert_snapshot!(run.texts("textarea").join("\n"), @"**shop** of shop: 7 of 40 cases changed - perhaps: all 7 have expected/total <= 6 (7 of 7 such cases changed, 0 of the other 33; few cases) - /total: actual = expected + 1 in all 7 `cargo tdg show shop --changed`");
        }
    });
}

#[test]
fn the_changed_cases_of_a_run_are_files_as_well() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &CHANGED_LAST);
        let browser = Browser::signed_in(server, &key);
        let run = |run: Uuid| format!("/project/{}/test/{}/run/{run}", shop.project, shop.test);
        let [same, _, changed] = shop.runs[..] else {
            panic!("{:?}", shop.runs);
        };
        let page = ParsedPage::parse(&browser.get(&run(changed)));
        for (end, media_type) in [
            ("csv", "text/csv; charset=utf-8"),
            ("json", "application/json"),
        ] {
            let path = format!("{}/cases.{end}", run(changed));
            assert!(page.attributes("href").contains(&path), "{path}");
            let answer = browser.get(&path);
            assert_eq!(answer.status, 200, "{path}");
            assert_eq!(answer.header("content-type"), Some(media_type));
            assert_eq!(answer.header("cache-control"), Some("no-store"));
            let name = format!("attachment; filename=\"{changed}.{end}\"");
            assert_eq!(answer.header("content-disposition"), Some(&*name));
            let whole = answer.text();
            insta::allow_duplicates! {
                let first: Vec<&str> = whole.lines().take(3).collect();
                insta::assert_snapshot!(format!("cases_as_{end}"), first.join("\n"));
            }
            // A line for each of the 7 cases, and one or two around them.
            assert_eq!(whole.lines().count(), if end == "csv" { 8 } else { 9 });
            let gzip = browser.get_with(&path, &[("accept-encoding", "gzip")]);
            assert_eq!(gzip.header("content-encoding"), Some("gzip"));
            assert_eq!(gzip.header("content-type"), Some(media_type));
            assert_eq!(
                browser.get(&format!("{}/cases.{end}", run(same))).status,
                404
            );
            let stranger = Browser::new(server).get(&path);
            assert_eq!(stranger.status, 303);
        }
    });
}

#[test]
fn a_rule_that_experiments_verified_is_the_headline_of_a_run() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        let run = shop.explained_run("exactly those with shop < 9", 5);
        shop.add(server, &key, std::slice::from_ref(&run));
        let path = format!(
            "/project/{}/test/{}/run/{}",
            shop.project,
            shop.test,
            run.uuid()
        );
        let page = ParsedPage::parse(&Browser::signed_in(server, &key).get(&path));
        assert_eq!(page.texts("h3"), ["exactly those with shop < 9"]);
        let evidence =
            "verified on 2,000 more rows: all but 1, such as exactly those with shop < 9";
        assert!(page.texts("p").contains(&evidence.to_owned()));
        let markdown = page.texts("textarea").join("");
        let line = format!("- exactly those with shop < 9, {evidence}");
        assert!(markdown.contains(&line), "{markdown}");
    });
}

#[test]
fn a_definition_is_drawn_and_its_rows_and_outputs_come_by_pages() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        let browser = Browser::signed_in(server, &key);
        let page = |path: &str| {
            let answer = browser.get(path);
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            ParsedPage::parse(&answer)
        };
        let definition = page(&format!("/definition/{}", shop.definition));
        assert_eq!(definition.texts("figcaption b"), ["shop", "coupon"]);
        assert_eq!(
            definition.texts("#content > p"),
            ["500 rows drawn with seed 0"]
        );

        let ensemble = format!("/ensemble/{}", shop.ensemble);
        assert!(definition.attributes("href").contains(&ensemble));
        assert_eq!(page(&ensemble).count("table.cases tbody"), 40);
        let from = page(&format!("{ensemble}?from=30"));
        assert_eq!(
            from.texts("table.cases tbody th"),
            (30..40).map(|row| row.to_string()).collect::<Vec<_>>()
        );

        let [first, second] = shop.benchmarks.map(|uuid| format!("/benchmark/{uuid}"));
        assert!(page(&ensemble).attributes("href").contains(&first));
        let benchmark = page(&first);
        insta::allow_duplicates! {
            let fields = benchmark.texts("table.facts tr").join("\n");
            insta::assert_snapshot!("fields_of_a_benchmark", fields);
        }
        let comparison = format!("{first}/against/{}", shop.benchmarks[1]);
        assert!(benchmark.attributes("href").contains(&comparison));
        let comparison = page(&comparison);
        assert_eq!(comparison.count("#cases tbody"), 40);
        insta::allow_duplicates! {
            let findings = comparison.texts(".finding h3, .finding > p").join("\n");
            insta::assert_snapshot!("findings_of_two_benchmarks", findings);
        }
        let same = page(&format!("{second}/against/{}", shop.benchmarks[1]));
        assert_eq!(same.texts("#content > p"), ["All outputs are the same."]);
        let other = History::push(server, &key, "other", &[]);
        let other = page(&format!("{second}/against/{}", other.benchmarks[0]));
        assert_eq!(
            other.texts("#content > p"),
            ["They have different rows, so they can't be compared."]
        );
    });
}

#[test]
fn names_are_found() {
    on_each(|server, _| {
        let key = server.key("team");
        History::push(server, &key, "shop", &[]);
        History::push(server, &key, "fine", &[]);
        let browser = Browser::signed_in(server, &key);
        let found = |sought: &str| {
            let answer = browser.get(&format!("/search?for={sought}"));
            ParsedPage::parse(&answer).texts("main li")
        };
        assert_eq!(found("SHO"), ["shop", "shop of shop"]);
        assert_eq!(found("shop+sh"), ["shop of shop"]);
        for sought in ["", "none", "%25", "%00"] {
            assert_eq!(found(sought), [""; 0], "{sought}");
        }
    });
}

#[test]
fn a_long_history_is_shown_in_parts() {
    let server = Server::start();
    let key = server.key("team");
    let history = History::push(&server, &key, "shop", &[Verdict::Same; 150]);
    let browser = Browser::signed_in(&server, &key);
    let mut path = format!("/project/{}/test/{}", history.project, history.test);
    let mut seen = Vec::new();
    loop {
        let page = ParsedPage::parse(&browser.get(&path));
        seen.push(page.count("tbody tr") - 1);
        let hrefs = page.attributes("href");
        match hrefs.into_iter().find(|href| href.contains("before=")) {
            Some(older) => path = older,
            None => break,
        }
    }
    // Next to the decision.
    assert_eq!(seen, [30; 5]);
}

#[test]
fn without_a_session_every_page_leads_to_the_form() {
    on_each(|server, _| {
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &CHANGED_LAST);
        let mut browser = Browser::new(server);
        let there = format!("/project/{}", shop.project);
        let absent = format!("/project/{}", Uuid::new_v4());
        for path in ["/", "/keys", "/audit", &there, &absent, "/project/x"] {
            for cookie in [
                "",
                "__Host-tdg=",
                "__Host-tdg=x",
                &format!("__Host-tdg={:064x}", 1),
            ] {
                browser.cookie = cookie.to_owned();
                let answer = browser.get(path);
                assert_eq!((answer.status, answer.body.len()), (303, 0), "{path}");
                let form = answer.header("location").unwrap();
                assert!(form.starts_with("/sign-in"), "{form}");
                assert_eq!(browser.get(form).status, 200);
            }
        }
        // Keys don't work for pages, and sessions don't work for endpoints.
        let with_key = Client::new(&server.url, &key).get(&there);
        assert_eq!(with_key.status, 303);
        let browser = Browser::signed_in(server, &key);
        assert_eq!(browser.get("/v1/projects").status, 401);
        assert_eq!(browser.get("/").status, 200);
    });
}

#[test]
fn a_session_ends_with_its_key_its_time_and_on_sign_out() {
    on_each(|server, run| {
        let key = server.key("team");
        let is_in = |browser: &Browser| browser.get("/").status == 200;
        let over = |column: &str, hours: i64| {
            let micros = hours * 3_600_000_000 + 1_000_000;
            run(&format!(
                "UPDATE session SET {column} = {column} - {micros}"
            ));
        };
        let [idle, old, out] = [(); 3].map(|()| Browser::signed_in(server, &key));
        assert!(is_in(&idle) && is_in(&old) && is_in(&out));

        let answer = out.post("/sign-out", "");
        assert_eq!(answer.header("location"), Some("/sign-in"));
        assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"));
        assert!(!is_in(&out) && is_in(&old));

        over("used", 8);
        assert!(!is_in(&idle) && !is_in(&old));
        let again = Browser::signed_in(server, &key);
        over("begun", 7 * 24);
        assert!(!is_in(&again));

        let by_key = Browser::signed_in(server, &key);
        assert!(is_in(&by_key));
        assert!(server.run(&["keys", "revoke", &key[..16]]).status.success());
        assert!(!is_in(&by_key));
    });
}

#[test]
fn a_key_that_may_not_read_opens_no_pages() {
    let server = Server::start();
    let key = server.key_with(&["--scopes", "assert"]);
    let mut browser = Browser::new(&server);
    let answer = browser.sign_in(&key);
    assert_eq!(answer.status, 403);
    let page = ParsedPage::parse(&answer);
    assert_eq!(
        page.texts("[role=alert]"),
        ["the API key may not do this: it needs the scope `read`"]
    );
    assert_eq!(answer.header("set-cookie"), None);
}

#[test]
fn attempts_to_sign_in_are_limited() {
    let server = Server::start();
    let mut browser = Browser::new(&server);
    let wrong = format!("tdg_{:012x}_{:064x}", 1, 1);
    let statuses: Vec<u16> = (0..40).map(|_| browser.sign_in(&wrong).status).collect();
    assert_eq!(statuses[0], 401);
    assert!(statuses.contains(&429), "{statuses:?}");
    for malformed in ["", "x", "tdg_", "%00%ff", "tdg_<script>"] {
        let answer = browser.sign_in(malformed);
        assert_eq!(answer.status, 401, "{malformed}");
        assert!(!answer.text().contains("tdg_<"));
    }
    // Valid keys are still looked up.
    Browser::signed_in(&server, &server.key("team"));
}

#[test]
fn only_forms_of_the_server_change_anything() {
    let server = Server::start();
    let key = server.key("team");
    let browser = Browser::signed_in(&server, &key);
    let form = format!("key={key}");
    for from in [
        &[][..],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[
            ("sec-fetch-site", "same-origin"),
            ("origin", "https://evil.example"),
        ],
        &[("sec-fetch-site", "cross-site"), ("origin", "https://test")],
    ] {
        for path in ["/sign-in", "/sign-out"] {
            let answer = browser.post_from(from, path, &form);
            assert_eq!(answer.status, 403, "{path} {from:?}");
            assert_eq!(answer.header("set-cookie"), None);
        }
    }
    assert_eq!(browser.get("/").status, 200);
    let behind_proxy = [
        ("sec-fetch-site", "same-origin"),
        ("origin", "https://tdg.example.org"),
    ];
    let refused = browser.post_from(&behind_proxy, "/sign-in", &form);
    assert!(
        refused
            .text()
            .contains("or a proxy changes `Host`; configure the proxy to pass it on"),
        "{}",
        refused.text()
    );
    let old_browser = [("origin", "http://test")];
    assert_eq!(
        browser.post_from(&old_browser, "/sign-in", &form).status,
        303
    );
    let long = "x".repeat(10_000);
    assert_eq!(browser.post("/sign-in", &long).status, 413);
}

#[test]
fn signing_in_leads_back_to_a_page_of_the_server_and_nowhere_else() {
    let server = Server::start();
    let key = server.key("team");
    let browser = Browser::new(&server);
    let location = |next: &str| {
        let answer = browser.post("/sign-in", &format!("key={key}&next={next}"));
        answer.header("location").unwrap().to_owned()
    };
    assert_eq!(location("%2Fkeys%3Fa%3D1"), "/keys?a=1");
    for next in [
        "https%3A%2F%2Fevil.example",
        "%2F%2Fevil.example",
        "%2F%5Cevil",
        "%2Fa%0Ab",
        "",
    ] {
        assert_eq!(location(next), "/", "{next}");
    }
    let form = browser
        .get("/keys?name=%22%3E")
        .header("location")
        .unwrap()
        .to_owned();
    let next = ParsedPage::parse(&browser.get(&form)).attributes("value");
    assert!(next.contains(&"/keys?name=%22%3E".to_owned()), "{next:?}");
}

#[test]
fn the_cookie_needs_tls_except_on_the_machine_itself() {
    let server = Server::start();
    let key = server.key("team");
    let cookie = |host: &str| {
        let form = format!("key={key}");
        let request = format!(
            "POST /sign-in HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{form}",
            form.len()
        );
        let answer = Client::new(&server.url, "").send(request.as_bytes());
        let cookie = answer.header("set-cookie").unwrap().to_owned();
        let (name, rest) = cookie.split_once('=').unwrap();
        let (value, attributes) = rest.split_once(';').unwrap();
        assert_eq!(value.len(), 64);
        format!("{name};{attributes}")
    };
    let local = "tdg; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax";
    for host in ["localhost:8080", "127.0.0.1", "[::1]:80"] {
        assert_eq!(cookie(host), local, "{host}");
    }
    for host in ["tdg.example", "localhost.example:8080", "10.0.0.1"] {
        assert_eq!(cookie(host), format!("__Host-{local}; Secure"), "{host}");
    }
}

#[test]
fn nothing_of_another_account_is_shown() {
    on_each(|server, _| {
        let theirs = History::push(server, &server.key("others"), "secret", &CHANGED_LAST);
        let key = server.key("team");
        let mine = History::push(server, &key, "mine", &CHANGED_LAST);
        let browser = Browser::signed_in(server, &key);
        let project = |project: Uuid| format!("/project/{project}");
        let test = |of: Uuid, test: Uuid| format!("/project/{of}/test/{test}");
        let run = |of: Uuid, test: Uuid, run: Uuid| format!("/project/{of}/test/{test}/run/{run}");
        let random = Uuid::new_v4();
        let text = |path: &str| {
            let answer = browser.get(path);
            assert_eq!(answer.status, 404, "{path}");
            let request = answer.header("x-request-id").unwrap();
            answer.text().replace(request, "")
        };
        let nothing = text(&project(random));
        for path in [
            project(theirs.project),
            test(theirs.project, theirs.test),
            test(mine.project, theirs.test),
            test(theirs.project, mine.test),
            run(theirs.project, theirs.test, theirs.runs[0]),
            run(mine.project, mine.test, random),
            format!("/definition/{}", theirs.definition),
            format!("/ensemble/{}", theirs.ensemble),
            format!("/benchmark/{}", theirs.benchmarks[0]),
            format!(
                "/benchmark/{}/against/{}",
                mine.benchmarks[0], theirs.benchmarks[0]
            ),
            format!(
                "/benchmark/{}/against/{}",
                theirs.benchmarks[0], mine.benchmarks[0]
            ),
            format!("/benchmark/{random}"),
            run(mine.project, mine.test, Uuid::max()),
            test(mine.project, random),
            "/project/x".to_owned(),
        ] {
            assert_eq!(text(&path), nothing, "{path}");
        }
        let found = browser.get("/search?for=secre");
        assert_eq!(ParsedPage::parse(&found).count("main li"), 0);
        for path in ["/", "/keys", "/audit"] {
            assert!(!browser.get(path).text().contains("secret"), "{path}");
        }
    });
}

/// Every address has a page, even with odd parameters.
#[test]
fn odd_addresses_have_a_page() {
    let server = Server::start();
    let key = server.key("team");
    let shop = History::push(&server, &key, "shop", &CHANGED_LAST);
    let browser = Browser::signed_in(&server, &key);
    let project = format!("/project/{}", shop.project);
    let test = format!("{project}/test/{}", shop.test);
    for (path, status) in [
        ("/?after=x".to_owned(), 422),
        ("/?after=9223372036854775807".to_owned(), 422),
        (
            format!("{project}?from=-1&days=4294967296&standing=%00&branch=%F0%9F"),
            200,
        ),
        (format!("{project}?from=18446744073709551615"), 200),
        (format!("{project}?{}", "name=a&".repeat(1000)), 200),
        (
            format!("{test}?before=9223372036854775807.{}", Uuid::max()),
            200,
        ),
        (
            format!("{test}?before=-9223372036854775808.{}", Uuid::nil()),
            200,
        ),
        (format!("{test}?before=%00"), 200),
        (
            format!("/ensemble/{}?from=18446744073709551615", shop.ensemble),
            200,
        ),
        (
            format!(
                "/benchmark/{}?from=18446744073709551614",
                shop.benchmarks[0]
            ),
            200,
        ),
        (format!("/benchmark/{}?from=-1", shop.benchmarks[0]), 200),
        ("/search?for=%ff&for=b".to_owned(), 200),
    ] {
        let answer = browser.get(&path);
        let shown = path.get(..60).unwrap_or(&path);
        assert_eq!(answer.status, status, "{shown}: {}", answer.text());
        ParsedPage::parse(&answer);
    }
}

/// Text that would be executed if it weren't escaped.
const HOSTILE: &str = "</td><script>alert(1)</script><i onclick=x>\"'&{{7*7}}\\";

#[test]
fn nothing_that_is_shown_acts() {
    on_each(|server, _| {
        let key = server.key("team");
        let history = History::push(server, &key, HOSTILE, &CHANGED_LAST);
        history.add(server, &key, &[history.explained_run(HOSTILE, 5)]);
        let key = server.key_with(&["--account", "team", "--name", HOSTILE]);
        let browser = Browser::signed_in(server, &key);
        let head = |path: &str| {
            let headers = browser.get(path).headers;
            let own = ["date", "content-length", "x-request-id"];
            let fixed = headers
                .into_iter()
                .filter(|(name, _)| !own.contains(&name.as_str()));
            fixed.collect::<BTreeSet<_>>()
        };
        insta::allow_duplicates! { insta::assert_debug_snapshot!(head("/")); }
        for (path, answer) in browser.crawl() {
            if path.contains("/cases.") {
                check_kept(&answer, &path);
            } else if !path.contains("?token=") {
                assert_eq!(head(&path), head("/"), "{path}");
                check_harmless(&ParsedPage::parse(&answer), &path);
            }
        }
        assert_eq!(head("/project/x"), head("/"));
    });
}

/// Checks a file that browsers don't display, with any content.
fn check_kept(answer: &Answer, path: &str) {
    let header = |name| answer.header(name).unwrap_or_default();
    assert!(
        header("content-disposition").starts_with("attachment; filename="),
        "{path}"
    );
    assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
    assert!(
        header("content-security-policy").starts_with("default-src 'none'"),
        "{path}"
    );
    assert!(!header("content-type").contains("html"), "{path}");
}

/// Checks that a page has only text, links, forms and files of the server.
fn check_harmless(page: &ParsedPage, path: &str) {
    assert_eq!(page.count("script"), 1, "{path}");
    assert_eq!(page.count("script[src^='/assets/']"), 1, "{path}");
    for element in [
        "style",
        "iframe",
        "object",
        "embed",
        "base",
        "i[onclick]",
        "img",
        "meta[http-equiv]",
    ] {
        assert_eq!(page.count(element), 0, "{element} in {path}");
    }
    for (element, attribute) in page.all_attributes() {
        let acts = attribute.starts_with("on") || attribute == "style" || attribute == "srcdoc";
        assert!(!acts, "{element} {attribute} in {path}");
    }
    for link in page.attributes("href") {
        assert!(
            link.starts_with('/') || link == "#content",
            "{link} in {path}"
        );
    }
}

#[test]
fn files_of_pages_are_kept_by_browsers_and_pages_are_not() {
    let server = Server::start();
    let browser = Browser::new(&server);
    let form = browser.get("/sign-in");
    assert_eq!(form.header("cache-control"), Some("no-store"));
    let page = ParsedPage::parse(&form);
    let style = page
        .attributes("href")
        .into_iter()
        .find(|it| it.ends_with(".css"))
        .unwrap();
    let [script] = &page.attributes("src")[..] else {
        panic!("one script")
    };
    for (path, media_type) in [(style.as_str(), "text/css"), (script, "text/javascript")] {
        let file = browser.get(path);
        assert_eq!(file.status, 200);
        assert!(file.header("content-type").unwrap().starts_with(media_type));
        assert!(file.header("cache-control").unwrap().contains("immutable"));
    }
    assert!(browser.get(script).body.len() <= 10_000);
}

#[test]
fn pages_are_compressed_for_browsers_that_ask_for_it() {
    let server = Server::start();
    let key = server.key("team");
    let shop = History::push(&server, &key, "shop", &[Verdict::Same; 100]);
    let browser = Browser::signed_in(&server, &key);
    let path = format!("/project/{}/test/{}", shop.project, shop.test);
    let plain = browser.get(&path);
    assert_eq!(plain.header("content-encoding"), None);
    let packed = browser.get_with(&path, &[("accept-encoding", "gzip, br")]);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.header("vary"), Some("accept-encoding, cookie"));
    assert!(packed.body.len() * 4 < plain.body.len());
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed.body[..])
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, plain.text());
}

#[test]
fn pages_can_be_left_out() {
    let server = Server::with(&["--pages", "false"]);
    let browser = Browser::new(&server);
    for path in ["/", "/sign-in", "/keys"] {
        assert_eq!(
            browser.get(path).problem(404),
            format!("{path} does not exist")
        );
    }
    // Clients aren't sent to one, either.
    for (server, capabilities) in [
        (server, r#"["sync"]"#),
        (Server::start(), r#"["sync","pages"]"#),
    ] {
        let key = server.key("team");
        let facts = Client::new(&server.url, &key).get("/v1/server");
        let found = &facts.json()["capabilities"];
        assert_eq!(found.to_string(), capabilities);
    }
}

#[test]
fn a_path_of_nothing_is_a_page_to_a_browser() {
    let server = Server::start();
    let browser = Browser::new(&server);
    let accept = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for (path, status) in [
        ("/nope", 404),
        ("/assets/nope.css", 404),
        ("/sign-out", 405),
    ] {
        let answer = browser.get_with(path, &[accept]);
        assert_eq!(answer.status, status, "{path}");
        ParsedPage::parse(&answer);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        browser.get(path).problem(status);
    }
    browser.get_with("/v1/nope", &[accept]).problem(404);
    let without = Server::with(&["--pages", "false"]);
    let answer = Browser::new(&without).get_with("/nope", &[accept]);
    answer.problem(404);
}

#[test]
fn cases_as_files_hide_no_characters() {
    let server = Server::start();
    let key = server.key("team");
    let name = "a\u{202e}b\u{200b}";
    let shop = History::push(&server, &key, name, &CHANGED_LAST);
    let browser = Browser::signed_in(&server, &key);
    let run = shop.runs.last().unwrap();
    let run = format!("/project/{}/test/{}/run/{run}", shop.project, shop.test);
    for end in ["csv", "json"] {
        let answer = browser.get(&format!("{run}/cases.{end}"));
        assert_eq!(answer.status, 200);
        let text = answer.text();
        assert!(!text.contains(['\u{202e}', '\u{200b}']), "{text}");
        assert!(text.contains(r"a\u202eb\u200b"), "{text}");
    }
    let cases = browser.get(&format!("{run}/cases.json")).json();
    assert_eq!(cases[0]["expected"]["note"], name);
}
