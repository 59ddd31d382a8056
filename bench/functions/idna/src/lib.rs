//! `domain_to_ascii_strict` of idna.
