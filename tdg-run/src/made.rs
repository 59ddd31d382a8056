//! Values that a function makes of what is drawn: `via` and `parse`.
//!
//! The macros write the call, since they see the type that is wanted; the compiler chooses here
//! between a value and a `Result` or `Option` of one, which may refuse.

#![allow(missing_docs)]

use std::cell::{Cell, RefCell};
use std::fmt::{self, Debug, Display, Write};
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a row is not an input of the function: its maker refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAnInput(pub(crate) String);

/// Before the reason in an error of serde, which has no other way to tell it from others.
pub(crate) const REFUSED: &str = "\u{1}not an input: ";

impl NotAnInput {
    /// As the error of a field in serde.
    pub fn of_field<E: serde_core::de::Error>(self) -> E {
        E::custom(format_args!("{REFUSED}{}", self.0))
    }
}

/// A value of type `T` if nothing refuses it.
///
/// # Errors
/// The maker refused.
pub fn made<T, E, M: ReturnedByMaker<T, E>>(made: M) -> Result<T, E> {
    made.made()
}

/// What a maker may return for a value of type `T`, with the error by which it refuses.
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

/// A list of what is made of each element that is drawn, unless one is refused.
///
/// # Errors
/// The first refusal.
pub fn list<D, T, L: FromIterator<T>>(
    drawn: Vec<D>,
    make: impl FnMut(D) -> Result<T, NotAnInput>,
) -> Result<L, NotAnInput> {
    drawn.into_iter().map(make).collect()
}

/// An array of what is made of each element that is drawn, unless one is refused.
///
/// # Errors
/// The first refusal.
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

/// Stands for what a maker returned for a `&str` or the like, whose owner has any type: method
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

/// Stands for the error of a maker, whose text is that of the first of the traits below that it
/// has.
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

/// Stands for a made value, which a report can show if it is `Debug`.
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

/// Whether a value was made in this process.
static HAS_MADE: AtomicBool = AtomicBool::new(false);

pub(crate) fn has_made() -> bool {
    HAS_MADE.load(Ordering::Relaxed)
}

thread_local! {
    /// The values that this thread makes, while a report asks for them.
    static SHOWN: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// The values that are made in this call, as text.
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
    // It ends with an error where the text is long enough.
    let _ = write!(text, "{name} = {made:?}");
    SHOWN.with_borrow_mut(|shown| shown.iter_mut().for_each(|it| it.push(text.0.clone())));
}

/// The beginning of a text.
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

/// The value that a text stands for.
///
/// # Errors
/// It stands for none.
pub fn parse<T: FromStr<Err = E>, E>(text: &str) -> Result<T, E> {
    text.parse()
}

thread_local! {
    /// The maker that panicked last in this thread.
    static PANICKED: Cell<Option<MakerName>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct MakerName {
    /// As it is written.
    written: &'static str,
    /// The parameter or field of the value that it makes.
    value: &'static str,
}

/// A maker at work.
struct Making(MakerName);

impl Drop for Making {
    fn drop(&mut self) {
        if std::thread::panicking() {
            PANICKED.set(Some(self.0));
        }
    }
}

/// Calls a maker, whose panic is told as its own.
pub fn making<M>(written: &'static str, value: &'static str, make: impl FnOnce() -> M) -> M {
    if !has_made() {
        HAS_MADE.store(true, Ordering::Relaxed);
    }
    let _making = Making(MakerName { written, value });
    make()
}

/// The start of the message of the panic that was caught just now, if it is that of a maker.
pub(crate) fn panicked() -> Option<String> {
    let MakerName { written, value } = PANICKED.take()?;
    Some(format!("`{written}`, which makes `{value}`, panicked: "))
}
