//! Memory that requests hold.

use super::Count;

/// Memory of one kind.
pub(crate) struct Memory {
    pub(crate) name: &'static str,
    pub(crate) bytes: Count,
}

/// Memory that is held until this is dropped.
pub(crate) struct Held {
    memory: &'static Memory,
    bytes: u64,
}

impl Memory {
    pub(super) const fn new(name: &'static str) -> Self {
        Memory {
            name,
            bytes: Count::new(),
        }
    }

    pub(crate) fn hold(&'static self, bytes: usize) -> Held {
        let bytes = bytes as u64;
        self.bytes.add(bytes);
        Held {
            memory: self,
            bytes,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.memory.bytes.subtract(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_held_until_it_is_dropped() {
        static MEMORY: Memory = Memory::new("test");
        let (one, other) = (MEMORY.hold(5), MEMORY.hold(7));
        assert_eq!(MEMORY.bytes.get(), 12);
        drop(one);
        assert_eq!(MEMORY.bytes.get(), 7);
        drop(other);
        assert_eq!(MEMORY.bytes.get(), 0);
    }
}
