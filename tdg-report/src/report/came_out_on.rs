//! What can be said of outputs that differ in their last bits only.

use std::env::consts::{ARCH, OS};

use super::{Extent, Section};
use tdg_engine::compare::Closeness;

/// The platforms on which the expected outputs are known to have come out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CameOutOn {
    /// This one: another platform's math library is no reason for a difference.
    ThisPlatform,
    /// Others, such as `linux aarch64`.
    Others(String),
    /// Nobody knows, as in a fresh clone.
    #[default]
    Unknown,
}

impl CameOutOn {
    /// Among these platforms, each an operating system and an architecture.
    #[must_use]
    pub fn among(platforms: &[(String, String)]) -> Self {
        if platforms.iter().any(|(os, arch)| os == OS && arch == ARCH) {
            return Self::ThisPlatform;
        }
        let names = platforms.iter().map(|(os, arch)| format!("{os} {arch}"));
        match names.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => Self::Unknown,
            names => Self::Others(names),
        }
    }

    /// How close the outputs are, and whether a tolerance may be the answer.
    pub(super) fn lines(&self, closeness: &Closeness, extent: Extent) -> Section {
        let close = format!("All differences are at most {} ULP", closeness.ulps);
        let text = match self {
            Self::ThisPlatform => {
                let text = format!("{close}; the expected outputs came out on this platform.");
                return extent.sentences(&[text]);
            }
            Self::Others(names) => format!(
                "{close}: likely another platform's math library, since the expected outputs came \
                 out on {names}. To allow them, add to the attribute:"
            ),
            Self::Unknown => format!(
                "{close}. If the benchmark was recorded on another platform, its math library may \
                 be the reason; this in the attribute allows them:"
            ),
        };
        let mut lines = extent.sentences(&[text]);
        lines.push(format!("    {}", closeness.tolerance()));
        lines
    }
}
