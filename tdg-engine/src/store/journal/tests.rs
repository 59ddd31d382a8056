//! Runs that go through the journal, and their effect on the store.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::thread;
use std::time::Duration;

use tdg_definition::Policy;
use tdg_definition::json::{self, Value};
use tempfile::TempDir;

use super::{Appended, Journal, LONG, TakenJournal};
use crate::checkout::Checkout;
use crate::ensemble::Ensemble;
use crate::store::{
    Claim, Decision, DecisionKind, Expected, PendingUpdate, Run, RunFacts, RunStore, STORE, Store,
    StoreProblem,
};
use crate::test_id::TestId;
use crate::verdict::Verdict;

/// A directory for a store and a test in it.
struct Fixture {
    root: TempDir,
    test: TestId,
    ensemble: Ensemble,
    checkout: Checkout,
}

impl Fixture {
    fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
            test: TestId {
                package: "shop".to_owned(),
                source: "src/lib.rs".to_owned(),
                name: "total".to_owned(),
            },
            ensemble: Ensemble {
                name: "orders".to_owned(),
                size: 1,
                seed: u64::MAX,
                sampler_version: 1,
                digest: "0".repeat(32),
                definition: "{}".to_owned(),
                rows: None,
            },
            checkout: Checkout {
                commit: Some("a".repeat(40)),
                branch: None,
            },
        }
    }

    fn directory(&self) -> &Path {
        self.root.path()
    }

    /// Returns a run that passes with these outputs; `cases` identifies it.
    fn run<'a>(&'a self, cases: u64, outputs: &'a str) -> Run<'a> {
        Run {
            test: &self.test,
            claim: Claim {
                function: "total",
                run: None,
            },
            facts: RunFacts {
                tolerance_use: Some(0.25),
                policy: Some(Policy::exact()),
                checkout: self.checkout.clone(),
                platform: Some(("linux".to_owned(), "x86_64".to_owned())),
                ..RunFacts::new(Verdict::Same, cases)
            },
            policy: Some("{}"),
            benchmark: Some(Expected {
                ensemble: &self.ensemble,
                vectors: None,
                outputs,
            }),
            pending: PendingUpdate::Clear,
            decision: None,
        }
    }

    /// Commits the run and returns the outputs that it replaces, if any.
    fn commit(&self, run: &Run<'_>) -> Option<String> {
        let committed = RunStore::at(self.directory()).commit(run, &|_| false);
        committed.unwrap().map(|replaced| replaced.outputs)
    }

    fn journal(&self) -> Journal {
        Journal::new(self.directory(), &self.test)
    }

    /// Returns the number of runs that are only in the journal.
    fn appended(&self) -> usize {
        match fs::read_to_string(self.journal().path()) {
            Ok(journal) => journal.lines().skip(2).count(),
            Err(_) => 0,
        }
    }

    /// Returns the history, oldest first.
    fn history(&self) -> Vec<u64> {
        let store = Store::open(self.directory()).unwrap();
        let history = store.history(&self.test, usize::MAX).unwrap();
        history
            .iter()
            .rev()
            .map(|it| it.facts.as_ref().unwrap().cases)
            .collect()
    }
}

#[test]
fn runs_that_only_extend_the_history_open_no_database() {
    let shop = Fixture::new();
    for (cases, appended) in [(0, 0), (1, 1), (2, 2)] {
        shop.commit(&shop.run(cases, "[1]"));
        assert_eq!(shop.appended(), appended);
    }
    assert_eq!(shop.history(), [0, 1, 2]);
    assert_eq!(shop.history(), [0, 1, 2]);
    assert!(TakenJournal::names(shop.directory()).unwrap().is_empty());

    let store = Store::open(shop.directory()).unwrap();
    let [.., first] = &store.history(&shop.test, 10).unwrap()[..] else {
        panic!()
    };
    let last = &store.history(&shop.test, 1).unwrap()[0];
    let expected = crate::store::HistoryEntry {
        uuid: last.uuid,
        timestamp: last.timestamp,
        facts: Some(shop.run(2, "[1]").facts),
        ..first.clone()
    };
    assert_eq!(last, &expected);
    assert_eq!(last.uuid.get_version_num(), 7);
}

#[test]
fn other_outputs_another_policy_and_changes_go_through_the_store() {
    let shop = Fixture::new();
    for cases in 0..2 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    shop.commit(&shop.run(2, "[2]"));
    assert_eq!(shop.appended(), 0);
    shop.commit(&shop.run(3, "[2]"));
    assert_eq!(shop.appended(), 1);
    let policy = Some("{\"allow_changed\":1}");
    shop.commit(&Run {
        policy,
        ..shop.run(4, "[2]")
    });
    assert_eq!(shop.appended(), 0);
    let changed = Run {
        facts: RunFacts::new(Verdict::Changed, 5),
        pending: PendingUpdate::Set {
            outputs: shop.run(0, "[3]").benchmark.unwrap(),
            takes: None,
            recorded_outputs: None,
            is_reported: false,
        },
        policy,
        ..shop.run(5, "[2]")
    };
    shop.commit(&changed);
    assert_eq!(
        Store::open(shop.directory())
            .unwrap()
            .pending_changes()
            .unwrap()
            .len(),
        1
    );
    // The first passing run removes the pending change, though its benchmark is already stored.
    shop.commit(&Run {
        policy,
        ..shop.run(6, "[2]")
    });
    assert_eq!(shop.appended(), 0);
    assert!(
        Store::open(shop.directory())
            .unwrap()
            .pending_changes()
            .unwrap()
            .is_empty()
    );
    assert_eq!(shop.history(), [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_line_that_comes_too_late_is_in_the_history_once() {
    for is_read_before in [false, true] {
        let shop = Fixture::new();
        shop.commit(&shop.run(0, "[1]"));
        let (mut file, _) = shop.journal().open().unwrap();
        assert!(super::is_at(&file, &shop.journal().path()));
        let run = shop.run(1, "[1]");
        let moment = crate::store::Moment::after(0);
        let line = super::line::render(&super::RunEntry::new(&run, moment).to_value());
        if !is_read_before {
            file.write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(shop.history().len(), 1 + usize::from(!is_read_before));
        assert!(!super::is_at(&file, &shop.journal().path()));
        let store = Store::open(shop.directory()).unwrap();
        store.commit_at(&run, Some(moment), &|_| false).unwrap();
        assert_eq!(shop.history(), [0, 1]);
        // The next one is numbered as the third.
        assert_eq!(shop.commit(&shop.run(2, "[1]")), None);
        assert_eq!(shop.history(), [0, 1, 2]);
    }
}

#[test]
fn a_journal_that_was_taken_and_not_removed_is_taken_in_once() {
    let shop = Fixture::new();
    for cases in 0..3 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    let left = shop.journal().take().unwrap().unwrap();
    // As if killed before it was committed, …
    assert_eq!(left.content.as_ref().unwrap().entries.len(), 2);
    let journal = fs::read(&left.file).unwrap();
    shop.commit(&shop.run(3, "[1]"));
    assert_eq!(shop.history(), [0, 1, 2, 3]);
    // … or before it was removed.
    fs::write(&left.file, journal).unwrap();
    assert_eq!(shop.history(), [0, 1, 2, 3]);
    assert!(!left.file.exists());
}

#[test]
fn two_functions_of_one_name_are_found_wherever_the_other_is() {
    let claimed = |shop: &Fixture, function, outputs| {
        let claim = Claim {
            function,
            run: Some("one-run"),
        };
        let run = Run {
            claim,
            ..shop.run(1, outputs)
        };
        match RunStore::at(shop.directory()).commit(&run, &|_| false) {
            Ok(_) => None,
            Err(error) => match &error.problem {
                StoreProblem::Claimed { by } => Some(by.clone()),
                problem => panic!("{problem:?}"),
            },
        }
    };
    for outputs in ["[1]", "[2]"] {
        // The claim is in the store, or in the head of the journal.
        let shop = Fixture::new();
        assert_eq!(claimed(&shop, "total", "[1]"), None);
        assert_eq!(claimed(&shop, "other", outputs).as_deref(), Some("total"));
        assert_eq!(claimed(&shop, "total", outputs), None);
        // The claim is in a line of the journal.
        let shop = Fixture::new();
        shop.commit(&shop.run(0, "[1]"));
        assert_eq!(claimed(&shop, "total", "[1]"), None);
        assert_eq!(shop.appended(), 1);
        assert_eq!(claimed(&shop, "other", outputs).as_deref(), Some("total"));
        // The claim is in a line that was taken in.
        assert_eq!(shop.history(), [0, 1]);
        assert_eq!(claimed(&shop, "other", outputs).as_deref(), Some("total"));
    }
    // The claim is in a head of any length.
    let shop = Fixture::new();
    let policy = format!(r#"{{"ignore":["/{}"]}}"#, "a".repeat(2 * super::RECENT));
    let claimed_by = |function| Run {
        claim: Claim {
            function,
            run: Some("one-run"),
        },
        policy: Some(&policy),
        ..shop.run(1, "[1]")
    };
    shop.commit(&claimed_by("total"));
    assert_eq!(shop.appended(), 0);
    let other = shop.journal().append(&claimed_by("other"), None);
    assert!(matches!(other, Err(StoreProblem::Claimed { by }) if by == "total"));
    // The claim is in a line of a long journal, before lines of concurrent functions.
    let shop = Fixture::new();
    for cases in 0..100 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    assert_eq!(claimed(&shop, "total", "[1]"), None);
    for cases in 0..10 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    assert_eq!(claimed(&shop, "other", "[1]").as_deref(), Some("total"));
}

#[test]
fn of_two_functions_at_once_one_is_refused() {
    let shop = Fixture::new();
    shop.commit(&shop.run(0, "[1]"));
    let journal = shop.journal();
    let opened = [(); 2].map(|()| journal.open().unwrap());
    let refused = ["total", "other"]
        .iter()
        .zip(opened)
        .map(|(function, opened)| {
            let claim = Claim {
                function,
                run: Some("one-run"),
            };
            let run = Run {
                claim,
                ..shop.run(1, "[1]")
            };
            journal.append_to(opened, &run, None).is_err()
        });
    assert_eq!(refused.collect::<Vec<_>>(), [false, true]);
}

#[test]
fn what_a_later_version_wrote_is_left_to_it() {
    let shop = Fixture::new();
    for cases in 0..2 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    let journal = fs::read_to_string(shop.journal().path()).unwrap();
    let lines: Vec<Value> = super::line::parse(journal.as_bytes()).collect();
    let known = fs::read_dir(super::directory(shop.directory()))
        .unwrap()
        .count();
    fs::create_dir(super::directory(shop.directory()).join("folder")).unwrap();
    for later in [
        ["{}", &lines[1].to_string()],
        [&lines[0].to_string(), "{\"verdict\":\"new\"}"],
    ] {
        let values = later.map(|text| json::parse(text).unwrap());
        let text = values.map(|value| super::line::render(&value)).concat();
        fs::write(shop.journal().closed(), text).unwrap();
    }
    assert_eq!(shop.history(), [0, 1]);
    assert_eq!(
        TakenJournal::names(shop.directory()).unwrap().len(),
        known + 1
    );
}

#[test]
fn a_journal_whose_benchmark_is_torn_is_set_aside() {
    let shop = Fixture::new();
    shop.journal().record(&shop.run(0, "[1]")).unwrap();
    let journal = fs::read_to_string(shop.journal().path()).unwrap();
    assert_eq!(journal.lines().count(), 4, "{journal}");
    let torn = [
        journal.replacen("\"[1]\"", "\"[2]\"", 1),
        journal[..journal.find("outputs").unwrap()].to_owned(),
    ];
    for torn in torn {
        fs::write(shop.journal().closed(), torn).unwrap();
    }
    let store = Store::open(shop.directory()).unwrap();
    assert_eq!(store.unreadable(), 2);
    assert_eq!(shop.history(), [0]);
}

#[test]
fn no_run_is_appended_to_a_journal_that_lost_the_end_of_its_benchmark() {
    let shop = Fixture::new();
    shop.journal().record(&shop.run(0, "[1]")).unwrap();
    let journal = fs::read(shop.journal().path()).unwrap();
    let end = journal.iter().rposition(|byte| *byte == b'\n').unwrap();
    let begin = journal.windows(7).position(|it| it == b"outputs").unwrap();
    let lost = [&journal[..begin], &vec![0; end - begin]].concat();
    fs::write(shop.journal().path(), lost).unwrap();
    let appended = shop.journal().append(&shop.run(1, "[1]"), None);
    assert_eq!(appended.unwrap(), Appended::Unfit);
}

#[test]
fn a_long_journal_is_taken_in() {
    let shop = Fixture::new();
    shop.commit(&shop.run(0, "[1]"));
    let mut longest = 0;
    for cases in 1..=400 {
        shop.commit(&shop.run(cases, "[1]"));
        longest = longest.max(fs::read(shop.journal().path()).unwrap().len());
    }
    assert!((LONG..LONG + 1000).contains(&longest), "{longest}");
    assert_eq!(shop.history(), Vec::from_iter(0..=400));
}

#[test]
fn torn_lines_are_skipped() {
    let shop = Fixture::new();
    for cases in 0..2 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    let mut journal = OpenOptions::new()
        .append(true)
        .open(shop.journal().path())
        .unwrap();
    journal.write_all(b"\n{\"cases\":9,\"cha").unwrap();
    shop.commit(&shop.run(2, "[1]"));
    assert_eq!(shop.appended(), 3);
    assert_eq!(shop.history(), [0, 1, 2]);
    // A journal with a torn head is ignored.
    shop.commit(&shop.run(3, "[1]"));
    fs::write(shop.journal().path(), "\n{\"benchmark\":\"").unwrap();
    shop.commit(&shop.run(4, "[1]"));
    assert_eq!(shop.history(), [0, 1, 2, 3, 4]);
}

#[test]
fn a_clock_that_was_set_back_does_not_reorder_a_journal() {
    let shop = Fixture::new();
    shop.commit(&shop.run(0, "[1]"));
    let tomorrow = crate::store::moment::now() + 86_400_000_000;
    let moment = crate::store::Moment::at(tomorrow);
    let run = shop.run(1, "[1]");
    assert_eq!(
        shop.journal().append(&run, Some(moment)).unwrap(),
        Appended::Written
    );
    shop.commit(&shop.run(2, "[1]"));
    assert_eq!(shop.history(), [0, 1, 2]);
    shop.commit(&shop.run(3, "[1]"));
    shop.commit(&shop.run(4, "[1]"));
    assert_eq!(shop.appended(), 1);
    assert_eq!(shop.history(), [0, 1, 2, 3, 4]);
}

#[test]
fn a_build_without_a_database_keeps_its_history_for_one_that_has() {
    let shop = Fixture::new();
    let record = |run: &Run<'_>| shop.journal().record(run).unwrap();
    let decision = Decision {
        reason: Some("a\nb".to_owned()),
        dirty: Some(true),
        ..Decision::new(DecisionKind::Recorded)
    };
    record(&Run {
        decision: Some(&decision),
        facts: RunFacts::new(Verdict::Recorded, 0),
        ..shop.run(0, "[1]")
    });
    record(&shop.run(1, "[1]"));
    record(&Run {
        facts: RunFacts::new(Verdict::Changed, 2),
        pending: PendingUpdate::Keep,
        ..shop.run(2, "[1]")
    });
    let policy = Some("{\"allow_changed\":1}");
    let judged_by = Policy::parse("{\"allow_changed\":0.5}").ok();
    record(&Run {
        facts: RunFacts {
            policy: judged_by.clone(),
            ..RunFacts::new(Verdict::Same, 3)
        },
        policy,
        ..shop.run(3, "[1]")
    });
    record(&Run {
        policy,
        ..shop.run(4, "[2]")
    });
    assert_eq!(TakenJournal::names(shop.directory()).unwrap().len(), 3);
    assert!(Store::open_existing(shop.directory()).unwrap().is_some());
    let nowhere = shop.directory().join("nowhere");
    assert!(Store::open_existing(&nowhere).unwrap().is_none() && !nowhere.exists());

    assert_eq!(shop.history(), [0, 1, 2, 3, 4]);
    let store = Store::open(shop.directory()).unwrap();
    let benchmark = store.benchmark(&shop.test).unwrap().unwrap();
    assert_eq!(benchmark.outputs, "[2]");
    assert_eq!(benchmark.ensemble, shop.ensemble);
    let decisions = store.decisions(&shop.test).unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0].decision, decision);
    let history = store.history(&shop.test, 10).unwrap();
    let policies = history.iter().map(|it| &it.facts.as_ref().unwrap().policy);
    let exact = Some(Policy::exact());
    assert!(policies.eq([&exact, &judged_by, &None, &exact, &None]));
    let verdicts = history.iter().map(|it| it.verdict().as_str());
    assert!(verdicts.eq(["same", "same", "changed", "same", "recorded"]));

    // Each build continues with the other's files.
    assert_eq!(
        shop.commit(&Run {
            policy,
            ..shop.run(5, "[2]")
        }),
        None
    );
    record(&Run {
        policy,
        ..shop.run(6, "[2]")
    });
    assert_eq!(shop.appended(), 1);
    record(&Run {
        policy,
        ..shop.run(7, "[1]")
    });
    shop.commit(&Run {
        policy,
        ..shop.run(8, "[1]")
    });
    assert_eq!(shop.history(), Vec::from_iter(0..9));
}

#[test]
fn without_a_database_about_as_many_runs_are_kept_as_in_the_store() {
    let shop = Fixture::new();
    for cases in 0..2000 {
        shop.journal().record(&shop.run(cases, "[1]")).unwrap();
    }
    let history = shop.history();
    assert!((1000..1500).contains(&history.len()), "{}", history.len());
    assert_eq!(history.last(), Some(&1999));
    assert!(history.is_sorted());
}

#[test]
fn many_threads_without_a_database_lose_nothing() {
    const THREADS: usize = 8;
    const RUNS: usize = 30;
    let shop = Fixture::new();
    let store = Store::open(shop.directory()).unwrap();
    let shop = &shop;
    thread::scope(|scope| {
        for first in 0..THREADS {
            scope.spawn(move || {
                for cases in (first..THREADS * RUNS).step_by(THREADS) {
                    // The benchmark changes now and then, and the journal with it.
                    let outputs = ["[1]", "[2]"][cases / 50 % 2];
                    shop.journal()
                        .record(&shop.run(cases as u64, outputs))
                        .unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..20 {
                store.take_in_all().unwrap();
            }
        });
    });
    let mut history = shop.history();
    history.sort_unstable();
    assert_eq!(history, Vec::from_iter(0..(THREADS * RUNS) as u64));
}

#[test]
fn runs_of_a_benchmark_that_was_removed_are_gone_with_it() {
    let shop = Fixture::new();
    for cases in 0..2 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    fs::remove_file(shop.directory().join(STORE)).unwrap();
    // Nothing is appended if the database is missing, …
    assert_eq!(
        shop.journal().append(&shop.run(2, "[1]"), None).unwrap(),
        Appended::Unfit
    );
    // … or was replaced, no matter which test created the new one.
    let store = Store::open_within(shop.directory(), Duration::ZERO).unwrap();
    assert_eq!(
        shop.journal().append(&shop.run(2, "[1]"), None).unwrap(),
        Appended::Unfit
    );
    store.commit(&shop.run(2, "[1]")).unwrap();
    assert_eq!(
        shop.journal().append(&shop.run(3, "[1]"), None).unwrap(),
        Appended::Written
    );
    assert_eq!(shop.history(), [2, 3]);
}

#[test]
fn only_what_has_the_name_of_a_journal_and_begins_like_one_is_taken() {
    let shop = Fixture::new();
    for cases in 0..2 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    let runs = super::directory(shop.directory());
    let journal = fs::read_to_string(shop.journal().path()).unwrap();
    let foreign = [
        ("results.txt", journal.as_str()),
        (".hidden", ""),
        ("0123456789abcdef.csv", &journal),
        ("0123456789ABCDEF", &journal),
        ("0123456789abcdef", "of somebody else"),
        ("0123456789abcdef.0123456789abcdef0123456789abcdef", "{}"),
    ];
    for (name, text) in foreign {
        fs::write(runs.join(name), text).unwrap();
    }
    assert_eq!(shop.history(), [0, 1]);
    fs::remove_file(shop.directory().join(STORE)).unwrap();
    assert_eq!(shop.history(), Vec::<u64>::new());
    // A build without SQLite is equally careful with possible journals of its test.
    for cases in 0..2 {
        let journal = shop.journal();
        fs::write(runs.join(format!("{}.txt", journal.name)), "notes").unwrap();
        fs::write(
            runs.join(format!("{}.{}", journal.name, "0".repeat(32))),
            "notes",
        )
        .unwrap();
        for outputs in 0..=65 {
            let outputs = format!("[{outputs}]");
            journal.record(&shop.run(cases, &outputs)).unwrap();
        }
        assert_eq!(
            fs::read_to_string(runs.join(format!("{}.txt", journal.name))).unwrap(),
            "notes"
        );
        let closed = runs.join(format!("{}.{}", journal.name, "0".repeat(32)));
        assert_eq!(fs::read_to_string(closed).unwrap(), "notes");
    }
    for (name, text) in foreign {
        assert_eq!(fs::read_to_string(runs.join(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn a_journal_that_can_not_be_read_is_set_aside_and_counted_once() {
    let shop = Fixture::new();
    for cases in 0..2 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    let journal = fs::read(shop.journal().path()).unwrap();
    // The journal of another test, cut by a kill or a full disk, or damaged later.
    let runs = super::directory(shop.directory());
    let mut damaged = journal.clone();
    damaged[10] ^= 1;
    let unreadable = [&journal[..20], &journal[..0], &damaged];
    for (number, journal) in unreadable.iter().enumerate() {
        fs::write(runs.join(format!("{number:016x}")), journal).unwrap();
    }
    let store = Store::open(shop.directory()).unwrap();
    assert_eq!(store.unreadable(), 3);
    let aside = fs::read_dir(&runs)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut aside: Vec<Vec<u8>> = aside
        .filter(|path| path.extension().is_some_and(|it| it == "unreadable"))
        .map(|path| fs::read(path).unwrap())
        .collect();
    aside.sort_by_key(Vec::len);
    assert_eq!(aside, [&journal[..0], &journal[..20], &damaged]);
    assert_eq!(Store::open(shop.directory()).unwrap().unreadable(), 0);
    assert_eq!(shop.history(), [0, 1]);
    // A run leaves its own unreadable journal to the next command.
    shop.commit(&shop.run(2, "[1]"));
    fs::write(shop.journal().path(), &damaged).unwrap();
    for cases in 3..5 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    assert_eq!(Store::open(shop.directory()).unwrap().unreadable(), 1);
    assert_eq!(shop.history(), [0, 1, 2, 3, 4]);
}

#[test]
fn a_journal_begun_by_a_killed_process_is_not_a_journal() {
    let shop = Fixture::new();
    for cases in 0..2 {
        shop.commit(&shop.run(cases, "[1]"));
    }
    // As if killed before the link, or after it.
    let runs = super::directory(shop.directory());
    let left = [runs.join(".tdg-1-0.tmp"), runs.join(".tdg-1-1.tmp")];
    fs::write(&left[0], "\n{\"benchm").unwrap();
    fs::hard_link(shop.journal().path(), &left[1]).unwrap();
    shop.commit(&shop.run(2, "[1]"));
    let store = Store::open(shop.directory()).unwrap();
    assert_eq!(store.unreadable(), 0);
    assert_eq!(shop.history(), [0, 1, 2]);
    assert!(left.iter().all(|path| path.exists()));
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    for path in &left {
        let file = OpenOptions::new().append(true).open(path).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    assert_eq!(shop.history(), [0, 1, 2]);
    assert!(!left.iter().any(|path| path.exists()));
}

#[test]
fn nothing_begins_where_the_store_was_deleted() {
    let shop = Fixture::new();
    shop.commit(&shop.run(0, "[1]"));
    fs::remove_dir_all(shop.directory()).unwrap();
    let begun = shop.journal().begin(&shop.run(1, "[1]"), Some([0; 16]), 0);
    assert!(begun.is_err());
    assert!(!shop.directory().exists());
}
