//! The memory and time of a program.

/// Limits on the memory and time of a program.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "elsewhere there are no limits"))]
pub(crate) struct Budget {
    /// Bytes of memory, including stacks; allocations above it fail.
    pub(crate) memory: u64,
    /// Seconds of CPU time over all threads. Only a backstop: a program that waits uses none.
    pub(crate) processor_seconds: u64,
    /// The largest file that may be written, in bytes.
    pub(crate) file: u64,
}

#[cfg(unix)]
mod unix {
    use std::io;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    use super::Budget;

    /// The main thread's stack. Independent of the shell's limit, so that recursions end the same
    /// way.
    const STACK: u64 = 8 << 20;

    /// No core file. With 0, crash collectors would still be started for every core dump.
    const CORE: u64 = 1;

    impl Budget {
        /// Applies the limits to this process and to the program that it becomes.
        pub(in crate::confine) fn limit_this_process(self) -> io::Result<()> {
            #[cfg(target_os = "linux")]
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            // Not the address space (`As`): each thread reserves far more of it than it uses.
            limit(Resource::Data, self.memory, 0)?;
            limit(Resource::Stack, STACK, 0)?;
            limit(Resource::Core, CORE, 0)?;
            limit(Resource::Fsize, self.file, 0)?;
            // One second between SIGXCPU, which names the reason, and SIGKILL, which doesn't.
            limit(Resource::Cpu, self.processor_seconds, 1)
        }
    }

    fn limit(resource: Resource, most: u64, beyond: u64) -> io::Result<()> {
        let allowed = getrlimit(resource).maximum;
        let least = |most: u64| Some(allowed.map_or(most, |allowed| most.min(allowed)));
        let (current, maximum) = (least(most), least(most.saturating_add(beyond)));
        Ok(setrlimit(resource, Rlimit { current, maximum })?)
    }
}
