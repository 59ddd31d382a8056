//! A CI job with a key that may compare but not create.

use std::fs;

use crate::checkout::Checkout;
use crate::relay::Relay;
use crate::server::Server;

const CHANGED: (&str, &str) = ("CHILD_FACTOR", "0.97");

/// Returns a clone of a checkout with a pin, and a relay of its requests.
fn job(server: &Server, pinned: &Checkout) -> (Checkout, Relay) {
    let relay = Relay::to(&server.url);
    let job = Checkout::at(&relay.url, &server.key_of_ci());
    job.write("tests/snapshots/pricing__total.snap", &pinned.pinned());
    (job, relay)
}

#[test]
fn a_run_that_passes_or_fails_is_asserted_and_creates_nothing() {
    let server = Server::start();
    let here = Checkout::new(&server);
    here.passes(&[]);
    let (job, relay) = job(&server, &here);
    assert_eq!(job.passes(&[("CI", "true")]), "");
    let passing = relay.requests();
    let changed = job.fails(&[("CI", "true"), CHANGED]);
    insta::assert_snapshot!(changed.line(), @"tdg: changed total, 10 of 50 cases, nothing written (CI is set)");
    insta::assert_snapshot!(passing.join("\n"), @"
    GET benchmark/data
    POST benchmark/assert
    ");
    // A report names the page, if the server has pages.
    assert_eq!(
        relay.requests(),
        [passing, vec!["GET server".to_owned()]].concat()
    );
    assert_eq!(job.pinned(), here.pinned());

    // The pinned rows are compared even if the definition changes. There are no other requests.
    job.write(
        "definitions/orders.json",
        &fs::read_to_string(here.file("definitions/orders.json"))
            .unwrap()
            .replace("20", "30"),
    );
    let inputs = job.fails(&[("CI", "true")]);
    insta::assert_snapshot!(inputs.line(), @"tdg: inputs changed total, definition, nothing written (CI is set)");
    assert_eq!(relay.requests().join("\n"), "GET benchmark/data");
}

#[test]
fn a_change_that_was_committed_before_a_run_moved_the_pin_fails() {
    let server = Server::start();
    let here = Checkout::new(&server);
    here.passes(&[]);
    let before = here.benchmark();
    here.fails(&[CHANGED]);
    fs::rename(here.pending(), here.snapshot()).unwrap();
    let (job, relay) = job(&server, &here);
    let report = job.fails(&[("CI", "true"), CHANGED]).report();
    insta::assert_snapshot!(report.replace(&before, "<benchmark>"), @"
    total: invalid: this run can't be compared

      tests/snapshots/pricing__total.snap has accepted cases in place of the benchmark
      <benchmark>, the server at <url> does not have them yet, and this run must
      not create a benchmark (CI is set)

      with a key that has the scope write, run `cargo tdg push --pin` or the test where files may be written, and commit
      the file, which then pins them
    ");
    assert_eq!(relay.requests(), [] as [&str; 0]);

    // Without `CI`, the job sends requests, and is refused before anything is created.
    let report = job.fails(&[CHANGED]).report();
    insta::assert_snapshot!(report, @"
    total: invalid: this run can't be compared

      the server at <url> says: the API key may not do this: it needs the scope `write`

      set TDG_API_KEY to a key with the scope write to record total there; where tests are only compared, set
      TDG_UPDATE=no
    ");
    let report = job.fails(&[("CHILD_TEST", "test_0")]).report();
    insta::assert_snapshot!(report, @"
    test_0: invalid: this run can't be compared

      the server at <url> says: the API key may not do this: it needs the scope `write`

      set TDG_API_KEY to a key with the scope write to record test_0 there; where tests are only compared, set
      TDG_UPDATE=no
    ");
}
