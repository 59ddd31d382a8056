use taskchampion::{Operations, TaskData, Uuid};
use tdg::ensemble_test;

#[ensemble_test]
fn has(
    #[define(categorical("a", "b", ""))] set: &str,
    #[define(categorical("a", "b", ""))] property: &str,
) -> bool {
    let mut operations = Operations::new();
    let mut task = TaskData::create(Uuid::nil(), &mut operations);
    task.update(set, Some("value".into()), &mut operations);
    task.has(property)
}
