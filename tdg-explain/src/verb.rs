//! The verbs for what cases did.

use tdg_engine::compare::PartKind;

/// The verb for the cases of a part, and its negation for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verb {
    /// Such as `panicked`.
    pub did: &'static str,
    /// Such as `did not panic`.
    pub did_not: &'static str,
}

impl Verb {
    pub(crate) const CHANGED: Verb = verb("changed", "did not change");
    pub(crate) const OTHER_VALUE: Verb = verb("got another value", "did not get another value");
    /// For the cases that a pattern of changed outputs leaves over.
    pub(crate) const OTHERWISE: Verb = verb("changed otherwise", "did not change otherwise");
    /// For panics.
    pub const PANICKED: Verb = verb("panicked", "did not panic");
    pub(crate) const FULFILLED: Verb = verb("fulfilled it", "did not fulfil it");
    pub(crate) const FAILED: Verb = verb("failed", "passed");

    /// Returns the verb for the cases of a part of this kind.
    pub fn of_kind(kind: &PartKind) -> Self {
        match kind {
            PartKind::BecameErr => verb("became an Err", "did not become an Err"),
            PartKind::BecameOk => verb("became an Ok", "did not become an Ok"),
            PartKind::Panicked => Self::PANICKED,
            PartKind::StoppedPanicking => verb("stopped panicking", "still panicked"),
            PartKind::NoLongerInput => verb("ceased to be inputs", "stayed inputs"),
            PartKind::BecameInput => verb("became inputs", "did not become inputs"),
            _ => Self::CHANGED,
        }
    }

    /// Returns the words that follow `the 21 cases that`.
    pub fn of_those(kind: &PartKind) -> &'static str {
        match kind {
            PartKind::Panicked => "panic",
            PartKind::StoppedPanicking => "no longer panic",
            PartKind::NoLongerInput => "are no longer inputs",
            PartKind::OtherReason => "are not inputs, for another reason",
            PartKind::Added => "added",
            PartKind::Removed => "removed",
            PartKind::LastBits => "differ in their last bits",
            kind => Self::of_kind(kind).did,
        }
    }
}

const fn verb(did: &'static str, did_not: &'static str) -> Verb {
    Verb { did, did_not }
}
