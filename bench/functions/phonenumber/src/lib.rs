//! `is_valid_with` of phonenumber.
