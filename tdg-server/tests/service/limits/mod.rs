//! Limits by account and by address.

mod fairness;
mod memory;
mod quotas;

use std::time::Instant;

use crate::support::{Answer, Client, Schema, Server};

/// Returns a request on a connection that stays open or is closed.
fn request(key: &str, connection: &str) -> String {
    format!(
        "GET /v1/projects?limit=1 HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\nconnection: {connection}\r\n\r\n"
    )
}

fn count(statuses: &[u16], status: u16) -> usize {
    statuses.iter().filter(|found| **found == status).count()
}

#[test]
fn an_account_has_one_rate_for_all_of_its_keys() {
    const RATE: f64 = 10.0;
    let server = Server::with(&["--rate-limit", "10"]);
    let keys = [(); 3].map(|()| server.key("team"));
    let other = server.key("others");
    let mut requests: Vec<_> = (0..20)
        .flat_map(|_| keys.each_ref().map(|key| request(key, "keep-alive")))
        .collect();
    requests.push(request(&keys[0], "close"));
    let begun = Instant::now();
    let statuses = Client::new(&server.url, "").pipeline(&requests);
    let most = RATE * (1.0 + begun.elapsed().as_secs_f64());
    let answered = count(&statuses, 200);
    assert_eq!(answered + count(&statuses, 429), requests.len());
    assert!(answered as f64 <= most, "{answered} of {most}");
    assert_eq!(
        Client::new(&server.url, &other).get("/v1/projects").status,
        200
    );
}

#[test]
fn an_address_may_send_so_many_keys_that_are_unknown() {
    const ATTEMPTS: usize = 60;
    let server = Server::start();
    let (good, new) = (server.client(), server.key("default"));
    assert_eq!(good.get("/v1/projects").status, 200);
    let guess = |n: usize| format!("tdg_{n:012x}_{}", "0".repeat(64));
    let mut requests: Vec<_> = (0..ATTEMPTS)
        .map(|n| request(&guess(n), "keep-alive"))
        .collect();
    // Others at the address can still use a known key, and start with a new one.
    requests.push(request(&good.key, "keep-alive"));
    requests.push(request(&new, "close"));
    let statuses = Client::new(&server.url, "").pipeline(&requests);
    let (unknown, too_many) = (count(&statuses, 401), count(&statuses, 429));
    assert_eq!(unknown + too_many, ATTEMPTS);
    assert!(too_many > 0, "{unknown} are called unknown");
    assert_eq!(statuses[ATTEMPTS..], [200, 200]);
}

#[test]
fn an_account_has_no_more_objects_than_its_quota() {
    let schema = Schema::new();
    let arguments = ["--quota-objects", "5"];
    for server in [
        Server::with(&arguments),
        Server::on_with(&schema.url, &arguments),
    ] {
        let client = Client::new(&server.url, &server.key("team"));
        let create = || client.post("/v1/project/new", "");
        let created: Vec<_> = (0..5).map(|_| create()).collect();
        let told = |answer: &Answer| answer.header("quota-used").map(str::to_owned);
        let told: Vec<_> = created.iter().map(told).collect();
        let nearly = |percent| Some(format!("objects={percent}"));
        assert_eq!(told, [None, None, None, nearly(80), nearly(100)]);
        assert!(server.log().contains("a quota is nearly used up"));
        assert_eq!(
            create().problem(403),
            "the quota `objects` of the account is used up: it has 5 of 5; delete what is not \
             needed, or ask the operator for more"
        );
        // A request that creates nothing takes no room.
        let project = created[0].string("project_uuid");
        client.delete(&format!("/v1/project/{project}/delete"));
        client
            .post("/v1/project/new", r#"{"project_name":1}"#)
            .problem(422);
        assert_eq!(create().status, 200);
        create().problem(403);
        let other = Client::new(&server.url, &server.key("others"));
        assert_eq!(other.post("/v1/project/new", "").status, 200);
    }
}

#[test]
fn an_account_stores_no_more_bytes_than_its_own_quota() {
    let schema = Schema::new();
    for server in [Server::start(), Server::on(&schema.url)] {
        let limited = ["accounts", "create", "team", "--bytes", "2000"];
        assert!(server.run(&limited).status.success());
        let client = Client::new(&server.url, &server.key("team"));
        let project = client.post("/v1/project/new", "").string("project_uuid");
        let define = |length: usize| {
            let value = "x".repeat(length);
            let distribution = format!(r#"{{"type":"constant","value":"{value}"}}"#);
            let feature = format!(r#"{{"type":"STRING","distribution":{distribution}}}"#);
            let body = format!(
                r#"{{"project_uuid":"{project}","definition":{{"features":[{feature}]}}}}"#
            );
            client.post("/v1/definition/new", &body)
        };
        let refusal = define(2000).problem(403);
        assert!(
            refusal.starts_with("the quota `bytes` of the account is used up"),
            "{refusal}"
        );
        let definition = define(1400);
        assert_eq!(definition.status, 200);
        assert_eq!(define(600).status, 403);
        // Rows and outputs count too.
        let of = definition.string("definition_uuid");
        let path = format!("/v1/definition/{of}/ensembles/add");
        let ensemble = client.post(&path, r#"{"size":1}"#).string("ensemble_uuid");
        let path = format!("/v1/definition/{of}/ensemble/{ensemble}/benchmarks/add");
        let output = "y".repeat(600);
        let body = format!(r#"{{"expected_output":["{output}"]}}"#);
        client.post(&path, &body).problem(403);
        assert_eq!(client.post(&path, r#"{"expected_output":[1]}"#).status, 200);
        client.delete(&format!("/v1/definition/{of}/delete"));
        assert_eq!(define(1400).status, 200);
    }
}

#[test]
fn a_client_that_sends_unknown_keys_stops_no_other_behind_the_same_proxy() {
    let server = Server::with(&["--trusted-proxy", "127.0.0.1"]);
    let bad = format!("tdg_0123456789ab_{}", "0".repeat(64));
    let guess = |connection| {
        let request = request(&bad, connection);
        request.replacen("host: t", "host: t\r\nx-forwarded-for: 192.0.2.1", 1)
    };
    let mut requests = vec![guess("keep-alive"); 60];
    requests.push(guess("close"));
    let statuses = Client::new(&server.url, "").pipeline(&requests);
    assert!(count(&statuses, 429) > 0);
    // A key that the server has never seen.
    let other = server.client();
    let fields = [("x-forwarded-for", "192.0.2.2")];
    assert_eq!(other.ask("GET", "/v1/projects", &fields, b"").status, 200);
}

#[test]
fn a_definition_that_takes_too_much_work_is_refused() {
    let server = Server::start();
    let client = server.client();
    let project = client.post("/v1/project/new", "").string("project_uuid");
    let define = |features: usize| {
        let distribution = r#"{"type":"zipf","n":1000000,"s":1}"#;
        let feature = format!(r#"{{"type":"INTEGER","distribution":{distribution}}}"#);
        let features = vec![feature; features].join(",");
        let body =
            format!(r#"{{"project_uuid":"{project}","definition":{{"features":[{features}]}}}}"#);
        client.post("/v1/definition/new", &body)
    };
    let refused = define(100);
    assert_eq!(refused.problem(422), "the request has 1 error");
    let errors = &refused.json()["errors"];
    assert_eq!(errors[0]["pointer"], "/definition/features");
    assert_eq!(
        errors[0]["detail"],
        "drawing 1 rows would take about 8.1 s, which is more than 2 s; `feature_1` (zipf) takes \
         the most: use a simpler distribution or smaller parameters for it, fewer such features, \
         or fewer rows"
    );
    assert_eq!(define(1).status, 200);
}
