//! Tests the client against servers that are down, slow, or not tdg servers: a listener in this
//! process sends prepared responses.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::*;
use crate::{Benchmark, Definition, Ensemble, NewEnsemble, NewProject, Project, Timestamp};

const KEY: &str = "tdg_0123456789_secret";

/// Answers each connection with the next of these texts, repeats the last, and records the
/// requests.
struct Listener {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Listener {
    fn saying(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                let Some(request) = read_request(&mut stream) else {
                    continue;
                };
                seen.lock().unwrap().push(request);
                let answer = answers.get(number).or(answers.last()).unwrap();
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Reads a request with its body, if any.
fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    let mut part = [0; 4096];
    loop {
        let read = stream.read(&mut part).ok()?;
        request.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_lowercase()
                        .strip_prefix("content-length: ")?
                        .parse()
                        .ok()
                })
                .unwrap_or(0);
            if body.len() >= length {
                return Some(text);
            }
        }
        if read == 0 {
            return None;
        }
    }
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
}

fn json(status: &str, body: &str) -> String {
    answer(status, "content-type: application/json\r\n", body)
}

fn problem(status: &str, body: &str) -> String {
    answer(status, "content-type: application/problem+json\r\n", body)
}

fn impatient(url: &str) -> RemoteService {
    let patience = Patience {
        connect: Duration::from_secs(5),
        attempts: 3,
        pause: Duration::ZERO,
        ..Patience::default()
    };
    RemoteService::with_patience(url, ApiKey::new(KEY).unwrap(), patience).unwrap()
}

/// Returns the error of requesting a project, with the URL replaced, and the requests.
fn said(answers: Vec<String>) -> (String, Vec<String>) {
    let listener = Listener::saying(answers);
    let error = impatient(&listener.url).project(Uuid::nil()).unwrap_err();
    let said = error.to_string().replace(&listener.url, "<url>");
    assert!(!said.contains("secret"));
    (said, listener.asked())
}

fn error(answer: String) -> String {
    said(vec![answer]).0
}

#[test]
fn a_server_that_is_down_is_named() {
    // A port that the system never assigns automatically.
    let url = "http://127.0.0.1:1";
    let error = impatient(url).projects(&Page::default()).unwrap_err();
    assert!(matches!(error, ServiceError::Unavailable(_)), "{error:?}");
    let said = error.to_string();
    assert!(
        said.starts_with(&format!("the server at {url} can't be reached: ")),
        "{said}"
    );
}

#[test]
fn a_server_that_never_answers_is_waited_for_once() {
    // The system accepts the connection, but the listener never reads from it.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let patience = Patience {
        first_silence: Duration::from_millis(50),
        attempts: 2,
        pause: Duration::ZERO,
        ..Patience::default()
    };
    // Each test of a process creates its own service.
    let said = [0; 2].map(|_| {
        let key = ApiKey::new(KEY).unwrap();
        let service = RemoteService::with_patience(&url, key, patience).unwrap();
        let error = service.projects(&Page::default()).unwrap_err();
        error.to_string().replace(&url, "<url>")
    });
    insta::assert_snapshot!(said[0], @"the server at <url> did not answer within 50ms");
    assert_eq!(said[0], said[1]);
    silent.set_nonblocking(true).unwrap();
    assert_eq!(silent.incoming().take(9).flatten().count(), 1);
}

#[test]
fn a_server_that_has_answered_may_be_silent_for_longer() {
    let listener = Listener::saying(vec![json("200 OK", "{\"projects\":[]}"), String::new()]);
    let patience = Patience {
        silence: Duration::from_millis(70),
        attempts: 1,
        ..Patience::default()
    };
    let key = ApiKey::new(KEY).unwrap();
    let service = RemoteService::with_patience(&listener.url, key, patience).unwrap();
    let _ = service.projects(&Page::default());
    let contact = super::contact::Contact::with(service.url());
    assert!(contact.has_answered() && contact.given_up().is_none());
    contact.timed_out(Duration::ZERO);
    assert!(contact.given_up().is_none());
}

#[test]
fn a_connection_that_is_never_made_is_given_up_sooner() {
    // The TLS handshake is part of connecting, and the listener never answers it.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", silent.local_addr().unwrap());
    let patience = Patience {
        connect: Duration::from_millis(50),
        attempts: 2,
        pause: Duration::ZERO,
        ..Patience::default()
    };
    let service = RemoteService::with_patience(&url, ApiKey::new(KEY).unwrap(), patience).unwrap();
    let error = service.projects(&Page::default()).unwrap_err();
    assert!(matches!(error, ServiceError::Unavailable(_)), "{error:?}");
    let said = error.to_string().replace(&url, "<url>");
    insta::assert_snapshot!(said, @"the server at <url> can't be reached: no connection within 50ms");
}

#[test]
fn what_is_no_server_is_called_so() {
    insta::assert_snapshot!(error(answer("200 OK", "content-type: text/html\r\n", "<html>")), @"the response from <url> is not from a tdg server of version 1 (status 200, text/html): check the URL, or use a version of tdg that matches the server");
    insta::assert_snapshot!(error(answer("404 Not Found", "content-type: text/html\r\n", "<html>")), @"the response from <url> is not from a tdg server of version 1 (status 404, text/html): check the URL, or use a version of tdg that matches the server");
    insta::assert_snapshot!(error(answer("500 Oops", "", "")), @"the response from <url> is not from a tdg server of version 1 (status 500, no content type): check the URL, or use a version of tdg that matches the server");
    insta::assert_snapshot!(error(json("200 OK", "{\"project_uuid\":")), @"the server at <url> sent a response that this version of tdg can't read (line 1, column 17: expected a value, found the end of the text): use a version that matches the server");
    insta::assert_snapshot!(error(json("200 OK", "{\"id\":7}")), @"the server at <url> sent a response that this version of tdg does not understand (expected a member `project_uuid`): use a version that matches the server");
    insta::assert_snapshot!(error(json("200 OK", "[]")), @"the server at <url> sent a response that this version of tdg does not understand (expected a member `project_uuid`): use a version that matches the server");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Listener::saying(vec![json("200 OK", "[]")]);
    let headers = format!("location: {}/v1/projects\r\n", elsewhere.url);
    for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
        let (said, asked) = said(vec![answer(status, &headers, "")]);
        let said = said.replace(&elsewhere.url, "<elsewhere>");
        assert_eq!(
            said,
            "<url> redirects to <elsewhere>/v1/projects, and redirects are not followed: set the URL to the \
             server's own"
        );
        assert_eq!(asked.len(), 1);
    }
    assert!(elsewhere.asked().is_empty());
}

#[test]
fn a_key_that_is_refused_is_not_tried_again() {
    let (said, asked) = said(vec![problem(
        "401 Unauthorized",
        r#"{"detail":"no such key"}"#,
    )]);
    insta::assert_snapshot!(said, @"the server at <url> does not accept the API key: set TDG_API_KEY to one of its keys");
    assert_eq!(asked.len(), 1);
    insta::assert_snapshot!(error(problem("403 Forbidden", r#"{"detail":"the key may only read"}"#)), @"the server at <url> says: the key may only read");
}

#[test]
fn a_problem_becomes_the_error_that_it_is() {
    let listener = Listener::saying(vec![
        problem("404 Not Found", "{}"),
        problem(
            "422 Unprocessable",
            r#"{"errors":[{"pointer":"/size","detail":"is too large"}]}"#,
        ),
        problem("409 Conflict", r#"{"detail":"the key was used"}"#),
        problem("413 Too Large", r#"{"detail":"16 MB are the most"}"#),
        problem("400 Bad Request", r#"{"detail":"no JSON"}"#),
    ]);
    let service = impatient(&listener.url);
    let create = || {
        service
            .create_ensemble(Uuid::nil(), &NewEnsemble::default(), None)
            .unwrap_err()
    };
    assert_eq!(
        create(),
        ServiceError::NotFound(ObjectKind::Definition, Uuid::nil())
    );
    assert_eq!(create().to_string(), "/size: is too large");
    assert!(matches!(create(), ServiceError::Conflict(_)));
    assert!(matches!(create(), ServiceError::TooLarge(_)));
    assert!(matches!(create(), ServiceError::Malformed(_)));
}

#[test]
fn what_is_safe_is_tried_again_a_few_times() {
    let busy = || answer("503 Busy", "", "");
    let (said, asked) = said(vec![busy()]);
    insta::assert_snapshot!(said, @"the server at <url> is not available (status 503)");
    assert_eq!(asked.len(), 3);

    let restarting = r#"{"detail":"the server is shutting down; try again"}"#;
    insta::assert_snapshot!(error(problem("503 Busy", restarting)), @"the server at <url> is not available (status 503): the server is shutting down; try again");

    let listener = Listener::saying(vec![busy(), busy(), json("200 OK", "[]")]);
    let listed = impatient(&listener.url).projects(&Page::default()).unwrap();
    assert!(listed.items.is_empty());
}

#[test]
fn what_makes_something_is_repeated_with_one_key() {
    let listener = Listener::saying(vec![answer("503 Busy", "", "")]);
    let create = impatient(&listener.url).create_project(&NewProject::default(), None);
    assert!(matches!(create, Err(ServiceError::Unavailable(_))));
    let keys: Vec<String> = listener
        .asked()
        .iter()
        .flat_map(|request| request.lines())
        .filter(|line| line.starts_with("idempotency-key: "))
        .map(str::to_owned)
        .collect();
    assert_eq!(keys.len(), 3);
    assert!(
        keys.iter().all(|key| *key == keys[0] && key.len() > 30),
        "{keys:?}"
    );
}

#[test]
fn a_deletion_is_not_repeated() {
    let listener = Listener::saying(vec![answer("503 Busy", "", "")]);
    assert!(
        impatient(&listener.url)
            .delete_project(Uuid::nil())
            .is_err()
    );
    assert_eq!(listener.asked().len(), 1);
}

#[test]
fn a_client_asked_to_wait_waits_within_reason() {
    let wait = |status, seconds| {
        let headers =
            format!("content-type: application/problem+json\r\nretry-after: {seconds}\r\n");
        answer(status, &headers, "{}")
    };
    for status in ["429 Too Many", "503 Busy"] {
        let listener = Listener::saying(vec![wait(status, 0), json("200 OK", "[]")]);
        assert!(impatient(&listener.url).projects(&Page::default()).is_ok());
        let (_, asked) = said(vec![wait(status, 3600)]);
        assert_eq!(asked.len(), 1);
    }
    insta::assert_snapshot!(error(wait("429 Too Many", 3600)), @"too many requests; try again in 3600 s");
}

#[test]
fn the_key_goes_with_every_request_and_is_shown_nowhere() {
    let listener = Listener::saying(vec![json("200 OK", "[]")]);
    let service = impatient(&listener.url);
    service.projects(&Page::default()).unwrap();
    let header = format!("x-api-key: {KEY}");
    assert!(listener.asked()[0].lines().any(|line| line == header));
    assert!(!format!("{service:?}").contains("secret"));
    assert!(!format!("{:?}", ApiKey::new(KEY)).contains("secret"));
    for key in ["", "two words", "line\nbreak", "é"] {
        assert!(ApiKey::new(key).is_err(), "{key:?}");
    }
}

#[test]
fn an_answer_longer_than_any_is_not_read() {
    let headers = "content-type: application/json\r\n";
    let endless = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n{headers}\r\n[",
        u64::MAX >> 1
    );
    let error = error(endless);
    assert!(
        error.starts_with("the server at <url> can't be reached"),
        "{error}"
    );
}

#[test]
fn a_link_that_leads_back_is_an_error() {
    let benchmark = |number| Benchmark {
        benchmark_uuid: Uuid::from_u128(number),
        ensemble_uuid: Uuid::nil(),
        definition_uuid: Uuid::nil(),
        added: Timestamp::from_micros(0),
        digest: String::new(),
        policy: None,
        history: Vec::new(),
        history_complete: true,
    };
    let ensemble = Ensemble {
        ensemble_uuid: Uuid::nil(),
        definition_uuid: Uuid::nil(),
        added: Timestamp::from_micros(0),
        ensemble_name: String::from("looping"),
        size: 1,
        seed: 0,
        sampler_version: 1,
        digest: String::new(),
        benchmarks: vec![benchmark(1), benchmark(2)],
    };
    let part = |cursor: u32| {
        let headers = format!(
            "content-type: application/json\r\nlink: </v1/ensemble/0?cursor={cursor}>; rel=next\r\n"
        );
        answer("200 OK", &headers, &ensemble.to_json())
    };
    // The second part leads to a third, which leads back to the second. After that, the list ends.
    let end = json("200 OK", &ensemble.to_json());
    let listener = Listener::saying(vec![part(1), part(2), part(1), end]);
    let error = impatient(&listener.url).ensemble(Uuid::nil()).unwrap_err();
    let said = error.to_string().replace(&listener.url, "<url>");
    insta::assert_snapshot!(said, @"the server at <url> sent a response that this version of tdg does not understand (expected a next part of the ensemble 00000000-0000-0000-0000-000000000000, but its `Link` leads back to a part already read): use a version that matches the server");
    assert_eq!(listener.asked().len(), 3);
}

/// Returns a page with one project, named after the number. If `leads`, it links to another page.
fn page_of_projects(number: usize, leads: bool) -> String {
    let project = format!(
        r#"[{{"project_uuid":"{}","project_name":"{number}","added":"Mon, 08 Mar 2021 22:14:28 GMT","definitions":[]}}]"#,
        Uuid::from_u128(number as u128)
    );
    let link = match leads {
        true => format!("link: </v1/projects?cursor={number}>; rel=next\r\n"),
        false => String::new(),
    };
    answer(
        "200 OK",
        &format!("content-type: application/json\r\n{link}"),
        &project,
    )
}

#[test]
fn a_project_is_found_on_any_page() {
    for wanted in ["0", "1", "2"] {
        let pages = vec![
            page_of_projects(0, true),
            page_of_projects(1, true),
            page_of_projects(2, false),
        ];
        let service = impatient(&Listener::saying(pages.clone()).url);
        let found = service
            .find_project(|it| it.project_name == wanted)
            .unwrap();
        assert_eq!(found.unwrap().object.project_name, wanted);
        let service = impatient(&Listener::saying(pages).url);
        assert_eq!(service.projects_named(wanted).unwrap().len(), 1);
    }
}

#[test]
fn a_list_without_an_end_is_given_up() {
    let page = |number| page_of_projects(number, true);
    let listener = Listener::saying((0..400).map(page).collect());
    let service = impatient(&listener.url);
    let error = service.find_project(|_| false).unwrap_err();
    let said = error.to_string().replace(&listener.url, "<url>");
    insta::assert_snapshot!(said, @"the server at <url> names a next page of the projects after 256 of them, the maximum: delete what the account no longer needs, or check the server");
}

#[test]
fn an_answer_of_more_values_than_any_is_not_kept() {
    // Each value takes at least 32 bytes, but only two in the text.
    let many = format!("[{}0]", "0,".repeat(12 << 10));
    insta::assert_snapshot!(error(json("200 OK", &many)), @"the server at <url> sent a response that this version of tdg can't read (line 1, column 24576: too many values): use a version that matches the server");
}

mod replica {
    use super::*;
    use crate::record::{AssertionRecord, Record, RecordKind};
    use crate::sync::request::{NewRecords, Request};
    use crate::sync::wire::{Answers, FoundRecords, Histories, MissingResponse};
    use crate::sync::{
        BenchmarkHistory, HistoryQuestion, RecordOutcome, Replica, ServerFacts, Wanted,
    };

    const FACTS: &str = r#"{"version":"0.1.0","epoch":"0c34d0a2-7d19-4f2e-8b0f-0a1b2c3d4e5f","capabilities":["sync"],"account":"team","key":{"prefix":"tdg_0123456789","name":"ci","scopes":["assert"],"expires":null},"limits":{"request_bytes":8388608,"records":500,"definition_bytes":262144}}"#;

    fn assertion(number: usize) -> Record {
        Record::Assertion(AssertionRecord {
            uuid: Uuid::from_u128(number as u128),
            benchmark: Uuid::nil(),
            time: Timestamp::from_micros(0),
            asserted: true,
            run: None,
        })
    }

    fn made(count: usize) -> String {
        json(
            "200 OK",
            &Answers(vec![RecordOutcome::Made; count]).to_json(),
        )
    }

    /// Returns the number of records in each request.
    fn sent(listener: &Listener) -> Vec<usize> {
        let asked = listener.asked();
        let records = asked.iter().map(|request| {
            let (_, body) = request.split_once("\r\n\r\n").unwrap();
            NewRecords::from_text(body).unwrap().0.len()
        });
        records.collect()
    }

    fn add(listener: &Listener, records: &[Record]) -> Result<Vec<RecordOutcome>> {
        let service = impatient(&listener.url);
        service.replica(Uuid::nil()).add(records)
    }

    #[test]
    fn a_server_says_who_asks_or_is_too_old() {
        let listener = Listener::saying(vec![json("200 OK", FACTS)]);
        let facts = impatient(&listener.url).server().unwrap();
        assert_eq!(facts.to_json(), FACTS);
        assert_eq!(
            ServerFacts::from_json(&tdg_definition::json::parse(FACTS).unwrap()).unwrap(),
            facts
        );
        let others = [
            problem("404 Not Found", r#"{"detail":"there is no such endpoint"}"#),
            json("200 OK", &FACTS.replace("sync", "pages")),
        ];
        for other in others {
            let listener = Listener::saying(vec![other]);
            let error = impatient(&listener.url).server().unwrap_err().to_string();
            let said = error.replace(&listener.url, "<url>");
            assert_eq!(
                said,
                "the server at <url> is too old for this version of tdg, or the path of the URL is \
                 wrong: update tdg-server, or correct the URL"
            );
        }
    }

    #[test]
    fn records_are_sent_in_batches() {
        let records: Vec<Record> = (0..1201).map(assertion).collect();
        let listener = Listener::saying(vec![made(500), made(500), made(201)]);
        assert_eq!(
            add(&listener, &records),
            Ok(vec![RecordOutcome::Made; 1201])
        );
        assert_eq!(sent(&listener), [500, 500, 201]);
    }

    #[test]
    fn a_batch_that_is_too_large_is_halved_until_it_fits() {
        let records: Vec<Record> = (0..5).map(assertion).collect();
        let too_large = || problem("413 Too Large", r#"{"detail":"too much"}"#);
        let listener = Listener::saying(vec![
            too_large(),
            too_large(),
            made(1),
            too_large(),
            made(3),
        ]);
        let answers = add(&listener, &records).unwrap();
        assert_eq!(sent(&listener), [5, 2, 1, 1, 3]);
        let refused = format!("the server at {} says: too much", listener.url);
        let expected = [
            RecordOutcome::Made,
            RecordOutcome::Refused(refused),
            RecordOutcome::Made,
            RecordOutcome::Made,
            RecordOutcome::Made,
        ];
        assert_eq!(answers, expected);
    }

    #[test]
    fn a_request_is_repeated_if_its_answer_is_lost() {
        let lost = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{".to_owned();
        let wait = |status| {
            let headers = "content-type: application/problem+json\r\nretry-after: 0\r\n";
            answer(status, headers, "{}")
        };
        let busy = answer("503 Busy", "", "");
        for failed in [lost, wait("429 Too Many"), wait("503 Busy"), busy] {
            let listener = Listener::saying(vec![failed, made(1)]);
            assert_eq!(
                add(&listener, &[assertion(0)]),
                Ok(vec![RecordOutcome::Made])
            );
            assert_eq!(sent(&listener), [1, 1]);
        }
    }

    /// Otherwise one record could be taken for another, or the client could poll forever.
    #[test]
    fn an_answer_about_fewer_or_more_than_was_asked_is_an_error() {
        let history = BenchmarkHistory {
            kept_since: Timestamp::MIN,
            digest: [].into_iter().collect(),
            listed: Vec::new(),
        };
        let question = HistoryQuestion {
            benchmark: Uuid::nil(),
            since: Timestamp::MIN,
            listed_from: Timestamp::MIN,
        };
        for count in [0, 3] {
            let histories = Histories(vec![history.clone(); count]).to_json();
            let listener = Listener::saying(vec![json("200 OK", &histories)]);
            let service = impatient(&listener.url);
            let replica = service.replica(Uuid::nil());
            assert!(replica.histories(&[question; 2]).is_err());
            let listener = Listener::saying(vec![made(count)]);
            let error = add(&listener, &[assertion(0), assertion(1)]).unwrap_err();
            assert!(error.to_string().contains("2 answers"), "{error}");
        }
        let listener = Listener::saying(vec![json("200 OK", r#"{"identities":[]}"#)]);
        let service = impatient(&listener.url);
        let none = service
            .replica(Uuid::nil())
            .identities(RecordKind::Test, &[0, 7]);
        assert_eq!(none, Ok(Vec::new()));
        assert!(listener.asked()[0].ends_with(r#"{"kind":"test","parts":[0,7]}"#));
    }

    #[test]
    fn a_record_that_is_not_what_its_identity_says_is_left_out_alone() {
        let (good, other) = (assertion(1), assertion(2));
        let project = |uuid: u128| {
            format!(
                r#"{{"kind":"test","uuid":"{}","project":"00000000-0000-0000-0000-000000000001","package":"shop","source":"a.rs","name":"b"}}"#,
                Uuid::from_u128(uuid)
            )
        };
        let forged = project(3);
        let (good_text, other_text) = (good.to_json(), other.to_json());
        let body = format!(r#"{{"records":[{good_text},{forged},{other_text}]}}"#);
        let listener = Listener::saying(vec![json("200 OK", &body)]);
        let service = impatient(&listener.url);
        let wanted = [Wanted::Other(RecordKind::Test, Uuid::from_u128(3)); 3];
        let found = service.replica(Uuid::nil()).records(&wanted).unwrap();
        assert_eq!(found, [Some(good), None, Some(other)]);
    }

    #[test]
    fn a_server_that_lists_what_it_does_not_have_is_given_up() {
        let wanted: Vec<Wanted> = (0..100_000_u128)
            .map(|number| Wanted::Other(RecordKind::Test, Uuid::from_u128(number)))
            .collect();
        let asked = |nothing: usize| {
            let body = FoundRecords(vec![None; nothing]).to_json();
            let listener = Listener::saying(vec![json("200 OK", &body)]);
            let service = impatient(&listener.url);
            let replica = service.replica(Uuid::nil());
            let mut rest = wanted.as_slice();
            let error = loop {
                match replica.records(&rest[..rest.len().min(500)]) {
                    Ok(found) => rest = &rest[found.len()..],
                    Err(error) => break error,
                }
                if rest.is_empty() {
                    return ("asked for all".to_owned(), listener.asked().len());
                }
            };
            let said = error.to_string().replace(&listener.url, "<url>");
            (said, listener.asked().len())
        };
        let (said, requests) = asked(500);
        insta::assert_snapshot!(said, @"the server at <url> lists more than 1000 records that it doesn't return, or that don't match their identities; if records are being deleted at the moment, run this again, otherwise check the server");
        assert_eq!(requests, 3);
        let (said, requests) = asked(1);
        insta::assert_snapshot!(said, @"the server at <url> sent a response that this version of tdg does not understand (expected records, or that all of 500 are absent, not 1): use a version that matches the server");
        assert_eq!(requests, 1);
    }

    #[test]
    fn more_is_not_missing_than_was_asked_for() {
        let missing = vec![Uuid::nil(); 3];
        let body = MissingResponse {
            missing,
            gone: Vec::new(),
        }
        .to_json();
        let listener = Listener::saying(vec![json("200 OK", &body)]);
        let service = impatient(&listener.url);
        let asked = [Uuid::nil(); 2];
        let found = service
            .replica(Uuid::nil())
            .missing(RecordKind::Test, &asked);
        assert!(found.is_err(), "{found:?}");
    }
}
/// Returns a project with these empty definitions.
fn project(number: u128, name: &str, definitions: &[u128]) -> Project {
    let text = r#"{"features":[{"type":"STRING","distribution":{"type":"constant","value":""}}]}"#;
    let canonical = tdg_definition::Definition::parse(text).unwrap().to_value();
    let definition = |number: &u128| {
        let uuid = Uuid::from_u128(*number);
        let added = Timestamp::from_micros(0);
        Definition::new(uuid, Uuid::nil(), added, canonical.clone()).unwrap()
    };
    Project {
        project_uuid: Uuid::from_u128(number),
        project_name: name.to_owned(),
        added: Timestamp::from_micros(0),
        definitions: definitions.iter().map(definition).collect(),
    }
}

/// Returns an answer with links. A link with an anchor leads to the rest of the last element.
fn linked(links: &[&str], body: &str) -> String {
    let links = links.iter().map(|link| format!("link: {link}\r\n"));
    let links: String = links.collect();
    let headers = format!("content-type: application/json\r\n{links}");
    answer("200 OK", &headers, body)
}

fn paths(listener: &Listener) -> Vec<String> {
    let path = |request: &String| request.split(' ').nth(1).unwrap().to_owned();
    listener.asked().iter().map(path).collect()
}

#[test]
fn a_search_reads_no_further_than_it_must() {
    let page = |projects: &[Project]| {
        let projects: Vec<String> = projects.iter().map(JsonForm::to_json).collect();
        format!("[{}]", projects.join(","))
    };
    let shop = |definitions| project(2, "shop", definitions);
    let rest = r#"</v1/project/2?cursor=b>; rel="next"; anchor="/v1/project/2""#;
    let next = r#"</v1/projects?limit=8&cursor=a>; rel="next""#;
    let later = r#"</v1/projects?limit=32&cursor=c>; rel="next""#;
    let part = r#"</v1/project/2?cursor=d>; rel="next""#;
    let listener = Listener::saying(vec![
        linked(&[next], &page(&[project(1, "other", &[])])),
        linked(&[later, rest], &page(&[shop(&[3])])),
        linked(&[part], &shop(&[3]).to_json()),
        linked(&[part], &shop(&[3, 4, 5]).to_json()),
    ]);
    let service = impatient(&listener.url);
    let found = service.find_project(|found| found.project_name == "shop");
    let found = found.unwrap().unwrap();
    assert_eq!((&found.object, found.is_whole), (&shop(&[3]), false));
    let is = |number| move |found: &Definition| found.definition_uuid == Uuid::from_u128(number);
    let first = service.find_definition(&found, is(3)).unwrap().unwrap();
    assert!(!first.is_whole);
    assert_eq!(listener.asked().len(), 2);
    let second = service.find_definition(&found, is(4)).unwrap().unwrap();
    assert!(second.is_whole);
    let shop = format!("/v1/project/{}", Uuid::from_u128(2));
    assert_eq!(
        paths(&listener),
        [
            "/v1/projects?limit=8",
            "/v1/projects?limit=32&cursor=a",
            &shop,
            &format!("{shop}?cursor=d"),
        ]
    );
}

#[test]
fn a_search_refuses_a_link_that_leads_back() {
    let next = r#"</v1/projects?cursor=a>; rel="next""#;
    let listener = Listener::saying(vec![linked(&[next], "[]")]);
    let error = impatient(&listener.url).find_project(|_| true).unwrap_err();
    let said = error.to_string().replace(&listener.url, "<url>");
    insta::assert_snapshot!(said, @"the server at <url> sent a response that this version of tdg does not understand (expected a next page of the projects, but its `Link` leads back to a page already read): use a version that matches the server");
    assert_eq!(listener.asked().len(), 2);
}
