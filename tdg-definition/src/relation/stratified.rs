//! Stratified sampling: a Latin hypercube.

use super::{Declared, DrawnRows, RelatedFeature, Supplied};
use crate::fault::{Invalid, invalid};
use crate::feature_type::FeatureType;
use crate::fields::{Faulty, Fields};
use crate::json::{Pointer, Value};
use crate::random::{Permutation, Purpose};
use crate::scalar::Sampler;

pub(super) const NAME: &str = "sampling";

const STRATIFIED: &str = "stratified";
const RANDOM: &str = "random";

/// Splits the words of each feature into as many equal strata as there are rows, and draws each row
/// from a different stratum, in a separate order per feature (M. D. McKay, R. J. Beckman and W. J.
/// Conover, *A comparison of three methods for selecting values of input variables in the analysis
/// of output from a computer code*, Technometrics 21, 1979). Any number of rows thus covers the
/// whole distribution evenly, but fewer rows aren't the first ones of more.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stratified {
    /// The positions of the features that draw by inversion.
    features: Vec<usize>,
}

/// Reads the member; `None` if it's left out or random.
pub(super) fn read(
    fields: &mut Fields<'_>,
    features: &Declared<'_>,
) -> Result<Option<Stratified>, Faulty> {
    if !fields.is_second(NAME, [RANDOM, STRATIFIED]).ok_or(Faulty)? {
        return Ok(None);
    }
    let list = Pointer::root().child("features");
    let mut all_well = true;
    let mut inverted = Vec::new();
    for position in 0..features.count() {
        let Some(feature) = features.get(position) else {
            continue;
        };
        if feature.inversion().is_ok() {
            inverted.push(position);
        } else if let Err(invalid) = check(feature) {
            all_well = false;
            let pointer = list.child(position.to_string()).child("distribution");
            fields.faults().push(invalid.at(pointer));
        }
    }
    let features = inverted;
    let stratified = all_well.then_some(Some(Stratified { features }));
    stratified.ok_or(Faulty)
}

/// Checks that the feature's values need not be stratified: strings, values that are the same in
/// every run, and unique values.
fn check(feature: &dyn RelatedFeature) -> Result<(), Invalid> {
    let is_without = feature.modifiers().is_unique()
        || matches!(
            feature.feature_type(),
            FeatureType::String | FeatureType::Bytes
        )
        || feature.is_computed()
        || matches!(feature.distribution().sampler(), Sampler::Fixed(_));
    if is_without {
        return Ok(());
    }
    invalid!(
        "{} takes several random numbers for each value, so it can't be stratified; use a distribution that takes \
         one, such as gaussian or uniform, or remove `{NAME}`",
        feature.distribution().name()
    )
}

impl Stratified {
    /// Returns the canonical form.
    pub(super) fn to_value(&self) -> Value {
        Value::from(STRATIFIED)
    }

    /// Supplies the words of all features that draw by inversion: for row i it's `⌊(π(i) × 2⁶⁴ +
    /// w) / n⌋`, with n the number of rows, π a permutation of the strata and w the row's own word.
    pub(super) fn supply(&self, rows: &DrawnRows<'_>, supplied: &mut Supplied) {
        let Some(last) = rows.size().checked_sub(1) else {
            return;
        };
        let strata = Strata::new(rows.size());
        for &position in &self.features {
            let order = Permutation::new(rows.stream(position), Purpose::Stratum, 0, last);
            let mut words = rows.own_words(position);
            // Rows past the largest ensemble wrap around.
            let mut row = rows.first() % rows.size();
            for word in &mut words {
                *word = strata.within(order.of(row), *word);
                row = if row == last { 0 } else { row + 1 };
            }
            supplied.set(position, words);
        }
    }
}

/// Equal parts of the range of words.
struct Strata {
    count: u64,
    /// ⌊2⁶⁴ / count⌋ and the remainder.
    words: u64,
    rest: u64,
}

impl Strata {
    fn new(count: u64) -> Self {
        // 2⁶⁴ itself doesn't fit into a word.
        let (words, rest) = (u64::MAX / count, u64::MAX % count + 1);
        Self {
            count,
            // If one stratum has all words, their number wraps to 0, which is harmless.
            words: words.wrapping_add(u64::from(rest == count)),
            rest: rest % count,
        }
    }

    /// Scales a word to a stratum: `⌊(stratum × 2⁶⁴ + word) / count⌋`, computed in parts, because
    /// dividing 128 bits is slow.
    fn within(&self, stratum: u64, word: u64) -> u64 {
        let rest = u128::from(stratum) * u128::from(self.rest) + u128::from(word % self.count);
        let beyond = match u64::try_from(rest) {
            Ok(rest) => rest / self.count,
            Err(_) => (rest / u128::from(self.count)) as u64,
        };
        (stratum.wrapping_mul(self.words))
            .wrapping_add(word / self.count)
            .wrapping_add(beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_parts_make_the_whole_quotient(count in prop_oneof![1..10_u64, 1..20_000_u64, 1..=u64::MAX], stratum: u64, word: u64) {
            let stratum = stratum % count;
            let whole = (u128::from(stratum) << 64 | u128::from(word)) / u128::from(count);
            prop_assert_eq!(u128::from(Strata::new(count).within(stratum, word)), whole);
        }
    }
}
