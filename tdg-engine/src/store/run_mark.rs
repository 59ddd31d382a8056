//! The marks of runs that have started but not ended, in the store's file `running`.
//!
//! A run removes its mark when it ends, whether it passes, fails or panics. If its process dies,
//! the mark stays. All tests share one file, which costs less than a file for each. Nothing is
//! locked: at worst a mark is lost, or a run in another process counts as unfinished.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::{StoreProblem, directory};
use crate::test_id::TestId;

/// The length of a mark, the hash of its test.
const MARK: usize = 8;
const NO_MARK: [u8; MARK] = [0; MARK];
/// The bucket for a hash. The mark of a test is at one of its slots, …
const BUCKET: usize = 8 * MARK;
/// … after this prefix, which prevents writing to a file of another program.
const BEGIN: [u8; MARK] = *b"tdg runs";
const BUCKETS: u64 = 1024;

/// The mark of a started run. Dropping it removes the mark.
#[derive(Debug)]
pub struct RunMark {
    file: File,
    place: u64,
    follows_unfinished: bool,
}

impl RunMark {
    /// Marks a run of the test as started; `None` if nothing can be written.
    pub fn begin(directory: &Path, test: &TestId) -> Option<Self> {
        let mut hasher = DefaultHasher::new();
        test.hash(&mut hasher);
        Self::with_hash(directory, hasher.finish().max(1)).ok()
    }

    fn with_hash(directory: &Path, hash: u64) -> Result<Self, StoreProblem> {
        let start = hash % BUCKETS * BUCKET as u64;
        let (file, bucket) = open(directory, start)?;
        let mark = hash.to_le_bytes();
        let find = |wanted: [u8; MARK]| bucket.chunks_exact(MARK).position(|it| it == wanted);
        let own = find(mark);
        // A full bucket loses a mark.
        let index = own.or_else(|| find(NO_MARK)).unwrap_or(1);
        let mut run = Self {
            file,
            place: start + (index * MARK) as u64,
            follows_unfinished: own.is_some(),
        };
        if !run.follows_unfinished {
            run.write(mark)?;
        }
        Ok(run)
    }

    /// Returns true if the previous run of the test did not end.
    pub fn follows_unfinished(&self) -> bool {
        self.follows_unfinished
    }

    fn write(&mut self, mark: [u8; MARK]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.place))?;
        self.file.write_all(&mark)
    }
}

impl Drop for RunMark {
    fn drop(&mut self) {
        // If it stays, the next run gets an unnecessary note.
        let _ = self.write(NO_MARK);
    }
}

/// Opens the file with the marks and reads a bucket.
fn open(directory: &Path, start: u64) -> Result<(File, [u8; BUCKET]), StoreProblem> {
    let path = directory.join("running");
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    let found = options
        .open(&path)
        .and_then(|mut file| Ok((read(&mut file, start)?, file)));
    match found {
        Ok((bucket, file)) if bucket.starts_with(&BEGIN) => return Ok((file, bucket)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => directory::make(directory)?,
    }
    let mut file = options.create(true).truncate(false).open(&path)?;
    let first = read(&mut file, 0)?;
    if !first.starts_with(&BEGIN) && file.metadata()?.len() > 0 {
        return Err(StoreProblem::InTheWay(path));
    }
    for bucket in [0, start] {
        file.seek(SeekFrom::Start(bucket))?;
        file.write_all(&BEGIN)?;
    }
    let bucket = read(&mut file, start)?;
    Ok((file, bucket))
}

/// Reads a bucket; past the end of the file it is empty.
fn read(file: &mut File, start: u64) -> io::Result<[u8; BUCKET]> {
    let mut bucket = [0; BUCKET];
    file.seek(SeekFrom::Start(start))?;
    let _ = file.read(&mut bucket)?;
    Ok(bucket)
}

#[cfg(test)]
mod tests {
    use std::mem;

    use super::*;

    fn test(name: &str) -> TestId {
        TestId {
            package: "shop".to_owned(),
            source: "src/lib.rs".to_owned(),
            name: name.to_owned(),
        }
    }

    #[test]
    fn a_run_is_unfinished_until_its_mark_is_dropped() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join(".tdg");
        let follows = |name: &str| {
            let mark = RunMark::begin(&directory, &test(name)).unwrap();
            let follows = mark.follows_unfinished();
            (mark, follows)
        };
        assert!(!follows("total").1);
        let (killed, _) = follows("total");
        mem::forget(killed);
        assert!(!follows("invoice").1);
        assert!(follows("total").1);
        assert!(!follows("total").1);
        assert!(directory.join(".gitignore").is_file());
    }

    #[test]
    fn tests_of_one_bucket_have_separate_marks() {
        let root = tempfile::tempdir().unwrap();
        let run = |number: u64| RunMark::with_hash(root.path(), 5 + number * BUCKETS).unwrap();
        for number in 0..7 {
            mem::forget(run(number));
        }
        assert!((0..7).all(|number| run(number).follows_unfinished()));
        // A full bucket loses a mark.
        for number in 0..7 {
            mem::forget(run(number));
        }
        assert!(!run(7).follows_unfinished());
        assert_eq!(
            (0..7)
                .filter(|&number| run(number).follows_unfinished())
                .count(),
            6
        );
    }

    #[test]
    fn without_write_access_no_mark_is_written() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a-file");
        File::create_new(&file).unwrap();
        assert!(RunMark::begin(&file, &test("total")).is_none());
    }
    #[test]
    fn a_foreign_file_gets_no_mark() {
        let text = "epoch 7\n".repeat(10_000);
        for is_made in [false, true] {
            let root = tempfile::tempdir().unwrap();
            if is_made {
                directory::make(root.path()).unwrap();
            }
            let file = root.path().join("running");
            std::fs::write(&file, &text).unwrap();
            assert!(RunMark::begin(root.path(), &test("total")).is_none());
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
