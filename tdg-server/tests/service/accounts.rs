//! Accounts, as an operator manages them.

use serde_json::{Value, json};

use crate::support::{Client, Schema, Server};

fn parsed(server: &Server, arguments: &[&str]) -> Value {
    serde_json::from_str(&server.said(arguments).unwrap()).unwrap()
}

fn names(server: &Server) -> Vec<String> {
    let accounts = parsed(server, &["accounts", "list", "--json"]);
    let accounts = accounts.as_array().unwrap().iter();
    accounts
        .map(|account| account["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn accounts_are_created_renamed_and_limited() {
    let schema = Schema::new();
    for server in [Server::start(), Server::on(&schema.url)] {
        let run = |arguments: &[&str]| server.said(arguments);
        let created = run(&["accounts", "create", "team", "--objects", "5"]).unwrap();
        assert!(created.contains("keys create --account team"), "{created}");
        let again = run(&["accounts", "create", "team"]).unwrap_err();
        assert!(
            again.contains("the account `team` already exists"),
            "{again}"
        );
        let key = server.key("team");
        run(&["accounts", "create", "others"]).unwrap();
        let taken = run(&["accounts", "rename", "team", "others"]).unwrap_err();
        assert!(
            taken.contains("the account `others` already exists"),
            "{taken}"
        );
        run(&["accounts", "rename", "team", "crew"]).unwrap();
        assert!(
            names(&server).contains(&"crew".to_owned())
                && !names(&server).contains(&"team".to_owned())
        );
        let unknown = run(&["accounts", "rename", "crews", "team"]).unwrap_err();
        assert!(unknown.contains("did you mean `crew`?"), "{unknown}");
        for name in ["", " ", "a\nb"] {
            run(&["accounts", "create", name]).unwrap_err();
        }
        // Its keys still work.
        assert_eq!(
            Client::new(&server.url, &key).get("/v1/projects").status,
            200
        );

        let limits = [
            "accounts",
            "limits",
            "crew",
            "--bytes",
            "unlimited",
            "--objects",
            "server",
        ];
        run(&[&limits[..], &["--requests", "50", "--quota-bytes", "1000"]].concat()).unwrap();
        let accounts = parsed(&server, &["accounts", "list", "--json"]);
        let crew = accounts
            .as_array()
            .unwrap()
            .iter()
            .find(|account| account["name"] == "crew");
        assert_eq!(
            crew.unwrap()["limits"],
            json!({"bytes": null, "requests": 50})
        );
        assert_eq!(crew.unwrap()["keys"], 1);
        let shown = run(&[
            "accounts",
            "limits",
            "crew",
            "--quota-bytes",
            "9",
            "--quota-objects",
            "8",
        ]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(shown.unwrap(), @r"
            objects                  8  the server's
            bytes            unlimited  its own
            history          unlimited  the server's
            requests                50  its own
            ");
        }
        let none = run(&["accounts", "limits", "crew", "--requests", "0"]).unwrap_err();
        assert!(
            none.contains("a limit of `requests` is at least 1"),
            "{none}"
        );
        run(&["accounts", "limits", "crew", "--requests", "many"]).unwrap_err();
    }
}

#[test]
fn names_of_keys_and_their_accounts_are_plain() {
    let schema = Schema::new();
    for server in [Server::start(), Server::on(&schema.url)] {
        for arguments in [
            ["--name", "a\u{1b}[2J"],
            ["--account", "a\nb"],
            ["--account", " "],
        ] {
            let refused = server.said(&[&["keys", "create"], &arguments[..]].concat());
            assert!(refused.unwrap_err().contains("no control characters"));
        }
        server
            .said(&["keys", "create", "--account", "team", "--name", "ci"])
            .unwrap();
    }
    // Earlier versions accepted such names.
    let server = Server::start();
    server
        .said(&["keys", "create", "--account", "team", "--name", "ci"])
        .unwrap();
    let database = rusqlite::Connection::open(server.database_file()).unwrap();
    let sql = "UPDATE api_key SET name = 'a' || char(27) || '[2J';
        UPDATE account SET name = 'te' || char(10) || 'am' WHERE name = 'team'";
    database.execute_batch(sql).unwrap();
    for arguments in [
        ["keys", "list"],
        ["accounts", "list"],
        ["accounts", "usage"],
    ] {
        let listed = server.said(&arguments).unwrap();
        let line = listed.lines().find(|line| line.contains("te\\nam"));
        assert!(line.is_some() && !listed.contains('\u{1b}'), "{listed:?}");
    }
}

#[test]
fn usage_says_what_accounts_have() {
    let schema = Schema::new();
    for server in [Server::start(), Server::on(&schema.url)] {
        let client = Client::new(&server.url, &server.key("team"));
        let benchmark = client.benchmark();
        client.post(
            &format!("{benchmark}/assert"),
            r#"{"output_to_assert":[1]}"#,
        );
        client.post("/v1/project/new", "");
        server.key("idle");
        let usage = parsed(
            &server,
            &[
                "accounts",
                "usage",
                "team",
                "--json",
                "--quota-objects",
                "6",
            ],
        );
        let team = &usage[0];
        let counts = [
            "projects",
            "definitions",
            "ensembles",
            "benchmarks",
            "assertions",
        ];
        assert_eq!(
            counts.map(|kind| team[kind].as_u64().unwrap()),
            [2, 1, 1, 1, 1]
        );
        // The canonical definition, the compressed rows, `[1]`.
        let bytes = team["bytes"].as_u64().unwrap();
        assert!((50..500).contains(&bytes), "{bytes}");
        assert_eq!(team["percent"], json!({"objects": 83}));

        let table = server.said(&[
            "accounts",
            "usage",
            "--quota-objects",
            "6",
            "--rate-limit",
            "7",
        ]);
        let table = table.unwrap();
        let line = |name| table.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(
            line("team").ends_with("objects 83 % (!), 7 requests a second"),
            "{table}"
        );
        assert!(
            line("idle").ends_with("objects 0 %, 7 requests a second"),
            "{table}"
        );
    }
}

#[test]
fn an_account_is_deleted_with_all_that_it_has_and_nothing_else() {
    let schema = Schema::new();
    for server in [Server::start(), Server::on(&schema.url)] {
        let team = Client::new(&server.url, &server.key("team"));
        let other = Client::new(&server.url, &server.key("others"));
        let benchmarks = [&team, &other].map(|client| {
            client.post("/v1/project/new", "");
            client.benchmark()
        });
        let refused = server.said(&["accounts", "delete", "team"]).unwrap_err();
        insta::allow_duplicates! {
            insta::assert_snapshot!(refused, @"tdg-server: this would delete the keys of `team`, 2 projects, 1 definitions, 1 ensembles and 1 benchmarks with their histories: add `--yes team` to be certain");
        }
        server
            .said(&["accounts", "delete", "team", "--yes", "others"])
            .unwrap_err();
        assert_eq!(team.get(&benchmarks[0]).status, 200);

        server
            .said(&["accounts", "delete", "team", "--yes", "team"])
            .unwrap();
        assert_eq!(team.get(&benchmarks[0]).status, 401);
        assert_eq!(other.get(&benchmarks[1]).status, 200);
        assert!(!names(&server).contains(&"team".to_owned()));
        // A new account with the same name has none of its data.
        let anew = Client::new(&server.url, &server.key("team"));
        assert_eq!(anew.get("/v1/projects").text(), "[]");
        anew.get(&benchmarks[0]).problem(404);
    }
}

#[test]
fn a_key_knows_the_hour_of_its_last_use() {
    let schema = Schema::new();
    for mut server in [Server::start(), Server::on(&schema.url)] {
        let client = Client::new(&server.url, &server.key("team"));
        server.key("idle");
        let used = |server: &Server, account: &str| {
            let keys = parsed(server, &["keys", "list", "--json"]);
            let mut keys = keys.as_array().unwrap().iter();
            keys.find(|key| key["account"] == account).unwrap()["used"].clone()
        };
        assert_eq!(used(&server, "team"), Value::Null);
        for _ in 0..3 {
            client.get("/v1/projects");
        }
        // The rest is written at shutdown.
        server.terminate();
        assert!(server.wait());
        let hour = used(&server, "team");
        assert!(hour.as_str().unwrap().ends_with(":00:00 GMT"), "{hour}");
        assert_eq!(used(&server, "idle"), Value::Null);
    }
}
