//! Sentences about lists and tuples are counted again, in another way than the search does.

use super::sentences::{Nearness, is_true};
use super::*;

use proptest::prelude::*;

/// How outputs write a list.
#[derive(Clone, Copy, Debug)]
enum Notation {
    Array,
    Tuple,
    Members,
}

/// The effect of a bug on a list.
#[derive(Clone, Copy, Debug)]
enum Effect {
    Reverse,
    Sort,
    Swap(usize, usize),
    Drop,
    Append(i64),
    Add(usize, i64),
    AddAll(i64),
    Negate,
}

impl Effect {
    fn apply(self, list: &[i64]) -> Vec<i64> {
        let mut list = list.to_vec();
        match self {
            Self::Reverse => list.reverse(),
            Self::Sort => list.sort_unstable(),
            Self::Swap(one, other) if one.max(other) < list.len() => list.swap(one, other),
            Self::Drop => drop(list.pop()),
            Self::Append(number) => list.push(number),
            Self::Add(place, number) if place < list.len() => list[place] += number,
            Self::AddAll(number) => list.iter_mut().for_each(|it| *it += number),
            Self::Negate => list.iter_mut().for_each(|it| *it = -*it),
            Self::Swap(..) | Self::Add(..) => {}
        }
        list
    }
}

fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        Just(Effect::Reverse),
        Just(Effect::Sort),
        (0..4_usize, 0..4_usize).prop_map(|(one, other)| Effect::Swap(one, other)),
        Just(Effect::Drop),
        (-9..9_i64).prop_map(Effect::Append),
        (0..4_usize, 1..9_000_000_i64).prop_map(|(place, it)| Effect::Add(place, it)),
        (1..99_i64).prop_map(Effect::AddAll),
        Just(Effect::Negate),
    ]
}

fn written(list: &[i64], notation: Notation) -> Value {
    let numbers = || list.iter().map(|it| Value::from(*it));
    let members = || {
        numbers()
            .enumerate()
            .map(|(place, it)| (place.to_string(), it))
    };
    match notation {
        Notation::Array => numbers().collect::<Vec<_>>().into(),
        Notation::Tuple => {
            let name = ("$name".to_owned(), Value::from("()"));
            Value::object([name].into_iter().chain(members()))
        }
        Notation::Members => Value::object(members()),
    }
}

/// Returns true if the sentence is true for two lists.
fn is_true_of_lists(sentence: &str, left: &[i64], right: &[i64]) -> bool {
    let number = |text: &str| text.parse::<i64>().unwrap();
    let changed: Vec<usize> = (0..left.len().min(right.len()))
        .filter(|it| left[*it] != right[*it])
        .collect();
    let sorted = |list: &[i64]| Effect::Sort.apply(list);
    let absolute = |list: &[i64]| list.iter().map(|it| it.abs()).collect::<Vec<_>>();
    let is_part = |all: &[i64], some: &[i64]| {
        let mut rest = all.iter();
        some.iter().all(|it| rest.any(|other| other == it))
    };
    let words: Vec<&str> = sentence.split(' ').collect();
    match words.as_slice() {
        ["actual", "=", "expected,", "reversed"] => left.iter().rev().eq(right),
        ["actual", "=", "expected,", "sorted"] => sorted(left) == right,
        ["actual", "=", "expected,", "sorted", "in", "reverse"] => {
            sorted(left).iter().rev().eq(right)
        }
        ["actual", "=", "expected,", "as", ..] => left[..left.len().min(1)] == *right,
        ["actual", "=", "expected,", "padded", _, value, _, length, _] => {
            let rest = right.strip_prefix(left);
            right.len() as i64 == number(length)
                && rest.is_some_and(|it| it.iter().all(|it| *it == number(value)))
        }
        [.., "elements", one, "and", other, "swapped"] => {
            Effect::Swap(number(one) as usize, number(other) as usize).apply(left) == right
        }
        [.., "without", "its", "last", "element"] => left[..left.len().saturating_sub(1)] == *right,
        [.., "without", "its", "first", "element"] => left[1.min(left.len())..] == *right,
        [.., "with", value, "appended"] => Effect::Append(number(value)).apply(left) == right,
        [.., "with", value, "prepended"] => [&[number(value)], left].concat() == right,
        [.., "before", "its", "first", "element", value] => {
            let end = left.iter().position(|it| *it == number(value));
            end.is_some_and(|it| left[..it] == *right)
        }
        [.., "without", "the", "elements", value] => {
            left.iter().filter(|it| **it != number(value)).eq(right)
        }
        [.., "without", "repeated", "elements"] => {
            let first = |place: &usize| !left[..*place].contains(&left[*place]);
            (0..left.len())
                .filter(first)
                .map(|it| left[it])
                .eq(right.iter().copied())
        }
        [.., "other", "sign", "in", "all", "elements"] => Effect::Negate.apply(left) == right,
        [.., "without", "the", "signs", "of", "its", "elements"] => absolute(left) == right,
        [.., "minus", "before", "all", "elements"] => {
            Effect::Negate.apply(&absolute(left)) == right
        }
        ["only", "the", "signs", ..] => absolute(left) == absolute(right),
        ["only", "the", "order", "of", "elements", ..] => sorted(left) == sorted(right),
        ["only", "the", "last", ..] => left.len() == right.len() && changed == [left.len() - 1],
        ["only", "the", "first", ..] => left.len() == right.len() && changed == [0],
        ["only", "element", place, "(of", ..] => changed == [number(place) as usize],
        ["the", "first", .., place] => changed.first() == Some(&(number(place) as usize)),
        [count, "element" | "elements", direction] => {
            let sign = if *direction == "more" { 1 } else { -1 };
            right.len() as i64 - left.len() as i64 == sign * number(count)
        }
        ["actual", "is", "the", "beginning", ..] => left.starts_with(right),
        ["actual", "is", "the", "end", ..] => left.ends_with(right),
        ["actual", "lacks", ..] => is_part(left, right),
        ["actual", "has", "more", "elements", "than", ..] => is_part(right, left),
        ["actual", "has", "more", ..] => right.len() > left.len(),
        ["actual", "has", "fewer", ..] => right.len() < left.len(),
        ["actual", "has", "as", "many", ..] => right.len() == left.len(),
        _ => panic!("{sentence}"),
    }
}

fn lists() -> impl Strategy<Value = Vec<Vec<i64>>> {
    let of = |lengths| prop::collection::vec(prop::collection::vec(-20..1000_i64, lengths), 3..150);
    prop_oneof![of(2..=2), of(3..=3), of(0..=6)]
}

fn notation() -> impl Strategy<Value = Notation> {
    use Notation::{Array, Members, Tuple};
    prop::sample::select(vec![Array, Tuple, Members])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn claims_about_lists_hold_for_the_stated_number(
        lists in lists(), effects in [effect(), effect()], share in 0..6_usize, step in 1..9_usize,
        tuple in notation(),
    ) {
        let both = |case: usize| {
            let effect = effects[usize::from(case * 13 % 10 < share)];
            let actual = match case.is_multiple_of(step) {
                true => effect.apply(&lists[case]),
                false => lists[case].clone(),
            };
            (lists[case].clone(), actual)
        };
        let both: Vec<_> = (0..lists.len()).map(both).collect();
        let mut all = both.iter().flat_map(|(left, right)| [left, right]);
        let is_tuple = all.all(|it| it.len() > 1 && it.len() == lists[0].len());
        let notation = if is_tuple { tuple } else { Notation::Array };
        let outputs = both.iter().map(|(left, right)| (written(left, notation), written(right, notation)));
        let differing: Vec<_> = both.iter().filter(|(left, right)| left != right).collect();
        for change in found(&rows(), &outputs.collect::<Vec<_>>()) {
            let sentence = change.pattern.to_string();
            let nearness = Nearness { decimals: (0, 0), slack: 1.0 };
            let is_true_of = |left: &i64, right: &i64| {
                is_true(&sentence, &((*left).into(), (*right).into()), nearness)
            };
            let place = change.field.segments().next();
            let is_meant = |left: &[i64], right: &[i64]| match place {
                Some("*") | None => true,
                Some(place) => {
                    let place: usize = place.parse().unwrap();
                    left.get(place) != right.get(place)
                }
            };
            let holds = |left: &[i64], right: &[i64]| match place {
                None => is_true_of_lists(&sentence, left, right),
                Some("*") => {
                    let mut pairs = left.iter().zip(right).filter(|(left, right)| left != right);
                    pairs.all(|(left, right)| is_true_of(left, right))
                }
                Some(place) => {
                    let place: usize = place.parse().unwrap();
                    is_true_of(&left[place], &right[place])
                }
            };
            let meant = differing.iter().filter(|(left, right)| is_meant(left, right));
            // The sentence doesn't say how close "about" is.
            if !sentence.contains(" about ") {
                let counted = meant.clone().filter(|(left, right)| holds(left, right)).count();
                prop_assert_eq!(counted, change.holds, "{}", sentence);
            }
            prop_assert_eq!(meant.count(), change.cases, "{}", sentence);
        }
    }

    #[test]
    fn white_space_is_no_change_of_elements(
        lists in lists(), (from, to) in prop::sample::select(vec![(",", ", "), (",", " ,"), (",", ",\n"), (", ", ",")]),
    ) {
        let outputs = lists.iter().map(|list| {
            let texts: Vec<String> = list.iter().map(i64::to_string).collect();
            let text = texts.join(from);
            (text.as_str().into(), text.replace(from, to).into())
        });
        for change in found(&rows(), &outputs.collect::<Vec<_>>()) {
            let sentence = change.pattern.to_string();
            let is_right = ["white space", " instead of ", " became "].iter().any(|it| sentence.contains(it));
            prop_assert!(is_right, "{}", sentence);
        }
    }

    #[test]
    fn a_feature_that_does_not_matter_is_not_a_cause(
        offsets in prop::collection::vec(prop::sample::select(vec![-1_i64, 1]), 40..250), is_factor in any::<bool>(),
    ) {
        let outputs = offsets.iter().enumerate().map(|(case, offset)| {
            let expected = 10 + (case * case * 31 % 1009) as i64;
            let actual = match is_factor {
                true => expected * (3 + offset),
                false => expected + offset,
            };
            (expected.into(), actual.into())
        });
        for change in found(&rows(), &outputs.collect::<Vec<_>>()) {
            prop_assert!(!change.pattern.to_string().contains(" where "), "{}", change.pattern);
        }
    }
}
