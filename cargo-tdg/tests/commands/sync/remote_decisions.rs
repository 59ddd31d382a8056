//! Decisions on a server's pages, applied to checkouts by `cargo tdg pull`.

use std::path::Path;

use rusqlite::Connection;
use tdg_tests::{Checkout, Finished, Project, Run};

use crate::sync::Team;
#[cfg(unix)]
use crate::sync::interruptions::Shop as Puller;
use crate::sync::page_session::SignedIn;
use crate::{TOTAL, TOTAL_NEW, tdg};

/// A team, and a shop with a change of `total` that is pending on the server.
struct Scene {
    team: Team,
    shop: Checkout<'static>,
    /// The page of the failing run.
    page: String,
    /// The snapshot file before the change.
    before: String,
}

impl Scene {
    /// Makes the change on the branch `rates`.
    fn new(settings: &str) -> Self {
        Self::with(settings, |shop| changed(shop).fails())
    }

    /// Makes the change in a commit of the branch `rates` that `main` lacks, checked out as a
    /// detached `HEAD`. The run has the variables of a CI job.
    fn of_ci(variables: &[(&str, &str)]) -> Self {
        Self::with("", |shop| {
            shop.write(".gitignore", "/target\n/.tdg\n*.snap.new\n");
            commit(shop, "Record");
            git(shop, &["branch", "main"]);
            shop.write("rates.txt", "103 %");
            commit(shop, "Raise rates");
            git(shop, &["checkout", "-q", "--detach"]);
            let run = changed(shop).env("CI", "true").env("TDG_UPDATE", "new");
            let run = variables
                .iter()
                .fold(run, |run, (name, value)| run.env(name, value));
            let run = run.fails();
            git(shop, &["checkout", "-q", "main"]);
            run
        })
    }

    fn with(settings: &str, change: impl FnOnce(&Checkout<'_>) -> Finished) -> Self {
        let team = Team::start();
        let shop = team.clone_without_runs();
        shop.write("tdg.toml", &(shop.read("tdg.toml") + settings));
        git(&shop, &["init", "-q", "-b", "rates"]);
        shop.pricing("total").passes();
        team.run(&shop, &["push", "--yes"]).passes();
        change(&shop);
        let page = pushed_page(&team, &shop);
        let before = match settings {
            "" => shop.read(TOTAL),
            _ => String::new(),
        };
        Scene {
            team,
            shop,
            page,
            before,
        }
    }

    /// Submits the form of the page.
    fn decide(&self, form: &str) {
        let team = &self.team;
        SignedIn::by_key(&team.server.url, &team.key).send(&self.page, form);
    }

    /// Clones the branch `rates`.
    fn clone(&self) -> Checkout<'static> {
        let clone = self.team.clone_of(&self.shop);
        git(&clone, &["init", "-q", "-b", "rates"]);
        clone
    }

    #[cfg(unix)]
    fn puller<'a>(&'a self, project: &'a Project) -> Puller<'a> {
        Puller::new(&self.team.server, project, &self.team.key)
    }

    fn pull(&self, arguments: &[&str]) -> String {
        self.pull_into(&self.shop, arguments)
    }

    /// Returns the output of a pull without the numbers of records.
    fn pull_into(&self, shop: &Project, arguments: &[&str]) -> String {
        let told = self.team.says(shop, &[&["pull"], arguments].concat());
        let is_meant = |line: &&str| !line.contains(" refused, ") && !line.starts_with("shop, ");
        told.lines().filter(is_meant).collect::<Vec<_>>().join("\n")
    }
}

fn git(shop: &Project, arguments: &[&str]) {
    let identity = ["-c", "user.name=Ada", "-c", "user.email="];
    let git = Run::new("git", shop.folder()).arguments(&identity);
    git.arguments(arguments).passes();
}

fn commit(shop: &Project, message: &str) {
    git(shop, &["add", "."]);
    git(shop, &["commit", "-q", "-m", message]);
}

/// Returns a run that changes 13 cases.
fn changed(shop: &Checkout<'_>) -> Run {
    shop.pricing("total").env("FACTOR", "1.03")
}

/// Returns the path of the page in a push's output.
fn pushed_page(team: &Team, shop: &Project) -> String {
    let pushed = team.run(shop, &["push"]).passes().stdout;
    let (_, page) = pushed.split_once(&team.server.url).unwrap();
    let (_, page) = page.split_once(&team.server.url).unwrap();
    page.lines().next().unwrap().to_owned()
}

#[test]
fn an_accepted_change_is_written_as_accept_writes_it_and_the_run_passes() {
    let scene = Scene::new("");
    let shop = &scene.shop;
    scene.decide("decision=accept&part=&reason=prices+rise");
    insta::assert_snapshot!(scene.pull(&["--dry-run"]), @"
    would accept total, 13 cases, tests/snapshots/pricing__total.snap, by team: prices rise
    (1)
    ");
    assert_eq!(shop.read(TOTAL), scene.before);
    assert!(shop.has(TOTAL_NEW));
    insta::assert_snapshot!(scene.pull(&[]), @"
    accepted total, 13 cases, tests/snapshots/pricing__total.snap, by team: prices rise
    (0)
    ");

    let other = scene.team.clone_of(shop);
    other.write(TOTAL, &scene.before);
    other.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&other, &["accept", "total"]).passes();
    assert_eq!(shop.read(TOTAL), other.read(TOTAL));
    assert!(!shop.has(TOTAL_NEW));
    shop.pricing("total").env("FACTOR", "1.03").passes();
    insta::assert_snapshot!(scene.pull(&[]), @"(0)");
    insta::assert_snapshot!(scene.pull(&["--json"]), @"(0)");
    let history = tdg(shop, &["history", "total"]).passes().stdout;
    assert!(history.contains("prices rise"), "{history}");
}

#[test]
fn the_rest_of_a_change_stays_pending() {
    let scene = Scene::new("");
    scene.decide("decision=accept&cases=0..10");
    insta::assert_snapshot!(scene.pull(&[]), @"
    accepted total, 1 case, tests/snapshots/pricing__total.snap, by team
    (0)
    ");
    assert_ne!(scene.shop.read(TOTAL), scene.before);
    assert!(scene.shop.has(TOTAL_NEW));
    scene.shop.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&scene.shop, &["accept", "total"]).passes();
    scene.shop.pricing("total").env("FACTOR", "1.03").passes();
}

#[test]
fn a_benchmark_in_the_store_alone_follows_too() {
    let scene = Scene::new("snapshots = false\n");
    scene.decide("decision=accept");
    insta::assert_snapshot!(scene.pull(&["--dry-run"]), @"
    would accept total, 13 cases, in the store, by team
    (1)
    ");
    insta::assert_snapshot!(scene.pull(&[]), @"
    accepted total, 13 cases, in the store, by team
    (0)
    ");
    scene.shop.pricing("total").env("FACTOR", "1.03").passes();
    insta::assert_snapshot!(scene.pull(&[]), @"(0)");
}

#[test]
fn a_file_with_another_benchmark_stays_and_is_named_once() {
    let scene = Scene::new("");
    let other = scene.clone();
    other.pricing("total").env("FACTOR", "1.07").fails();
    tdg(&other, &["accept", "total"]).passes();
    let (another, third) = (other.read(TOTAL), scene.clone());
    third.write(TOTAL, &another);
    scene.decide("decision=accept&reason=prices+rise");
    let told = scene.pull_into(&third, &["--dry-run", "--json"]);
    let lines: Vec<&str> = told.lines().filter(|it| !it.contains("to_send")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"answer":"left","author":"team","package":"shop","reason":"prices rise","snapshot":"tests/snapshots/pricing__total.snap","source":"tests/pricing.rs","test":"total","through":"page","why":"its benchmark is not the one that the decision replaces"}
    (1)
    "#);
    insta::assert_snapshot!(scene.pull_into(&third, &[]), @"
    left total, tests/snapshots/pricing__total.snap, by team: prices rise; its benchmark is not the one that the decision replaces
    (1)
    ");
    insta::assert_snapshot!(scene.pull_into(&third, &[]), @"(0)");
    assert_eq!(third.read(TOTAL), another);
    third.write(TOTAL, &format!("<<<<<<< ours\n{another}"));
    insta::assert_snapshot!(scene.pull_into(&third, &[]), @"
    error: total: <shop>/tests/snapshots/pricing__total.snap, line 1: conflict marker of an unfinished merge; run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test
    (2)
    ");
    // Another decision has been made here since.
    other.pricing("total").env("FACTOR", "1.09").fails();
    tdg(&other, &["accept", "total"]).passes();
    insta::assert_snapshot!(scene.pull_into(&other, &[]), @"(0)");
}

#[cfg(unix)]
#[test]
fn a_pull_that_is_killed_leaves_the_old_file_or_the_new_one_and_the_next_has_the_new() {
    let scene = Scene::new("");
    scene.decide("decision=accept");
    let old = || {
        let clone = scene.clone();
        clone.write(TOTAL, &scene.before);
        clone
    };
    let whole = old();
    let requests = scene.puller(&whole).requests("pull").len();
    let new = whole.read(TOTAL);
    assert_ne!(new, scene.before);
    for number in 0..requests {
        let clone = old();
        scene.puller(&clone).killed_at(number, "pull");
        let left = clone.read(TOTAL);
        assert!(left == scene.before || left == new, "{number}");
        scene
            .puller(&clone)
            .run("pull", &scene.team.server.url)
            .passes();
        assert_eq!(clone.read(TOTAL), new, "{number}");
    }
}

#[test]
fn only_named_tests_get_what_was_decided() {
    let scene = Scene::new("");
    scene.shop.pricing("invoice").passes();
    scene.decide("decision=accept");
    insta::assert_snapshot!(scene.pull(&["invoice"]), @"(0)");
    assert_eq!(scene.shop.read(TOTAL), scene.before);
    insta::assert_snapshot!(scene.pull(&["total"]), @"
    accepted total, 13 cases, tests/snapshots/pricing__total.snap, by team
    (0)
    ");
    assert_ne!(scene.shop.read(TOTAL), scene.before);
}

#[test]
fn a_rejection_is_reported_once_and_writes_nothing() {
    let scene = Scene::new("");
    scene.decide("decision=reject&reason=fix+the+factor");
    insta::assert_snapshot!(scene.pull(&["--dry-run"]), @"
    rejected total, by team: fix the factor
    (1)
    ");
    insta::assert_snapshot!(scene.pull(&[]), @"
    rejected total, by team: fix the factor
    (0)
    ");
    insta::assert_snapshot!(scene.pull(&[]), @"(0)");
    assert_eq!(scene.shop.read(TOTAL), scene.before);
}

#[test]
fn a_change_of_another_branch_is_brought_there_alone() {
    let scene = Scene::new("");
    scene.decide("decision=accept");
    scene.shop.remove(TOTAL_NEW);
    git(&scene.shop, &["symbolic-ref", "HEAD", "refs/heads/main"]);
    insta::assert_snapshot!(scene.pull(&[]), @"
    left total, tests/snapshots/pricing__total.snap, by team; the change was made on the branch rates; once a run here leaves the same outputs, `cargo tdg pull` applies it
    (0)
    ");
    insta::assert_snapshot!(scene.pull(&[]), @"(0)");
    assert_eq!(scene.shop.read(TOTAL), scene.before);
    git(&scene.shop, &["symbolic-ref", "HEAD", "refs/heads/rates"]);
    insta::assert_snapshot!(scene.pull(&[]), @"
    accepted total, 13 cases, tests/snapshots/pricing__total.snap, by team
    (0)
    ");
}

#[test]
fn a_change_of_an_unknown_branch_is_brought_where_a_run_left_the_same_outputs() {
    let scene = Scene::of_ci(&[]);
    let shop = &scene.shop;
    scene.decide("decision=accept&reason=prices+rise");
    insta::assert_snapshot!(scene.pull(&[]), @"
    left total, tests/snapshots/pricing__total.snap, by team: prices rise; the change was made on an unknown branch; once a run here leaves the same outputs, `cargo tdg pull` applies it
    (0)
    ");
    shop.pricing("total").env("FACTOR", "1.07").fails();
    insta::assert_snapshot!(scene.pull(&[]), @"(0)");
    assert_eq!(shop.read(TOTAL), scene.before);
    changed(shop).fails();
    insta::assert_snapshot!(scene.pull(&[]), @"
    accepted total, 13 cases, tests/snapshots/pricing__total.snap, by team: prices rise
    (0)
    ");
    assert!(!shop.has(TOTAL_NEW));
    changed(shop).passes();
}

#[test]
fn a_part_of_what_a_run_left_is_brought_whatever_the_branch_is_called() {
    let scene = Scene::of_ci(&[]);
    scene.decide("decision=accept&cases=0..10");
    changed(&scene.shop).fails();
    insta::assert_snapshot!(scene.pull(&[]), @"
    accepted total, 1 case, tests/snapshots/pricing__total.snap, by team
    (0)
    ");
    assert!(scene.shop.has(TOTAL_NEW));
}

#[test]
fn a_change_of_a_branch_that_was_merged_as_another_commit_keeps_its_reason() {
    let scene = Scene::of_ci(&[("GITHUB_ACTIONS", "true"), ("GITHUB_HEAD_REF", "rates")]);
    scene.decide("decision=accept&reason=prices+rise");
    insta::assert_snapshot!(scene.pull(&[]), @"
    left total, tests/snapshots/pricing__total.snap, by team: prices rise; the change was made on the branch rates; once a run here leaves the same outputs, `cargo tdg pull` applies it
    (0)
    ");
    git(&scene.shop, &["merge", "-q", "--squash", "rates"]);
    commit(&scene.shop, "Raise rates");
    changed(&scene.shop).fails();
    insta::assert_snapshot!(scene.pull(&[]), @"
    accepted total, 13 cases, tests/snapshots/pricing__total.snap, by team: prices rise
    (0)
    ");
    changed(&scene.shop).passes();
}

#[test]
fn a_change_of_a_ci_job_is_brought_to_the_branch_and_the_commits_that_it_was_about() {
    let named = [("GITLAB_CI", "true"), ("CI_COMMIT_REF_NAME", "rates")];
    for (variables, branch) in [(&named[..], "rates"), (&[], "main")] {
        let scene = Scene::of_ci(variables);
        scene.decide("decision=accept");
        match branch {
            "main" => git(&scene.shop, &["merge", "-q", "rates"]),
            _ => git(&scene.shop, &["symbolic-ref", "HEAD", "refs/heads/rates"]),
        }
        insta::allow_duplicates!(insta::assert_snapshot!(scene.pull(&[]), @"
        accepted total, 13 cases, tests/snapshots/pricing__total.snap, by team
        (0)
        "));
    }
}

#[test]
fn a_change_that_is_in_no_commit_is_not_one_of_the_commit_before() {
    let scene = Scene::with("", |shop| {
        shop.write(".gitignore", "/target\n/.tdg\n*.snap.new\n");
        commit(shop, "Record");
        git(shop, &["branch", "main"]);
        shop.write("rates.txt", "103 %");
        let run = changed(shop).fails();
        shop.remove(TOTAL_NEW);
        run
    });
    scene.decide("decision=accept");
    git(&scene.shop, &["checkout", "-q", "main"]);
    insta::assert_snapshot!(scene.pull(&[]), @"
    left total, tests/snapshots/pricing__total.snap, by team; the change was made on the branch rates; once a run here leaves the same outputs, `cargo tdg pull` applies it
    (0)
    ");
    assert_eq!(scene.shop.read(TOTAL), scene.before);
}

#[test]
fn a_decision_that_came_by_a_key_is_named_and_writes_no_file() {
    let scene = Scene::new("");
    scene.decide("decision=accept&reason=prices+rise");
    scene.pull(&[]);
    let settings = scene.shop.read("tdg.toml");
    let other = Team::start();
    let elsewhere = settings.replace(&scene.team.server.url, &other.server.url);
    scene.shop.write("tdg.toml", &elsewhere);
    other.run(&scene.shop, &["push"]).passes();

    let clone = other.clone_of(&scene.shop);
    git(&clone, &["init", "-q", "-b", "rates"]);
    clone.write(TOTAL, &scene.before);
    let pull = |arguments: &[&str]| {
        let told = other.says(&clone, &[&["pull"], arguments].concat());
        let lines = told
            .lines()
            .filter(|line| line.contains(" total, ") || line.starts_with('('));
        lines.collect::<Vec<_>>().join("\n")
    };
    for dry_run in [&["--dry-run"][..], &[]] {
        insta::allow_duplicates!(insta::assert_snapshot!(pull(dry_run), @"
        left total, tests/snapshots/pricing__total.snap, by team, through key team: prices rise; the server does not confirm that it was decided on its page; decide here, with `cargo tdg review`
        (1)
        "));
    }
    insta::assert_snapshot!(pull(&[]), @"(0)");
    assert_eq!(clone.read(TOTAL), scene.before);
    let history = tdg(&clone, &["history", "total"]).passes().stdout;
    assert!(
        history.contains("team, through key team  prices rise"),
        "{history}"
    );
    let lines = tdg(&clone, &["history", "total", "--json"]).passes().stdout;
    assert!(lines.contains(r#""through":"key team""#), "{lines}");
    let own = tdg(&scene.shop, &["history", "total"]).passes().stdout;
    assert!(own.contains("team  prices rise"), "{own}");
}

/// Returns a clone that rejected the change of `total`.
fn rejecting(scene: &Scene) -> Checkout<'static> {
    let clone = scene.team.clone_of(&scene.shop);
    git(&clone, &["init", "-q", "-b", "rates"]);
    clone.write(TOTAL, &scene.before);
    clone.pricing("total").env("FACTOR", "1.03").fails();
    tdg(&clone, &["reject", "total"]).passes();
    clone
}

/// Moves the time of a stored rejection 23 hours ahead, including in its identity.
fn date_ahead(store: &Path) {
    const HOURS: u64 = 23 * 3600 * 1_000_000;
    let store = Connection::open(store).unwrap();
    let rejected = "SELECT uuid FROM decision WHERE kind = 'rejected'";
    let mut uuid: [u8; 16] = store.query_row(rejected, [], |row| row.get(0)).unwrap();
    // The first 48 bits are milliseconds.
    let moment = u64::from_be_bytes(uuid[..8].try_into().unwrap()) + ((HOURS / 1000) << 16);
    uuid[..8].copy_from_slice(&moment.to_be_bytes());
    let later = "UPDATE decision SET time = time + ?1, uuid = ?2 WHERE kind = 'rejected'";
    assert_eq!(store.execute(later, (HOURS as i64, uuid)), Ok(1));
}

#[test]
fn a_decision_of_a_clock_that_is_ahead_gives_way_to_those_that_came_later() {
    let scene = Scene::new("");
    let team = &scene.team;
    let ahead = rejecting(&scene);
    date_ahead(&ahead.path(".tdg/store.db"));
    team.run(&ahead, &["push"]).passes();

    scene.shop.pricing("total").env("FACTOR", "1.03").fails();
    let page = pushed_page(team, &scene.shop);
    SignedIn::by_key(&team.server.url, &team.key).send(&page, "decision=accept");
    for shop in [&scene.shop, &ahead] {
        let told = scene.pull_into(shop, &["--dry-run"]);
        assert!(told.starts_with("would accept total, 13 cases, "), "{told}");
    }

    team.run(&rejecting(&scene), &["push"]).passes();
    for shop in [&scene.shop, &ahead] {
        for dry_run in [&["--dry-run"][..], &[]] {
            let told = scene.pull_into(shop, dry_run);
            assert!(told.starts_with("rejected total"), "{told}");
            assert!(!told.contains("accept"), "{told}");
        }
        assert_eq!(shop.read(TOTAL), scene.before);
    }
}
