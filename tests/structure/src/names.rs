//! Checks that no two types share a name.

use std::collections::{BTreeMap, BTreeSet};

use crate::hold;
use crate::source::MODULES;

#[test]
fn few_names_mean_several_types() {
    let mut types: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for module in MODULES.iter() {
        for name in &module.types {
            types.entry(name).or_default().insert(&module.file);
        }
    }
    let list = |least: usize| -> Vec<String> {
        let several = types.iter().filter(|(_, files)| files.len() >= least);
        let line = |(name, files): (&&str, &BTreeSet<&str>)| {
            let files: Vec<_> = files.iter().copied().collect();
            format!("{name}: {}", files.join(", "))
        };
        several.map(line).collect()
    };
    hold(0, "names of more than three types", &list(4));
    hold(12, "names of several types", &list(2));
}
