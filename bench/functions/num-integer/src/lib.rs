//! `mod_floor` of num-integer.
