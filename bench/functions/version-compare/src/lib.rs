//! `Cmp::flip` of version-compare.
