//! `cargo tdg login`, `logout` and `whoami`, with a server that answers only one kind of request.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::{fs, thread};

use tdg_tests::{Checkout, Program, Project, Run, Server};

use crate::sync::page_session::SignedIn;
use crate::terminal::Terminal;
use crate::{ended, tdg};

const KEY: &str = "tdg_0123456789ab_secret";

const FACTS: &str = r#"{"version":"0.1.0","epoch":"0c34d0a2-7d19-4f2e-8b0f-0a1b2c3d4e5f","capabilities":["sync"],"account":"team","key":{"prefix":"tdg_0123456789ab","name":"developers","scopes":["read","assert","write"],"expires":"2027-01-31 12:00:00.000000"},"limits":{"request_bytes":8388608,"records":500,"definition_bytes":262144}}"#;

/// Starts a server that identifies itself to clients with the key.
fn server() -> String {
    serving(
        |head| match head.contains(&format!("x-api-key: {KEY}\r\n")) {
            true if head.starts_with("GET /v1/server ") => ("200 OK", "application/json", FACTS),
            true => (
                "404 Not Found",
                "application/problem+json",
                r#"{"status":404}"#,
            ),
            false => (
                "401 Unauthorized",
                "application/problem+json",
                r#"{"status":401}"#,
            ),
        },
    )
}

/// Starts a server that is too old to identify itself.
fn older_server() -> String {
    serving(|_| {
        (
            "404 Not Found",
            "application/problem+json",
            r#"{"status":404}"#,
        )
    })
}

type Answer = (&'static str, &'static str, &'static str);

/// Starts a server that accepts all requests and collects the keys.
fn greedy_server() -> (String, Arc<Mutex<Vec<String>>>) {
    let keys = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&keys);
    let url = serving(move |head| {
        let keys = head
            .lines()
            .filter_map(|line| line.strip_prefix("x-api-key: "));
        seen.lock().unwrap().extend(keys.map(str::to_owned));
        ("200 OK", "application/json", FACTS)
    });
    (url, keys)
}

fn serving(answer: impl Fn(&str) -> Answer + Send + 'static) -> String {
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", port.local_addr().unwrap());
    let serve = move |mut stream: TcpStream| {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
            head.push(byte[0]);
        }
        let (status, content, body) = answer(&String::from_utf8_lossy(&head));
        let length = body.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-type: {content}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
    };
    thread::spawn(move || port.incoming().flatten().for_each(serve));
    url
}

/// Returns a folder without a package, which serves as a user's home.
fn home() -> Project {
    Project::without_lock(&[])
}

fn in_home(home: &Project, arguments: &[&str]) -> Run {
    tdg(home, arguments).env("TDG_CREDENTIALS", credentials(home))
}

fn credentials(home: &Project) -> PathBuf {
    home.path("config/tdg/credentials")
}

/// Returns the result without the port. It must not show the key.
fn said(home: &Project, url: &str, run: Run) -> String {
    let said = ended(home, &run.finish());
    assert!(!said.contains("secret"), "{said}");
    said.replace(url, "<url>")
}

fn log_in(home: &Project, url: &str) {
    in_home(home, &["login", url])
        .input(&format!("{KEY}\n"))
        .passes();
}

#[test]
fn a_key_that_the_server_knows_is_kept_for_the_user_alone() {
    let (home, url) = (home(), server());
    let run = in_home(&home, &["login", &url]).input(&format!("{KEY}\n"));
    insta::assert_snapshot!(said(&home, &url, run), @"
    logged in to <url> as team, key developers (tdg_0123456789ab): read, assert, write, until yyyy-mm-dd hh:mm:ss UTC
    (0)
    ");
    let kept = fs::read_to_string(credentials(&home)).unwrap();
    assert_eq!(kept, format!("{url} {KEY}\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(credentials(&home))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_key_is_entered_in_a_terminal_without_being_shown() {
    let (home, url) = (home(), server());
    let file = credentials(&home);
    let variables = [("TDG_CREDENTIALS", file.to_str().unwrap())];
    let mut terminal = Terminal::start(&home, &["login", &url], &variables);
    terminal.sees(&format!("API key for {url}: "));
    terminal.press(&format!("{KEY}x\u{7f}\r"));
    let all = terminal.ends_with();
    assert!(all.contains("logged in"), "{all}");
    assert!(!all.contains("secret") && !all.contains('*'), "{all}");
    assert!(fs::read_to_string(file).unwrap().contains(KEY));
}

#[test]
fn a_key_that_is_kept_meanwhile_stays() {
    let (home, url, other) = (home(), server(), server());
    let file = credentials(&home);
    let variables = [("TDG_CREDENTIALS", file.to_str().unwrap())];
    let mut terminal = Terminal::start(&home, &["login", &url], &variables);
    terminal.sees(&format!("API key for {url}: "));
    log_in(&home, &other);
    terminal.press(&format!("{KEY}\r"));
    terminal.ends_with();
    let kept = fs::read_to_string(file).unwrap();
    assert_eq!(kept, format!("{other} {KEY}\n{url} {KEY}\n"));
}

#[test]
fn a_key_that_the_server_does_not_know_is_not_kept() {
    let (home, url) = (home(), server());
    let wrong = |key: &str| {
        let run = in_home(&home, &["login", &url]).input(key);
        said(&home, &url, run)
    };
    insta::assert_snapshot!(wrong("tdg_other_secret"), @"
    error: the key was not saved: the server at <url> does not accept this API key, which may have expired or been revoked; run `cargo tdg login <url>` with another one, or set TDG_API_KEY to one
    (2)
    ");
    insta::assert_snapshot!(wrong("\n"), @"
    error: no key on standard input; pass one with `cargo tdg login < FILE`
    (2)
    ");
    insta::assert_snapshot!(wrong("two secret words"), @"
    error: the key was not saved: invalid API key: it must be visible ASCII without spaces
    (2)
    ");
    assert!(!credentials(&home).exists());
}

#[test]
fn a_server_that_is_older_is_named() {
    let (home, url) = (home(), older_server());
    let run = in_home(&home, &["login", &url]).input(KEY);
    insta::assert_snapshot!(said(&home, &url, run), @"
    error: the key was not saved: the server at <url> is too old for this version of tdg, or the path of the URL is wrong: update tdg-server, or correct the URL
    (2)
    ");
}

#[test]
fn a_file_that_others_can_read_is_left_alone() {
    let (home, url) = (home(), server());
    log_in(&home, &url);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(credentials(&home), fs::Permissions::from_mode(0o644)).unwrap();
        let run = in_home(&home, &["login", &url]).input(KEY);
        insta::assert_snapshot!(said(&home, &url, run), @"
        error: <shop>/config/tdg/credentials: can be read by other users of this machine; run chmod 600 on it
        (2)
        ");
    }
}

#[test]
fn who_a_key_belongs_to_is_shown() {
    let (home, url) = (home(), server());
    insta::assert_snapshot!(said(&home, &url, in_home(&home, &["whoami", &url])), @r#"
    error: no API key for <url>; run `cargo tdg login <url>`, or set TDG_API_KEY="<url>=<key>"
    (2)
    "#);
    log_in(&home, &url);
    in_home(&home, &["whoami"]).env("TDG_URL", &url).passes();
    insta::assert_snapshot!(said(&home, &url, in_home(&home, &["whoami", &url])), @"
    account  team
    key      developers (tdg_0123456789ab)
    may      read, assert, write
    expires  yyyy-mm-dd hh:mm:ss UTC
    server   <url>, tdg-server 0.1.0
    (0)
    ");
    insta::assert_snapshot!(said(&home, &url, in_home(&home, &["whoami", &url, "--json"])), @r#"
    {"account":"team","epoch":"0c34d0a2-7d19-4f2e-8b0f-0a1b2c3d4e5f","expires":"2027-01-31T12:00:00Z","key":{"name":"developers","prefix":"tdg_0123456789ab"},"scopes":["read","assert","write"],"url":"<url>","version":"0.1.0"}
    (0)
    "#);
    let run = in_home(&home, &["whoami", &url]).env("TDG_API_KEY", KEY);
    insta::assert_snapshot!(said(&home, &url, run), @"
    account  team
    key      developers (tdg_0123456789ab), from TDG_API_KEY
    may      read, assert, write
    expires  yyyy-mm-dd hh:mm:ss UTC
    server   <url>, tdg-server 0.1.0
    (0)
    ");
}

#[test]
fn a_key_is_forgotten() {
    let (home, url) = (home(), server());
    log_in(&home, &url);
    let run = || in_home(&home, &["logout", &url]);
    insta::assert_snapshot!(said(&home, &url, run()), @"
    logged out of <url>
    (0)
    ");
    insta::assert_snapshot!(said(&home, &url, run()), @"
    <shop>/config/tdg/credentials has no key for <url>
    (0)
    ");
    insta::assert_snapshot!(said(&home, &url, run().env("TDG_API_KEY", format!("{url}={KEY}"))), @"
    <shop>/config/tdg/credentials has no key for <url>
    note: TDG_API_KEY is set, and its key is still used
    (0)
    ");
    assert_eq!(fs::read_to_string(credentials(&home)).unwrap(), "");
}

#[test]
fn without_a_url_the_server_comes_from_the_settings() {
    let shop = tdg_tests::Program::shop().checkout();
    let run = || in_home(&shop, &["whoami"]);
    insta::assert_snapshot!(ended(&shop, &run().finish()), @r#"
    error: no server is configured; name its URL, set TDG_URL, or add url = "https://…" to tdg.toml
    (2)
    "#);
    let url = server();
    let run = run().env("TDG_URL", &url).env("TDG_API_KEY", KEY);
    assert!(said(&shop, &url, run).contains("team"));
}

/// Returns a checkout whose `tdg.toml` names a server.
fn checkout_of(url: &str) -> Checkout<'static> {
    let shop = Program::remote_shop().checkout();
    shop.write("tdg.toml", &format!("url = \"{url}\"\n"));
    shop
}

#[test]
fn the_key_of_the_environment_does_not_go_where_a_checkout_says() {
    let (url, keys) = greedy_server();
    let shop = checkout_of(&url);
    for arguments in [&["whoami"][..], &["sync", "status"], &["pull"]] {
        let run = in_home(&shop, arguments).env("TDG_API_KEY", KEY);
        insta::allow_duplicates!(insta::assert_snapshot!(said(&shop, &url, run), @r#"
        error: TDG_API_KEY does not say which server its key is for, and <url> is only named in tdg.toml, so it gets no key; if it is the key of that server, set TDG_API_KEY="<url>=<key>", or TDG_URL=<url> as well
        (2)
        "#));
    }
    let ran = shop
        .pricing("total")
        .env("TDG_STORE", "remote")
        .env("TDG_API_KEY", KEY);
    let said = ran.fails().report();
    assert!(
        said.contains("TDG_API_KEY does not say which server"),
        "{said}"
    );
    assert_eq!(*keys.lock().unwrap(), Vec::<String>::new());

    let own = format!("{url}={KEY}");
    for (key, named) in [(KEY, url.as_str()), (&own, "")] {
        let run = in_home(&shop, &["whoami"]).env("TDG_API_KEY", key);
        run.env("TDG_URL", named).passes();
    }
    let elsewhere = format!("https://tdg.example.org={KEY}");
    let run = in_home(&shop, &["whoami"]).env("TDG_API_KEY", elsewhere);
    insta::assert_snapshot!(self::said(&shop, &url, run), @r#"
    error: the key in TDG_API_KEY is for https://tdg.example.org, so <url> does not get it; set TDG_API_KEY="<url>=<key>" with a key of that server, or run `cargo tdg login <url>`
    (2)
    "#);
    assert_eq!(*keys.lock().unwrap(), [KEY, KEY]);
}

#[test]
fn a_terminal_asks_once_where_the_key_of_the_environment_goes() {
    let (url, keys) = greedy_server();
    let shop = checkout_of(&url);
    let file = credentials(&shop);
    let variables = [
        ("TDG_CREDENTIALS", file.to_str().unwrap()),
        ("TDG_API_KEY", KEY),
        ("NO_COLOR", "1"),
    ];
    let question = format!("Send the key in TDG_API_KEY to {url}, which tdg.toml names? [y/n] ");
    let mut terminal = Terminal::start(&shop, &["whoami"], &variables);
    terminal.sees(&question);
    terminal.press("n");
    assert_eq!(terminal.ends(), 2);
    assert!(keys.lock().unwrap().is_empty() && !file.exists());

    let mut terminal = Terminal::start(&shop, &["whoami"], &variables);
    terminal.sees(&question);
    terminal.press("y");
    terminal.sees("team");
    assert_eq!(terminal.ends(), 0);
    assert_eq!(*keys.lock().unwrap(), [KEY]);
    let allowed = fs::read_to_string(&file).unwrap();
    assert_eq!(allowed, format!("{url} $TDG_API_KEY\n"));

    let run = || in_home(&shop, &["whoami"]).env("TDG_API_KEY", KEY);
    assert!(run().passes().stdout.contains("from TDG_API_KEY"));
    // Until the user logs in with another key, or logs out.
    in_home(&shop, &["logout"]).passes();
    run().fails();
}

#[test]
fn a_user_authorizes_a_command_line_by_the_code_that_it_shows() {
    let server = Server::start();
    let ada = SignedIn::by_key(&server.url, &server.key("team", "read,assert"));
    let home = home();
    let begin = || {
        let mut process = in_home(&home, &["login", "--browser", &server.url]).start();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let told = line.strip_prefix("type ").unwrap();
        let (code, page) = told.split_once(" at ").unwrap();
        assert_eq!(page.trim_end(), format!("{}/login", server.url));
        let answer = ada.send("/login", &format!("code={code}"));
        let (_, login) = answer.split_once("location: ").unwrap();
        (process, output, login.lines().next().unwrap().to_owned())
    };
    let (mut process, mut output, login) = begin();
    ada.send(&login, "answer=allow");
    assert!(process.wait().unwrap().success());
    let mut told = String::new();
    output.read_to_string(&mut told).unwrap();
    assert!(told.contains("as team, key cargo tdg on "), "{told}");
    let knows = in_home(&home, &["whoami", &server.url]).passes().stdout;
    assert!(knows.contains("read, assert\n"), "{knows}");

    let (process, _output, login) = begin();
    ada.send(&login, "answer=deny");
    let refused = process.wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(told, "error: the login was refused\n");
}

#[test]
fn a_server_without_pages_authorizes_no_command_line() {
    let (home, url) = (home(), older_server());
    insta::assert_snapshot!(said(&home, &url, in_home(&home, &["login", "--browser", &url])), @"
    error: the server at <url> has no pages to sign in on; use `cargo tdg login` with a key
    (2)
    ");
}

#[test]
fn all_keys_that_are_kept_at_once_stay() {
    let home = home();
    let urls: Vec<String> = (0..12).map(|_| server()).collect();
    let start = |url: &String| {
        let run = in_home(&home, &["login", url]).input(&format!("{KEY}\n"));
        run.start()
    };
    let running: Vec<_> = urls.iter().map(start).collect();
    for process in running {
        let ended = process.wait_with_output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
    }
    let kept = fs::read_to_string(credentials(&home)).unwrap();
    let lost: Vec<_> = urls.iter().filter(|url| !kept.contains(*url)).collect();
    assert!(lost.is_empty(), "{} of 12 are lost: {kept}", lost.len());
    // The lock file is left behind but blocks no one.
    log_in(&home, &server());
}

#[test]
fn a_url_is_checked_before_the_key_is_asked_for() {
    let home = home();
    let run = in_home(&home, &["login", "http://tdg.example.org"]).input("");
    insta::assert_snapshot!(ended(&home, &run.finish()), @"
    error: http://tdg.example.org would send the key unencrypted; use https, or a server on this machine
    (2)
    ");
}

#[cfg(unix)]
#[test]
fn the_folder_of_keys_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let (home, url) = (home(), server());
    let folder = home.path("config/tdg");
    let log_in = || {
        Run::new("sh", home.folder())
            .arguments(&["-c", "umask 000; exec \"$0\" tdg login \"$1\""])
            .arguments(&[env!("CARGO_BIN_EXE_cargo-tdg"), &url])
            .env("TDG_CREDENTIALS", credentials(&home))
            .input(KEY)
    };
    log_in().passes();
    let mode = fs::metadata(&folder).unwrap().permissions().mode();
    assert_eq!(format!("{:o}", mode & 0o777), "700");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    insta::assert_snapshot!(said(&home, &url, log_in()), @"
    error: other users of this machine can replace <shop>/config/tdg/credentials, because they can write to <shop>/config/tdg; run chmod go-w on that folder
    (2)
    ");
}

const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}\u{9d}\nlogged in";

#[test]
fn what_a_server_says_is_shown_escaped() {
    let json = |text: &str| {
        text.replace('\u{1b}', "\\u001b")
            .replace('\u{7}', "\\u0007")
    };
    let hostile = json(HOSTILE).replace('\n', "\\n");
    let fault = format!(r#"{{"pointer":"/{hostile}","detail":"{hostile}"}}"#);
    let problem = format!(r#"{{"detail":"{hostile}","errors":[{fault}]}}"#);
    for status in ["400", "403", "409", "413", "418", "422", "500", "503"] {
        let (status, problem) = (format!("{status} No"), problem.clone());
        let (status, problem): (&str, &str) = (status.leak(), problem.leak());
        let url = serving(move |_| (status, "application/problem+json", problem));
        let home = home();
        let key = [("TDG_API_KEY", KEY)];
        let shown = Terminal::start(&home, &["whoami", &url], &key).ends_with();
        let own = shown
            .replace("\u{1b}[1m\u{1b}[31m", "")
            .replace("\u{1b}[0m", "");
        let own = own.replace("\r\n", "\n");
        let obeyed = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(
            !own.contains(obeyed) && !own.contains("\nlogged in"),
            "{status}: {own:?}"
        );
        assert!(own.contains("\\u001b]0;owned"), "{status}: {own:?}");
    }
}
