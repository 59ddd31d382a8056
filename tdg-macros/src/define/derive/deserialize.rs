//! The `Deserialize` implementation of a struct whose fields have makers. serde's derive doesn't
//! know makers, so this replaces it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{DataStruct, DeriveInput, ExprPath, GenericParam, Type};

use crate::define::container::Container;
use crate::define::definition::CodeDefinition;
use crate::define::drawn_type::DrawnType;
use crate::define::maker::Maker;
use crate::define::maker::constructor::MadeValue;
use crate::define::serde::Serde;
use crate::errors::Errors;
use crate::hygiene::{at, local};

/// A field that is read from a row.
struct ReadField<'a> {
    ident: &'a Ident,
    kind: &'a Type,
    /// The name of its feature, or `None` if serde skips it.
    name: Option<String>,
    drawn: DrawnType,
    maker: Option<Maker>,
    /// The value for a missing feature: a function's, or the type's default.
    default: Option<Option<ExprPath>>,
}

/// Returns the implementation of `Deserialize`, if a field has a maker.
pub(crate) fn implementation(
    input: &DeriveInput,
    data: &DataStruct,
    container: &Container,
    definition: &CodeDefinition,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let mut found = Vec::new();
    let mut unread: Vec<syn::Path> = container.serde.unread.clone();
    for field in &data.fields {
        let Some(ident) = &field.ident else { continue };
        // Mistakes in the field are reported elsewhere.
        let mut known = Errors::default();
        let serde = Serde::read(&field.attrs, &mut known);
        let maker = Maker::take(&mut field.attrs.clone(), &mut known);
        let name = container.serde.field_name(&serde, ident);
        unread.extend(serde.unread);
        found.push(ReadField {
            ident,
            kind: &field.ty,
            drawn: drawn(definition, &name),
            maker,
            default: serde.default,
            name: serde.skip.is_none().then_some(name),
        });
    }
    if found.iter().all(|field| field.maker.is_none()) {
        return None;
    }
    unread.extend(container.serde.default_of_container.clone());
    for path in unread {
        errors.at(
            &path,
            "a struct with `via` or `parse` is read by `derive(Define)`, which supports serde's \
             `rename`, `rename_all`, `skip`, and the `default` of a field, but not this; remove \
             it, or make the value in the test",
        );
    }
    Some(expand(input, container, &found))
}

fn drawn(definition: &CodeDefinition, name: &str) -> DrawnType {
    let feature = definition.features.iter().find(|it| it.name == name);
    feature.map_or_else(DrawnType::default, |it| DrawnType::of_members(&it.members))
}

fn expand(input: &DeriveInput, container: &Container, fields: &[ReadField<'_>]) -> TokenStream {
    let tdg = &container.tdg;
    let (core, serde) = (
        quote!(#tdg::__private::core),
        quote!(#tdg::__private::serde),
    );
    let result = quote!(#core::result::Result);
    let name = &input.ident;
    let text = name.to_string();
    let expected = format!("struct {name}");
    let (_, arguments, conditions) = input.generics.split_for_impl();
    let lifetimes = input.generics.params.iter().filter_map(|it| match it {
        GenericParam::Lifetime(it) => Some(&it.lifetime),
        _ => None,
    });
    let parameters = &input.generics.params;
    let conditions = conditions.map(|it| it.predicates.to_token_stream());
    let conditions = quote!(where #('tdg_de: #lifetimes,)* #conditions);
    let features: Vec<_> = fields.iter().filter(|it| it.name.is_some()).collect();
    let names = features.iter().filter_map(|it| it.name.as_ref());
    let (read, map) = (quote!(#tdg::__private::read), local("map"));
    let variables = features.iter().map(|it| it.variable());
    let arms = features.iter().enumerate();
    let arms = arms.map(|(index, field)| field.arm(index, &map, tdg));
    let values = fields.iter().map(|field| field.value(tdg));
    let index = local("index");
    quote! {
        const _: () = {
            const TDG_FIELDS: &[&#core::primitive::str] = &[#(#names),*];

            struct TdgFields<#parameters>(#core::marker::PhantomData<fn() -> #name #arguments>);

            #[automatically_derived]
            impl<'tdg_de, #parameters> #serde::de::Visitor<'tdg_de> for TdgFields #arguments #conditions {
                type Value = #name #arguments;

                fn expecting(&self, to: &mut #core::fmt::Formatter<'_>) -> #core::fmt::Result {
                    to.write_str(#expected)
                }

                fn visit_map<TdgMap: #serde::de::MapAccess<'tdg_de>>(
                    self,
                    mut #map: TdgMap,
                ) -> #result<Self::Value, TdgMap::Error> {
                    #(let mut #variables = #core::option::Option::None;)*
                    while let #core::option::Option::Some(#index) =
                        #serde::de::MapAccess::next_key_seed(&mut #map, #read::FieldIndex(TDG_FIELDS))?
                    {
                        match #index {
                            #(#arms)*
                            _ => {
                                #serde::de::MapAccess::next_value::<#serde::de::IgnoredAny>(&mut #map)?;
                            }
                        }
                    }
                    #result::Ok(#name { #(#values),* })
                }
            }

            #[automatically_derived]
            impl<'tdg_de, #parameters> #serde::Deserialize<'tdg_de> for #name #arguments #conditions {
                fn deserialize<TdgFrom: #serde::Deserializer<'tdg_de>>(from: TdgFrom) -> #result<Self, TdgFrom::Error> {
                    from.deserialize_struct(#text, TDG_FIELDS, TdgFields(#core::marker::PhantomData))
                }
            }
        };
    }
}

impl ReadField<'_> {
    fn variable(&self) -> Ident {
        local(&format!("field_{}", self.ident))
    }

    /// Returns the match arm that reads the value of the field with that index.
    fn arm(&self, index: usize, map: &Ident, tdg: &syn::Path) -> TokenStream {
        let (core, serde) = (
            quote!(#tdg::__private::core),
            quote!(#tdg::__private::serde),
        );
        let taken = quote!(#serde::de::MapAccess::next_value(&mut #map)?);
        let value = match &self.maker {
            None => taken,
            Some(maker) => {
                let made = MadeValue {
                    maker,
                    kind: self.kind,
                    name: self.ident.to_string(),
                    drawn: self.drawn.clone(),
                    is_part: false,
                    place: at(&self.kind.span()),
                    tdg,
                };
                let refusal = local("refusal");
                let refused = quote!(return #core::result::Result::Err(#refusal.of_field()));
                made.value(&taken, &refusal, &refused)
            }
        };
        let variable = self.variable();
        quote! {
            #core::option::Option::Some(#index) => {
                #variable = #core::option::Option::Some(#value);
            }
        }
    }

    /// Returns the field's value in the struct.
    fn value(&self, tdg: &syn::Path) -> TokenStream {
        let core = quote!(#tdg::__private::core);
        let (ident, variable) = (self.ident, self.variable());
        let Some(name) = &self.name else {
            return quote!(#ident: #core::default::Default::default());
        };
        let unset = match (&self.default, &self.maker) {
            (Some(Some(function)), _) => quote!(#function()),
            (Some(None), _) => quote!(#core::default::Default::default()),
            (None, Some(_)) => {
                quote!(return #core::result::Result::Err(#tdg::__private::read::missing(#name)))
            }
            (None, None) => quote!(#tdg::__private::read::unset(#name)?),
        };
        quote! {
            #ident: match #variable {
                #core::option::Option::Some(value) => value,
                #core::option::Option::None => #unset,
            }
        }
    }
}
