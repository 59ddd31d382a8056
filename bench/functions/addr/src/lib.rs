//! `Address::user` of addr.
