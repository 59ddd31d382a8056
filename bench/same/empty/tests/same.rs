//! Measures the cost of a test process that does nothing.

#[test]
fn many() {}

#[test]
fn few() {}
