//! Vector instructions that the target doesn't guarantee.

/// Calls `f`, compiled for the widest vectors of this machine. The compiler widens loops, but never
/// fuses or reorders operations on floats, so the bits are the same.
///
/// This only affects code inlined into `f`, so mark that code, and `f`, `#[inline(always)]`.
#[inline(always)]
pub(crate) fn widest<T>(f: impl FnOnce() -> T) -> T {
    #[cfg(feature = "simd")]
    return fearless_simd::dispatch!(fearless_simd::Level::new(), _simd => f());
    #[cfg(not(feature = "simd"))]
    f()
}
