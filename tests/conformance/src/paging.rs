//! Lists read in parts.

use tdg_service::{List, Page, Project, Result};

use crate::world::{
    ORDERS, World, benchmark, definition, ensemble, is_fault_at, longest, new_assertion, project,
};
use crate::{Accounts, suite};

suite![
    the_parts_of_a_list_are_the_list,
    the_parts_of_a_history_are_the_history,
    a_part_has_from_1_to_1000_elements,
    a_cursor_is_one_that_a_list_has_answered,
    a_cursor_stays_valid_when_its_element_is_deleted,
    an_object_is_whole_however_long_it_is,
];

fn part<T>(
    limit: usize,
    cursor: Option<String>,
    list: &dyn Fn(&Page) -> Result<List<T>>,
) -> List<T> {
    let limit = Some(limit);
    list(&Page { limit, cursor }).unwrap()
}

/// Asserts that every way of paging through the list gives the same elements.
fn is_cut_anywhere<T: PartialEq + std::fmt::Debug>(list: &dyn Fn(&Page) -> Result<List<T>>) {
    let all = list(&Page::default()).unwrap();
    assert_eq!(all.next, None);
    assert_eq!(all.items.len(), 5);
    for limit in 1..=6 {
        let mut items = Vec::new();
        let mut cursor = None;
        loop {
            let List {
                items: more, next, ..
            } = part(limit, cursor, list);
            assert!(!more.is_empty() && more.len() <= limit);
            items.extend(more);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(items, all.items, "in parts of {limit}");
    }
}

fn the_parts_of_a_list_are_the_list(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for name in ["a", "b", "c", "d"] {
        project(&service, name);
        definition(&service, world.project, ORDERS);
        ensemble(&service, world.definition, 3);
    }
    let first = service.ensemble(world.ensemble).unwrap();
    for outputs in ["[1,1,1]", "[2,2,2]", "[3,3,3]", "[4,4,4]"] {
        benchmark(&service, &first, outputs);
    }
    is_cut_anywhere(&|page| service.projects(page));
    is_cut_anywhere(&|page| service.definitions(page));
    is_cut_anywhere(&|page| service.ensembles(world.definition, page));
    is_cut_anywhere(&|page| service.benchmarks(world.definition, world.ensemble, page));
}

fn the_parts_of_a_history_are_the_history(accounts: &dyn Accounts) {
    let service = accounts.one();
    let world = World::new(&service);
    for _ in 0..5 {
        service
            .assert(world.benchmark, &new_assertion("[1,2,3]"), None)
            .unwrap();
    }
    is_cut_anywhere(&|page| service.history(world.benchmark, page));
}

fn a_part_has_from_1_to_1000_elements(accounts: &dyn Accounts) {
    let service = accounts.one();
    let limited = |limit| {
        service.projects(&Page {
            limit: Some(limit),
            cursor: None,
        })
    };
    assert!(limited(1).is_ok());
    assert!(limited(1000).is_ok());
    is_fault_at("/limit", limited(0));
    is_fault_at("/limit", limited(1001));
}

fn a_cursor_is_one_that_a_list_has_answered(accounts: &dyn Accounts) {
    let service = accounts.one();
    for cursor in ["", "nonsense", "' OR 1=1 --", "1.5"] {
        is_fault_at("/cursor", service.projects(&Page::after(cursor)));
    }
}

fn a_cursor_stays_valid_when_its_element_is_deleted(accounts: &dyn Accounts) {
    let service = accounts.one();
    let made = ["a", "b", "c"].map(|name| project(&service, name).project_uuid);
    let list = &|page: &Page| service.projects(page);
    let first = part(1, None, list);
    service.delete_project(made[0]).unwrap();
    let rest = part(10, first.next, list);
    let uuids: Vec<_> = rest
        .items
        .iter()
        .map(|project| project.project_uuid)
        .collect();
    assert_eq!(uuids, made[1..]);
}

/// The object is longer than a response of a server, which then links to the rest.
fn an_object_is_whole_however_long_it_is(accounts: &dyn Accounts) {
    let service = accounts.one();
    let long = project(&service, "long").project_uuid;
    let made: Vec<_> = (0..9)
        .map(|_| definition(&service, long, &longest()))
        .map(|made| ensemble(&service, made.definition_uuid, 1))
        .collect();
    let last = project(&service, "last");
    let of = |project: &Project| -> Vec<_> {
        let definitions = project.definitions.iter();
        definitions
            .flat_map(|definition| definition.ensembles.clone())
            .collect()
    };
    assert_eq!(of(&service.project(long).unwrap()), made);
    let list = &|page: &Page| service.projects(page);
    let first = part(1, None, list);
    assert_eq!(of(&first.items[0]), made);
    assert_eq!(first.rest, None);
    assert_eq!(part(1, first.next, list).items, [last]);
}
