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
    let layers = layers(drawing);
    let run = ["tdg-run".to_owned(), "runner".to_owned()];
    let files = MODULES
        .iter()
        .filter_map(|module| module.path.strip_prefix(&run));
    let missing: Vec<_> = files
        .flat_map(|path| (1..=path.len().min(2)).map(|length| &path[..length]))
        .filter(|path| !layers.contains_key(*path))
        .filter(|path| path.len() == 1 || has_layers(&layers, &path[0]))
        .map(|path| path.join("/"))
        .collect();
    hold(0, "files that the drawing doesn't have", &missing);

    let mut upward = Vec::new();
    for (from, to) in arrows() {
        let (Some(from), Some(to)) = (from.strip_prefix(&run), to.strip_prefix(&run)) else {
            continue;
        };
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        let layer = |path: &[String]| layers.get(path.get(..=common)?).copied();
        let top = (common == 0).then_some(0);
        let (above, below) = (layer(from).or(top), layer(to).or(top));
        // A room's own items may be used by everything in it.
        if let (Some(above), Some(below)) = (above, below)
            && above >= below
            && from != to
        {
            upward.push(format!("{} -> {}", from.join("/"), to.join("/")));
        }
    }
    upward.sort();
    upward.dedup();
    hold(0, "arrows to the same layer or a higher one", &upward);
}

/// Returns the layer of each file and room of the run, and of each file within its room.
fn layers(drawing: &str) -> BTreeMap<Vec<String>, usize> {
    let mut layers = BTreeMap::new();
    for (layer, line) in drawing.lines().enumerate() {
        let (names, inside) = line.split_once(':').unwrap_or((line, ""));
        for name in names.split_whitespace() {
            layers.insert(vec![name.to_owned()], layer);
            for (layer, names) in inside.split('|').enumerate() {
                let names = names.split_whitespace();
                layers.extend(names.map(|file| (vec![name.to_owned(), file.to_owned()], layer)));
            }
        }
    }
    layers
}

fn has_layers(layers: &BTreeMap<Vec<String>, usize>, room: &str) -> bool {
    layers.keys().any(|path| path.len() == 2 && path[0] == room)
}
