//! `encode_to_str` of quoted_printable.
