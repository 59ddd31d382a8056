//! `OffsetDateTime::checked_add` of time.
