//! `deunicode_char` of deunicode.
