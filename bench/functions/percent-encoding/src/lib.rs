//! `PercentDecode::decode_utf8_lossy` of percent-encoding.
