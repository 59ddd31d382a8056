//! Command lines that are let in by somebody in a browser (RFC 8628), on both databases.

use std::thread;

use serde_json::Value;

use crate::support::{Answer, Browser, Client, ParsedPage, Server, on_each};

const GRANT: &str = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code";

/// A device that asks to be let in.
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

    /// Somebody else with the same code.
    fn copy(&self, server: &Server) -> Self {
        Device {
            client: Client::new(&server.url, ""),
            code: self.code.clone(),
            typed: self.typed.clone(),
        }
    }

    /// The key, or the error of RFC 8628.
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

    /// The page that asks whether to let it in.
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

#[test]
fn whoever_types_the_code_lets_a_command_line_in() {
    on_each(|server, _| {
        let key = server.key_with(&["--name", "ada", "--scopes", "read,assert"]);
        let ada = Browser::signed_in(server, &key);
        let device = Device::begin(server, "cargo+tdg+on+laptop");
        assert_eq!(device.error(), "authorization_pending");
        assert_eq!(
            ParsedPage::of(&ada.get("/login")).count("input[name=code]"),
            1
        );

        let path = device.page(&ada);
        let page = ParsedPage::of(&ada.get(&path));
        let asks = page.texts("table.facts td");
        assert_eq!(&asks[..2], ["cargo tdg on laptop", "127.0.0.1"]);
        assert!(
            page.texts("main p")
                .join(" ")
                .contains("may do what yours may: read,assert")
        );
        assert_eq!(device.error(), "authorization_pending");

        assert_eq!(ada.post(&path, "answer=allow").status, 303);
        let made = device.key().unwrap();
        assert_ne!(made, key);
        let client = Client::new(&server.url, &made);
        assert_eq!(client.get("/v1/projects").status, 200);
        let project = r#"{"project_name":"shop"}"#;
        assert_eq!(client.post("/v1/project/new", project).status, 403);
        // Once, and answered once.
        assert_eq!(device.error(), "expired_token");
        assert_eq!(ada.post(&path, "answer=deny").status, 404);

        let keys = ParsedPage::of(&ada.get("/keys"))
            .texts("tbody tr")
            .join("\n");
        assert!(keys.contains("cargo tdg on laptop read,assert"), "{keys}");
        let audit = ParsedPage::of(&ada.get("/audit"))
            .texts("tbody tr")
            .join("\n");
        assert!(audit.contains("let in cargo tdg on laptop"), "{audit}");
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
        let listed = ParsedPage::of(&ada.get("/keys"));
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

        // Whoever has let it in has no key any more.
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
fn nobody_is_let_in_by_a_link_or_from_another_site() {
    let server = Server::start();
    let ada = Browser::signed_in(&server, &server.key("team"));
    let device = Device::begin(&server, "%3Cscript%3Ealert(1)%3C/script%3E");
    let path = device.page(&ada);
    assert!(!ada.get(&path).text().contains("<script>alert"));
    // The page of a code takes it typed alone.
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
