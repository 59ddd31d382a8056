//! Checks that foreign files are never removed, renamed or overwritten.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

#[cfg(unix)]
use super::anonymous;
use super::{TOTAL, TOTAL_NEW, changed_shop, ended, tdg};

/// Returns a foreign folder with names that tdg uses too.
fn experiments() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("runs/sub")).unwrap();
    for name in [
        "results.txt",
        "model.bin",
        "events.out.tfevents",
        ".hidden",
        "sub/deep",
        "0123456789abcdef",
    ] {
        fs::write(folder.path().join("runs").join(name), [0xff, 0x00, 0x0a]).unwrap();
    }
    fs::write(folder.path().join("running"), "epoch 7\n".repeat(10_000)).unwrap();
    folder
}

/// Returns all files below a folder with their contents, sorted by path.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.push((name, fs::read(path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_store_outside_the_root_is_for_the_environment_to_name() {
    let (shop, ml) = (changed_shop(), experiments());
    let before = files(ml.path());
    let name = ml.path().file_name().unwrap().to_str().unwrap();
    for dir in [&format!("../{name}"), ml.path().to_str().unwrap()] {
        shop.write("tdg.toml", &format!("dir = \"{dir}\"\n"));
        for arguments in [&["history", "total"][..], &["sync", "status"], &["pull"]] {
            let refused = tdg(&shop, arguments).env("TDG_URL", "http://127.0.0.1:1");
            let text = ended(&shop, &refused.finish()).replace(dir, "<dir>");
            assert_eq!(
                text.trim(),
                "error: <shop>/tdg.toml: `dir` must be a path in <shop> without `..`, but is \
                 \"<dir>\"; to have the store elsewhere, set TDG_DIR\n(2)",
                "{arguments:?}"
            );
        }
    }
    assert_eq!(files(ml.path()), before);
}

#[test]
fn a_folder_of_another_user_is_not_used_and_stays_as_it_is() {
    let (shop, ml) = (changed_shop(), experiments());
    let before = files(ml.path());
    let there = |text: String| text.replace(ml.path().to_str().unwrap(), "<ml>");
    let history = tdg(&shop, &["history", "total"]).env("TDG_DIR", ml.path());
    insta::assert_snapshot!(there(ended(&shop, &history.finish())), @r#"
    error: the directory <ml> has files, but tdg did not create it (the first line of its .gitignore is not `# The local store of tdg.`): set `dir` in tdg.toml or TDG_DIR to another directory, or empty this one
    (2)
    "#);
    // The test still runs, since it needs only its snapshot file.
    let run = shop.pricing("total").env("TDG_DIR", ml.path()).passes();
    insta::assert_snapshot!(there(run.stderr), @"tdg: no history is kept: the directory <ml> has files, but tdg did not create it (the first line of its .gitignore is not `# The local store of tdg.`): set `dir` in tdg.toml or TDG_DIR to another directory, or empty this one");
    assert_eq!(files(ml.path()), before);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_the_store_is_not_followed() {
    use std::os::unix::fs::symlink;

    let (shop, ml) = (changed_shop(), experiments());
    let before = files(ml.path());
    shop.remove(".tdg");
    symlink(ml.path(), shop.path(".tdg")).unwrap();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    error: <shop>/.tdg is a symbolic link, which tdg does not follow to its local store: remove it, or set TDG_DIR to the directory of the store
    (2)
    ");
    insta::assert_snapshot!(anonymous(&shop, &shop.pricing("total").passes().stderr), @"tdg: no history is kept: <shop>/.tdg is a symbolic link, which tdg does not follow to its local store: remove it, or set TDG_DIR to the directory of the store");
    assert_eq!(files(ml.path()), before);
    shop.write("tdg.toml", "dir = \".tdg/runs/\"\n");
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["history", "total"]).finish()), @"
    error: <shop>/tdg.toml: `dir` must be a path in <shop> without symbolic links, but <shop>/.tdg is one; to have the store elsewhere, set TDG_DIR
    (2)
    ");
    assert_eq!(files(ml.path()), before);
    // A link from the user's own environment is followed.
    let (store, link) = (tempfile::tempdir().unwrap(), shop.path("link"));
    symlink(store.path(), &link).unwrap();
    let run = || shop.pricing("total").env("TDG_DIR", &link).passes();
    assert_eq!([run().stderr, run().stderr], ["", ""]);
    assert!(store.path().join("store.db").exists());
}

#[test]
fn in_the_store_only_files_of_tdg_are_taken_in_and_removed() {
    let shop = changed_shop();
    shop.pricing("total").passes();
    shop.pricing("total").passes();
    let runs = shop.path(".tdg/runs");
    let journal = fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read(&journal).unwrap();
    let torn = format!("{}.{}", "0".repeat(16), "1".repeat(32));
    fs::write(runs.join(&torn), &whole[..20]).unwrap();
    let foreign = [
        ("junk", "200 MB"),
        ("fedcba9876543210", "of somebody else\n"),
        ("journal.txt", "\n{\"package\":1"),
    ];
    for (name, text) in foreign {
        fs::write(runs.join(name), text).unwrap();
    }
    let history = || ended(&shop, &tdg(&shop, &["history", "total"]).finish());
    insta::assert_snapshot!(history(), @"
    total
               when (UTC)  run       changed  cases  decision
      yyyy-mm-dd hh:mm:ss  same            0    200
      yyyy-mm-dd hh:mm:ss  same            0    200
      yyyy-mm-dd hh:mm:ss  changed        13    200
      yyyy-mm-dd hh:mm:ss  recorded        0    200  recorded
    note: 1 file of runs can't be read, so the history may lack runs; kept as <shop>/.tdg/runs/*.unreadable
    (0)
    ");
    // The note appears only once.
    assert!(!history().contains("note"));
    assert!(!journal.exists());
    for (name, text) in foreign {
        assert_eq!(fs::read_to_string(runs.join(name)).unwrap(), text);
    }
    let aside = fs::read(runs.join(format!("{torn}.unreadable"))).unwrap();
    assert_eq!(aside, &whole[..20]);
}

#[test]
fn a_snapshot_of_insta_is_neither_replaced_nor_removed() {
    let shop = changed_shop();
    let pending = shop.read(TOTAL_NEW);
    let of_insta = "---\nsource: tests/pricing.rs\nexpression: total\n---\n12\n";
    shop.write(TOTAL_NEW, of_insta);
    shop.pricing("total").passes();
    let changed = shop.pricing("total").env("FACTOR", "1.03").fails();
    assert!(
        changed.stderr.contains("is not a snapshot of tdg"),
        "{changed}"
    );
    assert_eq!(shop.read(TOTAL_NEW), of_insta);
    shop.write(TOTAL_NEW, &pending);
    shop.write(TOTAL, of_insta);
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["accept", "total"]).finish()), @r#"
    error: <shop>/tests/snapshots/pricing__total.snap, line 5: not a benchmark of tdg: no line {"tdg":1,…} follows the header; if the file belongs to another tool, give the test another `name`; otherwise delete it to record again
    (2)
    "#);
    assert_eq!(
        (shop.read(TOTAL), shop.read(TOTAL_NEW)),
        (of_insta.to_owned(), pending)
    );
}

#[test]
fn a_file_that_can_not_be_read_is_not_overwritten() {
    let shop = changed_shop();
    let latin = b"# M\xfcll\n*.png binary\n";
    fs::write(shop.path(".gitattributes"), latin).unwrap();
    insta::assert_snapshot!(ended(&shop, &tdg(&shop, &["init", "--gitattributes"]).finish()), @"
    error: <shop>/.gitattributes: stream did not contain valid UTF-8
    (2)
    ");
    assert_eq!(fs::read(shop.path(".gitattributes")).unwrap(), latin);
}
