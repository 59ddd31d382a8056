//! Command lines that a user approves in a browser (RFC 8628), on both databases.

use std::thread;

use serde_json::Value;

use crate::support::{Answer, Browser, Client, ParsedPage, Server, on_each, on_each_with};

const GRANT: &str = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code";

/// A device that waits for approval.
struct Device {
    client: Client,
    code: String,
    typed: String,
}

impl Device {
    fn begin(server: &Server, name: &str) -> Self {
        let client = Client::new(&server.url, "");
        let form = format!("client_id=cargo-tdg&client_name={name}");
        let answer = ask(&client, "/login/device", &form);
        assert_eq!(answer.status, 200, "{}", answer.text());
        let told: Value = serde_json::from_str(answer.text()).unwrap();
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        assert_eq!(text("verification_uri"), "https://test/login");
        assert_eq!(
            (&told["expires_in"], &told["interval"]),
            (&600.into(), &2.into())
        );
        Device {
            client,
            code: text("device_code"),
            typed: text("user_code"),
        }
    }

    /// Returns another client with the same code.
    fn copy(&self, server: &Server) -> Self {
        Device {
            client: Client::new(&server.url, ""),
            code: self.code.clone(),
            typed: self.typed.clone(),
        }
    }

    /// Polls for the key, or the error of RFC 8628.
    fn key(&self) -> Result<String, String> {
        let form = format!("grant_type={GRANT}&device_code={}", self.code);
        let answer = ask(&self.client, "/login/token", &form);
        let told: Value = serde_json::from_str(answer.text()).unwrap();
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        match answer.status {
            200 => Ok(text("access_token")),
            _ => Err(text("error")),
        }
    }

    fn error(&self) -> String {
        self.key().unwrap_err()
    }

    /// Returns the page with the question.
    fn page(&self, browser: &Browser) -> String {
        let answer = browser.post("/login", &format!("code={}", self.typed.to_lowercase()));
        assert_eq!(answer.status, 303, "{}", answer.text());
        answer.header("location").unwrap().to_owned()
    }
}

fn ask(client: &Client, path: &str, form: &str) -> Answer {
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    client.ask("POST", path, &kind, form.as_bytes())
}

/// Logs in a device with a visitor's approval, and returns its key.
fn let_in(server: &Server, by: &Browser, name: &str) -> String {
    let device = Device::begin(server, name);
    let path = device.page(by);
    assert_eq!(by.post(&path, "answer=allow").status, 303);
    device.key().unwrap()
}

fn prefix(key: &str) -> &str {
    &key[..16]
}

fn is_valid(server: &Server, key: &str) -> bool {
    Client::new(&server.url, key).get("/v1/projects").status == 200
}

#[test]
fn a_user_who_types_the_code_authorizes_a_command_line() {
    on_each(|server, _| {
        let key = server.key_with(&["--name", "ada", "--scopes", "read,assert"]);
        let ada = Browser::signed_in(server, &key);
        let device = Device::begin(server, "cargo+tdg+on+laptop");
        assert_eq!(device.error(), "authorization_pending");
        assert_eq!(
            ParsedPage::parse(&ada.get("/login")).count("input[name=code]"),
            1
        );

        let path = device.page(&ada);
        let page = ParsedPage::parse(&ada.get(&path));
        let asks = page.texts("table.facts td");
        assert_eq!(&asks[..2], ["cargo tdg on laptop", "127.0.0.1"]);
        assert!(
            page.texts("main p")
                .join(" ")
                .contains("the permissions of yours: read,assert")
        );
        assert_eq!(device.error(), "authorization_pending");

        assert_eq!(ada.post(&path, "answer=allow").status, 303);
        let made = device.key().unwrap();
        assert_ne!(made, key);
        let client = Client::new(&server.url, &made);
        assert_eq!(client.get("/v1/projects").status, 200);
        let project = r#"{"project_name":"shop"}"#;
        assert_eq!(client.post("/v1/project/new", project).status, 403);
        // A key is issued once, and a login is answered once.
        assert_eq!(device.error(), "expired_token");
        assert_eq!(ada.post(&path, "answer=deny").status, 404);

        let keys = ParsedPage::parse(&ada.get("/keys"))
            .texts("tbody tr")
            .join("\n");
        assert!(keys.contains("cargo tdg on laptop read,assert"), "{keys}");
        let audit = ParsedPage::parse(&ada.get("/audit"))
            .texts("tbody tr")
            .join("\n");
        assert!(audit.contains("authorized cargo tdg on laptop"), "{audit}");
        assert!(audit.contains("127.0.0.1 POST /login/token"), "{audit}");
    });
}

#[test]
fn of_several_who_ask_at_once_with_a_code_one_gets_a_key() {
    on_each(|server, _| {
        let ada = Browser::signed_in(server, &server.key("team"));
        let device = Device::begin(server, "x");
        let path = device.page(&ada);
        assert_eq!(ada.post(&path, "answer=allow").status, 303);
        let keys: Vec<_> = thread::scope(|scope| {
            let asking = [(); 8].map(|()| scope.spawn(|| device.copy(server).key()));
            asking.map(|asked| asked.join().unwrap()).into()
        });
        assert_eq!(keys.iter().filter(|key| key.is_ok()).count(), 1);
        let late =
            |key: &Result<String, String>| key.as_ref().is_err_and(|it| it == "expired_token");
        assert_eq!(keys.iter().filter(|key| late(key)).count(), 7, "{keys:?}");
        let listed = ParsedPage::parse(&ada.get("/keys"));
        assert_eq!(listed.count("tbody tr"), 2);
    });
}

#[test]
fn a_login_that_is_refused_or_too_late_gets_no_key() {
    on_each(|server, run| {
        let ada = Browser::signed_in(server, &server.key("team"));
        let device = Device::begin(server, "x");
        let path = device.page(&ada);
        for nonsense in ["", "answer=", "answer=maybe"] {
            assert_eq!(ada.post(&path, nonsense).status, 422, "{nonsense}");
        }
        assert_eq!(ada.post(&path, "answer=deny").status, 303);
        assert_eq!(device.error(), "access_denied");

        let late = Device::begin(server, "late");
        let path = late.page(&ada);
        run("UPDATE login SET begun = begun - 601000000");
        assert_eq!(ada.get(&path).status, 404);
        assert_eq!(ada.post(&path, "answer=allow").status, 404);
        let form = format!("code={}", late.typed);
        assert_eq!(ada.post("/login", &form).status, 422);
        assert_eq!(late.error(), "expired_token");

        // The key that approved the device was revoked.
        let key = server.key("team");
        let device = Device::begin(server, "revoked");
        let ben = Browser::signed_in(server, &key);
        let path = device.page(&ben);
        assert_eq!(ben.post(&path, "answer=allow").status, 303);
        assert!(server.run(&["keys", "revoke", &key[..16]]).status.success());
        assert_eq!(device.error(), "access_denied");
    });
}

#[test]
fn a_key_by_a_browser_is_limited_and_ends_as_the_one_that_let_it_in() {
    on_each(|server, _| {
        let own = Client::new(&server.url, &server.key("team"));
        let project = own.post("/v1/project/new", r#"{"project_name":"shop"}"#);
        assert_eq!(project.status, 200, "{}", project.text());
        let limits = ["--account", "team", "--project", "shop", "--expires", "3d"];
        let ada = Browser::signed_in(server, &server.key_with(&limits));
        let device = Device::begin(server, "x");
        let path = device.page(&ada);
        assert_eq!(ada.post(&path, "answer=allow").status, 303);
        let made = device.key().unwrap();
        let listed = server.run(&["keys", "list", "--json"]).stdout;
        let listed = String::from_utf8(listed).unwrap();
        let keys: Vec<Value> = serde_json::from_str(&listed).unwrap();
        let of = |name: &str| {
            keys.iter()
                .filter(|key| key["projects"].is_array())
                .map(|key| key[name].to_string())
                .collect::<Vec<_>>()
        };
        for name in ["projects", "expires", "scopes"] {
            let [one, other] = &of(name)[..] else {
                panic!("{listed}")
            };
            assert_eq!(one, other, "{name}");
        }
        let other = own.post("/v1/project/new", r#"{"project_name":"other"}"#);
        assert_eq!(other.status, 200);
        let seen = Client::new(&server.url, &made).get("/v1/projects");
        assert!(seen.text().contains("shop") && !seen.text().contains("other"));
    });
}

#[test]
fn no_login_is_authorized_by_a_link_or_from_another_site() {
    let server = Server::start();
    let ada = Browser::signed_in(&server, &server.key("team"));
    let device = Device::begin(&server, "%3Cscript%3Ealert(1)%3C/script%3E");
    let path = device.page(&ada);
    assert!(!ada.get(&path).text().contains("<script>alert"));
    // The page doesn't take a code from its address.
    let linked = ada.get(&format!("/login?code={}", device.typed));
    assert!(!linked.text().contains("alert(1)"));
    let elsewhere = [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://evil.example"),
    ];
    for path in ["/login", &path] {
        let answer = ada.post_from(&elsewhere, path, "answer=allow");
        assert_eq!(answer.status, 403);
    }
    let stranger = Browser::new(&server);
    assert_eq!(
        stranger.get("/login").header("location"),
        Some("/sign-in?next=%2Flogin")
    );
    assert_eq!(stranger.post(&path, "answer=allow").status, 401);
    assert_eq!(device.error(), "authorization_pending");
    for code in ["", "AAAA-AAAA", "BBBB-BBBB", "%00"] {
        assert_eq!(
            ada.post("/login", &format!("code={code}")).status,
            422,
            "{code}"
        );
    }
    for code in ["", "x", &"0".repeat(64)] {
        let unknown = Device {
            client: Client::new(&server.url, ""),
            code: code.to_owned(),
            typed: String::new(),
        };
        assert!(["invalid_grant", "expired_token"].contains(&&*unknown.error()));
    }
}

#[test]
fn only_the_session_that_typed_a_code_answers_it() {
    on_each(|server, _| {
        let key = server.key("team");
        let (ada, elsewhere) = (
            Browser::signed_in(server, &key),
            Browser::signed_in(server, &key),
        );
        let mallory = Browser::signed_in(server, &server.key("others"));
        let device = Device::begin(server, "laptop+of+ada");
        let lure = device.page(&mallory);
        for other in [&ada, &elsewhere] {
            assert_eq!(other.get(&lure).status, 404);
            assert_eq!(other.post(&lure, "answer=allow").status, 404);
        }
        assert_eq!(device.error(), "authorization_pending");

        // The login belongs to the session that typed the code last.
        let path = device.page(&ada);
        assert_eq!(mallory.get(&path).status, 404);
        assert_eq!(mallory.post(&path, "answer=deny").status, 404);
        assert_eq!(elsewhere.post(&path, "answer=deny").status, 404);
        assert_eq!(ada.post(&path, "answer=allow").status, 303);
        assert!(is_valid(server, &device.key().unwrap()));
    });
}

#[test]
fn a_key_names_the_key_that_let_it_in() {
    on_each(|server, _| {
        let key = server.key("team");
        let ada = Browser::signed_in(server, &key);
        let child = let_in(server, &ada, "laptop");
        let listed: Value =
            serde_json::from_str(&server.said(&["keys", "list", "--json"]).unwrap()).unwrap();
        let of = |key: &str| {
            let all = listed.as_array().unwrap().iter();
            let mut found = all.filter(|it| it["prefix"] == prefix(key));
            found.next().unwrap()["let_in_by"].clone()
        };
        assert_eq!(of(&child), prefix(&key));
        assert_eq!(of(&key), Value::Null);
        let by = format!("authorized by {}", prefix(&key));
        let listed = server.said(&["keys", "list"]).unwrap();
        assert_eq!(listed.matches(&by).count(), 1, "{listed}");
        let page = ParsedPage::parse(&ada.get("/keys"));
        assert_eq!(page.texts("tbody td:nth-of-type(4)"), ["", prefix(&key)]);

        let audit = server.said(&["audit"]).unwrap();
        let line = |what: &str| audit.lines().find(|line| line.contains(what)).unwrap();
        let made = format!(
            "POST /login/token, {by}  account team  key {}",
            prefix(&child)
        );
        assert!(line(&made).contains("from 127.0.0.1  request "), "{audit}");
        let answered = format!("authorized laptop  account team  key {}", prefix(&key));
        assert!(
            line(&answered).contains("from 127.0.0.1  request "),
            "{audit}"
        );
    });
}

#[test]
fn revoking_a_key_lists_those_that_it_let_in_and_ends_them_on_request() {
    on_each(|server, _| {
        let [parent, other] = [server.key("team"), server.key("team")];
        let child = let_in(server, &Browser::signed_in(server, &parent), "child");
        let grandchild = let_in(server, &Browser::signed_in(server, &child), "grandchild");
        let sibling = let_in(server, &Browser::signed_in(server, &parent), "sibling");
        let of_other = let_in(server, &Browser::signed_in(server, &other), "other");
        let revoke = |arguments: &[&str]| {
            let said = server.said(&[&["keys", "revoke"], arguments].concat());
            said.unwrap()
        };
        revoke(&[prefix(&sibling)]);
        let told = revoke(&[prefix(&parent)]);
        let told = told.replace(prefix(&parent), "<parent>");
        let told = told.replace(prefix(&child), "<child>");
        let told = told.replace(prefix(&grandchild), "<grandchild>");
        insta::allow_duplicates!(insta::assert_snapshot!(told, @r"
        <parent> is revoked
        the keys that it authorized are still valid: <child> (child), <grandchild> (grandchild); `tdg-server keys revoke <parent> --with-children` revokes them
        "));
        assert!(!is_valid(server, &parent));
        assert!(is_valid(server, &child) && is_valid(server, &grandchild));
        let told = revoke(&["--with-children", prefix(&parent)]);
        assert_eq!(
            told,
            format!(
                "{} is revoked\n{} is revoked",
                prefix(&child),
                prefix(&grandchild)
            )
        );
        assert!(!is_valid(server, &child) && !is_valid(server, &grandchild));
        assert!(is_valid(server, &other) && is_valid(server, &of_other));
        let again = ["keys", "revoke", "--with-children", prefix(&parent)];
        assert!(!server.run(&again).status.success());
        let audit = server.said(&["audit"]).unwrap();
        let revoked = format!("keys revoke  account team  key {}", prefix(&grandchild));
        assert!(audit.contains(&revoked), "{audit}");
    });
}

#[test]
fn the_page_of_keys_revokes_the_own_key_and_those_that_it_let_in() {
    on_each(|server, _| {
        let [parent, other] = [server.key("team"), server.key("team")];
        let ada = Browser::signed_in(server, &parent);
        let child = let_in(server, &ada, "child");
        let grandchild = let_in(server, &Browser::signed_in(server, &child), "grandchild");
        let ben = Browser::signed_in(server, &child);
        let page = ParsedPage::parse(&ada.get("/keys"));
        let own = [&parent, &child, &grandchild].map(|key| prefix(key).to_owned());
        assert_eq!(page.values("form input[name=key]"), own);
        assert_eq!(page.count("form input[name=children]"), 2);
        assert_eq!(
            ParsedPage::parse(&ben.get("/keys")).count("form input[name=key]"),
            2
        );

        for (from, key) in [(&ada, &other), (&ben, &parent), (&ben, &other)] {
            let form = format!("key={}&children=on", prefix(key));
            assert_eq!(from.post("/keys", &form).status, 404);
            assert!(is_valid(server, key));
        }
        let reader = server.key_with(&["--account", "team", "--scopes", "read"]);
        let cy = Browser::signed_in(server, &reader);
        let own = let_in(server, &cy, "reader");
        assert_eq!(
            ParsedPage::parse(&cy.get("/keys")).values("form input[name=key]"),
            [prefix(&own)]
        );
        assert_eq!(
            cy.post("/keys", &format!("key={}", prefix(&reader))).status,
            404
        );
        for nonsense in ["", "key=", "key=tdg_000000000000"] {
            assert_eq!(ada.post("/keys", nonsense).status, 404, "{nonsense}");
        }
        let elsewhere = [("origin", "https://evil.example")];
        let form = format!("key={}&children=on", prefix(&parent));
        assert_eq!(ada.post_from(&elsewhere, "/keys", &form).status, 403);

        let alone = format!("key={}", prefix(&child));
        assert_eq!(ada.post("/keys", &alone).status, 303);
        assert!(!is_valid(server, &child) && is_valid(server, &grandchild));
        assert_eq!(ada.post("/keys", &form).status, 303);
        assert!(!is_valid(server, &parent) && !is_valid(server, &grandchild));
        assert!(is_valid(server, &other));
        assert_eq!(ada.get("/keys").status, 303, "the session has ended");
        let audit = server.said(&["audit"]).unwrap();
        let revoked = format!("revoke  account team  key {}", prefix(&grandchild));
        let line = audit.lines().find(|line| line.contains(&revoked));
        assert!(
            line.unwrap().contains("from 127.0.0.1  request "),
            "{audit}"
        );
    });
}

/// Begins a login from an address, behind a proxy.
fn begin_from(server: &Server, address: &str) -> Answer {
    let client = Client::new(&server.url, "");
    let fields = [
        ("content-type", "application/x-www-form-urlencoded"),
        ("x-forwarded-for", address),
    ];
    client.ask("POST", "/login/device", &fields, b"client_name=x")
}

const PROXY: [&str; 2] = ["--trusted-proxy", "127.0.0.1"];

#[test]
fn the_logins_that_wait_are_limited_for_each_network() {
    on_each_with(&PROXY, |server, run| {
        for n in 0..20 {
            let answer = begin_from(server, &format!("2001:db8::{n}"));
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
        let refused = begin_from(server, "2001:db8::ffff");
        assert_eq!(refused.status, 429, "{}", refused.text());
        assert!(
            refused.text().contains("too many logins"),
            "{}",
            refused.text()
        );
        let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=600).contains(&wait), "{wait}");
        for other in ["2001:db8:0:1::1", "192.0.2.1", "192.0.2.2"] {
            assert_eq!(begin_from(server, other).status, 200, "{other}");
        }
        run("UPDATE login SET begun = begun - 601000000");
        assert_eq!(begin_from(server, "2001:db8::1").status, 200);
    });
}

#[test]
fn the_logins_that_wait_are_limited_in_all() {
    let server = Server::with(&PROXY);
    for n in 0..1000 {
        let answer = begin_from(&server, &format!("192.0.2.{}", n % 250));
        assert_eq!(answer.status, 200, "{n}: {}", answer.text());
    }
    let refused = begin_from(&server, "198.51.100.1");
    assert_eq!(refused.status, 429, "{}", refused.text());
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=600).contains(&wait), "{wait}");
}

#[test]
fn bad_keys_keep_no_device_of_the_same_address_out() {
    let server = Server::start();
    let bad = format!("tdg_{}_{}", "0".repeat(12), "0".repeat(64));
    let guess = |connection: &str| {
        format!(
            "GET /v1/projects HTTP/1.1\r\nhost: test\r\nx-api-key: {bad}\r\n\
             connection: {connection}\r\n\r\n"
        )
    };
    let mut guesses = vec![guess("keep-alive"); 30];
    guesses.push(guess("close"));
    let client = Client::new(&server.url, "");
    for _ in 0..5 {
        assert!(client.pipeline(&guesses).contains(&429));
        Device::begin(&server, "x");
    }
    let other = Server::start();
    for _ in 0..20 {
        Device::begin(&other, "x");
    }
    let wrong = Client::new(&other.url, &bad);
    assert_eq!(wrong.get("/v1/projects").status, 401);
}

#[test]
fn unknown_codes_keep_no_device_of_the_same_address_out() {
    on_each_with(&[], |server, _| {
        let device = Device::begin(server, "x");
        let client = Client::new(&server.url, "");
        let guess = |n: usize| {
            let form = format!("grant_type={GRANT}&device_code={n:064x}");
            ask(&client, "/login/token", &form).status
        };
        let statuses: Vec<u16> = (0..40).map(guess).collect();
        assert_eq!(statuses[0], 400);
        assert!(statuses.contains(&429), "{statuses:?}");
        assert_eq!(device.error(), "authorization_pending");
        assert_eq!(server.client().get("/v1/projects").status, 200);
    });
}
