//! `IcannList::from_bytes` of publicsuffix.
