//! The files and folders of a folder must not depend on each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::arrows;
use crate::hold;

/// The accepted circles, each as a folder and the files in it.
const RECURSIVE_TYPES: [(&str, &[&str]); 4] = [
    // A value is serialized by the serializers of the values it contains.
    ("tdg-run::output", &["containers", "serializer"]),
    // Writing a value writes its numbers and objects.
    (
        "tdg-definition::json",
        &["number", "object", "value", "writer"],
    ),
    // An element of a list, a map or a tuple is written like a feature.
    ("tdg-macros::define", &["list", "map", "notation", "tuple"]),
    // The value of a variant is read like a value of a row.
    ("tdg-run::row", &["cell", "variant"]),
];

#[test]
fn no_files_of_a_folder_depend_on_each_other_in_a_circle() {
    let mut folders: BTreeMap<Vec<String>, BTreeSet<(String, String)>> = BTreeMap::new();
    for (from, to) in arrows() {
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        // A folder's own items may be used by everything in it.
        if let (Some(a), Some(b)) = (from.get(common), to.get(common)) {
            let folder = folders.entry(from[..common].to_vec()).or_default();
            folder.insert((a.clone(), b.clone()));
        }
    }
    let mut found = Vec::new();
    for (folder, arrows) in &folders {
        for circle in circles(arrows) {
            let folder = folder.join("::");
            let stays = |(at, files): &(&str, &[&str])| *at == folder && circle.iter().eq(*files);
            if !RECURSIVE_TYPES.iter().any(stays) {
                let inside = |(a, b): &&(String, String)| circle.contains(a) && circle.contains(b);
                let arrows = arrows.iter().filter(inside);
                let arrows: Vec<_> = arrows.map(|(a, b)| format!("{a} -> {b}")).collect();
                let count = circle.len();
                found.push(format!("{folder}: {count} files: {}", arrows.join(", ")));
            }
        }
    }
    hold(0, "circles", &found);
}

/// Returns groups whose members all reach each other.
fn circles(arrows: &BTreeSet<(String, String)>) -> Vec<BTreeSet<String>> {
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (start, _) in arrows {
        let mut open = vec![start.as_str()];
        let found = reached.entry(start).or_default();
        while let Some(at) = open.pop() {
            let next = arrows.iter().filter(|(from, _)| from == at);
            open.extend(
                next.map(|(_, to)| to.as_str())
                    .filter(|to| found.insert(to)),
            );
        }
    }
    let mut circles = BTreeSet::new();
    for (start, found) in &reached {
        let returns = |to: &&&str| reached.get(**to).is_some_and(|back| back.contains(start));
        let circle: BTreeSet<String> = found
            .iter()
            .filter(returns)
            .map(|it| it.to_string())
            .collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}
