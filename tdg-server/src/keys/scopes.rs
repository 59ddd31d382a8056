//! Scopes of keys.

use std::fmt;
use std::str::FromStr;

use tdg_service::ServiceError;

/// A kind of operations that a key may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Read everything.
    Read,
    /// Compare outputs with benchmarks.
    Assert,
    /// Create everything.
    Write,
    /// Delete everything.
    Delete,
}

tdg_definition::names!(Scope::name {
    Read = "read", Assert = "assert", Write = "write", Delete = "delete",
});

impl Scope {
    fn bit(self) -> i16 {
        1 << self as i16
    }
}

/// The scopes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scopes(i16);

impl Scopes {
    pub(crate) fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    pub(crate) fn allow(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// # Errors
    ///
    /// If the key doesn't have the scope.
    pub(crate) fn require(self, scope: Scope) -> Result<(), ServiceError> {
        if self.allow(scope) {
            return Ok(());
        }
        let scope = scope.name();
        let message = format!("the API key may not do this: it needs the scope `{scope}`");
        Err(ServiceError::Forbidden(message.into()))
    }

    /// Returns the stored form.
    pub(crate) fn to_bits(self) -> i16 {
        self.0
    }

    pub(crate) fn from_bits(bits: i16) -> Self {
        Scopes(bits)
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Scopes(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl FromStr for Scopes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let scope = |name: &str| {
            let found = Scope::ALL
                .into_iter()
                .find(|scope| scope.name() == name.trim());
            found.ok_or_else(|| {
                let all = Scopes::all();
                format!("unknown scope `{name}`: expected some of {all}")
            })
        };
        text.split(',').map(scope).collect()
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Scope::ALL
            .into_iter()
            .filter(|scope| self.allow(*scope))
            .map(Scope::name)
            .collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_parsed_from_their_names() {
        let some: Scopes = "read,assert".parse().unwrap();
        assert_eq!(some.to_string(), "read,assert");
        assert!(some.allow(Scope::Read) && some.allow(Scope::Assert) && !some.allow(Scope::Write));
        assert_eq!(Scopes::from_bits(some.to_bits()), some);
        assert_eq!(Scopes::all().to_string(), "read,assert,write,delete");
        let unknown = "read,admin".parse::<Scopes>().unwrap_err();
        assert_eq!(
            unknown,
            "unknown scope `admin`: expected some of read,assert,write,delete"
        );
    }
}
