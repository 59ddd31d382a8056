//! `Encoding::encode_append` of data-encoding.
