//! The files of the run are layered as in tdg-run/DESIGN.md: each only uses the layers below it.

use std::collections::BTreeMap;
use std::fs;

use crate::arrows::arrows;
use crate::hold;
use crate::source::{MODULES, workspace};

#[test]
fn no_step_of_the_run_knows_a_later_one() {
    let page = fs::read_to_string(workspace().join("tdg-run/DESIGN.md")).unwrap();
    let (_, section) = page.split_once("The layers of the run").unwrap();
    let drawing = section
        .split("```")
        .nth(1)
        .unwrap()
        .trim_start_matches("text\n");
    let mut layers = BTreeMap::new();
    for (layer, line) in drawing.lines().enumerate() {
        layers.extend(line.split_whitespace().map(|name| (name.to_owned(), layer)));
    }
    let run = ["tdg-run".to_owned(), "runner".to_owned()];
    let missing = MODULES
        .iter()
        .filter_map(|module| module.path.strip_prefix(&run)?.first());
    let missing: Vec<_> = missing
        .filter(|name| !layers.contains_key(*name))
        .cloned()
        .collect();
    hold(0, "files that the drawing doesn't have", &missing);

    let mut upward = Vec::new();
    for (from, to) in arrows() {
        let (Some(from), Some(to)) = (from.strip_prefix(&run), to.strip_prefix(&run)) else {
            continue;
        };
        let top = "mod".to_owned();
        let (a, b) = (from.first().unwrap_or(&top), to.first().unwrap_or(&top));
        if a != b && layers[a] >= layers[b] {
            upward.push(format!("{a} -> {b}"));
        }
    }
    upward.sort();
    upward.dedup();
    hold(0, "arrows to the same layer or a higher one", &upward);
}
