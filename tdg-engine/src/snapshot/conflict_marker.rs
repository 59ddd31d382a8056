//! Markers of unfinished merges, which no line may begin with.

use super::error::SnapshotError;

pub(super) fn refuse_conflict_marker(line: &str) -> Result<(), SnapshotError> {
    if ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        .iter()
        .any(|marker| line.starts_with(marker))
    {
        return Err(SnapshotError::new(
            "conflict marker of an unfinished merge",
            "run `cargo tdg resolve`, or take one side whole (git checkout --ours or --theirs) and run the test",
        ));
    }
    Ok(())
}
