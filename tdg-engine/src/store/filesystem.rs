//! Files that other processes may remove, and directories shared with other machines.

use std::path::Path;
use std::{fs, io};

const NETWORK: [&str; 20] = [
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "coda",
    "drvfs",
    "fuse.beegfs",
    "fuse.ceph",
    "fuse.glusterfs",
    "fuse.sshfs",
    "gfs2",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "ocfs2",
    "smb3",
    "vboxsf",
];

/// Checks Linux's list of mounts; returns false on other systems.
pub(super) fn is_network(directory: &Path) -> bool {
    let Ok(directory) = directory.canonicalize() else {
        return false;
    };
    let Ok(mounts) = fs::read_to_string("/proc/self/mounts") else {
        return false;
    };
    file_system(&mounts, &directory).is_some_and(|kind| NETWORK.contains(&kind))
}

/// Returns the type of the file system that holds `path`. The longest mount point above it counts,
/// and the last of several equal ones, which hides the others.
fn file_system<'a>(mounts: &'a str, path: &Path) -> Option<&'a str> {
    mounts
        .lines()
        .filter_map(|line| {
            let mut fields = line.split(' ').skip(1);
            // The list encodes spaces in names in octal.
            let mount_point = fields.next()?.replace("\\040", " ");
            let kind = fields.next()?;
            path.starts_with(&mount_point)
                .then_some((mount_point.len(), kind))
        })
        .max_by_key(|(length, _)| *length)
        .map(|(_, kind)| kind)
}

/// Returns `None` if the file is gone: other processes remove journals at any time.
pub(super) fn unless_gone<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match done {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        done => done.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{file_system, is_network};

    const MOUNTS: &str = "\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
tmpfs /home/me/scratch tmpfs rw 0 0
//server/my\\040files /mnt/my\\040files cifs rw 0 0
/dev/sdb1 /mnt/disk ext4 rw 0 0
server:/disk /mnt/disk nfs rw 0 0
";

    #[test]
    fn the_innermost_mount_decides() {
        let kind = |path: &str| file_system(MOUNTS, Path::new(path));
        assert_eq!(kind("/data/.tdg"), Some("ext4"));
        assert_eq!(kind("/home/me/shop/.tdg"), Some("nfs4"));
        assert_eq!(kind("/home/me/scratch/shop/.tdg"), Some("tmpfs"));
        assert_eq!(kind("/homework/.tdg"), Some("ext4"));
        assert_eq!(kind("/mnt/my files/.tdg"), Some("cifs"));
    }

    #[test]
    fn of_two_mounts_in_one_place_the_later_wins() {
        assert_eq!(
            file_system(MOUNTS, Path::new("/mnt/disk/.tdg")),
            Some("nfs")
        );
    }

    #[test]
    fn a_missing_directory_is_not_a_network() {
        assert!(!is_network(Path::new("/no/such/directory")));
    }
}
