//! `StyleComponents::clear` of bat.
