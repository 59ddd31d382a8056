//! `encode_unquoted_attribute_to_vec` of html-escape.
