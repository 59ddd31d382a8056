//! Benchmarks and assertions.

use std::sync::Arc;

use crate::database::Expected;
use axum::body::Bytes;
use axum::response::Response;
use tdg_service::Object;

use super::answer;
use super::call::Call;
use super::endpoint::{Answer, Endpoint};
use super::etag::{self, Encoding};
use super::problem::Problem;
use crate::database::Shown;
use crate::keys::Scope;

/// A benchmark as it was sent.
#[derive(Clone)]
pub(super) struct Written {
    json: Bytes,
    shown: Shown,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/definition/{definition_uuid}/ensemble/{ensemble_uuid}/benchmarks",
            "The benchmarks of an ensemble",
            Answer::List("Benchmark"),
            list,
        ),
        Endpoint::post(
            "/v1/definition/{definition_uuid}/ensemble/{ensemble_uuid}/benchmarks/add",
            "Makes a benchmark of an ensemble",
            ("NewBenchmark", "Benchmark"),
            create,
        ),
        Endpoint::get(
            "/v1/benchmark/{benchmark_uuid}",
            "A benchmark with its newest 100 assertions",
            Answer::Object("Benchmark"),
            find,
        ),
        Endpoint::post(
            "/v1/benchmark/{benchmark_uuid}/assert",
            "Compares outputs with a benchmark and adds the result to its history",
            ("NewAssertion", "Assertion"),
            assert,
        )
        .needs(Scope::Assert),
        Endpoint::delete(
            "/v1/benchmark/{benchmark_uuid}/delete",
            "Deletes a benchmark and its history",
            delete,
        ),
        Endpoint::get(
            "/v1/benchmark/{benchmark_uuid}/data",
            "What a benchmark expects",
            Answer::Immutable("ExpectedOutput"),
            data,
        ),
        Endpoint::get(
            "/v1/benchmark/{benchmark_uuid}/history",
            "The assertions of a benchmark, newest first",
            Answer::List("AssertionEntry"),
            history,
        ),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .benchmarks(call.account, call.two_ids(), call.page.clone())
        .await?;
    Ok(answer::list(list, &call.uri, &call.page))
}

async fn create(call: Call) -> Result<Response, Problem> {
    let (operations, of) = (&call.app.operations, call.two_ids());
    let benchmark = operations
        .create_benchmark(call.account, of, call.body, call.key)
        .await?;
    Ok(answer::object(&benchmark))
}

/// Sends it as it was sent before, if there is no more to show: whether there is, is looked up together with
/// whether the caller may have it.
async fn find(call: Call) -> Result<Response, Problem> {
    let (account, benchmark, cache) = (call.account, call.id(), &call.app.benchmarks);
    if let Some(Written { json, shown }) = cache.get(&benchmark)
        && call
            .database()
            .still_shows(account, benchmark, shown)
            .await?
    {
        return Ok(answer::json(json));
    }
    let found = call.database().benchmark(account, benchmark).await?;
    let written = Written {
        json: found.to_json().into_boxed_str().into_boxed_bytes().into(),
        shown: Shown::of(&found),
    };
    cache.keep(benchmark, written.clone(), written.json.len());
    Ok(answer::json(written.json))
}

async fn assert(call: Call) -> Result<Response, Problem> {
    let (operations, of) = (&call.app.operations, call.id());
    let assertion = operations
        .assert(call.account, of, call.body, call.key)
        .await?;
    Ok(answer::object(&assertion))
}

async fn delete(call: Call) -> Result<Response, Problem> {
    call.database()
        .delete_benchmark(call.account, call.id())
        .await?;
    Ok(answer::empty())
}

async fn data(call: Call) -> Result<Response, Problem> {
    let (operations, account, benchmark) = (&call.app.operations, call.account, call.id());
    let digest = call.database().output_digest(account, benchmark).await?;
    let encoding = Encoding::Identity;
    let tag = encoding.tag(&digest);
    if etag::is_known(&call.headers, &tag) {
        return Ok(answer::not_modified(&tag));
    }
    let outputs = Bytes::from_owner(Sent(operations.expected(account, benchmark).await?));
    let parts = [
        Bytes::from_static(b"{\"expected_output\":"),
        outputs,
        Bytes::from_static(b"}"),
    ];
    let length = parts.iter().map(Bytes::len).sum();
    let parts = parts.into_iter().map(Ok);
    Ok(answer::immutable_parts(parts, length, &tag, encoding))
}

/// The outputs, which are in memory once, however many clients take them.
struct Sent(Arc<Expected>);

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        self.0.outputs.as_json().as_bytes()
    }
}

async fn history(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .history(call.account, call.id(), call.page.clone())
        .await?;
    Ok(answer::list(list, &call.uri, &call.page))
}
