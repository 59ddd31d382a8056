//! Many processes and threads at once, and killed processes. Each process is this test binary
//! again, with a task selected by the environment.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs, process, thread};

use tdg_engine::Verdict;
use tdg_engine::store::{Decision, DecisionKind, Run, RunStore, Store};

use crate::sample::{ensemble, pending, run, test};

const ROLE: &str = "TDG_TEST_STORE_ROLE";
const DIRECTORY: &str = "TDG_TEST_STORE_DIRECTORY";
const MANY: usize = 64;
const ROUNDS: usize = 20;
/// The runs per process, few enough that the store keeps them all.
const RUNS: usize = 15;

fn start(role: &str, directory: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args([
            "processes::child",
            "--exact",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(ROLE, role)
        .env(DIRECTORY, directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the task of a started process; does nothing in an ordinary test run.
#[test]
fn child() {
    let Ok(role) = env::var(ROLE) else { return };
    let directory = PathBuf::from(env::var(DIRECTORY).unwrap());
    match role.as_str() {
        "same" => assert_once(&directory),
        "leave" => leave_without_closing(&directory),
        "run" => run_and_tell(&directory),
        "record" => record_forever(&directory),
        "accept" => accept_forever(&directory),
        _ => panic!("no role {role}"),
    }
}

fn assert_once(directory: &Path) {
    let orders = ensemble();
    let store = Store::open(directory).unwrap();
    store
        .commit(&run(&test("total"), &orders, Verdict::Same, "[1,2,3]"))
        .unwrap();
}

/// Exits like a test binary, whose shared store is never dropped.
fn leave_without_closing(directory: &Path) {
    let orders = ensemble();
    let store = Store::shared(directory).unwrap();
    for _ in 0..50 {
        store
            .commit(&run(&test("total"), &orders, Verdict::Same, "[1,2,3]"))
            .unwrap();
    }
}

#[test]
fn the_log_stays_short_when_no_process_closes_the_store() {
    let root = tempfile::tempdir().unwrap();
    for _ in 0..8 {
        assert!(start("leave", root.path()).wait().unwrap().success());
    }
    let log = root.path().join("store.db-wal").metadata().unwrap().len();
    assert!((1..300_000).contains(&log), "{log} bytes");
    let store = Store::open(root.path()).unwrap();
    assert_eq!(
        store.history(&test("total"), usize::MAX).unwrap().len(),
        400
    );
}

/// Writes numbered runs of one test and prints each number once the run is written.
fn run_and_tell(directory: &Path) {
    let (orders, total) = (ensemble(), test("total"));
    let store = RunStore::at(directory);
    let first = u64::from(process::id()) * RUNS as u64;
    println!();
    for cases in first..first + RUNS as u64 {
        let mut run = run(&total, &orders, Verdict::Same, "[1,2,3]");
        run.facts.cases = cases;
        store.commit(&run, &|_| false).unwrap();
        println!("{cases}");
    }
}

/// Returns the runs that a process has printed, and kills it after `most`, if it gets there.
fn told(mut child: Child, most: usize) -> Vec<u64> {
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let runs = stdout.lines().filter_map(|line| line.ok()?.parse().ok());
    let told = runs.take(most).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    told
}

#[test]
fn runs_next_to_a_constantly_opened_store_are_in_it_once() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join(".tdg");
    let history = || {
        let store = Store::open(&directory).unwrap();
        let history = store.history(&test("total"), usize::MAX).unwrap();
        let cases = history.iter().map(|it| it.facts.as_ref().unwrap().cases);
        let mut cases: Vec<u64> = cases.collect();
        cases.sort_unstable();
        cases
    };
    let told = thread::scope(|scope| {
        let children = (0..MANY).map(|number| {
            let child = start("run", &directory);
            // Every other process is killed partway through.
            let most = if number % 2 == 0 { number % RUNS } else { RUNS };
            scope.spawn(move || told(child, most))
        });
        let children: Vec<_> = children.collect();
        while children.iter().any(|child| !child.is_finished()) {
            history();
        }
        let told = children.into_iter().map(|child| child.join().unwrap());
        told.collect::<Vec<_>>().concat()
    });
    let history = history();
    assert!(told.len() > MANY * RUNS / 2, "{}", told.len());
    let twice = history.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None);
    let lost = told.iter().find(|run| history.binary_search(run).is_err());
    assert_eq!(lost, None);
}

fn assert_complete(directory: &Path) {
    let store = Store::open(directory).unwrap();
    assert_eq!(
        store.history(&test("total"), usize::MAX).unwrap().len(),
        MANY
    );
    let connection = rusqlite::Connection::open(store.file()).unwrap();
    for table in ["project", "definition", "ensemble", "test", "benchmark"] {
        let count: i64 = connection
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(count, 1, "{table}");
    }
}

#[test]
fn many_processes_on_a_store_that_does_not_exist_yet_lose_nothing() {
    for _ in 0..ROUNDS {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join(".tdg");
        let children: Vec<_> = (0..MANY).map(|_| start("same", &directory)).collect();
        for child in children {
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{stderr}");
        }
        assert_complete(&directory);
        let mut left: Vec<_> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.retain(|name| name != "runs");
        left.sort();
        assert_eq!(left, [".gitignore", "store.db", "store.lock"]);
    }
}

#[test]
fn many_threads_with_a_connection_each_lose_nothing() {
    for _ in 0..ROUNDS {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join(".tdg");
        thread::scope(|scope| {
            for _ in 0..MANY {
                scope.spawn(|| assert_once(&directory));
            }
        });
        assert_complete(&directory);
    }
}

#[test]
fn many_threads_on_the_shared_connection_lose_nothing() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join(".tdg");
    thread::scope(|scope| {
        for _ in 0..MANY {
            scope.spawn(|| {
                let orders = ensemble();
                let store = Store::shared(&directory).unwrap();
                store
                    .commit(&run(&test("total"), &orders, Verdict::Same, "[1,2,3]"))
                    .unwrap();
            });
        }
    });
    assert_complete(&directory);
}

/// Returns outputs over many pages, so that a transaction can be killed at many moments. Each
/// output is the version.
fn outputs(version: usize) -> String {
    format!(
        "[{}]",
        vec![version.to_string(); 3000 + version % 1000].join(",")
    )
}

fn version(outputs: &str) -> usize {
    let first = outputs
        .trim_start_matches('[')
        .split([',', ']'])
        .next()
        .unwrap();
    first.parse().unwrap()
}

fn acknowledge(version: usize) {
    println!("done {version}");
    std::io::stdout().flush().unwrap();
}

/// Returns the version after the last process's.
fn next_version(store: &Store) -> usize {
    store
        .benchmark(&test("total"))
        .unwrap()
        .map_or(0, |benchmark| version(&benchmark.outputs) + 1)
}

fn record_forever(directory: &Path) {
    let (total, orders) = (test("total"), ensemble());
    let store = Store::open(directory).unwrap();
    for version in next_version(&store).. {
        store
            .commit(&run(&total, &orders, Verdict::Recorded, &outputs(version)))
            .unwrap();
        acknowledge(version);
    }
}

fn accept_forever(directory: &Path) {
    let accepted = Decision::new(DecisionKind::Accepted);
    let (total, orders) = (test("total"), ensemble());
    let store = Store::open(directory).unwrap();
    for version in next_version(&store).. {
        let outputs = outputs(version);
        let changed = Run {
            benchmark: None,
            pending: pending(&orders, &outputs),
            ..run(&total, &orders, Verdict::Changed, "")
        };
        store.commit(&changed).unwrap();
        let change = store.pending_change(&total).unwrap().unwrap();
        store.accept(&total, change.uuid, &accepted).unwrap();
        acknowledge(version);
    }
}

/// All rounds use one store, so each starts with the leftovers of a kill.
fn kill_and_look(role: &str) {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join(".tdg");
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    for round in 0..50 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut child = start(role, &directory);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // The first line is printed before any file is opened, so creation is interrupted as well.
        let acknowledged = lines
            .map(|line| line.unwrap())
            .take(usize::try_from(random % 8).unwrap() + 1)
            .filter_map(|line| line.rsplit_once("done ")?.1.parse::<usize>().ok())
            .last();
        // Waits for a moment during the next step, chosen by the seed.
        for _ in 0..random >> 44 {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let store = Store::open(&directory).unwrap();
        if let Some(benchmark) = store.benchmark(&test("total")).unwrap() {
            let found = version(&benchmark.outputs);
            assert_eq!(benchmark.outputs, outputs(found), "round {round}");
            assert!(
                acknowledged.is_none_or(|acknowledged| found >= acknowledged),
                "round {round}"
            );
        } else {
            assert_eq!(acknowledged, None, "round {round}");
        }
        let connection = rusqlite::Connection::open(store.file()).unwrap();
        let sound: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(sound, "ok", "round {round}");
        let foreign: Option<String> = connection
            .query_row(
                "SELECT (SELECT \"table\" FROM pragma_foreign_key_check)",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(foreign, None, "round {round}");
    }
    let store = Store::open(&directory).unwrap();
    assert!(
        next_version(&store) > 50,
        "the processes were killed before they did anything"
    );
}

#[test]
fn a_process_that_is_killed_while_recording_leaves_the_old_benchmark_or_the_new_one() {
    kill_and_look("record");
}

#[test]
fn a_process_that_is_killed_while_accepting_leaves_the_old_benchmark_or_the_new_one() {
    kill_and_look("accept");
}
