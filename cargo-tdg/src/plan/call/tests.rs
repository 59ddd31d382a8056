//! Tests of planned arguments in small crates.

use super::{PlannedCall, PlannedTypes};
use crate::plan::{DrawnFrom, SharedCall};
use crate::sources::{Sources, public_functions};

/// Returns the argument expressions of each function or method, or why it isn't called.
fn planned(library: &str) -> String {
    planned_where(library, |call| {
        let mut arguments = call.arguments.iter();
        arguments.all(|(_, argument, _)| argument.calls().is_empty())
    })
}

/// Uses the first way to call a function that satisfies `is_it`.
fn planned_where(library: &str, is_it: fn(&PlannedCall) -> bool) -> String {
    let sources = Sources::of_code(library);
    let functions = public_functions(&sources);
    let called = functions.iter().filter(|it| {
        let of_trait = it.owner.as_ref().and_then(|it| it.block.trait_.as_ref());
        it.owner.is_none() || it.signature.receiver().is_some() || of_trait.is_some()
    });
    let lines = called.map(|function| {
        let name = function.name();
        match PlannedCall::alternatives(function, name, &PlannedTypes::new(&|_| None, false))
            .map(|it| it.into_iter().find(is_it))
        {
            Ok(None) => String::new(),
            Ok(Some(call)) => {
                let arguments = call.arguments.iter();
                let arguments = arguments
                    .map(|(_, it, passed)| passed.expression(&it.expression().replace('\n', " ")));
                format!("{name}({})\n", arguments.collect::<Vec<_>>().join(", "))
            }
            Err(reason) => format!("{name}: {reason}\n"),
        }
    });
    lines.collect()
}

#[test]
fn a_method_that_makes_a_value_takes_one_of_its_own_type() {
    insta::assert_snapshot!(planned(
        "pub struct Board(u64);
        impl Board { pub fn mirrored(self) -> Board {} }
        impl std::str::FromStr for Board {}
        #[derive(Default)] pub struct Packed(u8);
        impl Packed { pub fn with(self, board: Board) -> u8 {} }"
    ), @"
    Board::mirrored({ let mut p0 = take::<String>(t); input(<shop::Board as std::str::FromStr>::from_str(&*p0))? })
    Packed::with({ <shop::Packed as std::default::Default>::default() }, { let mut p0 = take::<String>(t); input(<shop::Board as std::str::FromStr>::from_str(&*p0))? })
    ");
}

#[test]
fn values_are_made_by_the_most_usual_of_what_makes_different_ones() {
    insta::assert_snapshot!(planned(
        "pub struct Money(i64);
        impl Money { pub fn zero() -> Self {} pub fn parse(text: &str) -> Option<Self> {}
            pub fn new(cents: i64) -> Self {} }
        pub struct Port(u16);
        impl TryFrom<u16> for Port {}
        impl Port { pub fn http() -> Self {} }
        pub struct Place { pub x: u8, pub r#type: bool }
        impl Place { pub fn origin() -> Self {} }
        pub struct Pair(pub u8, pub bool);
        #[derive(Default)] pub struct Options { hidden: u8 }
        impl std::str::FromStr for Options {}
        pub struct Read(u8);
        impl std::str::FromStr for Read {}
        pub enum Shape { Dot, Circle(u8), Line { from: u8, to: u8 } }
        pub fn money(it: Money) -> u8 {}
        pub fn port(it: Port) -> u8 {}
        pub fn place(it: &Place) -> u8 {}
        pub fn pair(it: Pair) -> u8 {}
        pub fn options(it: Options) -> u8 {}
        pub fn read(it: Read) -> u8 {}
        pub fn shape(it: Shape) -> u8 {}
        pub fn map(it: &std::collections::BTreeMap<String, u8>) -> u8 {}"
    ), @"
    money({ let mut p0 = take::<i64>(t); shop::Money::new(p0) })
    port(match t.count() { 0 => { let mut p0 = take::<u16>(t); input(shop::Port::try_from(p0))? }, 1 => { shop::Port::http() }, _ => return None })
    place(&{ let mut p0 = take::<u8>(t); let mut p1 = take::<bool>(t); shop::Place { x: p0, r#type: p1 } })
    pair({ let mut p0 = take::<u8>(t); let mut p1 = take::<bool>(t); shop::Pair(p0, p1) })
    options(match t.count() { 0 => { let mut p0 = take::<String>(t); input(<shop::Options as std::str::FromStr>::from_str(&*p0))? }, 1 => { <shop::Options as std::default::Default>::default() }, _ => return None })
    read({ let mut p0 = take::<String>(t); input(<shop::Read as std::str::FromStr>::from_str(&*p0))? })
    shape(match t.count() { 0 => { shop::Shape::Dot }, 1 => { let mut p0 = take::<u8>(t); shop::Shape::Circle(p0) }, 2 => { let mut p0 = take::<u8>(t); let mut p1 = take::<u8>(t); shop::Shape::Line { from: p0, to: p1 } }, _ => return None })
    map(&{ let mut list = Vec::new(); for _ in 0..t.count() { list.push((take::<String>(t), take::<u8>(t), )); } list.into_iter().collect() })
    ");
}

#[test]
fn what_another_crate_can_not_write_makes_nothing() {
    insta::assert_snapshot!(planned(
        "#[non_exhaustive] #[derive(Default)] pub struct Growing { pub a: u8 }
        #[non_exhaustive] pub enum Open { One(u8) }
        pub enum Closed { #[non_exhaustive] One { a: u8 } }
        pub struct Chain(u8);
        impl Chain { pub fn from_chain(it: Self, n: u8) -> Self {} pub fn make(n: u8) -> Self {} }
        pub struct Kept<'a> { pub text: &'a str }
        pub struct Link(u8);
        impl Link { pub fn new(it: Option<Link>) -> Self {} }
        pub fn growing(it: Growing) -> u8 {}
        pub fn open(it: Open) -> u8 {}
        pub fn closed(it: Closed) -> u8 {}
        pub struct Anchor(pub u8);
        impl Anchor { pub fn hold(&self, it: Chain) -> u8 {} }
        pub fn kept(it: Kept<'_>) -> u8 {}
        pub fn link(it: Link) -> u8 {}"
    ), @"
    growing({ <shop::Growing as std::default::Default>::default() })
    open(match t.count() { 0 => { let mut p0 = take::<u8>(t); shop::Open::One(p0) }, _ => return None })
    closed: `it: Closed` has a type without a constructor that takes drawn values
    kept({ let mut p0 = &**Box::leak(Box::new(take::<String>(t))); shop::Kept { text: p0 } })
    link: `it: Link` has a type without a constructor that takes drawn values
    Anchor::hold(&{ let mut p0 = take::<u8>(t); shop::Anchor(p0) }, { let mut p0 = take::<u8>(t); shop::Chain::make(p0) })
    ");
}

#[test]
fn what_a_trait_provides_is_called_with_a_type_that_has_it() {
    insta::assert_snapshot!(planned(r"
        pub trait Twice { fn value(&self) -> u32; fn twice(&self, more: u32) -> u32 { self.value() * 2 + more } }
        impl Twice for u8 { fn value(&self) -> u32 { (*self).into() } }
        pub trait Extra: Iterator { fn ending(self, item: Self::Item) -> Vec<Self::Item> where Self: Sized { todo!() } }
        impl<I: ?Sized> Extra for I where I: Iterator {}
        pub struct PutBack<I: Iterator> { top: Option<I::Item>, iter: I }
        pub fn put_back<I: IntoIterator>(it: I) -> PutBack<I::IntoIter> { todo!() }
        impl<I: Iterator> PutBack<I> { pub fn put(&mut self, item: I::Item) -> Option<I::Item> { None } }
    "), @"
    put_back({ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<i64>(t)); } list })
    PutBack::put: `self` has a type without a constructor that takes drawn values
    <u8 as Twice>::value(&take::<u8>(t))
    Twice::twice(&take::<u8>(t), take::<u32>(t))
    Extra::ending({ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<i64>(t)); } list.into_iter() }, take::<i64>(t))
    ");
}

#[test]
fn what_is_only_borrowed_is_lent_by_its_owner_or_put_into_a_pointer() {
    insta::assert_snapshot!(planned(
        "use std::{path::Path, rc::Rc, sync::Arc};
        pub fn lent(a: Option<&str>, b: Option<&[u8]>, c: Option<&Path>, d: Option<&u8>) -> u8 {}
        pub fn held(a: Box<str>, b: Rc<Path>, c: Arc<[i8]>, d: Box<u8>) -> u8 {}"
    ), @"
    lent(if t.flag() { Some(&**Box::leak(Box::new(take::<String>(t)))) } else { None }, if t.flag() { Some(&**Box::leak(Box::new(take_bytes(t)))) } else { None }, if t.flag() { Some(&**Box::leak(Box::new({ let mut p0 = take::<String>(t); std::path::PathBuf::from(p0) }))) } else { None }, if t.flag() { Some(&*Box::leak(Box::new(take::<u8>(t)))) } else { None })
    held({ let mut p0 = take::<String>(t); std::boxed::Box::from(p0) }, { let mut p0 = { let mut p0 = take::<String>(t); std::path::PathBuf::from(p0) }; std::rc::Rc::from(p0) }, { let mut p0 = { let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<i8>(t)); } list }; std::sync::Arc::from(p0) }, { let mut p0 = take::<u8>(t); std::boxed::Box::new(p0) })
    ");
}

#[test]
fn parameters_of_types_are_what_their_bounds_and_defaults_ask_for() {
    insta::assert_snapshot!(planned(
        "pub struct Ratio<T> { numer: T, denom: T }
        impl<T: Clone + Integer> Ratio<T> { pub fn new(numer: T, denom: T) -> Self {}
            pub fn pow(&self, power: i32) -> Self {} pub fn map<U>(self, f: impl Fn(T) -> U) -> U {} }
        pub struct Grid<T = bool, const N: usize> { pub cells: [T; N] }
        impl<T, const N: usize> Grid<T, N> { pub fn at(&self, x: usize) -> Option<&T> {} }
        pub struct Glob<const MANY: char, const ONE: char> { text: String }
        impl<const MANY: char, const ONE: char> Glob<MANY, ONE> { pub fn new(text: &str) -> Self {} pub fn takes(&self, text: &str) -> bool {} }
        pub trait Currency {}
        pub struct Iso(pub u16);
        impl Currency for Iso {}
        pub struct Money<'a, C: Currency> { pub cents: i64, pub currency: &'a C }
        impl<'a, C: Currency> Money<'a, C> { pub fn half(&self) -> Self {} }
        pub struct Bag<T> { items: T }
        impl Bag<u8> { pub fn new() -> Self {} }
        impl<T: Into<u8>> FromIterator<T> for Bag<T> {}
        pub fn sum<I>(all: I) -> u8 where I: IntoIterator, I::Item: AsRef<str> {}
        pub fn count(bag: &Bag<i8>) -> u8 {}
        pub fn read<R: std::io::Read>(from: R) -> u8 {}"
    ), @"
    sum({ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<String>(t)); } list })
    count(&{ let mut p0 = { let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<i8>(t)); } list }; <shop::Bag<i8>>::from_iter(p0) })
    read({ let mut p0 = take_bytes(t); std::io::Cursor::new(p0) })
    Ratio::pow(&{ let mut p0 = take::<i64>(t); let mut p1 = take::<i64>(t); <shop::Ratio<i64>>::new(p0, p1) }, take::<i32>(t))
    Ratio::map({ let mut p0 = take::<i64>(t); let mut p1 = take::<i64>(t); <shop::Ratio<i64>>::new(p0, p1) }, move |x0| pick(&{ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<i64>(t)); } list }, &[&x0]))
    Grid::at(&{ let mut p0 = { let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<bool>(t)); } array(list) }; shop::Grid { cells: p0 } }, take::<usize>(t))
    Glob::takes(&{ let mut p0 = take::<String>(t); <shop::Glob<'a', 'b'>>::new(&*p0) }, &*take::<String>(t))
    Money::half(&{ let mut p0 = take::<i64>(t); let mut p1 = &*Box::leak(Box::new({ let mut p0 = take::<u16>(t); shop::Iso(p0) })); shop::Money { cents: p0, currency: p1 } })
    ");
}

#[test]
fn functions_are_passed_and_values_come_from_other_types() {
    insta::assert_snapshot!(planned(
        "pub struct Url(String);
        impl Url { pub fn parse(text: &str) -> Result<Self, ()> {} pub fn port(&self) -> Option<Port<'_>> {} }
        pub struct Port<'a> { text: &'a str }
        impl Port<'_> { pub fn number(&self) -> u16 {} }
        pub struct Map(u8);
        impl Map { pub fn new() -> Self {} pub fn entry(&mut self, key: u8) -> Entry<'_> {} }
        pub struct Entry<'a> { map: &'a mut Map }
        impl Entry<'_> { pub fn insert(self, value: u8) -> u8 {} }
        pub fn keep(all: Vec<u8>, keep: impl FnMut(&u8, usize) -> bool, done: impl FnOnce(), then: fn() -> ()) -> u8 {}
        pub fn of_other(it: other::Decimal, all: other::Small<u8>) -> u8 {}
        pub async fn later(n: u8) -> u8 {}"
    ), @"
    keep(take_bytes(t), move |x0, x1| pick(&{ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<bool>(t)); } list }, &[&x0, &x1]), || (), || ())
    of_other({ let mut p0 = take::<Written>(t); input(parse(p0))? }, { let mut p0 = { let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<u8>(t)); } list }; FromIterator::from_iter(p0) })
    later(take::<u8>(t))
    Url::port(&{ let mut p0 = take::<String>(t); input(shop::Url::parse(&*p0))? })
    Port::number(&{ let mut p0 = &*Box::leak(Box::new({ let mut p0 = take::<String>(t); input(shop::Url::parse(&*p0))? })); input(shop::Url::port(p0))? })
    Map::entry(&mut { shop::Map::new() }, take::<u8>(t))
    Entry::insert({ let mut p0 = &mut *Box::leak(Box::new({ shop::Map::new() })); let mut p1 = take::<u8>(t); shop::Map::entry(p0, p1) }, take::<u8>(t))
    ");
}

#[test]
fn functions_of_traits_are_called_by_type_and_trait() {
    insta::assert_snapshot!(planned(
        "use std::{fmt, ops::Add, str::FromStr};
        pub struct Cents<T>(pub T);
        impl<T: Add> Add for Cents<T> { type Output = Self; fn add(self, other: Self) -> Self {} }
        impl fmt::Display for Cents<u8> { fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {} }
        impl fmt::Debug for Cents<u8> { fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {} }
        impl From<[u8; 2]> for Cents<u8> { fn from(all: [u8; 2]) -> Self {} }
        pub struct Code(u8);
        impl FromStr for Code { type Err = (); fn from_str(text: &str) -> Result<Self, ()> {} }
        pub trait Half { fn half(self) -> Self; }
        impl Half for f32 { fn half(self) -> Self {} }
        trait Hidden { fn hidden(self) -> u8; }
        impl Hidden for Code { fn hidden(self) -> u8 {} }
        impl serde::Serialize for Code { fn serialize(&self) -> u8 {} }"
    ), @"
    <Cents as Add>::add({ let mut p0 = take::<i64>(t); shop::Cents(p0) }, { let mut p0 = take::<i64>(t); shop::Cents(p0) })
    <Cents as Display>::fmt(&{ let mut p0 = { let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<u8>(t)); } array(list) }; <shop::Cents<u8>>::from(p0) })
    <Cents as From<[u8; 2]>>::from({ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<u8>(t)); } array(list) })
    <Code as FromStr>::from_str(&*take::<String>(t))
    <f32 as Half>::half(take::<f32>(t))
    ");
}

#[test]
fn lists_have_as_many_elements_as_both_sides_take() {
    let call = |kind: &str| {
        let sources = Sources::of_code(&format!("pub fn call(it: {kind}) -> u8 {{}}"));
        let functions = public_functions(&sources);
        PlannedCall::alternatives(&functions[0], "call", &PlannedTypes::new(&|_| None, false))
            .unwrap()
    };
    for (one, other, length) in [
        ("Vec<u16>", "[u16; 2]", r#""length":2,"#),
        ("[bool; 3]", "fn(u8) -> bool", r#""length":3,"#),
        ("Vec<bool>", "fn(u8) -> bool", r#""min":1"#),
    ] {
        for [then, now] in [[one, other], [other, one]].map(|it| it.map(call)) {
            let shared = SharedCall::paired(&then[0], &now[0]).unwrap();
            let definition = shared.definition(DrawnFrom::Any);
            assert!(definition.contains(length), "{definition}");
        }
    }
    let [then, now] = ["[u16; 3]", "[u16; 2]"].map(call);
    assert!(SharedCall::paired(&then[0], &now[0]).is_none());
}

#[test]
fn a_value_that_begins_empty_is_filled_by_its_methods() {
    insta::assert_snapshot!(planned(
        "pub struct Stack(u8);
        impl Stack { pub fn new() -> Self {} pub fn with_capacity(n: usize) -> Self {}
            pub fn pop(&mut self, n: u8) {} pub fn push(&mut self, item: &str) -> usize {} }
        pub struct Sheet(u8);
        impl Sheet { pub fn grow(&mut self, by: u8) {} pub fn title(self, text: String) -> Self {} }
        impl Default for Sheet {}
        pub struct Still(u8);
        impl Still { pub fn new() -> Self {} pub fn get(&mut self, n: u8) {} }
        pub fn stack(it: &Stack) -> u8 {}
        pub fn sheet(it: Sheet) -> u8 {}
        pub fn still(it: Still) -> u8 {}"
    ), @"
    stack(&{ let mut it = { shop::Stack::new() }; for _ in 0..t.count() { { let mut p0 = take::<String>(t); let _ = shop::Stack::push(&mut it, &*p0); } } it })
    sheet({ let mut it = { <shop::Sheet as std::default::Default>::default() }; for _ in 0..t.count() { match t.count() { 0 => { let mut p0 = take::<u8>(t); let _ = shop::Sheet::grow(&mut it, p0); }, 1 => { let mut p0 = take::<String>(t); it = shop::Sheet::title(it, p0); }, _ => return None } } it })
    still({ shop::Still::new() })
    Stack::pop(&mut { let mut it = { shop::Stack::new() }; for _ in 0..t.count() { { let mut p0 = take::<String>(t); let _ = shop::Stack::push(&mut it, &*p0); } } it }, take::<u8>(t))
    Stack::push(&mut { let mut it = { shop::Stack::new() }; for _ in 0..t.count() { { let mut p0 = take::<String>(t); let _ = shop::Stack::push(&mut it, &*p0); } } it }, &*take::<String>(t))
    Sheet::grow(&mut { let mut it = { <shop::Sheet as std::default::Default>::default() }; for _ in 0..t.count() { match t.count() { 0 => { let mut p0 = take::<u8>(t); let _ = shop::Sheet::grow(&mut it, p0); }, 1 => { let mut p0 = take::<String>(t); it = shop::Sheet::title(it, p0); }, _ => return None } } it }, take::<u8>(t))
    Sheet::title({ let mut it = { <shop::Sheet as std::default::Default>::default() }; for _ in 0..t.count() { match t.count() { 0 => { let mut p0 = take::<u8>(t); let _ = shop::Sheet::grow(&mut it, p0); }, 1 => { let mut p0 = take::<String>(t); it = shop::Sheet::title(it, p0); }, _ => return None } } it }, take::<String>(t))
    Still::get(&mut { shop::Still::new() }, take::<u8>(t))
    ");
}

#[test]
fn types_that_traits_associate_are_those_that_a_block_states() {
    insta::assert_snapshot!(planned(
        "pub trait Point { type Scalar; type Pair; }
        impl<S> Point for [S; 2] { type Scalar = S; type Pair = (S, S); }
        impl<T: Point> Point for Wrapped<T> { type Scalar = T::Scalar; type Pair = T::Pair; }
        pub struct Wrapped<T>(pub T);
        pub fn within<P: Point>(at: P, by: P::Scalar, of: <Wrapped<P> as Point>::Pair) -> u8 {}
        pub fn unknown<P: std::error::Error>(of: P::Kind) -> u8 {}"
    ), @"
    within({ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<i64>(t)); } array(list) }, take::<i64>(t), (take::<i64>(t), take::<i64>(t), ))
    unknown: `of: P::Kind` has a type that is not defined in the sources
    ");
}

#[test]
fn references_are_drawn_wherever_they_are() {
    insta::assert_snapshot!(planned(
        "pub trait Shape {}
        impl Shape for u8 {}
        impl Shape for Box<dyn Shape> {}
        pub fn nested(a: &[&str], b: (&u8, &&[u8]), c: &mut dyn Shape, d: Box<dyn Shape>) -> u8 {}
        pub fn called(a: &dyn Fn(u8) -> bool, b: &mut impl FnMut(u8), c: &mut dyn Iterator<Item = &u8>) -> u8 {}"
    ), @"
    nested(&*{ let mut list = Vec::new(); for _ in 0..t.count() { list.push(&**Box::leak(Box::new(take::<String>(t)))); } list }, (&*Box::leak(Box::new(take::<u8>(t))), &*Box::leak(Box::new(&**Box::leak(Box::new(take_bytes(t))))), ), &mut take::<u8>(t), { let mut p0 = take::<u8>(t); std::boxed::Box::new(p0) })
    called(&move |x0| pick(&{ let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<bool>(t)); } list }, &[&x0]), &mut |_x0| (), &mut { let mut list = Vec::new(); for _ in 0..t.count() { list.push(&*Box::leak(Box::new(take::<u8>(t)))); } list.into_iter() })
    ");
}

#[test]
fn what_lasts_is_lent_again_and_what_only_a_later_attempt_draws_is_called() {
    insta::assert_snapshot!(planned(
        "pub struct Emoji { name: &'static str }
        pub fn get(text: &str) -> Option<&'static Emoji> {}
        impl Emoji { pub fn name(&self) -> &str {} }
        pub trait Shape { type ComparedSide; }
        impl Shape for Hidden { type ComparedSide = Hidden; }
        struct Hidden;
        impl Shape for Square { type ComparedSide = u8; }
        pub struct Square(pub u8);
        pub type Sides<S> = <S as Shape>::ComparedSide;
        pub fn sides<S: Shape>(of: Sides<S>) -> u8 {}
        pub fn dated(of: chrono::NaiveDate) -> u8 {}"
    ), @"
    get(&*take::<String>(t))
    sides(take::<u8>(t))
    dated({ let mut p0 = take::<String>(t); input(parse(p0))? })
    Emoji::name(&{ let mut p0 = take::<String>(t); input(shop::get(&*p0))? })
    ");
}

#[test]
fn formats_read_and_write_maps() {
    insta::assert_snapshot!(planned(
        "pub fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, u8> {}
         pub fn size<T>(of: &T) -> usize where T: serde::Serialize {}"
    ), @"
    read(&*take::<String>(t))
    size(&{ let mut list = Vec::new(); for _ in 0..t.count() { list.push((take::<String>(t), take::<String>(t), )); } list.into_iter().collect() })
    ");
}

#[test]
fn constants_are_values_of_a_type_that_is_seldom_made() {
    insta::assert_snapshot!(planned(
        "pub struct Alphabet { symbols: [u8; 4] }
        impl Alphabet {
            pub const DNA: Self = Alphabet { symbols: *b\"ACGT\" };
            pub fn parse(text: &str) -> Option<Self> {}
            pub fn size(&self) -> u8 {}
        }
        pub const RNA: Alphabet = Alphabet { symbols: *b\"ACGU\" };
        const HIDDEN: Alphabet = RNA;
        pub mod units {
            pub struct Unit { factor: f64 }
            pub const METER: Unit = Unit { factor: 1.0 };
            pub const FOOT: Unit = Unit { factor: 0.3048 };
            impl Unit { pub fn size(&self) -> f64 {} }
        }"
    ), @"
    Alphabet::size(&match t.count() { 0 => { let mut p0 = take::<String>(t); input(shop::Alphabet::parse(&*p0))? }, 1 => { shop::Alphabet::DNA }, 2 => { shop::RNA }, _ => return None })
    units::Unit::size(&match t.count() { 0 => { shop::units::METER }, 1 => { shop::units::FOOT }, _ => return None })
    ");
}

#[test]
fn a_module_may_have_the_crates_name() {
    insta::assert_snapshot!(planned(
        "pub mod shop {}
        pub mod inner { use crate::shop; pub struct Board(pub u8); impl Board { pub fn size(&self) -> u8 {} } }"
    ), @"inner::Board::size(&{ let mut p0 = take::<u8>(t); shop::inner::Board(p0) })");
}

#[test]
fn errors_come_from_functions_that_fail() {
    insta::assert_snapshot!(planned(
        "pub struct ParseError(String);
        impl ParseError { pub fn place(&self) -> usize {} }
        pub struct Overflow(u8);
        impl std::fmt::Display for Overflow {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {}
        }
        pub struct Rate(u8);
        impl std::str::FromStr for Rate {
            type Err = ParseError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {}
        }
        pub fn sum(one: u8, other: u8) -> Result<u8, Overflow> {}"
    ), @"
    sum(take::<u8>(t), take::<u8>(t))
    ParseError::place(&{ let mut p0 = take::<String>(t); input(<shop::Rate as std::str::FromStr>::from_str(&*p0).err())? })
    <Overflow as Display>::fmt(&{ let mut p0 = take::<u8>(t); let mut p1 = take::<u8>(t); input(shop::sum(p0, p1).err())? })
    <Rate as FromStr>::from_str(&*take::<String>(t))
    ");
}

#[test]
fn other_calls_may_change_a_value_before() {
    let has_calls = |call: &PlannedCall| {
        let mut arguments = call.arguments.iter();
        arguments.any(|(_, argument, _)| !argument.calls().is_empty())
    };
    insta::assert_snapshot!(planned_where(
        "pub struct Parser(String);
        impl Parser {
            pub fn new(text: &str) -> Self {} pub fn is_strict(self, it: bool) -> Self {}
            pub fn next(&mut self) -> Option<char> {} pub fn peek(&mut self) -> Option<char> {}
        }
        pub struct Sheet(u8);
        impl Sheet { pub fn new() -> Self {} pub fn grow(&mut self, by: u8) {} }
        pub fn parsed(parsers: &[Parser], last: Parser) -> u8 {}",
        has_calls
    ), @"
    parsed(&*{ let mut list = Vec::new(); for _ in 0..t.count() { list.push({ let mut p0 = take::<String>(t); shop::Parser::new(&*p0) }); } list }, { let mut it = { let mut p0 = take::<String>(t); shop::Parser::new(&*p0) }; for _ in 0..t.count() { match t.count() { 0 => { let mut p0 = take::<bool>(t); it = shop::Parser::is_strict(it, p0); }, 1 => { let _ = shop::Parser::next(&mut it, ); }, _ => return None } } it })
    Parser::is_strict({ let mut it = { let mut p0 = take::<String>(t); shop::Parser::new(&*p0) }; for _ in 0..t.count() { match t.count() { 0 => { let mut p0 = take::<bool>(t); it = shop::Parser::is_strict(it, p0); }, 1 => { let _ = shop::Parser::next(&mut it, ); }, _ => return None } } it }, take::<bool>(t))
    Parser::next(&mut { let mut it = { let mut p0 = take::<String>(t); shop::Parser::new(&*p0) }; for _ in 0..t.count() { match t.count() { 0 => { let mut p0 = take::<bool>(t); it = shop::Parser::is_strict(it, p0); }, 1 => { let _ = shop::Parser::next(&mut it, ); }, _ => return None } } it })
    Parser::peek(&mut { let mut it = { let mut p0 = take::<String>(t); shop::Parser::new(&*p0) }; for _ in 0..t.count() { match t.count() { 0 => { let mut p0 = take::<bool>(t); it = shop::Parser::is_strict(it, p0); }, 1 => { let _ = shop::Parser::next(&mut it, ); }, _ => return None } } it })
    Sheet::grow(&mut { let mut it = { shop::Sheet::new() }; for _ in 0..t.count() { { let mut p0 = take::<u8>(t); let _ = shop::Sheet::grow(&mut it, p0); } } it }, take::<u8>(t))
    ");
}

#[test]
fn a_call_with_an_effect_is_not_made_before_one_that_is_allowed() {
    let sources = Sources::of_code(
        "pub struct Folder(u8);
        impl Folder { pub fn open(name: &str) -> Self {} pub fn wipe(&mut self) {} pub fn skip(&mut self) {}
            pub fn size(&self) -> u8 {} }",
    );
    let functions = public_functions(&sources);
    let size = functions
        .iter()
        .find(|it| it.name() == "Folder::size")
        .unwrap();
    let effect_of =
        |path: &str| (path.contains("wipe") || path.contains("open")).then_some("files");
    let types = PlannedTypes::new(&effect_of, true);
    let calls = PlannedCall::alternatives(size, "size", &types).unwrap();
    let [(_, folder, _)] = &calls[0].arguments[..] else {
        panic!("{calls:?}")
    };
    let names: Vec<&str> = folder.calls().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["skip"]);
    assert!(
        PlannedCall::alternatives(size, "size", &PlannedTypes::new(&effect_of, false)).is_err()
    );
}

#[test]
fn what_has_no_size_is_lent_by_what_makes_it_and_an_empty_value_helps() {
    insta::assert_snapshot!(planned(
        "pub struct Word { letters: [u8] }
        impl Word { pub fn from_bytes(bytes: &[u8]) -> Option<&Word> {} pub fn len(&self) -> usize {} }
        pub struct Line(String);
        impl Line {
            pub fn parse(text: &str) -> Option<Line> {}
            pub fn with_capacity(bytes: usize) -> Line {}
            pub fn new() -> Line {}
            pub fn end(&self) -> u8 {}
        }"
    ), @"
    Word::len(&{ let mut p0 = &**Box::leak(Box::new(take_bytes(t))); input(shop::Word::from_bytes(p0))? })
    Line::end(&match t.count() { 0 => { let mut p0 = take::<String>(t); input(shop::Line::parse(&*p0))? }, 1 => { shop::Line::new() }, _ => return None })
    ");
}

#[test]
fn all_rows_are_known_where_there_are_few() {
    let sources = Sources::of_code(
        "pub enum Size { Small, Large }
        pub enum Shape { Dot, Circle(u8) }
        pub fn shown(it: bool, code: Option<u8>) -> u8 {}
        pub fn size(it: &Size, shift: i8) -> u8 {}
        pub fn shape(it: Shape) -> u8 {}
        pub fn wide(it: u16) -> u8 {}
        pub fn many(one: u8, other: u8) -> u8 {}
        pub fn none() -> u8 {}",
    );
    let functions = public_functions(&sources);
    let counted = functions.iter().map(|function| {
        let types = PlannedTypes::new(&|_| None, false);
        let calls = PlannedCall::alternatives(function, function.name(), &types).unwrap();
        let rows = SharedCall::new(&calls[0]).all_rows(1000);
        (function.name(), rows.map(|it| it.len()))
    });
    let (known, unknown): (Vec<_>, Vec<_>) = counted.partition(|(_, rows)| rows.is_some());
    assert_eq!(known, [("shown", Some(514)), ("size", Some(512))]);
    assert_eq!(unknown.len(), 4);
}

#[test]
fn types_of_other_crates_are_made_of_what_they_accept() {
    insta::assert_snapshot!(planned(
        "use chrono::{DateTime, Utc, prelude::*};
        use rust_decimal::prelude::*;
        pub mod str {} pub mod u8 {}
        pub fn day(it: NaiveDate, at: &DateTime<Utc>) -> u8 {}
        pub fn local(it: NaiveDateTime) -> u8 {}
        pub fn price(it: Decimal) -> u8 {}
        pub fn zone<Tz: TimeZone>(it: DateTime<Tz>, zone: &Tz) -> u8 {}
        pub fn other(it: foreign::Thing) -> u8 {}
        pub mod inner { use super::*; pub fn length(it: &str, more: u8) -> u8 {} }"
    ), @"
    day({ let mut p0 = take::<String>(t); input(parse(p0))? }, &{ let mut p0 = take::<String>(t); input(parse(p0))? })
    local({ let mut p0 = take::<String>(t); input((|text: &str| text.trim_end_matches('Z').parse::<chrono::NaiveDateTime>())(&*p0))? })
    price({ let mut p0 = take::<_>(t); let mut p1 = take::<_>(t); rust_decimal::Decimal::new(p0, p1) })
    zone({ let mut p0 = take::<String>(t); input(parse(p0))? }, &{ chrono::Utc })
    other({ let mut p0 = take::<Written>(t); input(parse(p0))? })
    inner::length(&*take::<String>(t), take::<u8>(t))
    ");
    let sources =
        Sources::of_code("use chrono::*; pub fn zone<Tz: TimeZone>(it: DateTime<Tz>) -> u8 {}");
    let functions = public_functions(&sources);
    let types = PlannedTypes::new(&|_| None, false);
    let calls = PlannedCall::alternatives(&functions[0], "zone", &types).unwrap();
    assert!(calls[0].source().contains("shop::zone::<chrono::Utc>("));
    assert!(calls[0].roots().contains(&"chrono".to_owned()));
}

/// Without a memory of the choices, this takes longer than anyone waits.
#[test]
fn blocks_for_several_parameters_are_chosen_from_once() {
    let mut library = "pub trait Size { fn size() -> usize; }
        pub fn bytes<A: Size>(n: u32) -> usize { 0 }"
        .to_owned();
    for count in 1..=12 {
        let names: Vec<String> = (0..count).map(|it| format!("T{it}")).collect();
        let bounds = names.join(": Size, ");
        let tuple = names.join(", ");
        library +=
            &format!("impl<{bounds}: Size> Size for ({tuple},) {{ fn size() -> usize {{ 0 }} }}");
    }
    let sources = Sources::of_code(&library);
    let functions = public_functions(&sources);
    let bytes = functions.iter().find(|it| it.name() == "bytes").unwrap();
    let types = PlannedTypes::new(&|_| None, false);
    assert!(PlannedCall::alternatives(bytes, "bytes", &types).is_ok());
}

#[test]
fn a_trait_that_a_macro_implements_is_tried_with_numbers() {
    let sources = Sources::of_code(
        "pub trait FloatLike: Copy + std::fmt::Display { fn zero() -> Self; }
        macro_rules! float_like { ($kind:ty) => { impl FloatLike for $kind {} } }
        float_like!(f64);
        pub fn rate<T: FloatLike>(it: T) -> T { it }",
    );
    let functions = public_functions(&sources);
    let rate = functions.iter().find(|it| it.name() == "rate").unwrap();
    let types = PlannedTypes::new(&|_| None, false);
    let calls = PlannedCall::alternatives(rate, "rate", &types).unwrap();
    assert!(calls.iter().any(|it| it.source().contains("rate::<f64>(")));
}

#[test]
fn a_trait_has_the_implementer_without_effects() {
    let sources = Sources::of_code(
        "pub trait Load { fn load(&mut self) -> u8; }
        #[derive(Default)] pub struct Files; impl Load for Files { fn load(&mut self) -> u8 { 0 } }
        #[derive(Default)] pub struct Nothing; impl Load for Nothing { fn load(&mut self) -> u8 { 0 } }
        pub fn read<L: Load>(from: L) -> u8 { 0 }",
    );
    let functions = public_functions(&sources);
    let read = functions.iter().find(|it| it.name() == "read").unwrap();
    let effect_of = |path: &str| (path == "Files::load").then_some("files");
    let types = PlannedTypes::new(&effect_of, false);
    for call in PlannedCall::alternatives(read, "read", &types).unwrap() {
        assert!(
            call.source().contains("read::<shop::Nothing>("),
            "{}",
            call.source()
        );
    }
}

#[test]
fn a_parameter_of_a_type_may_be_a_type_of_another_crate() {
    let sources = Sources::of_code(
        "use petgraph::graph::{DefaultIx, IndexType};
        pub struct Dag<Ix: IndexType = DefaultIx> { count: Ix }
        impl<Ix: IndexType> Dag<Ix> { pub fn new() -> Self {} pub fn count(&self) -> usize {} }
        pub struct Short { text: str }
        pub fn short<S: AsRef<Short>>(it: S) -> u8 {}",
    );
    let functions = public_functions(&sources);
    let types = PlannedTypes::new(&|_| None, false);
    let calls = |name: &str| {
        let function = functions.iter().find(|it| it.name() == name).unwrap();
        PlannedCall::alternatives(function, name, &types).unwrap()
    };
    let count = calls("Dag::count")[0].source();
    assert!(
        count.contains("<shop::Dag<petgraph::graph::DefaultIx>>::count("),
        "{count}"
    );
    let short = calls("short");
    assert!(
        short
            .iter()
            .any(|it| it.source().contains("short::<std::string::String>("))
    );
}
