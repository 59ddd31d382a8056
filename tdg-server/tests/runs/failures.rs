//! An unreachable or failing server never makes a test pass, and is named.

use std::fs;
use std::net::TcpListener;

use crate::checkout::Checkout;
use crate::server::Server;

#[test]
fn a_server_that_is_down_fails_the_test() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    server.stop();
    for update in ["auto", "no"] {
        let report = checkout.fails(&[("TDG_UPDATE", update)]).report();
        assert!(
            report.contains("the server at <url> can't be reached"),
            "{report}"
        );
    }
}

#[test]
fn a_server_that_is_down_fails_a_test_whose_accepted_change_it_does_not_have() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    let changed = ("CHILD_FACTOR", "0.97");
    checkout.passes(&[]);
    checkout.fails(&[changed]);
    fs::rename(checkout.pending(), checkout.snapshot()).unwrap();
    server.stop();
    for (update, said) in [
        ("auto", "the server at <url> can't be reached"),
        ("no", "the server at <url> does"),
    ] {
        let report = checkout.fails(&[changed, ("TDG_UPDATE", update)]).report();
        assert!(report.contains(said), "{report}");
    }
}

#[test]
fn an_unknown_key_and_another_accounts_key_are_refused() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let nobody = "tdg_nobodys_key";
    let ran = checkout.fails(&[("TDG_API_KEY", nobody)]);
    insta::assert_snapshot!(ran.report(), @"
    total: invalid: this run can't be compared

      the server at <url> does not accept the API key: set TDG_API_KEY to one of its keys
    ");
    assert!(!ran.said.contains(nobody));

    let other = server.key_of("other");
    let ran = checkout.fails(&[("TDG_API_KEY", &other)]);
    let report = ran.report().replace(&checkout.benchmark(), "<benchmark>");
    insta::assert_snapshot!(report, @"
    total: invalid: this run can't be compared

      tests/snapshots/pricing__total.snap pins the benchmark <benchmark>, which this account does
      not have at <url>

      check that TDG_URL and TDG_API_KEY match the ones it was recorded with, or delete the file to record again
    ");
}

#[test]
fn a_pinned_benchmark_that_is_gone_fails_the_test() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let benchmark = checkout.benchmark();
    server
        .service()
        .delete_benchmark(benchmark.parse().unwrap())
        .unwrap();
    let report = checkout.fails(&[]).report();
    assert!(
        report.contains(&format!("pins the benchmark {benchmark}")),
        "{report}"
    );
}

#[test]
fn without_a_url_or_a_key_the_report_says_where_to_set_them() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    insta::assert_snapshot!(checkout.fails(&[("TDG_URL", "")]).report(), @r#"
    total: invalid: this run can't be compared

      the server's URL is not configured

      set TDG_URL, or add url = "https://…" to tdg.toml
    "#);
    insta::assert_snapshot!(checkout.fails(&[("TDG_API_KEY", "")]).report(), @r#"
    total: invalid: this run can't be compared

      no API key for <url>

      run `cargo tdg login <url>`, or set TDG_API_KEY="<url>=<key>"
    "#);
    let unencrypted = checkout.fails(&[("TDG_URL", "http://tdg.example.org")]);
    insta::assert_snapshot!(unencrypted.report(), @"
    total: invalid: this run can't be compared

      http://tdg.example.org would send the key unencrypted; use https, or a server on this machine
    ");
}

#[test]
fn a_key_is_found_in_the_credentials_file() {
    use std::os::unix::fs::PermissionsExt;

    let server = Server::start();
    let checkout = Checkout::new(&server);
    let file = checkout.file("credentials");
    fs::write(&file, format!("{} {}\n", server.url, server.key)).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let file = file.to_str().unwrap();
    checkout.passes(&[("TDG_API_KEY", ""), ("TDG_CREDENTIALS", file)]);
}

#[test]
fn what_speaks_no_http_is_no_server() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    let closing = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", closing.local_addr().unwrap());
    std::thread::spawn(move || closing.incoming().for_each(drop));
    let report = checkout.fails(&[("TDG_URL", &url)]).report();
    assert!(
        report.contains(&format!("the server at {url} can't be reached")),
        "{report}"
    );
}
