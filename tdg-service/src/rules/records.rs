//! Checks for synchronised records, the same wherever they are added.

use std::ops::RangeInclusive;

use tdg_definition::Policy;
use tdg_definition::limits::{NAME_BYTES, REASON_BYTES, SIZES};
use tdg_definition::policy::FieldDistribution;
use tdg_definition::random::SAMPLER_VERSION;
use tdg_engine::checkout::Checkout;
use tdg_engine::store::{Channel, Decision, RunFacts, VerifiedRule};
use tdg_engine::{TestId, Verdict};
use uuid::{Uuid, Variant};

use super::{check_outputs, invalid, size_fault};
use crate::record::{
    AssertionRecord, DecisionRecord, EnsembleRecord, Record, RowSource, TombstoneRecord,
};
use crate::{Result, Timestamp};

/// The maximum length of a test's name, of its source file, and of a CI address, in bytes.
const TEXT_BYTES: usize = 1024;

/// The maximum size of the outputs that a run keeps, in bytes. Tests keep half of that.
const KEPT_BYTES: usize = 64 * 1024;

/// The maximum lead of a record's clock over the clock of the place that adds it, in microseconds.
pub const AHEAD: i64 = 24 * 60 * 60 * 1_000_000;

/// Checks a record on its own. `now` is the time at the place that adds it. A definition's content
/// is not checked, because a later version may have written it.
///
/// # Errors
///
/// [`Invalid`](crate::ServiceError::Invalid) with the first fault,
/// [`TooLarge`](crate::ServiceError::TooLarge) if its content is too large.
pub fn check_record(record: &Record, now: Timestamp) -> Result<()> {
    match record {
        Record::Project(it) => check_text("name", &it.name, NAME_BYTES),
        Record::Definition(it) => check_time("added", it.added, now),
        Record::Ensemble(it) => {
            check_time("added", it.added, now)?;
            check_ensemble(it)
        }
        Record::Test(it) => check_test(None, &it.test),
        Record::Benchmark(it) => {
            check_time("added", it.added, now)?;
            check_outputs("outputs", &it.outputs, it.outputs.len())
        }
        Record::Decision(it) => {
            check_time("time", it.time, now)?;
            check_decision(it)
        }
        Record::Assertion(it) => {
            check_time("time", it.time, now)?;
            check_assertion(it)
        }
        Record::Tombstone(TombstoneRecord { uuid, deleted, .. }) => {
            check_version("uuid", *uuid)?;
            check_time("deleted", *deleted, now)
        }
        Record::Revival(_) => Ok(()),
    }
}

/// Refuses implausible times. Records from the future would push real ones out of histories.
fn check_time(member: &str, time: Timestamp, now: Timestamp) -> Result<()> {
    let reason = if time.as_micros() < 0 {
        "before 1970".to_owned()
    } else if time.as_micros() > now.as_micros().saturating_add(AHEAD) {
        format!(
            "more than a day ahead of the server's clock, {}",
            now.to_precise()
        )
    } else {
        return Ok(());
    };
    let message = format!(
        "{} is {reason}; correct the clock of the machine that made the record",
        time.to_precise()
    );
    Err(invalid(member, message))
}

fn check_version(member: &str, uuid: Uuid) -> Result<()> {
    if uuid.get_version_num() == 7 && uuid.get_variant() == Variant::RFC4122 {
        return Ok(());
    }
    Err(invalid(
        member,
        format!("must be a UUID of version 7, but is {uuid}"),
    ))
}

fn check_ensemble(record: &EnsembleRecord) -> Result<()> {
    check_text("name", &record.name, NAME_BYTES)?;
    if !SIZES.contains(&record.size) {
        return Err(invalid("size", size_fault(record.size)));
    }
    if !is_digest(&record.digest) {
        return Err(invalid("digest", "must be a digest of rows"));
    }
    const KNOWN: RangeInclusive<u32> = 1..=SAMPLER_VERSION;
    match &record.rows {
        RowSource::Drawn {
            sampler_version, ..
        } if !KNOWN.contains(sampler_version) => {
            let message = format!(
                "must be at most {SAMPLER_VERSION}, but is {sampler_version}: use a later version \
                 of tdg"
            );
            Err(invalid("sampler_version", message))
        }
        RowSource::Drawn { .. } => Ok(()),
        RowSource::Given(rows) => check_outputs("rows", rows, record.size),
    }
}

/// Returns true if a text has the form of a digest of rows or outputs.
fn is_digest(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == 32 && text.bytes().all(is_digit)
}

/// Checks a test. `within` is the member of the record that contains it, if any.
fn check_test(within: Option<&str>, test: &TestId) -> Result<()> {
    let member = |name| within.unwrap_or(name);
    for (name, text, most) in [
        ("package", &test.package, NAME_BYTES),
        ("source", &test.source, TEXT_BYTES),
        ("name", &test.name, TEXT_BYTES),
    ] {
        check_text(member(name), text, most)?;
        if text.is_empty() {
            return Err(invalid(member(name), "must not be empty"));
        }
    }
    if leads_out(&test.source) {
        let message = "must be a path within the package, without `..`";
        return Err(invalid(member("source"), message));
    }
    Ok(())
}

/// Returns true if a path may leave its base directory on any system.
fn leads_out(path: &str) -> bool {
    let mut parts = path.split(['/', '\\']);
    path.starts_with(['/', '\\'])
        || path.as_bytes().get(1) == Some(&b':')
        || parts.any(|part| part == "..")
}

fn check_decision(record: &DecisionRecord) -> Result<()> {
    let Decision {
        reason,
        author,
        checkout,
        ci,
        replaces,
        through,
        ..
    } = &record.decision;
    check_version("uuid", record.uuid)?;
    check_optional("reason", reason.as_deref(), REASON_BYTES)?;
    check_optional("author", author.as_deref(), NAME_BYTES)?;
    check_optional("ci", ci.as_deref(), TEXT_BYTES)?;
    let through = through.as_ref().map(Channel::to_string);
    check_optional("through", through.as_deref(), TEXT_BYTES)?;
    if !replaces.as_deref().is_none_or(is_digest) {
        return Err(invalid("replaces", "must be a digest of outputs"));
    }
    check_checkout(checkout)?;
    match &record.from {
        Some(from) => check_test(Some("from"), from),
        None => Ok(()),
    }
}

/// Checks that the time matches the identity, which contains it to the millisecond. An assertion
/// can then be found by its identity alone.
fn check_assertion(record: &AssertionRecord) -> Result<()> {
    check_version("uuid", record.uuid)?;
    if !record.moments().contains(&record.time) {
        let message = format!("must be of the time {}", record.time.to_precise());
        return Err(invalid("uuid", message));
    }
    let Some(run) = &record.run else {
        return Ok(());
    };
    let facts = &run.facts;
    check_counts(facts)?;
    check_changed_outputs(facts)?;
    if record.asserted != facts.verdict.passes() {
        let message = format!("doesn't match the verdict `{}`", facts.verdict);
        return Err(invalid("asserted", message));
    }
    check_verified_rules(&facts.verified_rules)?;
    check_checkout(&facts.checkout)?;
    let (os, arch) = facts
        .platform
        .as_ref()
        .map(|(os, arch)| (os.as_str(), arch.as_str()))
        .unzip();
    check_optional("os", os, NAME_BYTES)?;
    check_optional("arch", arch, NAME_BYTES)
}

fn check_counts(facts: &RunFacts) -> Result<()> {
    let RunFacts {
        verdict,
        cases,
        changed,
        uncompared,
        policy,
        ..
    } = facts;
    let Some(size) = usize::try_from(*cases).ok().filter(|it| SIZES.contains(it)) else {
        return Err(invalid("cases", size_fault(cases)));
    };
    if uncompared > cases {
        let message = format!("must be at most {cases}, the number of cases, but is {uncompared}");
        return Err(invalid("uncompared", message));
    }
    let most = match verdict {
        // These may list cases of the replaced benchmark, which may have had more rows.
        Verdict::Recorded | Verdict::Accepted => *SIZES.end(),
        Verdict::Same => policy.as_ref().map_or(0, |policy| policy.allowed(size)),
        _ => size,
    };
    let may_be_none = *verdict != Verdict::Changed || policy.as_ref().is_some_and(has_distribution);
    let message = match *changed {
        changed if changed > most as u64 => format!("at most {most}"),
        0 if !may_be_none => "at least 1".to_owned(),
        _ => return Ok(()),
    };
    let message = format!(
        "must be {message} of {cases} cases with the verdict `{verdict}`, but is {changed}"
    );
    Err(invalid("changed", message))
}

fn check_changed_outputs(facts: &RunFacts) -> Result<()> {
    let kept = &facts.changed_outputs;
    let is_in_order = kept.is_sorted_by(|(one, _), (next, _)| one < next);
    let is_case = |case: usize| (case as u64) < facts.cases;
    if !is_in_order || !kept.last().is_none_or(|(case, _)| is_case(*case)) {
        let message = format!("must have cases in ascending order, below {}", facts.cases);
        return Err(invalid("changed_outputs", message));
    }
    let bytes: usize = kept.iter().map(|(_, it)| it.to_string().len()).sum();
    if bytes > KEPT_BYTES {
        let message = format!("must have at most {KEPT_BYTES} bytes, but have {bytes}");
        return Err(invalid("changed_outputs", message));
    }
    Ok(())
}

fn check_verified_rules(rules: &[VerifiedRule]) -> Result<()> {
    const MEMBER: &str = "verified_rules";
    if rules.len() > VerifiedRule::COUNT {
        let message = format!("must be at most {}", VerifiedRule::COUNT);
        return Err(invalid(MEMBER, message));
    }
    let mut texts = rules.iter().flat_map(VerifiedRule::texts);
    texts.try_for_each(|(_, text)| check_text(MEMBER, text, VerifiedRule::BYTES))
}

/// Returns true if the policy compares a distribution, which can change while no case does.
fn has_distribution(policy: &Policy) -> bool {
    !FieldDistribution::all(policy).is_empty()
}

fn check_checkout(checkout: &Checkout) -> Result<()> {
    check_optional("commit", checkout.commit.as_deref(), NAME_BYTES)?;
    check_optional("branch", checkout.branch.as_deref(), NAME_BYTES)
}

fn check_optional(member: &str, text: Option<&str>, most: usize) -> Result<()> {
    text.map_or(Ok(()), |text| check_text(member, text, most))
}

/// Checks a text that is shown to people on one line.
pub(super) fn check_text(member: &str, text: &str, most: usize) -> Result<()> {
    if text.len() > most {
        let message = format!("must be at most {most} bytes long, but has {}", text.len());
        return Err(invalid(member, message));
    }
    if text.contains(char::is_control) {
        return Err(invalid(member, "must not contain control characters"));
    }
    Ok(())
}
