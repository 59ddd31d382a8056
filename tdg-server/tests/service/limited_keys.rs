//! Keys that are limited to projects, on both databases.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tdg_conformance::replica::timed;
use tdg_engine::Verdict;
use tdg_service::Uuid;
use tdg_service::record::identity;

use crate::support::{Answer, Browser, Client, History, ParsedPage, Server, minutes, on_each};

const CHANGED_LAST: [Verdict; 3] = [Verdict::Same, Verdict::Same, Verdict::Changed];

/// Two projects of an account, a key for the account, and one for each project.
struct World<'s> {
    server: &'s Server,
    key: String,
    mine: (String, History),
    theirs: (String, History),
}

impl<'s> World<'s> {
    fn new(server: &'s Server) -> Self {
        let key = server.key("team");
        let project = |name: &str| {
            let history = History::push(server, &key, name, &CHANGED_LAST);
            let limited = server.key_with(&["--account", "team", "--project", name]);
            (limited, history)
        };
        let (mine, theirs) = (project("mine"), project("secret"));
        World {
            server,
            key,
            mine,
            theirs,
        }
    }

    fn client(&self, key: &str) -> Client {
        Client::new(&self.server.url, key)
    }
}

/// Fills in the identifiers of a project's objects, or a single one in place of each.
fn path(template: &str, of: &History) -> String {
    [
        ("{project_uuid}", of.project),
        ("{definition_uuid}", of.definition),
        ("{ensemble_uuid}", of.ensemble),
        ("{benchmark_uuid}", of.benchmarks[0]),
    ]
    .iter()
    .fold(template.to_owned(), |path, (name, uuid)| {
        path.replace(name, &uuid.to_string())
    })
}

/// Returns a project that doesn't exist.
fn absent() -> History {
    History {
        project: Uuid::new_v4(),
        test: Uuid::new_v4(),
        definition: Uuid::new_v4(),
        ensemble: Uuid::new_v4(),
        benchmarks: [Uuid::new_v4(), Uuid::new_v4()],
        runs: vec![Uuid::new_v4()],
    }
}

/// Returns the body for an endpoint, by the end of its path.
fn body(path: &str) -> String {
    let outputs = vec![1; 40];
    let body = match path.rsplit('/').take(2).collect::<Vec<_>>()[..] {
        ["add", "ensembles"] => json!({"size": 1}),
        ["add", "benchmarks"] => json!({"expected_output": outputs}),
        ["assert", _] => json!({"output_to_assert": outputs}),
        ["identities", _] => json!({"kind": "test", "parts": [0]}),
        ["missing", _] => json!({"kind": "test", "identities": [Uuid::new_v4().to_string()]}),
        ["histories", _] => json!({"questions": []}),
        ["records", _] => json!({"wanted": []}),
        ["add", _] => json!({"records": []}),
        _ => panic!("say what is sent to {path}"),
    };
    body.to_string()
}

fn ask(client: &Client, method: &str, path: &str) -> Answer {
    match method {
        "get" => client.get(path),
        "delete" => client.delete(path),
        "post" => client.post(path, &body(path)),
        _ => panic!("say how a {method} is sent"),
    }
}

/// Returns an answer without the requested and created identifiers.
fn told(answer: &Answer, of: &History) -> String {
    let mut text = answer.text().to_owned();
    let request = answer.header("x-request-id").unwrap().to_owned();
    let uuids = [of.project, of.definition, of.ensemble, of.benchmarks[0]];
    for uuid in uuids
        .map(|uuid| uuid.to_string())
        .into_iter()
        .chain([request])
    {
        text = text.replace(&uuid, "…");
    }
    format!("{} {text}", answer.status)
}

/// Returns all endpoints. Those that delete come last, innermost object first.
fn endpoints(client: &Client) -> Vec<(String, String)> {
    let document = client.get("/openapi.json").json();
    let mut endpoints = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let methods = methods.as_object().unwrap().keys();
        endpoints.extend(methods.map(|method| (method.clone(), path.clone())));
    }
    let order = |path: &str| {
        let kinds = ["benchmark", "ensemble", "definition", "project"];
        kinds
            .iter()
            .position(|kind| path.contains(&format!("/{kind}/")))
    };
    endpoints.sort_by_key(|(method, path)| (method == "delete").then(|| order(path)));
    endpoints
}

/// Returns the contents of a project, to detect changes.
fn contents(client: &Client, of: &History) -> Vec<Value> {
    [
        "/v1/project/{project_uuid}",
        "/v1/sync/{project_uuid}/digests",
        "/v1/benchmark/{benchmark_uuid}/history",
    ]
    .map(|template| client.get(&path(template, of)).json())
    .to_vec()
}

#[test]
fn every_endpoint_answers_about_other_projects_as_about_nothing() {
    on_each(|server, _| {
        let world = World::new(server);
        let (all, client) = (world.client(&world.key), world.client(&world.mine.0));
        let (mine, theirs, absent) = (&world.mine.1, &world.theirs.1, absent());
        let before = contents(&all, theirs);
        for (method, template) in endpoints(&all) {
            if !template.contains('{') {
                without_objects(&client, &template, mine, theirs);
                continue;
            }
            let foreign = ask(&client, &method, &path(&template, theirs));
            assert_eq!(foreign.status, 404, "{method} {template}");
            let nothing = ask(&client, &method, &path(&template, &absent));
            assert_eq!(
                told(&foreign, theirs),
                told(&nothing, &absent),
                "{method} {template}"
            );
            let own = ask(&client, &method, &path(&template, mine));
            assert_eq!(own.status, 200, "{method} {template}: {}", own.text());
        }
        assert_eq!(contents(&all, theirs), before);
        assert_eq!(
            all.get(&format!("/v1/project/{}", mine.project)).status,
            404
        );
    });
}

/// Checks endpoints whose paths have no identifiers.
fn without_objects(client: &Client, template: &str, mine: &History, theirs: &History) {
    let names = |member: &str| {
        let list = client.get(template).json();
        let list = list.as_array().unwrap().iter();
        list.map(|it| it[member].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    match template {
        "/v1/server" => assert_eq!(client.get(template).status, 200),
        "/v1/projects" => assert_eq!(names("project_uuid"), [mine.project.to_string()]),
        "/v1/definitions" => {
            let projects: BTreeSet<_> = names("project_uuid").into_iter().collect();
            assert_eq!(projects, [mine.project.to_string()].into());
        }
        "/v1/project/new" => insta::allow_duplicates! {
            let refused = client.post(template, "{}").problem(403);
            insta::assert_snapshot!(refused, @"the API key is limited to projects, so it can't create one; ask for a key that isn't");
        },
        "/v1/definition/new" | "/v1/definition/add" => {
            let feature =
                json!({"type": "INTEGER", "distribution": {"type": "constant", "value": 1}});
            let create = |project: Uuid| {
                let definition = json!({"features": [feature]});
                let body = json!({"project_uuid": project.to_string(), "definition": definition});
                client.post(template, &body.to_string())
            };
            assert_eq!(create(mine.project).status, 200);
            let (foreign, random) = (theirs.project, Uuid::new_v4());
            let refused = create(foreign).problem(404);
            let nothing = create(random).problem(404);
            assert_eq!(
                refused.replace(&foreign.to_string(), ""),
                nothing.replace(&random.to_string(), "")
            );
        }
        _ => panic!("say what a limited key sees of {template}"),
    }
}

#[test]
fn an_object_is_not_reached_by_way_of_another() {
    on_each(|server, _| {
        let world = World::new(server);
        let client = world.client(&world.mine.0);
        let (mine, theirs) = (&world.mine.1, &world.theirs.1);
        for (definition, ensemble) in [
            (mine.definition, theirs.ensemble),
            (theirs.definition, mine.ensemble),
        ] {
            let path = format!("/v1/definition/{definition}/ensemble/{ensemble}/benchmarks");
            client.get(&path).problem(404);
            let added = client.post(&format!("{path}/add"), &body("/benchmarks/add"));
            added.problem(404);
        }
    });
}

/// Calls a synchronization endpoint of a project.
fn sync(client: &Client, project: Uuid, what: &str, body: &Value) -> Value {
    let answer = client.post(&format!("/v1/sync/{project}/{what}"), &body.to_string());
    assert_eq!(answer.status, 200, "{what}: {}", answer.text());
    answer.json()
}

/// Returns a project's records of a kind.
fn records(client: &Client, project: Uuid, kind: &str) -> Vec<Value> {
    let parts: Vec<u8> = (0..=255).collect();
    let asked = json!({"kind": kind, "parts": parts});
    let found = sync(client, project, "identities", &asked);
    let uuids = found["identities"].as_array().unwrap().iter();
    let wanted: Vec<Value> = uuids.map(|it| json!({"kind": kind, "uuid": it})).collect();
    let found = sync(client, project, "records", &json!({"wanted": wanted}));
    found["records"].as_array().unwrap().clone()
}

#[test]
fn what_is_synchronised_is_of_its_project_alone() {
    on_each(|server, _| {
        let world = World::new(server);
        let (all, client) = (world.client(&world.key), world.client(&world.mine.0));
        let (mine, theirs) = (world.mine.1.project, &world.theirs.1);

        let since = "0001-01-01 00:00:00.000000";
        let history = |benchmark: Uuid| {
            let question =
                json!({"benchmark": benchmark.to_string(), "since": since, "listed_from": since});
            sync(
                &client,
                mine,
                "histories",
                &json!({"questions": [question]}),
            )
        };
        assert_eq!(history(theirs.benchmarks[0]), history(Uuid::new_v4()));

        let run = format!("/v1/benchmark/{}/history", theirs.benchmarks[0]);
        assert_eq!(all.get(&run).json().as_array().unwrap().len(), 3);
        let wanted = |project: Uuid| {
            let (benchmark, time) = (
                theirs.benchmarks[0].to_string(),
                "2026-09-21 14:14:20.000000",
            );
            let run = json!({"kind": "assertion", "benchmark": benchmark, "time": time,
                "uuid": theirs.runs[0].to_string()});
            let definition = json!({"kind": "definition", "uuid": theirs.definition.to_string()});
            let wanted = json!({"wanted": [run, definition]});
            let key = if project == mine { &client } else { &all };
            sync(key, project, "records", &wanted)["records"].clone()
        };
        assert_eq!(wanted(mine), json!([null, null]));
        let there = wanted(theirs.project);
        assert!(there.as_array().unwrap().iter().all(|it| !it.is_null()));

        // Another project's records aren't returned.
        for kind in ["definition", "ensemble", "benchmark", "test", "decision"] {
            let records = records(&all, theirs.project, kind);
            assert!(!records.is_empty(), "{kind}");
            let added = sync(&client, mine, "add", &json!({"records": records}));
            for answer in added["answers"].as_array().unwrap() {
                let reason = answer["reason"].as_str().unwrap_or_default();
                assert!(reason.contains("there is no "), "{kind}: {answer}");
            }
        }
    });
}

#[test]
fn a_tombstone_deletes_nothing_of_another_project() {
    on_each(|server, _| {
        let world = World::new(server);
        let (all, client) = (world.client(&world.key), world.client(&world.mine.0));
        let (mine, theirs) = (world.mine.1.project, &world.theirs.1);
        let before = contents(&all, theirs);
        let numbers = Cell::new(0);
        let bury = |key: &Client, of: &str, object: Uuid| {
            numbers.set(numbers.get() + 1);
            let uuid = timed(minutes(9), numbers.get());
            let tombstone = json!({"kind": "tombstone", "uuid": uuid.to_string(), "of": of,
                "object": object.to_string(), "deleted": "2026-09-21 14:14:20.000000"});
            let added = sync(key, mine, "add", &json!({"records": [tombstone]}));
            added["answers"][0].clone()
        };
        for (of, object) in [
            ("definition", theirs.definition),
            ("ensemble", theirs.ensemble),
            ("benchmark", theirs.benchmarks[0]),
        ] {
            assert_eq!(bury(&client, of, object), bury(&client, of, Uuid::new_v4()));
            assert_eq!(bury(&all, of, object)["answer"], "refused");
        }
        assert_eq!(contents(&all, theirs), before);
    });
}

#[test]
fn a_limited_key_creates_no_project_by_synchronising() {
    on_each(|server, _| {
        let world = World::new(server);
        let (all, client) = (world.client(&world.key), world.client(&world.mine.0));
        let project = world.mine.1.project.to_string();
        let record = json!({"records": [{"kind": "project", "uuid": project, "name": "mine"}]});
        assert_eq!(
            all.delete(&format!("/v1/project/{project}/delete")).status,
            200
        );
        let path = format!("/v1/sync/{project}/add");
        let refused = client.post(&path, &record.to_string()).problem(403);
        assert!(refused.contains("limited to projects"), "{refused}");
    });
}

/// Returns all pages that can be reached by links, except for feeds, which have tokens.
fn crawl(browser: &Browser) -> BTreeMap<String, Answer> {
    let mut found = browser.crawl();
    found.retain(|path, _| !path.contains("?token="));
    found
}

#[test]
fn pages_show_the_projects_of_the_key_that_signed_in() {
    on_each(|server, _| {
        let world = World::new(server);
        let browser = |key: &str| Browser::signed_in(server, key);
        let (mine, theirs) = (browser(&world.mine.0), browser(&world.theirs.0));
        let (my_pages, their_pages) = (crawl(&mine), crawl(&theirs));
        for (path, answer) in &my_pages {
            assert!(!answer.text().contains("secret"), "{path}");
        }
        let nothing = format!("/project/{}", Uuid::new_v4());
        let nothing = told(&mine.get(&nothing), &absent());
        for path in their_pages.keys() {
            if !my_pages.contains_key(path) {
                assert_eq!(told(&mine.get(path), &absent()), nothing, "{path}");
            }
        }
        let shared = their_pages
            .keys()
            .filter(|path| my_pages.contains_key(*path));
        assert_eq!(
            shared.collect::<Vec<_>>(),
            ["/", "/audit", "/keys", "/login"]
        );
        // Together, they show everything in the account.
        let all: BTreeSet<String> = crawl(&browser(&world.key)).into_keys().collect();
        let both = my_pages.into_keys().chain(their_pages.into_keys());
        assert_eq!(both.collect::<BTreeSet<_>>(), all);
    });
}

#[test]
fn a_page_of_two_objects_needs_the_projects_of_both() {
    on_each(|server, _| {
        let world = World::new(server);
        let browser = Browser::signed_in(server, &world.mine.0);
        let (mine, theirs) = (&world.mine.1, &world.theirs.1);
        let against = |one: Uuid, other: Uuid| format!("/benchmark/{one}/against/{other}");
        let run = |of: Uuid, test: Uuid, run: Uuid| format!("/project/{of}/test/{test}/run/{run}");
        for path in [
            against(mine.benchmarks[0], theirs.benchmarks[0]),
            against(theirs.benchmarks[0], mine.benchmarks[0]),
            run(theirs.project, theirs.test, theirs.runs[2]),
            run(mine.project, theirs.test, theirs.runs[2]),
            run(theirs.project, mine.test, mine.runs[2]),
        ] {
            assert_eq!(browser.get(&path).status, 404, "{path}");
            // Forms are refused too.
            let decided = browser.post(&path, "decision=reject").status;
            assert!([404, 405].contains(&decided), "{path}: {decided}");
        }
        let own = run(mine.project, mine.test, mine.runs[2]);
        assert_eq!(browser.post(&own, "decision=reject").status, 303);
        let found = |name: &str| {
            let page = browser.get(&format!("/search?for={name}"));
            ParsedPage::parse(&page).count("main li")
        };
        assert_eq!((found("mine"), found("secre")), (2, 0));
    });
}

#[test]
fn a_limited_key_sees_itself_among_keys_and_in_the_audit_log() {
    on_each(|server, _| {
        let world = World::new(server);
        let prefix = |key: &str| key[..16].to_owned();
        let (own, other) = (prefix(&world.mine.0), prefix(&world.theirs.0));
        let limited = Browser::signed_in(server, &world.mine.0);
        let all = Browser::signed_in(server, &world.key);
        for path in ["/keys", "/audit"] {
            let text = limited.get(path).text().to_owned();
            assert!(
                text.contains(&own) && !text.contains(&other),
                "{path}: {text}"
            );
            let text = all.get(path).text().to_owned();
            assert!(
                text.contains(&own) && text.contains(&other),
                "{path}: {text}"
            );
        }
        let keys = ParsedPage::parse(&all.get("/keys"));
        assert_eq!(
            keys.texts("tbody td:nth-child(4)"),
            ["all", "mine", "secret"]
        );
        let project = format!("/project/{}", world.mine.1.project);
        assert_eq!(keys.links("tbody a")[0], project);
        let client = world.client(&world.key);
        client.delete(&format!("/v1{project}/delete"));
        let keys = ParsedPage::parse(&all.get("/keys"));
        let deleted = format!("{} (deleted)", world.mine.1.project);
        assert_eq!(
            keys.texts("tbody td:nth-child(4)"),
            ["all", &deleted, "secret"]
        );
    });
}

#[test]
fn lists_of_several_projects_are_in_the_order_of_all() {
    on_each(|server, _| {
        let key = server.key("team");
        let all = Client::new(&server.url, &key);
        let project = |number: usize| {
            let body = format!(r#"{{"project_name":"{number}"}}"#);
            all.post("/v1/project/new", &body).string("project_uuid")
        };
        let projects: Vec<String> = (0..4).map(project).collect();
        let feature = r#"{"type":"INTEGER","distribution":{"type":"constant","value":1}}"#;
        let definition = |number: usize| {
            let project = &projects[number % 4];
            let body = format!(
                r#"{{"project_uuid":"{project}","definition":{{"features":[{feature}]}}}}"#
            );
            all.post("/v1/definition/new", &body)
                .string("definition_uuid")
        };
        let definitions: Vec<String> = (0..12).map(definition).collect();
        let of = |number: usize| ["--project", &projects[number]];
        let options = [&["--account", "team"][..], &of(3), &of(0), &of(1), &of(0)].concat();
        let client = Client::new(&server.url, &server.key_with(&options));
        let listed = |path: &str, member: &str| {
            let (mut found, mut next) = (Vec::new(), Some(format!("{path}?limit=2")));
            while let Some(path) = next {
                let answer = client.get(&path);
                let page = answer.json();
                let page = page.as_array().unwrap();
                assert!(page.len() <= 2, "{path}");
                found.extend(
                    page.iter()
                        .map(|it| it[member].as_str().unwrap().to_owned()),
                );
                let link = answer.header("link").and_then(|link| link.split_once('>'));
                next = link.map(|(link, _)| link[1..].to_owned());
            }
            found
        };
        let opened = |number: usize| number % 4 != 2;
        let of = |all: &[String]| -> Vec<String> {
            let opened = all.iter().enumerate().filter(|(number, _)| opened(*number));
            opened.map(|(_, uuid)| uuid.clone()).collect()
        };
        assert_eq!(listed("/v1/projects", "project_uuid"), of(&projects));
        assert_eq!(
            listed("/v1/definitions", "definition_uuid"),
            of(&definitions)
        );
    });
}

#[test]
fn a_limit_is_to_a_project_and_not_to_its_name() {
    on_each(|server, _| {
        let key = server.key("team");
        let all = Client::new(&server.url, &key);
        let body = r#"{"project_name":"shop"}"#;
        let project = all.post("/v1/project/new", body).string("project_uuid");
        let options = [
            "--account",
            "team",
            "--project",
            "shop",
            "--scopes",
            "read,assert,write",
        ];
        let client = Client::new(&server.url, &server.key_with(&options));
        let path = format!("/v1/project/{project}");
        assert_eq!(client.get(&path).status, 200);
        let refused = client.delete(&format!("{path}/delete")).problem(403);
        assert!(refused.contains("scope `delete`"), "{refused}");
        assert_eq!(client.get(&path).status, 200);

        all.delete(&format!("{path}/delete"));
        let other = all.post("/v1/project/new", body).string("project_uuid");
        assert_eq!(client.get("/v1/projects").json(), json!([]));
        client.get(&format!("/v1/project/{other}")).problem(404);
        client.get(&path).problem(404);

        // A client that synchronizes recreates it, with its identifier.
        let uuid = Uuid::try_parse(&project).unwrap();
        let tombstone = records(&all, uuid, "tombstone")[0]["uuid"].clone();
        let revival = identity::revival(Uuid::try_parse(tombstone.as_str().unwrap()).unwrap());
        let again = json!({"records": [
            {"kind": "revival", "uuid": revival.to_string(), "tombstone": tombstone},
            {"kind": "project", "uuid": project, "name": "shop"},
        ]});
        let added = sync(&all, uuid, "add", &again);
        assert_eq!(
            added["answers"],
            json!([{"answer": "made"}, {"answer": "made"}])
        );
        assert_eq!(client.get(&path).status, 200);
    });
}

#[test]
fn a_key_is_limited_to_projects_that_are_there() {
    let server = Server::start();
    let client = Client::new(&server.url, &server.key("team"));
    let refused = |project: &str| {
        let output = server.run(&["keys", "create", "--account", "team", "--project", project]);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    insta::assert_snapshot!(refused("shop"), @"tdg-server: `team` has no project `shop`: give the name or the UUID of an existing project");
    let create = || {
        let created = client.post("/v1/project/new", r#"{"project_name":"shop"}"#);
        created.string("project_uuid")
    };
    let projects = [create(), create()];
    let several = refused("shop").replace(&projects[0], "[0]");
    insta::assert_snapshot!(several.replace(&projects[1], "[1]"), @"tdg-server: `team` has several projects `shop`: give the UUID of one, [0] or [1]");

    server.key_with(&["--account", "team", "--project", &projects[1]]);
    let list = server.run(&["keys", "list", "--json"]).stdout;
    let list: Value = serde_json::from_slice(&list).unwrap();
    let limits = list.as_array().unwrap().iter().map(|key| &key["projects"]);
    let only = json!([projects[1]]);
    assert_eq!(
        limits.collect::<Vec<_>>(),
        [&Value::Null, &Value::Null, &only]
    );
    let list = String::from_utf8(server.run(&["keys", "list"]).stdout).unwrap();
    let states = list.lines().map(|line| line.rsplit("  ").next().unwrap());
    let only = format!("good, only for {}", projects[1]);
    assert_eq!(states.collect::<Vec<_>>(), ["state", "good", "good", &only]);
}
