use taskchampion::{Operations, TaskData, Uuid};
use tdg::ensemble_test;

#[ensemble_test]
fn has(
    #[define(categorical("a", "b", ""), via = with)] task: &TaskData,
    #[define(categorical("a", "b", ""))] property: &str,
) -> bool {
    task.has(property)
}

fn with(property: &str) -> TaskData {
    let mut operations = Operations::new();
    let mut task = TaskData::create(Uuid::nil(), &mut operations);
    task.update(property, Some("value".into()), &mut operations);
    task
}
