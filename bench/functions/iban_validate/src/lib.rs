//! `Iban::bban` of iban_validate.
