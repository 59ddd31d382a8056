//! Events that are reported to webhooks: a test begins to fail on a branch or passes again, or a
//! user decides.

use serde_json::{Value, json};
use tdg_engine::TestId;
use tdg_engine::checkout::Checkout;
use tdg_engine::store::Channel;
use tdg_service::record::{AssertionRecord, DecisionRecord, Record, RunRecord};
use tdg_service::{Timestamp, Uuid, address};

/// The maximum age in microseconds. Older records are synchronized history.
const RECENT: i64 = 24 * 60 * 60 * 1_000_000;

/// A record that may be reported.
#[derive(Clone, Copy)]
pub(crate) struct WebhookEvent<'r> {
    what: Happened<'r>,
    pub(crate) test: Uuid,
}

#[derive(Clone, Copy)]
enum Happened<'r> {
    Ran(&'r AssertionRecord, &'r RunRecord),
    Decided(&'r DecisionRecord),
}

impl<'r> WebhookEvent<'r> {
    /// Returns the event of a record, or `None` if it is too old or of another kind.
    pub(crate) fn from_record(record: &'r Record, now: Timestamp) -> Option<Self> {
        let (time, what, test) = match record {
            Record::Assertion(run) => {
                let facts = run.run.as_ref()?;
                (run.time, Happened::Ran(run, facts), facts.test)
            }
            Record::Decision(it) => (it.time, Happened::Decided(it), it.test),
            _ => return None,
        };
        let is_recent = time.as_micros().saturating_add(RECENT) >= now.as_micros();
        is_recent.then_some(WebhookEvent { what, test })
    }

    /// Returns the run, if the event has one.
    pub(crate) fn run(&self) -> Option<Uuid> {
        match self.what {
            Happened::Ran(run, _) => Some(run.uuid),
            Happened::Decided(_) => None,
        }
    }

    /// Returns its message, sent at this time.
    pub(crate) fn message(
        &self,
        (project, name): (Uuid, &str),
        test: &TestId,
        now: Timestamp,
    ) -> String {
        let (kind, member, about, page) = match self.what {
            Happened::Ran(run, facts) => {
                let kind = if run.asserted {
                    "run.passed"
                } else {
                    "run.failed"
                };
                let page = address::run(project, self.test, run.uuid);
                (kind, "run", told_of_run(run, facts), page)
            }
            Happened::Decided(it) => {
                let page = address::test(project, self.test);
                ("decision.made", "decision", told_of_decision(it), page)
            }
        };
        let message = json!({
            "type": kind,
            "timestamp": text(now),
            "data": {
                "project": {"uuid": project.to_string(), "name": name},
                "test": {
                    "uuid": self.test.to_string(),
                    "package": test.package,
                    "source": test.source,
                    "name": test.name,
                },
                member: about,
                "page": page,
            },
        });
        message.to_string()
    }
}

fn told_of_run(run: &AssertionRecord, of: &RunRecord) -> Value {
    let facts = &of.facts;
    json!({
        "uuid": run.uuid.to_string(),
        "time": text(run.time),
        "verdict": facts.verdict.as_str(),
        "cases": facts.cases,
        "changed": facts.changed,
        "checkout": told_of_checkout(&facts.checkout),
    })
}

fn told_of_decision(it: &DecisionRecord) -> Value {
    json!({
        "uuid": it.uuid.to_string(),
        "time": text(it.time),
        "kind": it.decision.kind.as_str(),
        "author": it.decision.author,
        "through": it.decision.through.as_ref().map(Channel::to_string),
        "reason": it.decision.reason,
        "checkout": told_of_checkout(&it.decision.checkout),
    })
}

fn told_of_checkout(checkout: &Checkout) -> Value {
    json!({"branch": checkout.branch, "commit": checkout.commit})
}

/// Formats a time as in ISO 8601.
fn text(time: Timestamp) -> String {
    format!("{}Z", time.to_precise().replacen(' ', "T", 1))
}
