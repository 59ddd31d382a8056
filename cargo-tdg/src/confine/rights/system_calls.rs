//! The system calls that a program may make.
//!
//! All others fail instead of ending the program, so a function behaves as if it lacked the
//! permission.

use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::process;

use libc::*;
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{self, Eq, MaskedEq};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

use crate::error::Result;

/// System calls with their rules. A call is allowed if any rule matches, or if it has no rules.
type SystemCalls = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls for plain computing: memory, threads, time, and files, which Landlock restricts.
const ALLOWED: &[c_long] = &[
    // Memory.
    SYS_brk,
    SYS_madvise,
    SYS_mincore,
    SYS_mlock,
    SYS_mlock2,
    SYS_mprotect,
    SYS_mremap,
    SYS_msync,
    SYS_munlock,
    SYS_munmap,
    // Threads, and signals to itself.
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_get_robust_list,
    SYS_getcpu,
    SYS_getpriority,
    SYS_membarrier,
    SYS_restart_syscall,
    SYS_rseq,
    SYS_rt_sigaction,
    SYS_rt_sigpending,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_yield,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_sigaltstack,
    // Time, identity and randomness.
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_getegid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getgroups,
    SYS_getpgid,
    SYS_getpid,
    SYS_getppid,
    SYS_getrandom,
    SYS_getresgid,
    SYS_getresuid,
    SYS_getrusage,
    SYS_getsid,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_getuid,
    SYS_nanosleep,
    SYS_sysinfo,
    SYS_times,
    SYS_uname,
    // File descriptors.
    SYS_close,
    SYS_close_range,
    SYS_copy_file_range,
    SYS_dup,
    SYS_dup3,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_eventfd2,
    SYS_fadvise64,
    SYS_fallocate,
    SYS_fdatasync,
    SYS_fsync,
    SYS_ftruncate,
    SYS_lseek,
    SYS_pipe2,
    SYS_ppoll,
    SYS_pread64,
    SYS_preadv,
    SYS_preadv2,
    SYS_pselect6,
    SYS_pwrite64,
    SYS_pwritev,
    SYS_pwritev2,
    SYS_read,
    SYS_readahead,
    SYS_readv,
    SYS_sendfile,
    SYS_write,
    SYS_writev,
    // Paths.
    SYS_chdir,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_fchdir,
    SYS_fstat,
    SYS_fstatfs,
    SYS_getcwd,
    SYS_getdents64,
    SYS_linkat,
    SYS_mkdirat,
    SYS_newfstatat,
    SYS_readlinkat,
    SYS_renameat,
    SYS_renameat2,
    SYS_statfs,
    SYS_statx,
    SYS_symlinkat,
    SYS_umask,
    SYS_unlinkat,
    // The launcher needs both to become the program.
    SYS_execve,
    SYS_seccomp,
];

/// Allowed calls that newer architectures no longer have.
#[cfg(target_arch = "x86_64")]
const ALLOWED_OF_OLD: &[c_long] = &[
    SYS_access,
    SYS_arch_prctl,
    SYS_creat,
    SYS_dup2,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_eventfd,
    SYS_getdents,
    SYS_getpgrp,
    SYS_getrlimit,
    SYS_link,
    SYS_lstat,
    SYS_mkdir,
    SYS_pause,
    SYS_pipe,
    SYS_poll,
    SYS_readlink,
    SYS_rename,
    SYS_rmdir,
    SYS_select,
    SYS_stat,
    SYS_symlink,
    SYS_time,
    SYS_unlink,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_OF_OLD: &[c_long] = &[SYS_getrlimit];

/// Calls that fail for lack of permission (EPERM). Calls in none of the lists fail as unknown
/// (ENOSYS), so that libraries fall back as on an older kernel.
const REFUSED: &[c_long] = &[
    // Sockets.
    SYS_accept,
    SYS_accept4,
    SYS_bind,
    SYS_connect,
    SYS_listen,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendmsg,
    SYS_sendto,
    SYS_setsockopt,
    SYS_socket,
    SYS_socketpair,
    // Other processes and programs. `memfd_create` makes programs that Landlock can't see.
    SYS_execveat,
    SYS_memfd_create,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_ptrace,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setpgid,
    SYS_setpriority,
    SYS_setsid,
    // Modes, owners, times and attributes of files, and locks that block other processes. Landlock
    // covers none of these, and truncation only since Linux 6.2.
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_flock,
    SYS_fremovexattr,
    SYS_fsetxattr,
    SYS_lremovexattr,
    SYS_lsetxattr,
    SYS_mknodat,
    SYS_removexattr,
    SYS_setxattr,
    SYS_truncate,
    SYS_utimensat,
    // Anything that outlives the process or affects the whole system.
    SYS_add_key,
    SYS_bpf,
    SYS_chroot,
    SYS_io_uring_setup,
    SYS_keyctl,
    SYS_mount,
    SYS_mq_open,
    SYS_msgget,
    SYS_perf_event_open,
    SYS_request_key,
    SYS_semget,
    SYS_setns,
    SYS_shmget,
    SYS_umount2,
    SYS_unshare,
    SYS_userfaultfd,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_OF_OLD: &[c_long] = &[
    SYS_chmod,
    SYS_chown,
    SYS_fork,
    SYS_futimesat,
    SYS_lchown,
    SYS_mknod,
    SYS_utime,
    SYS_utimes,
    SYS_vfork,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OF_OLD: &[c_long] = &[];

/// Restricts the system calls of this process and of the program it becomes.
pub(super) fn confine() -> Result<()> {
    let allowed = || ALLOWED.iter().chain(ALLOWED_OF_OLD);
    let refused = REFUSED.iter().chain(REFUSED_OF_OLD);
    let always = |&number: &c_long| (number, Vec::new());

    let conditional = conditional()?;
    let known = conditional.keys().chain(allowed()).chain(refused);
    let known = known.map(always).collect();
    let allowed = allowed().map(always).chain(conditional).collect();
    // If both filters refuse a call, the later one determines the error.
    apply(allowed, EPERM)?;
    apply(known, ENOSYS)
}

fn apply(calls: SystemCalls, or_else: c_int) -> Result<()> {
    let or_else = SeccompAction::Errno(or_else.unsigned_abs());
    let filter = SeccompFilter::new(calls, or_else, SeccompAction::Allow, ARCH.try_into()?)?;
    apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(())
}

/// Calls that are allowed only with certain arguments.
fn conditional() -> Result<SystemCalls, BackendError> {
    let process = || argument(0, Eq, process::id().into());
    let namespaces =
        CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUSER;
    let thread = MaskedEq(bits(CLONE_THREAD | namespaces | CLONE_NEWUTS));
    // With a null pointer, the limits are read rather than set.
    let read_limits = SeccompCondition::new(2, Qword, Eq, 0)?;
    // Memory that the budget counts: private, or backed by a file.
    let of_file = argument(3, MaskedEq(bits(MAP_ANONYMOUS)), 0)?;
    let private = argument(3, MaskedEq(bits(MAP_TYPE)), bits(MAP_PRIVATE))?;
    Ok(BTreeMap::from([
        (
            SYS_clone,
            vec![rule(argument(0, thread, bits(CLONE_THREAD))?)?],
        ),
        (SYS_kill, vec![rule(process()?)?]),
        (SYS_tgkill, vec![rule(process()?)?]),
        // The main thread has the process's number; musl aborts through it.
        (SYS_tkill, vec![rule(process()?)?]),
        (SYS_prlimit64, vec![rule(read_limits)?]),
        (SYS_mmap, vec![rule(of_file)?, rule(private)?]),
        #[cfg(target_arch = "x86_64")]
        (SYS_open, opened(1)?),
        (SYS_openat, opened(2)?),
        (SYS_fcntl, one_of(1, FILE_COMMANDS)?),
        (SYS_ioctl, one_of(1, DEVICE_COMMANDS)?),
        (SYS_prctl, one_of(0, PROCESS_COMMANDS)?),
    ]))
}

/// All but the commands that make the kernel send signals to another process.
const FILE_COMMANDS: &[c_int] = &[
    F_DUPFD,
    F_DUPFD_CLOEXEC,
    F_GETFD,
    F_SETFD,
    F_GETFL,
    F_SETFL,
    F_GETLK,
    F_SETLK,
    F_SETLKW,
];

/// Queries. Other commands type into a terminal or change the attributes of a file.
const DEVICE_COMMANDS: &[c_int] = &[
    FIOCLEX as c_int,
    FIONBIO as c_int,
    FIONREAD as c_int,
    TCGETS as c_int,
    TCGETS2 as c_int,
    TIOCGWINSZ as c_int,
];

const PROCESS_COMMANDS: &[c_int] = &[
    PR_GET_DUMPABLE,
    PR_GET_NAME,
    PR_SET_NAME,
    // Already set by this process, and required for a filter.
    PR_SET_NO_NEW_PRIVS,
    PR_SET_VMA,
];

/// Rules for opening files: no truncation of read-only files, which old kernels' Landlock allows.
fn opened(flags: u8) -> Result<Vec<SeccompRule>, BackendError> {
    let access = || MaskedEq(bits(O_WRONLY | O_RDWR));
    Ok(vec![
        rule(argument(flags, MaskedEq(bits(O_TRUNC)), 0)?)?,
        rule(argument(flags, access(), bits(O_WRONLY))?)?,
        rule(argument(flags, access(), bits(O_RDWR))?)?,
    ])
}

fn one_of(index: u8, values: &[c_int]) -> Result<Vec<SeccompRule>, BackendError> {
    let rules = values
        .iter()
        .map(|&value| rule(argument(index, Eq, bits(value))?));
    rules.collect()
}

fn rule(condition: SeccompCondition) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![condition])
}

/// Returns a condition on a 32-bit argument.
fn argument(
    index: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(index, Dword, operator, value)
}

fn bits(value: c_int) -> u64 {
    value.cast_unsigned().into()
}
