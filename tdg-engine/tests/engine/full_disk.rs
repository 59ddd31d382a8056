//! A disk that fills up while a snapshot is written costs only the new snapshot.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use tdg_engine::snapshot::save;

/// Runs in the test below, with a limit on the size of files.
#[test]
#[ignore = "the other end of the test below"]
fn save_more_than_fits() {
    let Some(path) = env::var_os("SNAPSHOT") else {
        return;
    };
    let error = save(Path::new(&path), &"new".repeat(100_000)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("can't be written and is unchanged"),
        "{error}"
    );
}

#[test]
fn the_old_snapshot_stays_when_the_new_one_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a__f.snap");
    save(&path, "old").unwrap();
    // The limit fails the same write as a full disk; its signal, which would kill, is trapped. The
    // child's output goes into a pipe, because the limit would apply to a log file too.
    let child = Command::new("sh")
        .args([
            "-c",
            r#"trap '' XFSZ; ulimit -f 16; exec "$0" --exact full_disk::save_more_than_fits --ignored"#,
        ])
        .arg(env::current_exe().unwrap())
        .env("SNAPSHOT", &path)
        .output()
        .unwrap();
    let has_run = String::from_utf8_lossy(&child.stdout).contains("1 passed");
    assert!(child.status.success() && has_run, "{child:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
