//! Names of record kinds.

use tdg_service::record::RecordKind;

/// Returns the plural, such as `assertions`.
pub(super) fn plural(kind: RecordKind) -> String {
    format!("{kind}s")
}
