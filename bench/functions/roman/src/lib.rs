//! `from_lower` of roman.
