//! The names of kinds of records.

use tdg_service::record::RecordKind;

/// `assertions`.
pub(super) fn plural(kind: RecordKind) -> String {
    format!("{kind}s")
}
