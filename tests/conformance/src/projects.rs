//! Projects.

use tdg_service::{JsonForm, NewProject, Uuid};

use crate::world::{ORDERS, all, definition, is_fault_at, is_not_found, new_project, project};
use crate::{Accounts, suite};

suite![
    a_project_is_found_as_it_was_made,
    a_project_without_a_name_is_called_new_project,
    a_name_is_kept_as_it_is_up_to_256_bytes,
    a_name_has_no_control_characters,
    two_projects_may_have_one_name,
    a_project_shows_its_definitions_in_order,
    a_deleted_project_is_gone,
    an_unknown_project_is_not_found,
];

fn a_project_is_found_as_it_was_made(accounts: &dyn Accounts) {
    let service = accounts.one();
    let made = project(&service, "shop");
    assert_eq!(made.project_name, "shop");
    assert!(made.definitions.is_empty());
    let found = service.project(made.project_uuid).unwrap();
    assert_eq!(found.to_json(), made.to_json());
    let listed = service.projects(&all()).unwrap();
    assert_eq!(listed.items.to_json(), vec![made].to_json());
    assert_eq!(listed.next, None);
}

fn a_project_without_a_name_is_called_new_project(accounts: &dyn Accounts) {
    let service = accounts.one();
    for name in [None, Some(""), Some("  \t")] {
        let project_name = name.map(str::to_owned);
        let made = service.create_project(&NewProject { project_name }, None);
        assert_eq!(made.unwrap().project_name, "New project", "{name:?}");
    }
}

fn a_name_is_kept_as_it_is_up_to_256_bytes(accounts: &dyn Accounts) {
    let service = accounts.one();
    for name in [
        " a  b ",
        "\"quoted\" \\ / <&>",
        "péché 🦀 \u{202e}abc",
        &"é".repeat(128),
    ] {
        let made = project(&service, name);
        assert_eq!(made.project_name, name);
        let found = service.project(made.project_uuid).unwrap();
        assert_eq!(found.project_name, name);
    }
    let refused = service.create_project(&new_project(&"x".repeat(257)), None);
    is_fault_at("/project_name", refused);
}

fn a_name_has_no_control_characters(accounts: &dyn Accounts) {
    let service = accounts.one();
    for name in ["a\0b", "a\nb", "a\u{1b}[31mb", "a\u{85}b"] {
        is_fault_at(
            "/project_name",
            service.create_project(&new_project(name), None),
        );
    }
    assert!(service.projects(&all()).unwrap().items.is_empty());
}

fn two_projects_may_have_one_name(accounts: &dyn Accounts) {
    let service = accounts.one();
    let (first, second) = (project(&service, "shop"), project(&service, "shop"));
    assert_ne!(first.project_uuid, second.project_uuid);
}

fn a_project_shows_its_definitions_in_order(accounts: &dyn Accounts) {
    let service = accounts.one();
    let shop = project(&service, "shop").project_uuid;
    let other = project(&service, "other").project_uuid;
    let first = definition(&service, shop, ORDERS);
    definition(&service, other, ORDERS);
    let second = definition(&service, shop, ORDERS);
    let found = service.project(shop).unwrap();
    assert_eq!(found.definitions.to_json(), vec![first, second].to_json());
}

fn a_deleted_project_is_gone(accounts: &dyn Accounts) {
    let service = accounts.one();
    let made = project(&service, "shop").project_uuid;
    let kept = project(&service, "kept").project_uuid;
    service.delete_project(made).unwrap();
    is_not_found(service.project(made));
    is_not_found(service.delete_project(made));
    let listed = service.projects(&all()).unwrap().items;
    let uuids: Vec<_> = listed.iter().map(|project| project.project_uuid).collect();
    assert_eq!(uuids, [kept]);
}

fn an_unknown_project_is_not_found(accounts: &dyn Accounts) {
    let service = accounts.one();
    for unknown in [Uuid::new_v4(), Uuid::nil(), Uuid::max()] {
        is_not_found(service.project(unknown));
        is_not_found(service.delete_project(unknown));
    }
}
