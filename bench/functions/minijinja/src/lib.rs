//! `abs` of minijinja.
