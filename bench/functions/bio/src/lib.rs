//! `pam40` of bio.
