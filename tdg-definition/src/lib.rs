//! tdg-definition
