//! Functions that record their calls, by insertions that leave every line where it is.

use syn::spanned::Spanned as _;

use super::functions::{SourceFunction, TypeOfCall};
use crate::sources::edit::{insert, parse};

/// How a function records its calls. If the compiler refuses a form, the next one is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RecordedForm {
    /// With the values behind `&mut` arguments afterwards.
    #[default]
    Whole,
    /// Its body owns the arguments, which the output may borrow.
    Moved,
    /// Not at all.
    Plain,
}

/// Returns the source with functions that record their calls, and with other texts at offsets.
/// `has_crate` declares the recorder.
pub(super) fn instrumented(
    source: &str,
    functions: &[SourceFunction],
    mut texts: Vec<(usize, String)>,
    has_crate: bool,
    form: impl Fn(&SourceFunction) -> RecordedForm,
) -> String {
    if has_crate && let Some(item) = parse(source).and_then(|it| it.items.into_iter().next()) {
        let start = item.span().byte_range().start;
        texts.push((start, "extern crate tdg_calls; ".to_owned()));
    }
    for function in functions {
        let is_moved = match form(function) {
            RecordedForm::Whole => !function.shows_changes(),
            RecordedForm::Moved => true,
            RecordedForm::Plain => continue,
        };
        let [open, close] = function.body;
        texts.push((open, function.opening(is_moved)));
        texts.push((close, function.closing(is_moved)));
    }
    texts.sort_by_key(|(offset, _)| *offset);
    insert(source, &texts)
}

impl SourceFunction {
    /// Returns the form to try if the compiler refuses one.
    pub(super) fn after(&self, form: RecordedForm) -> RecordedForm {
        match form {
            RecordedForm::Whole if self.shows_changes() => RecordedForm::Moved,
            _ => RecordedForm::Plain,
        }
    }

    /// Returns true if the values behind `&mut` arguments can be shown afterwards.
    fn shows_changes(&self) -> bool {
        !self.borrows && self.arguments.iter().any(|(_, is_mut)| *is_mut)
    }

    fn opening(&self, is_moved: bool) -> String {
        let types: Vec<String> = self.types.iter().map(TypeOfCall::recorded).collect();
        let types = types.join(", ");
        let shown = shown(self.arguments.iter().map(|(name, _)| name));
        let capture = if is_moved { "move " } else { "" };
        let output = self
            .output
            .as_ref()
            .map_or(String::new(), |it| format!("-> {it} "));
        format!(
            " static __TDG: ::tdg_calls::Function = ::tdg_calls::Function::new({:?}); let __tdg = \
             __TDG.enter(&[{types}], &[{shown}]); let (__tdg, __tdg_output) = ::tdg_calls::run(__tdg, {capture}|| {output}{{",
            self.name
        )
    }

    fn closing(&self, is_moved: bool) -> String {
        let changed = self
            .arguments
            .iter()
            .filter(|(_, is_mut)| *is_mut && !is_moved);
        let changed = shown(changed.map(|(name, _)| name));
        format!("}}); ::tdg_calls::leave(__tdg, &__tdg_output, &[{changed}]); __tdg_output ")
    }
}

impl TypeOfCall {
    fn recorded(&self) -> String {
        match self {
            Self::Parameter(name) => {
                format!("({name:?}, &::tdg_calls::Type(::tdg_calls::type_name::<{name}>))")
            }
            Self::Constant(name) => format!("({name:?}, &{name})"),
            Self::Argument(name) => {
                format!(
                    "(\"type of {}\", &::tdg_calls::type_of(&{name}))",
                    unraw(name)
                )
            }
        }
    }
}

fn unraw(name: &str) -> &str {
    name.trim_start_matches("r#")
}

fn shown<'a>(names: impl Iterator<Item = &'a String>) -> String {
    let texts = names.map(|name| format!("({:?}, &{name})", unraw(name)));
    texts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compare::test_calls::functions::functions;

    fn rewritten(source: &str, form: RecordedForm) -> String {
        instrumented(
            source,
            &functions(source, "shop").recorded,
            Vec::new(),
            false,
            |_| form,
        )
    }

    #[test]
    fn functions_record_their_calls_on_the_same_lines() {
        let source = "impl<'a> Order<'a> {\n    /// Adds.\n    \
                      pub fn add(&mut self, (sku, n): (&str, u8)) -> usize {\n        \
                      self.lines.push(sku); // At the end.\n        self.lines.len()\n    }\n    \
                      fn first(&self) -> Option<&'a str> { self.lines.first().copied() }\n}\n";
        insta::assert_snapshot!(rewritten(source, RecordedForm::Whole));
        let found = functions(source, "shop").recorded;
        let lines: Vec<_> = found.iter().map(|it| it.lines.clone()).collect();
        assert_eq!(lines, [2..=6, 7..=7]);
        let moved = rewritten(source, RecordedForm::Moved);
        assert_eq!(moved.matches("move || ").count(), 2);
        assert_eq!(rewritten(source, RecordedForm::Plain), source);
        let raw = rewritten("fn f(r#type: u8) { 1; }", RecordedForm::Whole);
        assert!(raw.contains("(\"type\", &r#type)"), "{raw}");
    }

    #[test]
    fn generic_functions_record_their_types() {
        let source = "impl<T, const N: usize> Stack<T, N> { fn push<R>(&mut self, it: impl Into<T>) -> R { r() } }\n\
                      trait Area { fn twice(&self) -> u8 { 2 } }\n";
        let text = rewritten(source, RecordedForm::Whole);
        for types in [
            "[(\"T\", &::tdg_calls::Type(::tdg_calls::type_name::<T>)), (\"N\", &N), \
             (\"R\", &::tdg_calls::Type(::tdg_calls::type_name::<R>)), \
             (\"type of it\", &::tdg_calls::type_of(&it))]",
            "[(\"Self\", &::tdg_calls::Type(::tdg_calls::type_name::<Self>))]",
        ] {
            assert!(text.contains(types), "{text}");
        }
    }

    #[test]
    fn some_functions_stay_as_they_are() {
        let source = "const fn a() -> u8 { 1 }\nasync fn b() { c().await }\n#[track_caller]\nfn d() { e() }\n\
                      fn f() -> ! { panic!() }\n#[test]\nfn g() { h() }\n#[cfg(test)]\nmod i { fn j() { k() } }\n\
                      impl fmt::Debug for L { fn fmt(&self) -> R { m() } }\n\
                      impl Drop for L { fn drop(&mut self) { m(); } }\nunsafe fn q() { m(); }\nextern \"C\" fn n() { o() }\nfn p() {}\n";
        assert_eq!(rewritten(source, RecordedForm::Whole), source);
    }
}
