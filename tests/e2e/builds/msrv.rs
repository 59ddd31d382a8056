//! Checks that the manifests' `rust-version` is enough for all dependencies of tdg.

use std::collections::BTreeMap;

use serde_json::Value;
use tdg_tests::{Run, workspace};

#[test]
fn every_dependency_of_the_published_crates_takes_the_stated_rust() {
    let arguments = [
        "metadata",
        "--format-version=1",
        "--locked",
        "--all-features",
    ];
    let metadata = Run::cargo(&arguments, &workspace()).passes();
    let metadata: Value = serde_json::from_str(&metadata.stdout).unwrap();
    let by_id = |list: &Value| -> BTreeMap<String, Value> {
        let entries = list.as_array().unwrap().iter();
        entries
            .map(|entry| (entry["id"].as_str().unwrap().to_owned(), entry.clone()))
            .collect()
    };
    let packages = by_id(&metadata["packages"]);
    let nodes = by_id(&metadata["resolve"]["nodes"]);

    let is_published =
        |package: &&Value| package["source"].is_null() && package["publish"].is_null();
    let published = packages.values().filter(is_published);
    let mut waiting: Vec<&str> = published
        .map(|package| package["id"].as_str().unwrap())
        .collect();
    assert!(waiting.len() >= 3, "{waiting:?}");
    let stated = version(&packages[waiting[0]]).unwrap();
    let mut seen = Vec::new();
    while let Some(id) = waiting.pop() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let needed = version(&packages[id]);
        assert!(
            needed <= Some(stated),
            "{id} needs Rust {needed:?}, and {stated:?} is stated"
        );
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"] != "dev") {
                waiting.push(dependency["pkg"].as_str().unwrap());
            }
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}

/// Returns the Rust version that a package requires, such as `1.88`, if any.
fn version(package: &Value) -> Option<(u32, u32)> {
    let text = package["rust_version"].as_str()?;
    let mut numbers = text.split('.').map(|number| number.parse().unwrap());
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}
