//! `Validate::from` of card-validate.
