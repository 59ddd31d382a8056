//! A baseline for tdg-server: plain axum, doing only the bare minimum of its work.
//!
//!     server-bench serve <sqlite file> <gzip file> [<postgres url>]
//!     server-bench create <definition> <seconds>     ensembles a second, without any server

use std::{cell::RefCell, env, fs, io::Write, sync::Arc, time::Instant};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, header},
    response::IntoResponse,
    routing::{get, post},
};
use deadpool_postgres::{Manager, Pool};
use flate2::{Compression, write::GzEncoder};
use rusqlite::{Connection, params};
use uuid::Uuid;

struct Bare {
    sqlite: String,
    gzip: Bytes,
    pool: Option<Pool>,
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments[0].as_str() {
        "serve" => serve(&arguments[1..]).await,
        "create" => create(&arguments[1], arguments[2].parse().unwrap()),
        other => panic!("{other}"),
    }
}

async fn serve(arguments: &[String]) {
    let pool = arguments.get(2).map(|url| {
        let manager = Manager::new(url.parse().unwrap(), tokio_postgres::NoTls);
        Pool::builder(manager).max_size(4).build().unwrap()
    });
    if let Some(pool) = &pool {
        let table =
            "CREATE TABLE IF NOT EXISTS bare (uuid uuid PRIMARY KEY, at bigint, asserted boolean)";
        pool.get()
            .await
            .unwrap()
            .batch_execute(table)
            .await
            .unwrap();
    }
    let bare = Arc::new(Bare {
        sqlite: arguments[0].clone(),
        gzip: fs::read(&arguments[1]).unwrap().into(),
        pool,
    });
    let router = Router::new()
        .route("/hello", get(hello).post(hello))
        .route("/gzip", get(gzip))
        .route("/sqlite/{ensemble}", get(sqlite))
        .route("/postgres/{ensemble}", get(postgres))
        .route("/insert", post(insert))
        .with_state(bare);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("http://{}", listener.local_addr().unwrap());
    axum::serve(listener, router).await.unwrap();
}

const JSON: [(header::HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];

async fn hello() -> impl IntoResponse {
    (JSON, "{\"hello\":\"world\"}")
}

async fn gzip(State(bare): State<Arc<Bare>>) -> impl IntoResponse {
    let fields = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_ENCODING, "gzip"),
    ];
    (fields, bare.gzip.clone())
}

fn key(headers: &HeaderMap) -> &str {
    &headers["x-api-key"].to_str().unwrap()[..16]
}

/// Checks a key and runs one prepared select, on one connection per thread.
async fn sqlite(
    State(bare): State<Arc<Bare>>,
    Path(ensemble): Path<Uuid>,
    headers: HeaderMap,
) -> impl IntoResponse {
    thread_local!(static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) });
    CONNECTION.with_borrow_mut(|connection| {
        let connection = connection.get_or_insert_with(|| Connection::open(&bare.sqlite).unwrap());
        let mut statement = connection
            .prepare_cached("SELECT account FROM api_key WHERE prefix = ?1")
            .unwrap();
        let account: i64 = statement
            .query_row([key(&headers)], |row| row.get(0))
            .unwrap();
        let mut statement = connection
            .prepare_cached(
                "SELECT name, size, digest FROM ensemble WHERE account = ?1 AND uuid = ?2",
            )
            .unwrap();
        let text = statement
            .query_row(params![account, ensemble.as_bytes()], |row| {
                let (name, size, digest): (String, i64, String) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(serde_json::json!({"name": name, "size": size, "digest": digest}).to_string())
            })
            .unwrap();
        (JSON, text)
    })
}

async fn postgres(
    State(bare): State<Arc<Bare>>,
    Path(ensemble): Path<Uuid>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let client = bare.pool.as_ref().unwrap().get().await.unwrap();
    let statement = client
        .prepare_cached("SELECT account FROM api_key WHERE prefix = $1")
        .await
        .unwrap();
    let row = client
        .query_one(&statement, &[&key(&headers)])
        .await
        .unwrap();
    let account: i64 = row.get(0);
    let statement = client
        .prepare_cached("SELECT name, size, digest FROM ensemble WHERE account = $1 AND uuid = $2")
        .await
        .unwrap();
    let row = client
        .query_one(&statement, &[&account, &ensemble])
        .await
        .unwrap();
    let (name, size, digest): (String, i32, String) = (row.get(0), row.get(1), row.get(2));
    (
        JSON,
        serde_json::json!({"name": name, "size": size, "digest": digest}).to_string(),
    )
}

async fn insert(State(bare): State<Arc<Bare>>, _body: Bytes) -> impl IntoResponse {
    let client = bare.pool.as_ref().unwrap().get().await.unwrap();
    let statement = client
        .prepare_cached("INSERT INTO bare VALUES ($1, $2, $3)")
        .await
        .unwrap();
    client
        .execute(&statement, &[&Uuid::now_v7(), &1_i64, &true])
        .await
        .unwrap();
    (JSON, "{\"asserted\":true}")
}

/// Draws, writes and compresses ensembles in a loop.
fn create(definition: &str, seconds: f64) {
    let definition =
        tdg_definition::Definition::parse(&fs::read_to_string(definition).unwrap()).unwrap();
    let begun = Instant::now();
    let mut count = 0;
    while begun.elapsed().as_secs_f64() < seconds {
        let json = tdg_engine::Vectors::generate(&definition, count, 10_000).to_json();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(json.as_bytes()).unwrap();
        assert!(!encoder.finish().unwrap().is_empty());
        count += 1;
    }
    println!("{}", count as f64 / begun.elapsed().as_secs_f64());
}
