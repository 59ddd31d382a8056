//! Kills a process while it adds records to a store. The process is this test binary again.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::{env, path::Path};

use tdg_conformance::replica::timed;
use tdg_conformance::store::{TestStore, histories, project};
use tdg_engine::store::Store;
use tdg_service::LocalReplica;
use tdg_service::Timestamp;
use tdg_service::record::{AssertionRecord, Record};
use tdg_service::sync::{RecordOutcome, Replica, Wanted};

const DIRECTORY: &str = "TDG_TEST_ADDS_TO";
const BATCH: usize = 50;

/// Returns the records of a run, and many batches of further assertions.
fn batches() -> Vec<Vec<Record>> {
    let there = TestStore::create();
    there.run("total", 1, "[1,2]");
    let replica = there.replica();
    let parts: Vec<u8> = (0..=u8::MAX).collect();
    let mut content = Vec::new();
    for kind in replica.digests().unwrap().into_keys() {
        let uuids = replica.identities(kind, &parts).unwrap();
        let wanted: Vec<Wanted> = uuids
            .into_iter()
            .map(|it| Wanted::Other(kind, it))
            .collect();
        content.extend(replica.records(&wanted).unwrap().into_iter().flatten());
    }
    let (benchmark, history) = histories(&replica).remove(0);
    let (time, uuid) = history[0];
    let wanted = Wanted::Assertion(benchmark, time, uuid);
    let Some(Record::Assertion(first)) = replica.records(&[wanted]).unwrap().remove(0) else {
        panic!("no assertion");
    };
    let assertion = |number: usize| {
        Record::Assertion(AssertionRecord {
            uuid: timed(Timestamp::from_micros(number as i64), number as u128),
            time: Timestamp::from_micros(number as i64),
            ..first.clone()
        })
    };
    let assertions: Vec<Record> = (0..900).map(assertion).collect();
    let batches = assertions.chunks(BATCH).map(<[Record]>::to_vec);
    // Decisions are random, but the batches must be the same in each process.
    content.retain(|record| !matches!(record, Record::Decision(_)));
    [content].into_iter().chain(batches).collect()
}

/// Does the task of the started process. In an ordinary test run, it does nothing.
#[test]
fn child() {
    let Ok(directory) = env::var(DIRECTORY) else {
        return;
    };
    let store = Store::open(Path::new(&directory)).unwrap();
    let replica = LocalReplica::new(&store, project());
    for batch in batches() {
        replica.add(&batch).unwrap();
        println!("added");
    }
}

#[test]
fn a_store_that_was_killed_while_it_added_has_whole_batches() {
    for lines in [0, 1, 2, 5, 9] {
        let root = TestStore::create();
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["crashes::child", "--exact", "--nocapture"])
            .env(DIRECTORY, root.directory())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        let added = said
            .map_while(Result::ok)
            .filter(|line| line.contains("added"));
        assert_eq!(added.take(lines).count(), lines);
        child.kill().unwrap();
        child.wait().unwrap();

        let assertions = usize::try_from(root.count("assertion")).unwrap();
        assert_eq!(assertions % BATCH, 0);
        assert!(assertions >= lines.saturating_sub(1) * BATCH);
        // Adding resumes where it stopped.
        let replica = root.replica();
        for batch in batches() {
            let answers = replica.add(&batch).unwrap();
            let is_there =
                |it: &RecordOutcome| matches!(it, RecordOutcome::Made | RecordOutcome::Had);
            assert!(answers.iter().all(is_there), "{answers:?}");
        }
        assert_eq!(histories(&replica)[0].1.len(), 900);
    }
}
