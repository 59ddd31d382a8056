use std::collections::BTreeMap;

use taskchampion::{Operations, TaskData, Uuid};
use tdg::ensemble_test;

#[ensemble_test]
fn has(
    #[define({categorical("a", "b", "") => any; 0..=3}, via = |them: BTreeMap<String, String>| with(them))] task: &TaskData,
    #[define(categorical("a", "b", ""))] property: &str,
) -> bool {
    task.has(property)
}

fn with(properties: BTreeMap<String, String>) -> TaskData {
    let mut operations = Operations::new();
    let mut task = TaskData::create(Uuid::nil(), &mut operations);
    for (property, value) in properties {
        task.update(property, Some(value), &mut operations);
    }
    task
}
