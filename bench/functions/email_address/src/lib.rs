//! `EmailAddress::email` of email_address.
