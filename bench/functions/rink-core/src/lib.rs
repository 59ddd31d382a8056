//! `Number::to_parts_simple` of rink-core.
