//! Benchmarks.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use futures_util::stream;
use tdg_service::{Benchmark, JsonForm, ObjectKind, ObjectPart, Page};

use crate::endpoint_spec::ResponseSpec;
use crate::http::call::Call;
use crate::http::endpoint::Endpoint;
use crate::http::etag::{self, Encoding};
use crate::http::problem::Problem;
use crate::http::{paging, response};
use crate::operations::LoadedExpected;

/// A benchmark as it was sent, and the stamp of its history.
#[derive(Clone)]
pub(crate) struct CachedBenchmark {
    sent: SentBenchmark,
    stamp: i64,
}

/// A benchmark's JSON, and the link to the rest of its history, if there is more.
#[derive(Clone)]
struct SentBenchmark {
    json: Bytes,
    rest: Option<HeaderValue>,
}

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/definition/{definition_uuid}/ensemble/{ensemble_uuid}/benchmarks",
            "The benchmarks of an ensemble",
            ResponseSpec::List("Benchmark"),
            list,
        ),
        Endpoint::post(
            "/v1/definition/{definition_uuid}/ensemble/{ensemble_uuid}/benchmarks/add",
            "Creates a benchmark of an ensemble",
            ("NewBenchmark", "Benchmark"),
            create,
        ),
        Endpoint::get(
            "/v1/benchmark/{benchmark_uuid}",
            "A benchmark with its newest 100 assertions",
            ResponseSpec::Newest("Benchmark"),
            find,
        ),
        Endpoint::delete(
            "/v1/benchmark/{benchmark_uuid}/delete",
            "Deletes a benchmark and its history",
            ObjectKind::Benchmark,
        ),
        Endpoint::get(
            "/v1/benchmark/{benchmark_uuid}/data",
            "The outputs that a benchmark expects",
            ResponseSpec::Immutable("ExpectedOutput"),
            data,
        ),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let list = call
        .database()
        .benchmarks(call.account, call.two_ids(), call.page.clone())
        .await?;
    response::list(list, &call.uri, &call.page).await
}

async fn create(call: Call) -> Result<Response, Problem> {
    let (operations, parents) = (&call.app.operations, call.two_ids());
    let benchmark = operations
        .create_benchmark(call.account, parents, call.body, call.key)
        .await?;
    Ok(response::created(
        response::object(&benchmark),
        Some(ObjectKind::Benchmark),
        benchmark.benchmark_uuid,
    ))
}

/// Sends the cached JSON if the history hasn't changed. Looking up its stamp also checks the
/// caller's permission.
async fn find(call: Call) -> Result<Response, Problem> {
    let (account, benchmark, cache) = (call.account, call.id(), &call.app.benchmarks);
    // The stamp is read before the history, so cached JSON is never older than its stamp.
    let stamp = call.database().history_stamp(account, benchmark).await?;
    if let Some(cached) = cache.get(&(account, benchmark))
        && Some(cached.stamp) == stamp
    {
        return Ok(cached.sent.into_response());
    }
    let found = call.database().benchmark(account, benchmark).await?;
    let sent = SentBenchmark::new(&found);
    if let Some(stamp) = stamp {
        let (sent, bytes) = (sent.clone(), sent.json.len());
        let cached = CachedBenchmark { sent, stamp };
        cache.insert((account, benchmark), cached, bytes);
    }
    Ok(sent.into_response())
}

impl SentBenchmark {
    fn new(part: &ObjectPart<Benchmark>) -> Self {
        let history = || format!("/v1/benchmark/{}/history", part.object.benchmark_uuid);
        let next = part.next.as_deref();
        SentBenchmark {
            json: Bytes::from(part.object.to_json().into_boxed_str().into_boxed_bytes()),
            rest: next.and_then(|next| paging::link(&history(), &Page::default(), next)),
        }
    }

    fn into_response(self) -> Response {
        let mut response = response::json(self.json);
        if let Some(rest) = self.rest {
            response.headers_mut().insert(header::LINK, rest);
        }
        response
    }
}

async fn data(call: Call) -> Result<Response, Problem> {
    let (operations, account, benchmark) = (&call.app.operations, call.account, call.id());
    let digest = call.database().output_digest(account, benchmark).await?;
    let encoding = Encoding::Identity;
    let tag = encoding.tag(&digest);
    if etag::is_known(&call.headers, &tag) {
        return Ok(response::not_modified(&tag));
    }
    let expected = operations.expected::<Problem>(account, benchmark, &call.app.memory);
    let (expected, held) = expected.await?;
    let outputs = held.carry_part(Bytes::from_owner(SharedOutputs(expected)));
    let parts = [
        Bytes::from_static(b"{\"expected_output\":"),
        outputs,
        Bytes::from_static(b"}"),
    ];
    let length = parts.iter().map(Bytes::len).sum();
    let parts = stream::iter(parts.map(Ok));
    Ok(response::immutable(parts, length, &tag, encoding))
}

/// Cached outputs, shared by all responses that send them.
struct SharedOutputs(Arc<LoadedExpected>);

impl AsRef<[u8]> for SharedOutputs {
    fn as_ref(&self) -> &[u8] {
        self.0.outputs.as_json().as_bytes()
    }
}
