//! What arguments are made of, in small crates.

use std::path::Path;

use super::PlannedCall;
use crate::sources::{Sources, public_functions};

/// The expressions of the arguments of each function or method, or why it isn't called.
fn planned(library: &str) -> String {
    let read = |_: &Path| Ok(library.to_owned());
    let sources = Sources::read("shop", Path::new("src/lib.rs"), &read).unwrap();
    let functions = public_functions(&sources);
    let called = functions
        .iter()
        .filter(|it| it.owner.is_none() || it.signature.receiver().is_some());
    let lines = called.map(|function| {
        let name = &function.path;
        match PlannedCall::alternatives(function).map(|mut it| it.swap_remove(0)) {
            Ok(call) => {
                let arguments = call.arguments.iter();
                let arguments =
                    arguments.map(|(_, it, passed)| passed.expression(&it.expression()));
                format!("{name}({})\n", arguments.collect::<Vec<_>>().join(", "))
            }
            Err(reason) => format!("{name}: {reason}\n"),
        }
    });
    lines.collect()
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
    shop::money({ let mut p0 = take::<i64>(t); shop::Money::new(p0) })
    shop::port({ let mut p0 = take::<u16>(t); input(shop::Port::try_from(p0))? })
    shop::place(&{ let mut p0 = take::<u8>(t); let mut p1 = take::<bool>(t); shop::Place { x: p0, r#type: p1 } })
    shop::pair({ let mut p0 = take::<u8>(t); let mut p1 = take::<bool>(t); shop::Pair(p0, p1) })
    shop::options({ <shop::Options as std::default::Default>::default() })
    shop::read({ let mut p0 = take::<String>(t); input(<shop::Read as std::str::FromStr>::from_str(&p0))? })
    shop::shape(match t.count() { 0 => { shop::Shape::Dot }, 1 => { let mut p0 = take::<u8>(t); shop::Shape::Circle(p0) }, 2 => { let mut p0 = take::<u8>(t); let mut p1 = take::<u8>(t); shop::Shape::Line { from: p0, to: p1 } }, _ => return None })
    shop::map(&{ let mut list = Vec::new(); for _ in 0..t.count() { list.push((take::<String>(t), take::<u8>(t), )); } list.into_iter().collect() })
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
    shop::growing({ <shop::Growing as std::default::Default>::default() })
    shop::open(match t.count() { 0 => { let mut p0 = take::<u8>(t); shop::Open::One(p0) }, _ => return None })
    shop::closed: `it: Closed` is of a type that nothing makes of what is drawn
    shop::kept({ let mut p0 = take::<String>(t); shop::Kept { text: &*Box::leak(Box::new(p0)) } })
    shop::link: `it: Link` is of a type that nothing makes of what is drawn
    shop::Anchor::hold(&{ let mut p0 = take::<u8>(t); shop::Anchor(p0) }, { let mut p0 = take::<u8>(t); shop::Chain::make(p0) })
    ");
}

#[test]
fn what_is_only_borrowed_is_lent_by_its_owner_or_put_into_a_pointer() {
    insta::assert_snapshot!(planned(
        "use std::{path::Path, rc::Rc, sync::Arc};
        pub fn lent(a: Option<&str>, b: Option<&[u8]>, c: Option<&Path>, d: Option<&u8>) -> u8 {}
        pub fn held(a: Box<str>, b: Rc<Path>, c: Arc<[i8]>, d: Box<u8>) -> u8 {}"
    ), @"
    shop::lent(if t.flag() { Some(take::<String>(t)) } else { None }.as_deref(), if t.flag() { Some(take_bytes(t)) } else { None }.as_deref(), if t.flag() { Some({ let mut p0 = take::<String>(t); std::path::PathBuf::from(p0) }) } else { None }.as_deref(), if t.flag() { Some(take::<u8>(t)) } else { None }.as_ref())
    shop::held({ let mut p0 = take::<String>(t); std::boxed::Box::from(p0) }, { let mut p0 = { let mut p0 = take::<String>(t); std::path::PathBuf::from(p0) }; std::rc::Rc::from(p0) }, { let mut p0 = { let mut list = Vec::new(); for _ in 0..t.count() { list.push(take::<i8>(t)); } list }; std::sync::Arc::from(p0) }, { let mut p0 = take::<u8>(t); std::boxed::Box::new(p0) })
    ");
}
