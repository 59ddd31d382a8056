//! Limits by account, and by address.

use std::time::Instant;

use crate::support::{Client, Server};

/// A request on a connection that stays open, or is closed.
fn request(key: &str, connection: &str) -> String {
    format!(
        "GET /v1/projects?limit=1 HTTP/1.1\r\nhost: t\r\nx-api-key: {key}\r\nconnection: {connection}\r\n\r\n"
    )
}

fn count(statuses: &[u16], status: u16) -> usize {
    statuses.iter().filter(|found| **found == status).count()
}

#[test]
fn an_account_has_one_rate_for_all_of_its_keys() {
    const RATE: f64 = 10.0;
    let server = Server::with(&["--rate-limit", "10"]);
    let keys = [(); 3].map(|()| server.key("team"));
    let other = server.key("others");
    let mut requests: Vec<_> = (0..20)
        .flat_map(|_| keys.each_ref().map(|key| request(key, "keep-alive")))
        .collect();
    requests.push(request(&keys[0], "close"));
    let begun = Instant::now();
    let statuses = Client::new(&server.url, "").pipeline(&requests);
    let most = RATE * (1.0 + begun.elapsed().as_secs_f64());
    let answered = count(&statuses, 200);
    assert_eq!(answered + count(&statuses, 429), requests.len());
    assert!(answered as f64 <= most, "{answered} of {most}");
    assert_eq!(
        Client::new(&server.url, &other).get("/v1/projects").status,
        200
    );
}

#[test]
fn an_address_may_send_so_many_keys_that_are_unknown() {
    const ATTEMPTS: usize = 2000;
    let server = Server::start();
    let good = server.client();
    assert_eq!(good.get("/v1/projects").status, 200);
    let guess = |n: usize| format!("tdg_{n:012x}_{}", "0".repeat(64));
    let mut requests: Vec<_> = (0..ATTEMPTS)
        .map(|n| request(&guess(n), "keep-alive"))
        .collect();
    requests.push(request(&guess(ATTEMPTS), "close"));
    let statuses = Client::new(&server.url, "").pipeline(&requests);
    let (unknown, too_many) = (count(&statuses, 401), count(&statuses, 429));
    assert_eq!(unknown + too_many, ATTEMPTS + 1);
    assert!(unknown < ATTEMPTS / 2, "{unknown} keys were looked up");
    // Whoever shares the address goes on with a key that is known.
    assert_eq!(good.get("/v1/projects").status, 200);
}
