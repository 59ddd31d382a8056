//! The marks of runs that have begun and not ended, in the file `running` beside the store.
//!
//! A run that ends removes its mark, whether it passes, fails or panics. If its process ends before
//! it, the mark stays. All tests share one file, which costs less than a file for each. Nothing is
//! locked: at worst a mark is lost, or a run that goes on in another process counts as unfinished.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::directory;
use crate::test_id::TestId;

/// The length of a mark, the hash of its test.
const MARK: usize = 8;
const NO_MARK: [u8; MARK] = [0; MARK];
/// Where the mark of a test can be: at one of these places in the bucket of its hash.
const BUCKET: usize = 8 * MARK;
const BUCKETS: u64 = 1024;

/// The mark of a run that has begun. It is removed when it is dropped.
#[derive(Debug)]
pub struct RunMark {
    file: File,
    place: u64,
    follows_unfinished: bool,
}

impl RunMark {
    /// Marks a run of the test as begun; `None` where nothing can be written.
    pub fn begin(directory: &Path, test: &TestId) -> Option<Self> {
        let mut hasher = DefaultHasher::new();
        test.hash(&mut hasher);
        Self::with_hash(directory, hasher.finish().max(1)).ok()
    }

    fn with_hash(directory: &Path, hash: u64) -> io::Result<Self> {
        let mut file = open(directory)?;
        let start = hash % BUCKETS * BUCKET as u64;
        file.seek(SeekFrom::Start(start))?;
        let mut bucket = [0; BUCKET];
        // Beyond the end of the file are no marks.
        let _ = file.read(&mut bucket)?;
        let mark = hash.to_le_bytes();
        let find = |wanted: [u8; MARK]| bucket.chunks_exact(MARK).position(|it| it == wanted);
        let own = find(mark);
        let index = own.or_else(|| find(NO_MARK)).unwrap_or_default();
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

    /// Whether the run of the test before this one did not end.
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
        // If it stays, the next run is noted for nothing.
        let _ = self.write(NO_MARK);
    }
}

fn open(directory: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let path = directory.join("running");
    match options.open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            directory::create(directory)?;
            options.open(&path)
        }
        opened => opened,
    }
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
    fn tests_of_one_bucket_have_marks_of_their_own() {
        let root = tempfile::tempdir().unwrap();
        let run = |number: u64| RunMark::with_hash(root.path(), 5 + number * BUCKETS).unwrap();
        for number in 0..8 {
            mem::forget(run(number));
        }
        assert!((0..8).all(|number| run(number).follows_unfinished()));
        // A bucket that is full loses a mark.
        for number in 0..8 {
            mem::forget(run(number));
        }
        assert!(!run(8).follows_unfinished());
        assert_eq!(
            (0..8)
                .filter(|&number| run(number).follows_unfinished())
                .count(),
            7
        );
    }

    #[test]
    fn where_nothing_can_be_written_there_is_no_mark() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a-file");
        File::create_new(&file).unwrap();
        assert!(RunMark::begin(&file, &test("total")).is_none());
    }
}
