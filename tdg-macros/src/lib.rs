//! tdg-macros
