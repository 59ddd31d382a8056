//! Behavior that is the same on both databases, and takes SQL or many requests to observe.

use std::collections::BTreeSet;
use std::thread;

use tdg_service::NewProject;

use crate::support::{Client, Server, on_each};

fn list_of_keys(server: &Server) -> String {
    String::from_utf8(server.run(&["keys", "list"]).stdout).unwrap()
}

#[test]
fn several_keys_of_an_account_open_the_same_and_each_can_be_revoked() {
    on_each(|server, _| {
        let [one, two] = [server.key("team"), server.key("team")];
        let ask = |key: &str| Client::new(&server.url, key).get("/v1/projects");
        let count = |key: &str| ask(key).json().as_array().unwrap().len();
        Client::new(&server.url, &one).post("/v1/project/new", "");
        assert_eq!(count(&two), 1);
        assert_eq!(count(&server.key("others")), 0);

        let revoke = || server.run(&["keys", "revoke", &one[..16]]).status.success();
        assert!(revoke());
        assert_eq!(
            ask(&one).problem(401),
            "the API key was revoked; ask for another"
        );
        assert_eq!(ask(&two).status, 200);
        assert!(!revoke());

        let list = list_of_keys(server);
        let state = |key: &str| list.lines().find(|line| line.starts_with(&key[..16]));
        assert!(state(&one).unwrap().contains("revoked "), "{list}");
        assert!(state(&two).unwrap().ends_with("good"), "{list}");
        assert!(!list.contains(&one[17..]) && !list.contains(&two[17..]));
    });
}

#[test]
fn a_key_is_refused_when_its_time_is_over() {
    on_each(|server, run| {
        let key = server.key_with(&["--expires", "12h"]);
        let ask = || Client::new(&server.url, &key).get("/v1/projects");
        assert_eq!(ask().status, 200);
        assert!(list_of_keys(server).contains("expires "));
        // Twelve hours later.
        let micros = 12 * 60 * 60 * 1_000_000_u64;
        let prefix = &key[..16];
        run(&format!(
            "UPDATE api_key SET expires = expires - {micros} WHERE prefix = '{prefix}'"
        ));
        assert_eq!(
            ask().problem(401),
            "the API key has expired; ask for another"
        );
        assert!(list_of_keys(server).contains("expired "));
    });
}

#[test]
fn a_list_of_more_than_a_thousand_comes_in_parts() {
    const PROJECTS: usize = 1001;
    const CLIENTS: usize = 7;

    on_each(|server, _| {
        let key = server.key("team");
        thread::scope(|scope| {
            for _ in 0..CLIENTS {
                scope.spawn(|| {
                    let service = server.service(&key);
                    for _ in 0..PROJECTS / CLIENTS {
                        service
                            .create_project(&NewProject::default(), None)
                            .unwrap();
                    }
                });
            }
        });
        let client = Client::new(&server.url, &key);
        let first = client.get("/v1/projects");
        let link = first.header("link").unwrap();
        let next = link
            .strip_prefix('<')
            .unwrap()
            .strip_suffix(">; rel=\"next\"");
        let second = client.get(next.unwrap());
        assert_eq!(second.header("link"), None);
        let parts = [first.json(), second.json()].map(|part| part.as_array().unwrap().clone());
        assert_eq!(parts.each_ref().map(Vec::len), [1000, 1]);
        let projects: BTreeSet<_> = parts
            .iter()
            .flatten()
            .map(|project| project["project_uuid"].to_string())
            .collect();
        assert_eq!(projects.len(), PROJECTS);
    });
}
