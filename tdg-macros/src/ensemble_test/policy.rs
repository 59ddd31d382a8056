//! The options for the comparison of outputs.
//!
//! They become the equivalent JSON, with the place of every part. The JSON is checked like any
//! policy, and each fault is reported at its place. An expression that isn't a literal is checked
//! when the test runs.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, LitStr};
use tdg_definition::json::{Object, Pointer, Value};

use super::distribution::DistributionOption;
use super::tolerance::{ToleranceOption, number};
use crate::errors::Errors;
use crate::literal::json_of;
use crate::source_places::Places;

#[derive(Default)]
pub(crate) struct PolicyOptions {
    /// The policy that the options add to.
    base: Option<Expr>,
    tolerances: Vec<ToleranceOption>,
    ignored: Vec<LitStr>,
    unordered: Vec<LitStr>,
    distributions: Vec<DistributionOption>,
    allow: Option<Expr>,
    json: Object,
    places: Places,
}

impl PolicyOptions {
    pub(crate) fn base(&self) -> Option<&Expr> {
        self.base.as_ref()
    }

    pub(crate) fn set_base(&mut self, base: Expr) {
        self.base = Some(base);
    }

    pub(crate) fn add_tolerance(
        &mut self,
        option: &Ident,
        tolerance: ToleranceOption,
    ) -> syn::Result<()> {
        let twice = "is given twice; keep one";
        let (place, problem) = match &tolerance.pointer {
            None => {
                let place = Pointer::root().child("tolerance");
                self.places.add_as("tolerance", place.clone(), option);
                let problem = format!(
                    "the tolerance of the whole output {twice}, \
                     or name the field it is for: tolerance(\"/price\", abs = 0.01)"
                );
                (place, syn::Error::new(option.span(), problem))
            }
            Some(pointer) => {
                let field = pointer.value();
                let place = Pointer::root().child("fields").child(&field);
                self.places.add_as("tolerance", place.clone(), pointer);
                let problem = format!("the tolerance of {field:?} {twice}");
                (place, syn::Error::new(pointer.span(), problem))
            }
        };
        let mut members = Object::new();
        for (name, value) in &tolerance.members {
            let json = match value {
                None => Value::from(true),
                // Any limit can replace an unknown one.
                Some(value) => json_of(value).unwrap_or(Value::from(1)),
            };
            let name_text = name.to_string();
            let tokens = quote!(#name #value);
            self.places.add_named(place.child(&name_text), tokens);
            members.insert(name_text, json);
        }
        let is_new = match &tolerance.pointer {
            None => self.json.insert("tolerance", members.into()).is_none(),
            Some(pointer) => self.insert_at("fields", &pointer.value(), members),
        };
        if !is_new {
            return Err(problem);
        }
        self.tolerances.push(tolerance);
        Ok(())
    }

    pub(crate) fn ignore(&mut self, pointers: Vec<LitStr>) {
        self.list("ignore", &pointers);
        self.ignored.extend(pointers);
    }

    pub(crate) fn unordered(&mut self, pointers: Vec<LitStr>) {
        self.list("unordered", &pointers);
        self.unordered.extend(pointers);
    }

    fn list(&mut self, name: &str, pointers: &[LitStr]) {
        let list = self
            .json
            .get_or_insert_with(name, || Value::Array(Vec::new()));
        let Value::Array(list) = list else { return };
        for pointer in pointers {
            let place = Pointer::root().child(name).child(list.len().to_string());
            self.places.add_as(name, place, pointer);
            list.push(Value::from(pointer.value()));
        }
    }

    pub(crate) fn add_distribution(
        &mut self,
        option: &Ident,
        distribution: DistributionOption,
    ) -> syn::Result<()> {
        let pointer = distribution.pointer.as_ref();
        let field = pointer.map_or_else(String::new, LitStr::value);
        let place = Pointer::root().child("distribution").child(&field);
        match pointer {
            Some(pointer) => self.places.add_as("distribution", place.clone(), pointer),
            None => self.places.add_as("distribution", place.clone(), option),
        }
        let mut members = Object::new();
        for (name, value) in &distribution.members {
            let text = name.to_string();
            self.places
                .add_named(place.child(&text), quote!(#name = #value));
            // Any rate can replace an unknown one.
            members.insert(text, json_of(value).unwrap_or(Value::from(1e-6)));
        }
        if !self.insert_at("distribution", &field, members) {
            let of_field = match pointer {
                Some(_) => format!("of {field:?} "),
                None => String::new(),
            };
            let problem = format!("the distribution {of_field}is given twice; keep one");
            return Err(syn::Error::new(option.span(), problem));
        }
        self.distributions.push(distribution);
        Ok(())
    }

    /// Inserts members for a field. Returns false if it already has some.
    fn insert_at(&mut self, name: &str, field: &str, members: Object) -> bool {
        let fields = self.json.get_or_insert_with(name, || Object::new().into());
        match fields {
            Value::Object(fields) => fields.insert(field, members.into()).is_none(),
            _ => true,
        }
    }

    pub(crate) fn allow(&mut self, share: Expr) {
        if let Some(json) = json_of(&share) {
            let place = Pointer::root().child("allow");
            self.places.add_named(place, &share);
            self.json.insert("allow", json);
        }
        self.allow = Some(share);
    }

    pub(crate) fn check(&self, errors: &mut Errors) {
        let json = Value::Object(self.json.clone());
        if let Err(faults) = tdg_definition::Policy::from_json(&json) {
            self.places.report(&faults, &TokenStream::new(), errors);
        }
    }

    /// Returns the methods of `tdg::EnsembleTest` for the policy.
    pub(crate) fn settings(&self, tdg: &syn::Path) -> TokenStream {
        let Self {
            base,
            tolerances,
            ignored,
            unordered,
            distributions,
            allow,
            ..
        } = self;
        let base = base.iter();
        let tolerances = tolerances.iter().map(|tolerance| {
            let value = tolerance.value(tdg);
            match &tolerance.pointer {
                Some(pointer) => quote!(.tolerance_at(#pointer, #value)),
                None => quote!(.tolerance(#value)),
            }
        });
        let distributions = distributions.iter().map(DistributionOption::setting);
        let allow = allow.iter().map(number);
        quote! {
            #(.policy(#base))*
            #(#tolerances)*
            #(.ignore(#ignored))*
            #(.unordered(#unordered))*
            #(#distributions)*
            #(.allow(#allow))*
        }
    }
}
