//! Values that makers create from drawn values: `via` and `parse`.
//!
//! The macros write the call, since they see the wanted type. The compiler then chooses between a
//! value and a `Result` or `Option` of one, which may refuse the row.

#![allow(missing_docs)]

use std::cell::{Cell, RefCell};
use std::fmt::{self, Debug, Display, Write};
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// The refusal of a row by a maker, which makes it not an input of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnInput(pub(crate) String);

/// Marks the reason in an error of serde, which has no other way to recognise a refusal.
pub(crate) const REFUSED: &str = "\u{1}not an input: ";

impl NotAnInput {
    /// Converts the refusal to the error of a field in serde.
    pub fn of_field<E: serde_core::de::Error>(self) -> E {
        E::custom(format_args!("{REFUSED}{}", self.0))
    }
}

/// Returns the value of type `T`, unless the maker refused.
///
/// # Errors
/// Fails if the maker refused.
pub fn made<T, E, M: ReturnedByMaker<T, E>>(made: M) -> Result<T, E> {
    made.made()
}

/// The types that a maker may return for a value of type `T`, with the error of a refusal.
#[diagnostic::on_unimplemented(
    message = "the maker returns `{Self}`, but the test takes `{T}`",
    label = "the maker of this returns `{Self}`",
    note = "a maker returns the value itself, or a `Result` or `Option` of it, which may refuse the row",
    note = "a function of each element is named within the list: [uniform(0..9), via = Digit::new; 0..=5]"
)]
pub trait ReturnedByMaker<T, E> {
    fn made(self) -> Result<T, E>;
}

impl<T> ReturnedByMaker<T, Never> for T {
    fn made(self) -> Result<T, Never> {
        Ok(self)
    }
}

impl<T> ReturnedByMaker<Option<T>, Never> for T {
    fn made(self) -> Result<Option<T>, Never> {
        Ok(Some(self))
    }
}

impl<T> ReturnedByMaker<T, Nothing> for Option<T> {
    fn made(self) -> Result<T, Nothing> {
        self.ok_or(Nothing)
    }
}

impl<T, E> ReturnedByMaker<T, E> for Result<T, E> {
    fn made(self) -> Result<T, E> {
        self
    }
}

impl<T, E> ReturnedByMaker<Option<T>, E> for Result<T, E> {
    fn made(self) -> Result<Option<T>, E> {
        self.map(Some)
    }
}

/// Makes a list from the drawn elements, unless one is refused.
///
/// # Errors
/// Fails with the first refusal.
pub fn list<D, T, L: FromIterator<T>>(
    drawn: Vec<D>,
    make: impl FnMut(D) -> Result<T, NotAnInput>,
) -> Result<L, NotAnInput> {
    drawn.into_iter().map(make).collect()
}

/// Makes an array from the drawn elements, unless one is refused.
///
/// # Errors
/// Fails with the first refusal.
pub fn array<D, T, const N: usize>(
    drawn: Vec<D>,
    make: impl FnMut(D) -> Result<T, NotAnInput>,
) -> Result<[T; N], NotAnInput> {
    let made: Vec<T> = list(drawn, make)?;
    let length = made.len();
    let other_length = |_| NotAnInput(format!("{length} elements are drawn instead of {N}"));
    made.try_into().map_err(other_length)
}

/// The error of a maker that refuses nothing.
#[derive(Debug)]
pub enum Never {}

/// The error of a maker that returned `None`.
#[derive(Debug)]
pub struct Nothing;

impl Display for Nothing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("None")
    }
}

/// Represents the result of a maker for a `&str` or the like, whose owner has any type. Method
/// resolution takes the first of the traits below whose bounds hold.
pub struct Unsized<T>(PhantomData<T>);

impl<T> Unsized<T> {
    pub fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

pub trait OfMadeResult<T, E> {
    fn tdg_made(&self, made: Result<T, E>) -> Result<T, E>;
}

impl<T, E> OfMadeResult<T, E> for &Unsized<Result<T, E>> {
    fn tdg_made(&self, made: Result<T, E>) -> Result<T, E> {
        made
    }
}

pub trait OfMadeOption<T> {
    fn tdg_made(&self, made: Option<T>) -> Result<T, Nothing>;
}

impl<T> OfMadeOption<T> for &Unsized<Option<T>> {
    fn tdg_made(&self, made: Option<T>) -> Result<T, Nothing> {
        made.ok_or(Nothing)
    }
}

pub trait OfMadeValue<T> {
    fn tdg_made(&self, made: T) -> Result<T, Never>;
}

impl<T> OfMadeValue<T> for Unsized<T> {
    fn tdg_made(&self, made: T) -> Result<T, Never> {
        Ok(made)
    }
}

/// Represents the error of a maker. The first of the traits below that it implements gives its
/// text.
pub struct Reason<E>(PhantomData<E>);

impl<E> Reason<E> {
    pub fn of(_: &E) -> Self {
        Self(PhantomData)
    }
}

pub trait OfDisplay<E> {
    fn tdg_reason(&self, error: &E) -> NotAnInput;
}

impl<E: Display> OfDisplay<E> for &&Reason<E> {
    fn tdg_reason(&self, error: &E) -> NotAnInput {
        NotAnInput(error.to_string())
    }
}

pub trait OfDebug<E> {
    fn tdg_reason(&self, error: &E) -> NotAnInput;
}

impl<E: Debug> OfDebug<E> for &Reason<E> {
    fn tdg_reason(&self, error: &E) -> NotAnInput {
        NotAnInput(format!("{error:?}"))
    }
}

pub trait OfOther<E> {
    fn tdg_reason(&self, error: &E) -> NotAnInput;
}

impl<E> OfOther<E> for Reason<E> {
    fn tdg_reason(&self, _: &E) -> NotAnInput {
        NotAnInput("an error without Display or Debug".to_owned())
    }
}

/// Represents a made value, which a report can show if it is `Debug`.
pub struct MadeProbe<T>(PhantomData<T>);

impl<T> MadeProbe<T> {
    pub fn of(_: &T) -> Self {
        Self(PhantomData)
    }
}

pub trait OfShown<T> {
    fn tdg_show(&self, name: &str, made: &T);
}

impl<T: Debug> OfShown<T> for &MadeProbe<T> {
    fn tdg_show(&self, name: &str, made: &T) {
        show(name, made);
    }
}

pub trait OfHidden<T> {
    fn tdg_show(&self, _: &str, _: &T) {}
}

impl<T> OfHidden<T> for MadeProbe<T> {}

/// True if a value was made in this process.
static HAS_MADE: AtomicBool = AtomicBool::new(false);

pub(crate) fn has_made() -> bool {
    HAS_MADE.load(Ordering::Relaxed)
}

thread_local! {
    /// The values that this thread makes while a report collects them.
    static SHOWN: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Returns the values that are made in this call, as text.
pub(crate) fn shown_in(call: impl FnOnce()) -> Vec<String> {
    SHOWN.set(Some(Vec::new()));
    call();
    SHOWN.take().unwrap_or_default()
}

fn show(name: &str, made: &dyn Debug) {
    if SHOWN.with_borrow(Option::is_none) {
        return;
    }
    let mut text = Beginning(String::new());
    // The error only means that the text is long enough.
    let _ = write!(text, "{name} = {made:?}");
    SHOWN.with_borrow_mut(|shown| shown.iter_mut().for_each(|it| it.push(text.0.clone())));
}

/// A text that keeps only its beginning.
struct Beginning(String);

impl fmt::Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        const MOST: usize = 1000;
        if self.0.len() + text.len() > MOST {
            self.0.push('…');
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Parses a value from a text.
///
/// # Errors
/// Fails if the text isn't such a value.
pub fn parse<T: FromStr<Err = E>, E>(text: &str) -> Result<T, E> {
    text.parse()
}

thread_local! {
    /// The maker that panicked last in this thread.
    static PANICKED: Cell<Option<MakerName>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct MakerName {
    /// The maker in the source.
    written: &'static str,
    /// The parameter or field that gets the value.
    value: &'static str,
}

/// A call of a maker that is in progress.
struct Making(MakerName);

impl Drop for Making {
    fn drop(&mut self) {
        if std::thread::panicking() {
            PANICKED.set(Some(self.0));
        }
    }
}

/// Calls a maker, and attributes a panic to it.
pub fn making<M>(written: &'static str, value: &'static str, make: impl FnOnce() -> M) -> M {
    if !has_made() {
        HAS_MADE.store(true, Ordering::Relaxed);
    }
    let _making = Making(MakerName { written, value });
    make()
}

/// Returns the start of the last caught panic's message, if a maker panicked.
pub(crate) fn panicked() -> Option<String> {
    let MakerName { written, value } = PANICKED.take()?;
    Some(format!("`{written}`, which makes `{value}`, panicked: "))
}
