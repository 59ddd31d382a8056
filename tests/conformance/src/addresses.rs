//! Paths and queries.

use crate::world::World;
use crate::{Accounts, suite};

suite![
    a_uuid_in_a_path_has_its_hyphens,
    a_query_has_known_parameters_once,
];

fn a_uuid_in_a_path_has_its_hyphens(accounts: &dyn Accounts) {
    let uuid = World::new(&accounts.one()).project;
    let get = |uuid: &str| accounts.get(&format!("/v1/project/{uuid}"));
    assert_eq!(get(&uuid.to_string()).0, 200);
    assert_eq!(get(&uuid.to_string().to_uppercase()).0, 200);
    for other in [
        uuid.simple().to_string(),
        uuid.urn().to_string(),
        format!("%7B{uuid}%7D"),
    ] {
        let (status, problem) = get(&other);
        assert_eq!(status, 422, "{other}");
        let fix = format!("`project_uuid` must be a UUID with hyphens: {uuid}");
        assert!(problem.contains(&fix), "{problem}");
    }
    assert_eq!(get("shop").0, 404);
}

fn a_query_has_known_parameters_once(accounts: &dyn Accounts) {
    let world = World::new(&accounts.one());
    let project = format!("/v1/project/{}", world.project);
    let benchmark = format!("/v1/benchmark/{}", world.benchmark);
    let data = format!("/v1/ensemble/{}/data", world.ensemble);
    for (path, query, named) in [
        ("/v1/projects", "limit=1&lmit=1", "lmit"),
        ("/v1/projects", "%6cimit=1", "%6cimit"),
        ("/v1/projects", "limit=1&limit=1", "limit"),
        (&project, "limit=1", "limit"),
        (&benchmark, "cursor=1", "cursor"),
        (&data, "v=1", "v"),
    ] {
        let (status, problem) = accounts.get(&format!("{path}?{query}"));
        assert_eq!(status, 422, "{path}?{query}");
        assert!(problem.contains(&format!("`{named}`")), "{problem}");
    }
    for path in [&project, &benchmark, &data] {
        assert_eq!(accounts.get(&format!("{path}?")).0, 200, "{path}");
    }
    assert_eq!(accounts.get("/v1/projects?&limit=1&").0, 200);
}
