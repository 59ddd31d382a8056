//! The pins of the committed file, and how they change.

use std::fs;

use tdg_service::Uuid;

use crate::checkout::Checkout;
use crate::relay::Relay;
use crate::server::{Server, written_by_0_1_0};

const CHANGED: [(&str, &str); 1] = [("CHILD_FACTOR", "0.97")];

fn history(server: &Server, benchmark: &str) -> Vec<bool> {
    let uuid: Uuid = benchmark.parse().unwrap();
    let history = server.service().benchmark(uuid).unwrap().history;
    history.iter().map(|entry| entry.asserted).collect()
}

#[test]
fn a_changed_run_says_what_it_says_locally_and_waits() {
    let server = Server::start();
    let (remote, local) = (Checkout::new(&server), Checkout::new(&server));
    let here = ("TDG_STORE", "local");
    remote.passes(&[]);
    local.passes(&[here]);
    let pinned = remote.pinned();

    let changed = remote.fails(&CHANGED);
    let changed_here = local.fails(&[CHANGED[0], here]);
    // The report links to the page of the benchmark.
    let page = format!("<url>/benchmark/{}", remote.benchmark());
    let (report, address) = changed
        .report()
        .split_once("\n  page:")
        .map(|(report, address)| (report.to_owned(), address.trim().to_owned()))
        .unwrap();
    assert_eq!(address, page);
    assert_eq!(report, changed_here.report());
    assert_eq!(changed.line(), changed_here.line());
    assert_eq!(remote.pinned(), pinned);
    assert!(remote.pending().is_file());
    assert_eq!(history(&server, &remote.benchmark()), [false]);

    remote.passes(&[]);
    assert!(!remote.pending().exists());
    assert_eq!(history(&server, &remote.benchmark()), [true, false]);
}

#[test]
fn accepting_makes_another_benchmark_and_moves_the_pin() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let before = checkout.benchmark();
    checkout.fails(&CHANGED);
    // Does the same as `cargo insta accept`.
    fs::rename(checkout.pending(), checkout.snapshot()).unwrap();
    checkout.passes(&CHANGED);
    let after = checkout.benchmark();
    assert_ne!(after, before);
    assert_eq!(checkout.pinned().lines().count(), 5);
    assert_eq!(history(&server, &before), [false]);
    checkout.passes(&CHANGED);
    checkout.fails(&[]);
    assert_eq!(history(&server, &after), [false, true]);
}

#[test]
fn what_was_accepted_and_is_not_pinned_yet_fails_a_run_that_may_not_write() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    let on_ci = [CHANGED[0], ("CI", "true")];
    checkout.passes(&[]);
    let before = checkout.benchmark();
    checkout.fails(&CHANGED);
    fs::rename(checkout.pending(), checkout.snapshot()).unwrap();
    let accepted = checkout.pinned();
    let report = checkout.fails(&on_ci).report();
    insta::assert_snapshot!(report.replace(&before, "<benchmark>"), @"
    total: invalid: this run can't be compared

      tests/snapshots/pricing__total.snap has accepted cases in place of the benchmark
      <benchmark>, the server at <url> does not have them yet, and this run must
      not create a benchmark (CI is set)

      with a key that has the scope write, run `cargo tdg push --pin` or the test where files may be written, and commit
      the file, which then pins them
    ");
    assert_eq!(checkout.pinned(), accepted);

    // The new change is reported first.
    let changed = checkout.fails(&[("CI", "true")]);
    assert!(changed.line().contains("changed"), "{}", changed.line());

    checkout.passes(&CHANGED);
    checkout.passes(&on_ci);
    assert_eq!(history(&server, &checkout.benchmark()), [true]);
}

#[test]
fn accepting_at_once_moves_the_pin_too() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let before = checkout.benchmark();
    checkout.passes(&[CHANGED[0], ("TDG_UPDATE", "always")]);
    assert_ne!(checkout.benchmark(), before);
    checkout.passes(&CHANGED);
}

#[test]
fn branches_with_different_pins_do_not_disturb_each_other() {
    let server = Server::start();
    let (main, branch) = (Checkout::new(&server), Checkout::new(&server));
    main.passes(&[]);
    fs::create_dir_all(branch.snapshot().parent().unwrap()).unwrap();
    fs::copy(main.snapshot(), branch.snapshot()).unwrap();
    branch.passes(&[CHANGED[0], ("TDG_UPDATE", "always")]);
    assert_ne!(main.benchmark(), branch.benchmark());
    for _ in 0..2 {
        main.passes(&[]);
        branch.passes(&CHANGED);
    }
    main.fails(&CHANGED);
    branch.fails(&[]);
    assert_eq!(history(&server, &main.benchmark()), [false, true, true]);
    assert_eq!(history(&server, &branch.benchmark()), [false, true, true]);
}

#[test]
fn another_size_is_another_ensemble() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let size = ("CHILD_SIZE", "60");
    let failed = checkout.fails(&[size]);
    assert!(failed.line().contains("inputs"), "{}", failed.line());
    assert!(history(&server, &checkout.benchmark()).is_empty());
    checkout.passes(&[size, ("TDG_UPDATE", "always")]);
    checkout.passes(&[size]);
    assert_eq!(history(&server, &checkout.benchmark()), [true]);
}

#[test]
fn a_regression_on_recorded_rows_is_in_the_history_although_the_inputs_changed() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let seed = ("CHILD_SEED", "8");
    let said = checkout.fails(&[seed, CHANGED[0]]).line();
    assert!(said.starts_with("tdg: changed total, "), "{said}");
    assert!(
        said.contains(" of 50 cases on the recorded rows, inputs changed: seed"),
        "{said}"
    );
    assert_eq!(history(&server, &checkout.benchmark()), [false]);
    let said = checkout.fails(&[seed]).line();
    assert!(
        said.starts_with("tdg: inputs changed total, seed"),
        "{said}"
    );
    assert_eq!(history(&server, &checkout.benchmark()), [false]);
}

#[test]
fn the_tests_tolerance_counts_and_a_history_that_disagrees_is_named() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    // If all cases pass by either policy, the file states the new one.
    let tolerant = ("CHILD_TOLERANCE", "0.1");
    checkout.passes(&[tolerant]);
    let said = checkout.passes(&[CHANGED[0], tolerant]);
    insta::assert_snapshot!(said, @"tdg: total: the server at <url> compares by the policy that the benchmark was recorded with, and added this run to its history as changed; record the benchmark again to compare by the test's policy");
}

/// Returns an output for each of the rows, all different from the test's.
fn other_outputs() -> String {
    format!("[{}]", ["-1"; 50].join(","))
}

#[test]
fn what_the_server_calls_changed_by_the_tests_own_policy_does_not_pass() {
    for changed in [&[][..], &CHANGED] {
        let server = Server::start();
        let checkout = Checkout::new(&server);
        let tolerant = ("CHILD_TOLERANCE", "0.1");
        checkout.passes(&[tolerant]);
        server.expect(&other_outputs());
        let ran = checkout.fails(&[changed, &[tolerant]].concat());
        insta::allow_duplicates!(insta::assert_snapshot!(ran.report(), @"
        total: invalid: this run can't be compared

          the server at <url> reports that the outputs changed, but they are the same as the ones that
          tests/snapshots/pricing__total.snap pins

          restore the file if it was edited, and use the version of tdg that the server has
        "));
        assert_eq!(history(&server, &checkout.benchmark()), [false]);
    }
}

#[test]
fn a_file_that_mixes_two_pins_does_not_pass() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let other = checkout.benchmark();
    checkout.passes(&[CHANGED[0], ("TDG_UPDATE", "always")]);
    checkout.edit(&checkout.benchmark(), &other);
    let report = checkout.fails(&CHANGED).report();
    assert!(report.contains("restore the file"), "{report}");
}

#[test]
fn outputs_that_were_damaged_since_they_were_fetched_are_fetched_again() {
    let server = Server::start();
    let relay = Relay::to(&server.url);
    let checkout = Checkout::at(&relay.url, &server.key);
    checkout.passes(&[]);
    for damaged in [other_outputs().as_str(), "[", ""] {
        checkout.damage_kept(damaged);
        relay.requests();
        checkout.passes(&[]);
        insta::allow_duplicates!(insta::assert_snapshot!(relay.requests().join("\n"), @"
        GET benchmark/data
        POST benchmark/assert
        "));
        checkout.passes(&[]);
        insta::allow_duplicates!(
            insta::assert_snapshot!(relay.requests().join("\n"), @"POST benchmark/assert")
        );
    }
}

#[test]
fn a_file_with_cases_is_compared_here_and_left() {
    let server = Server::start();
    let relay = Relay::to(&server.url);
    let checkout = Checkout::at(&relay.url, &server.key);
    let here = ("TDG_STORE", "local");
    checkout.passes(&[here]);
    let recorded = checkout.pinned();
    for update in ["auto", "no"] {
        let said = checkout.passes(&[("TDG_UPDATE", update)]);
        insta::allow_duplicates!(
            insta::assert_snapshot!(said, @"tdg: tests/snapshots/pricing__total.snap has cases instead of a pin to the server at <url>, so tests with such a file are only compared here; run `cargo tdg push --pin` to turn these files into pins")
        );
        assert_eq!(checkout.pinned(), recorded);
    }

    // A change is pending and accepted as without a server.
    let changed = checkout.fails(&CHANGED);
    assert!(
        changed.line().contains("tdg: changed total, "),
        "{}",
        changed.said
    );
    let pending = fs::read_to_string(checkout.pending()).unwrap();
    checkout.fails(&[CHANGED[0], here]);
    assert_eq!(fs::read_to_string(checkout.pending()).unwrap(), pending);
    fs::rename(checkout.pending(), checkout.snapshot()).unwrap();
    checkout.passes(&CHANGED);
    checkout.passes(&[CHANGED[0], here]);
    assert_eq!(checkout.pinned(), pending);
    checkout.passes(&[("TDG_UPDATE", "always")]);
    assert_eq!(checkout.pinned(), recorded);
    assert_eq!(relay.requests(), [] as [&str; 0]);
}

#[test]
fn a_pinned_file_is_not_compared_without_the_server() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let here = checkout.fails(&[("TDG_STORE", "local")]);
    insta::assert_snapshot!(here.report(), @r#"
    total: invalid: this run can't be compared

      tests/snapshots/pricing__total.snap pins a benchmark on a server

      add store = "remote" to the test or set TDG_STORE=remote; or run `cargo tdg pull --unpin` to have its cases in the
      file
    "#);
}

#[test]
fn an_accepted_change_names_the_pin_until_a_run_moves_it() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let replaces = format!(",\"replaces\":\"{}\",\"definition\":", checkout.benchmark());
    checkout.fails(&CHANGED);
    let pending = fs::read_to_string(checkout.pending()).unwrap();
    assert!(pending.contains(&replaces), "{pending}");
    fs::rename(checkout.pending(), checkout.snapshot()).unwrap();

    // Another change replaces the same pin, with a server and without.
    for store in ["remote", "local"] {
        checkout.fails(&[("TDG_STORE", store), ("CHILD_FACTOR", "0.9")]);
        let pending = fs::read_to_string(checkout.pending()).unwrap();
        assert!(pending.contains(&replaces), "{pending}");
    }
    checkout.passes(&[CHANGED[0], ("TDG_STORE", "local")]);
    assert!(checkout.pinned().contains(&replaces));

    insta::assert_snapshot!(checkout.passes(&CHANGED), @"tdg: total: tests/snapshots/pricing__total.snap now pins the accepted change, 50 cases, on the server at <url>; commit it");
    assert!(!checkout.pinned().contains("replaces"));
    assert_eq!(checkout.passes(&CHANGED), "");
}

#[test]
fn a_file_whose_digest_was_edited_has_other_rows_than_the_server() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    checkout.passes(&[]);
    let digest = checkout.pinned_value("digest");
    checkout.edit(&digest, &"0".repeat(32));
    let report = checkout.fails(&[]).report();
    let report = report.replace(&checkout.pinned_value("ensemble_uuid"), "<ensemble>");
    insta::assert_snapshot!(report, @"
    total: invalid: this run can't be compared

      tests/snapshots/pricing__total.snap: the ensemble <ensemble> at <url> has
      rows that differ from the pinned ones

      restore the file from version control, or delete it to record again
    ");
}

#[test]
fn rows_that_are_no_longer_drawn_are_fetched_once() {
    let server = Server::start();
    let relay = Relay::to(&server.url);
    let checkout = Checkout::at(&relay.url, &server.key);
    pin_rows_that_are_not_drawn(&checkout);
    relay.requests();
    let said = checkout.passes(&[]);
    assert!(said.contains("the benchmark's own rows are used"), "{said}");
    insta::assert_snapshot!(relay.requests().join("\n"), @"
    GET ensemble/data
    POST benchmark/assert
    ");
    assert_eq!(checkout.passes(&[]), said);
    insta::assert_snapshot!(relay.requests().join("\n"), @"POST benchmark/assert");
    assert_eq!(history(&server, &checkout.benchmark()), [true, true]);
}

#[test]
fn a_pin_of_an_earlier_version_is_asserted() {
    let server = Server::on_an_earlier_database();
    let relay = Relay::to(&server.url);
    let checkout = Checkout::at(&relay.url, &server.key);
    let ledger = |path: &str| written_by_0_1_0().join("ledger").join(path);
    let put = |from, to: &str| {
        checkout.write(to, "");
        fs::copy(from, checkout.file(to)).unwrap();
    };
    let snapshot = "tests/snapshots/pricing__total.snap";
    let sales = ledger("definitions/sales.json");
    put(sales, "definitions/orders.json");
    put(ledger(&format!("{snapshot}.in")), snapshot);
    checkout.write(".tdg/.gitignore", "# The local store of tdg.\n*\n");
    put(written_by_0_1_0().join("store.db"), ".tdg/store.db");
    let (pinned, before) = (checkout.pinned(), checkout.benchmark());

    assert_eq!(checkout.passes(&[]), "");
    // The expected outputs are already in the store.
    insta::assert_snapshot!(relay.requests().join("\n"), @"POST benchmark/assert");
    checkout.fails(&CHANGED);
    assert_eq!(checkout.pinned(), pinned);
    assert_eq!(history(&server, &before), [false, true, false, true]);

    // Its pending files didn't name the pin, so this is an ordinary file with cases.
    put(ledger(&format!("{snapshot}.new.in")), snapshot);
    let accepted = checkout.pinned();
    checkout.passes(&CHANGED);
    assert_eq!(checkout.pinned(), accepted);
}

#[test]
fn rows_that_are_not_those_that_were_pinned_are_not_kept() {
    let server = Server::start();
    let checkout = Checkout::new(&server);
    // The rows of another seed, under the identifier of an ensemble that the server also has.
    checkout.passes(&[]);
    let other = checkout.pinned_value("ensemble_uuid");
    fs::remove_file(checkout.snapshot()).unwrap();
    pin_rows_that_are_not_drawn(&checkout);
    let pinned = checkout.pinned_value("ensemble_uuid");
    checkout.edit(&pinned, &other);
    let report = checkout.fails(&[]).report();
    assert!(
        report.contains(&format!("the ensemble {other} at <url> has")),
        "{report}"
    );
    checkout.edit(&other, &pinned);
    checkout.passes(&[]);
}

/// Records with the rows of another seed, and edits the file to claim seed 0, as if drawing had
/// changed since.
fn pin_rows_that_are_not_drawn(checkout: &Checkout) {
    checkout.passes(&[("CHILD_SEED", "7")]);
    checkout.edit("\"seed\":\"7\"", "\"seed\":\"0\"");
}
