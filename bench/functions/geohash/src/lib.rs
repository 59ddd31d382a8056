//! `neighbor` of geohash.
