//! Advice on outputs that differ only in their last bits.

use std::env::consts::{ARCH, OS};

use super::{Extent, Section};
use tdg_engine::compare::Closeness;

/// The platforms that have produced the expected outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CameOutOn {
    /// This platform, so that another math library can't explain a difference.
    ThisPlatform,
    /// Others, such as `linux aarch64`.
    Others(String),
    /// Unrecorded, as in a fresh clone.
    #[default]
    Unknown,
}

impl CameOutOn {
    /// Chooses the variant for these platforms, each an operating system and an architecture.
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

    /// Describes the closeness of the outputs, and suggests a tolerance if that may help.
    pub(super) fn lines(&self, closeness: &Closeness, extent: Extent) -> Section {
        let close = format!("All differences are at most {} ULP", closeness.ulps);
        let text = match self {
            Self::ThisPlatform => {
                let text = format!("{close}; the expected outputs were computed on this platform.");
                return extent.sentences(&[text]);
            }
            Self::Others(names) => format!(
                "{close}: likely another platform's math library, since the expected outputs were \
                 computed on {names}. To allow them, add to the attribute:"
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
