//! The names in serde's attributes. Rows are read by them, so features have them too.

mod rename_all;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Expr, ExprPath, Ident, LitStr, Path, Token};
use tdg_definition::json::Value;
use tdg_definition::nearest;

use crate::errors::Errors;
use rename_all::Case;

/// The `#[serde(…)]` of a container, a field or a variant. serde reports mistakes in it.
#[derive(Default)]
pub(crate) struct Serde {
    rename: Option<LitStr>,
    rename_all: Option<Case>,
    /// `skip`, `skip_deserializing`: serde doesn't read this field or variant.
    pub(crate) skip: Option<Path>,
    /// `default` of a field: a function, or the type's default.
    pub(crate) default: Option<Option<ExprPath>>,
    /// `default` of a container, which fills missing fields from one default value.
    pub(crate) default_of_container: Option<Path>,
    /// The attributes that only serde's own derive can read.
    pub(crate) unread: Vec<Path>,
    /// Set if the value's fields are inlined among those around it.
    pub(crate) flatten: Option<Path>,
    /// Set if the struct is written as the value of its one field.
    pub(crate) transparent: bool,
    /// The spelling of the fields in an enum's variants.
    rename_all_fields: Option<Case>,
    /// serde's form of an enum, instead of `{"Variant": …}`.
    tag: Option<LitStr>,
    content: Option<LitStr>,
    untagged: Option<Path>,
}

impl Serde {
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut serde = Self::default();
        for attribute in attributes {
            if attribute.path().is_ident("serde") {
                let _ = attribute.parse_nested_meta(|meta| serde.read_one(&meta, errors));
            }
        }
        serde
    }

    fn read_one(&mut self, meta: &ParseNestedMeta<'_>, errors: &mut Errors) -> syn::Result<()> {
        let key = meta.path.get_ident().map(Ident::to_string);
        let path = || Some(meta.path.clone());
        match key.as_deref() {
            Some("rename") => return set(&mut self.rename, when_reading(meta)?),
            Some("rename_all") => return set(&mut self.rename_all, case(meta, errors)?),
            Some("rename_all_fields") => {
                return set(&mut self.rename_all_fields, case(meta, errors)?);
            }
            Some("default") => return self.read_default(meta),
            Some("skip" | "skip_deserializing") => self.skip = path(),
            Some(
                "borrow"
                | "skip_serializing"
                | "skip_serializing_if"
                | "serialize_with"
                | "into"
                | "crate",
            ) => {}
            unread => {
                self.unread.extend(path());
                match unread {
                    Some("tag") => return set(&mut self.tag, Some(meta.value()?.parse()?)),
                    Some("content") => return set(&mut self.content, Some(meta.value()?.parse()?)),
                    Some("untagged") => self.untagged = path(),
                    Some("flatten") => self.flatten = path(),
                    Some("transparent") => self.transparent = true,
                    _ => {}
                }
            }
        }
        if meta.input.peek(Token![=]) {
            meta.value()?.parse::<Expr>()?;
        } else if meta.input.peek(syn::token::Paren) {
            meta.parse_nested_meta(|inner| inner.value()?.parse::<Expr>().map(drop))?;
        }
        Ok(())
    }

    fn read_default(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        self.default_of_container = Some(meta.path.clone());
        self.default = Some(None);
        if meta.input.peek(Token![=]) {
            let function: LitStr = meta.value()?.parse()?;
            self.default = Some(function.parse().ok());
        }
        Ok(())
    }

    /// Returns the name of a field of a container with these attributes.
    pub(crate) fn field_name(&self, field: &Self, name: &Ident) -> String {
        self.name_of(field, name, Case::of_field)
    }

    /// Returns the name of a field of a variant of an enum with these attributes.
    pub(crate) fn field_of_variant(&self, variant: &Self, field: &Self, name: &Ident) -> String {
        let of_variant = Self {
            rename_all: variant.rename_all.or(self.rename_all_fields),
            ..Self::default()
        };
        of_variant.field_name(field, name)
    }

    /// Returns the members of a VARIANT that match serde's form of the enum, each with its place.
    pub(crate) fn form(&self) -> impl Iterator<Item = (&'static str, Value, TokenStream)> {
        let named = |name: &'static str, value: &Option<LitStr>| {
            let value = value.as_ref()?;
            Some((name, Value::from(value.value()), value.to_token_stream()))
        };
        let untagged = self.untagged.as_ref();
        let untagged = untagged.map(|it| ("untagged", Value::from(true), it.to_token_stream()));
        let form = [
            named("tag", &self.tag),
            named("content", &self.content),
            untagged,
        ];
        form.into_iter().flatten()
    }

    /// Returns the name of a variant of a container with these attributes.
    pub(crate) fn variant_name(&self, variant: &Self, name: &Ident) -> String {
        self.name_of(variant, name, Case::of_variant)
    }

    fn name_of(&self, item: &Self, name: &Ident, in_case: fn(Case, &str) -> String) -> String {
        let name = name.unraw().to_string();
        match (&item.rename, self.rename_all) {
            (Some(renamed), _) => renamed.value(),
            (None, Some(case)) => in_case(case, &name),
            (None, None) => name,
        }
    }
}

fn set<T>(known: &mut Option<T>, read: Option<T>) -> syn::Result<()> {
    if read.is_some() {
        *known = read;
    }
    Ok(())
}

fn case(meta: &ParseNestedMeta<'_>, errors: &mut Errors) -> syn::Result<Option<Case>> {
    let name = when_reading(meta)?;
    Ok(name.and_then(|name| errors.keep(find_case(&name))))
}

/// Reads `rename = "…"`, or the `deserialize` of `rename(serialize = "…", deserialize = "…")`.
fn when_reading(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<LitStr>> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse().map(Some);
    }
    let mut name = None;
    meta.parse_nested_meta(|inner| {
        let literal: LitStr = inner.value()?.parse()?;
        if inner.path.is_ident("deserialize") {
            name = Some(literal);
        }
        Ok(())
    })?;
    Ok(name)
}

fn find_case(name: &LitStr) -> syn::Result<Case> {
    let text = name.value();
    let found = Case::ALL.iter().find(|(known, _)| *known == text);
    if let Some((_, case)) = found {
        return Ok(*case);
    }
    let names = Case::ALL.map(|(known, _)| known);
    let hint = match nearest(&text, names) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("expected one of \"{}\"", names.join("\", \"")),
    };
    Err(syn::Error::new_spanned(
        name,
        format!("unknown spelling \"{text}\"; {hint}"),
    ))
}
