//! Identities derived from content.
//!
//! An identity is a UUID of version 8: the first 16 bytes of a SHA-256 over the kind and the parts.
//! Each part is preceded by its length, as eight little-endian bytes. Numbers are encoded the same
//! way, identifiers as their 16 bytes, and texts as UTF-8.
//!
//! ```
//! use tdg_service::Uuid;
//! use tdg_service::record::identity;
//!
//! let project = Uuid::try_parse("d2b59dc1-6a4d-46d5-b387-05c64c5ed92f")?;
//! let definition = identity::definition(project, r#"{"features":[]}"#);
//! assert_eq!(definition.to_string(), "2687d7a5-4a28-8d34-8616-be30c6524d8b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use hmac_sha256::Hash;
use tdg_engine::TestId;
use uuid::Uuid;

use super::RecordKind;

/// Returns the identity of a project's definition, from its canonical text.
pub fn definition(project: Uuid, canonical: &str) -> Uuid {
    derived(
        RecordKind::Definition,
        &[project.as_bytes(), canonical.as_bytes()],
    )
}

/// Returns the identity of the rows drawn from a definition.
pub fn ensemble(definition: Uuid, seed: u64, size: usize, sampler_version: u32) -> Uuid {
    let numbers = [seed, size as u64, sampler_version.into()].map(u64::to_le_bytes);
    let [seed, size, version] = &numbers;
    derived(
        RecordKind::Ensemble,
        &[definition.as_bytes(), seed, size, version],
    )
}

/// Returns the identity of rows that a definition types but doesn't draw, from their digest.
pub fn rows(definition: Uuid, digest: &str) -> Uuid {
    derived(
        RecordKind::Ensemble,
        &[definition.as_bytes(), digest.as_bytes()],
    )
}

/// Returns the identity of a project's test.
pub fn test(project: Uuid, test: &TestId) -> Uuid {
    let [package, source, name] = [&test.package, &test.source, &test.name].map(String::as_bytes);
    derived(
        RecordKind::Test,
        &[project.as_bytes(), package, source, name],
    )
}

/// Returns the identity of an ensemble's expected outputs, from their digest.
pub fn benchmark(ensemble: Uuid, digest: &str) -> Uuid {
    derived(
        RecordKind::Benchmark,
        &[ensemble.as_bytes(), digest.as_bytes()],
    )
}

/// Returns the identity of the revival of a deleted object.
pub fn revival(tombstone: Uuid) -> Uuid {
    derived(RecordKind::Revival, &[tombstone.as_bytes()])
}

fn derived(kind: RecordKind, parts: &[&[u8]]) -> Uuid {
    let mut hash = Hash::new();
    for part in [kind.as_str().as_bytes()].iter().chain(parts) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
