//! `Hex::cached_rings` of hexx.
