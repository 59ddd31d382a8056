//! The memory and time of a program.

/// The memory and time of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Bytes of memory, stacks included; an allocation beyond it fails.
    pub(crate) memory: u64,
    /// Seconds of processor time, of all threads. A backstop: one that waits takes none.
    pub(crate) processor_seconds: u64,
    /// The bytes of the largest file that may be written.
    pub(crate) file: u64,
}

#[cfg(unix)]
mod unix {
    use std::io;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    use super::Budget;

    /// The main thread's, whatever the shell's is, so that a recursion ends the same everywhere.
    const STACK: u64 = 8 << 20;

    /// No core file; with 0, programs that collect crashes would still be started, for every one.
    const CORE: u64 = 1;

    impl Budget {
        /// Limits this process, and the program that it becomes.
        pub(in crate::confine) fn limit_this_process(self) -> io::Result<()> {
            #[cfg(target_os = "linux")]
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
            // Not the address space (`As`), most of which is reserved only, by each thread.
            limit(Resource::Data, self.memory, 0)?;
            limit(Resource::Stack, STACK, 0)?;
            limit(Resource::Core, CORE, 0)?;
            limit(Resource::Fsize, self.file, 0)?;
            // A second between the signal that tells the reason and the one that doesn't.
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
