//! The names that pair the functions of both sides.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::tokens::short_text;
use crate::sources::{PublicFunction, Sources, public_functions};

/// The names that need another form.
pub(super) struct FunctionNames {
    /// Several functions of a side have them, in the blocks of `Type<u8>` and `Type<u16>`.
    repeated: BTreeSet<String>,
    /// One side has them, and the other the same function of a trait with other arguments.
    other_arguments: BTreeSet<String>,
}

impl FunctionNames {
    pub(super) fn new(sides: [Option<&Sources>; 2]) -> Self {
        let names = sides.map(|side| {
            let functions = side.map_or_else(Vec::new, public_functions);
            let names = functions.iter().map(|it| it.name().to_owned());
            names.collect::<Vec<_>>()
        });
        let counts = names.each_ref().map(|it| counts(it.iter().cloned()));
        let of_traits = names.each_ref().map(|names| {
            let names = names.iter().collect::<BTreeSet<_>>();
            counts_of_traits(names.into_iter())
        });
        let is_once = |name: &String| {
            let name = without_arguments(name);
            name.is_some_and(|it| of_traits.iter().all(|of| of.get(&it) == Some(&1)))
        };
        let other_arguments = |[own, other]: [&BTreeMap<String, usize>; 2]| {
            let names = own.keys().filter(|it| !other.contains_key(*it));
            names
                .filter(|it| is_once(it))
                .cloned()
                .collect::<BTreeSet<_>>()
        };
        let repeated = counts.iter().flatten().filter(|(_, count)| **count > 1);
        let [then, now] = &counts;
        Self {
            other_arguments: &other_arguments([then, now]) | &other_arguments([now, then]),
            repeated: repeated.map(|(name, _)| name.clone()).collect(),
        }
    }

    pub(super) fn of(&self, function: &PublicFunction<'_>) -> String {
        let name = function.name();
        let bare = without_arguments(name).filter(|_| self.other_arguments.contains(name));
        let mut shown = bare.unwrap_or_else(|| name.to_owned());
        if let Some(owner) = &function.owner
            && self.repeated.contains(name)
        {
            shown += &format!(" of {}", short_text(&owner.block.self_ty));
        }
        shown
    }
}

fn counts(names: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    names.for_each(|it| *counts.entry(it).or_default() += 1);
    counts
}

fn counts_of_traits<'n>(names: impl Iterator<Item = &'n String>) -> BTreeMap<String, usize> {
    counts(names.filter_map(|it| without_arguments(it)))
}

/// Returns `<Ball as Constraint>::project` for `<Ball as Constraint<T>>::project`.
fn without_arguments(name: &str) -> Option<String> {
    let (kind, rest) = name.strip_prefix('<')?.split_once(" as ")?;
    let (of_trait, function) = rest.rsplit_once(">::")?;
    let of_trait = of_trait.split('<').next()?;
    Some(format!("<{kind} as {of_trait}>::{function}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sides: [&str; 2]) -> [String; 2] {
        let sides = sides.map(Sources::of_code);
        let names = FunctionNames::new(sides.each_ref().map(Some));
        sides.each_ref().map(|side| {
            let functions = public_functions(side);
            let names = functions.iter().map(|it| names.of(it));
            names.collect::<Vec<_>>().join(", ")
        })
    }

    #[test]
    fn functions_of_several_blocks_have_the_types_in_their_names() {
        let of_seed = "pub struct Key<T>(T); pub struct Seed; pub struct Salt;
            impl Key<Seed> { pub fn size() -> u8 { 1 } pub fn seed() {} }
            impl From<crate::seeds::Seed> for Key<Seed> { fn from(_: Seed) -> Self { todo!() } }\n";
        let of_salt = "impl Key<Salt> { pub fn size() -> u8 { 2 } }
            impl From<Seed> for Key<Salt> { fn from(_: Seed) -> Self { todo!() } }\n";
        let seed = "Key::size of Key<Seed>, Key::seed, <Key as From<Seed>>::from of Key<Seed>";
        let [then, now] = names([of_seed, &format!("{of_salt}{of_seed}")]);
        assert_eq!(then, seed);
        insta::assert_snapshot!(now, @"Key::size of Key<Salt>, Key::size of Key<Seed>, Key::seed, <Key as From<Seed>>::from of Key<Salt>, <Key as From<Seed>>::from of Key<Seed>");
    }

    #[test]
    fn a_trait_with_other_arguments_is_the_same_one() {
        let then = "pub trait Limit { fn cut(&self) {} } pub struct Ball; pub struct Box;
            impl Limit for Ball { fn cut(&self) {} }
            impl From<u8> for Ball { fn from(_: u8) -> Self { Ball } }
            impl From<u8> for Box { fn from(_: u8) -> Self { Box } }\n";
        let now = then
            .replace("Limit {", "Limit<T> {")
            .replace("impl Limit", "impl<T> Limit<T>");
        let now = now.replace("u8> for Ball", "u16> for Ball");
        let now = now + "impl From<u16> for Box { fn from(_: u16) -> Self { Box } }\n";
        let [then, now] = names([then, &now]);
        insta::assert_snapshot!(then, @"<Ball as Limit>::cut, <Ball as From>::from, <Box as From<u8>>::from, Limit::cut");
        insta::assert_snapshot!(now, @"<Ball as Limit>::cut, <Ball as From>::from, <Box as From<u8>>::from, <Box as From<u16>>::from, Limit::cut");
    }
}
