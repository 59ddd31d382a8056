//! Vector instructions beyond those that every machine of the target has.

/// Calls `f`, compiled for the widest vectors that this machine has. The compiler widens loops, and
/// never fuses or reorders operations on floats: the bits are the same.
///
/// Only what is inlined into `f` is compiled for them, so mark it, and `f`, `#[inline(always)]`.
#[inline(always)]
pub(crate) fn widest<T>(f: impl FnOnce() -> T) -> T {
    #[cfg(feature = "simd")]
    return fearless_simd::dispatch!(fearless_simd::Level::new(), _simd => f());
    #[cfg(not(feature = "simd"))]
    f()
}
