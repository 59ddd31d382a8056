//! Runs the real cargo-mutants. In any update mode, no mutant is accepted and no file remains.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tdg_tests::{Finished, Project, tools};

use crate::first_run::small_crate;

const MODES: [&str; 4] = ["auto", "always", "new", "no"];

/// Runs it with a single mutant, a `total` that is always 0, because each takes a build. Also
/// returns the logs.
fn mutants(shop: &Project, arguments: &[&str], update: Option<&str>) -> (Finished, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().display().to_string();
    let mut all = vec!["--re=with 0.0$", "--colors=never", "--no-times"];
    all.extend(["--timeout=300", "--output", &output]);
    all.extend(arguments);
    let mut run = tools::mutants(shop, &all);
    if let Some(update) = update {
        run = run.env("TDG_UPDATE", update);
    }
    let run = run.finish();
    let mut log = String::new();
    for (_, text) in files(&folder.path().join("mutants.out/log")) {
        log.push_str(&text);
    }
    (run, log)
}

/// Returns the text of each file in a folder, by path. cargo itself may rewrite its lock file.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.ends_with("Cargo.lock") {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.insert(path.display().to_string(), text);
        }
    }
    found
}

#[test]
fn a_mutant_is_caught_in_every_update_mode_and_leaves_nothing() {
    let shop = small_crate("mutants-are-caught");
    shop.cargo(&["test"]).passes();
    shop.remove(".tdg");
    for place in [&["--in-place"][..], &[]] {
        for mode in MODES {
            for in_file in [true, false] {
                shop.write("tdg.toml", "");
                if in_file {
                    shop.write("tdg.toml", &format!("update = \"{mode}\"\n"));
                }
                let before = files(shop.folder());
                let arguments = [place, &["--baseline=skip"]].concat();
                let (run, log) = mutants(&shop, &arguments, (!in_file).then_some(mode));
                let what = format!("{place:?} {mode} {in_file}:\n{run}\n{log}");
                assert!(run.stdout.contains("1 mutant tested: 1 caught"), "{what}");
                assert_eq!(files(shop.folder()), before, "{what}");
                let set_by = if in_file {
                    format!("although tdg.toml says update = \"{mode}\"")
                } else {
                    format!("although TDG_UPDATE={mode}")
                };
                let line = format!(
                    "tdg: INSTA_UPDATE=no is set, so nothing is recorded or accepted, {set_by}\n"
                );
                assert_eq!(log.contains(&line), mode != "no", "{what}");
            }
        }
    }
}

#[test]
fn without_a_benchmark_the_code_that_is_not_mutated_fails_and_nothing_is_recorded() {
    let shop = small_crate("mutants-are-not-recorded");
    shop.write("tdg.toml", "update = \"always\"\n");
    let before = files(shop.folder());
    let (run, log) = mutants(&shop, &["--in-place"], None);
    assert!(!run.success, "{run}");
    assert!(run.stdout.contains("FAILED   Unmutated baseline"), "{run}");
    assert!(log.contains("tdg: missing tests::total"), "{log}");
    assert_eq!(files(shop.folder()), before);
}
