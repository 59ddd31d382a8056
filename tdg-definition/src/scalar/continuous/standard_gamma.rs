//! Gamma variables of scale 1, for the gamma and beta distributions.

use crate::fields::Fields;
use crate::math::{ln, normal};
use crate::random::uniform::unit_open;
use crate::random::{Purpose, StreamRows};

/// The draws of a row that belong to a variable: numbers `first`, `first + step`, …
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    pub(super) first: u64,
    pub(super) step: u64,
}

impl Draws {
    fn number(self, index: u64) -> u64 {
        self.first + self.step * index
    }
}

/// A gamma variable by G. Marsaglia and W. W. Tsang, *A simple method for generating gamma
/// variables*, ACM Transactions on Mathematical Software 26 (2000), 363–372.
///
/// With `d = a - 1/3` and `c = 1 / √(9d)`, attempt `j` (0, 1, …) takes a standard normal `z` from
/// the variable's draw `2j + 1` and `u` from `2j + 2`. With `v = (1 + cz)³`, it succeeds and gives
/// `d × v` if `v > 0` and either `u < 1 - 0.0331 z⁴` or `ln u < z²/2 + d × (1 - v + ln v)`. At
/// least 95 % of the attempts succeed.
///
/// This applies to shapes of at least 1. For smaller shapes, `a` is the shape plus 1, and the
/// result is multiplied by `w^(1 / shape)`, with `w` from draw 0. The factor is given as its
/// logarithm, because it can be far below the smallest float.
#[derive(Clone, Copy, Debug)]
pub(super) struct StandardGamma {
    shape: f64,
    draws: Draws,
    d: f64,
    c: f64,
}

/// Above, a gaussian differs by less than rounding; below `SMALLEST`, logarithms would be infinite.
const LARGEST: f64 = 1e8;
const SMALLEST: f64 = 1e-300;

impl StandardGamma {
    /// Reads the shape of a variable.
    pub(super) fn read_shape(fields: &mut Fields<'_>, name: &'static str) -> Option<f64> {
        let shape = fields.positive(name)?;
        if shape > LARGEST {
            let message = format!("must be at most {LARGEST}, but is {shape}; use a gaussian");
            fields.fault(name, message);
            return None;
        }
        if shape < SMALLEST {
            fields.fault(
                name,
                format!("must be at least {SMALLEST:e}, but is {shape:e}"),
            );
            return None;
        }
        Some(shape)
    }

    pub(super) fn new(shape: f64, draws: Draws) -> Self {
        let a = if shape < 1.0 { shape + 1.0 } else { shape };
        let d = a - 1.0 / 3.0;
        Self {
            shape,
            draws,
            d,
            c: 1.0 / (9.0 * d).sqrt(),
        }
    }

    /// Returns true if the variable is the product of [`fill`](Self::fill) and the exponential of
    /// [`log_factors`](Self::log_factors).
    pub(super) fn has_factor(&self) -> bool {
        self.shape < 1.0
    }

    /// The largest result of [`fill`](Self::fill): normal values stay below 8.3.
    pub(super) fn largest(&self) -> f64 {
        let root = 1.0 + 8.3 * self.c;
        self.d * (root * root * root)
    }

    /// Draws the variables of these rows, without the factor.
    ///
    /// All rows make the first attempt together, and retry individually.
    pub(super) fn fill(&self, rows: &StreamRows<'_>, values: &mut [f64]) {
        let draw = |index| self.draws.number(index);
        let mut words = rows.words(Purpose::Value, draw(1));
        normal::fill(&words, values);
        rows.fill(Purpose::Value, draw(2), 0, &mut words);
        for i in 0..values.len() {
            values[i] = match self.attempt(values[i], words[i]) {
                Some(value) => value,
                None => self.further_attempts(rows, i),
            };
        }
    }

    /// The logarithms of the rows' factors, `(ln w) / shape`; 0 if the shape needs no factor.
    pub(super) fn log_factors(&self, rows: &StreamRows<'_>) -> Vec<f64> {
        if !self.has_factor() {
            return vec![0.0; rows.len()];
        }
        let words = rows.words(Purpose::Value, self.draws.number(0));
        let mut factors = Vec::with_capacity(words.len());
        for word in words {
            factors.push(ln(unit_open(word)) / self.shape);
        }
        factors
    }

    fn attempt(&self, z: f64, word: u64) -> Option<f64> {
        let root = 1.0 + self.c * z;
        if root <= 0.0 {
            return None;
        }
        let v = root * root * root;
        let u = unit_open(word);
        let square = z * z;
        let accepted = u < 1.0 - 0.0331 * (square * square)
            || ln(u) < 0.5 * square + self.d * (1.0 - v + ln(v));
        accepted.then_some(self.d * v)
    }

    #[cold]
    fn further_attempts(&self, rows: &StreamRows<'_>, row: usize) -> f64 {
        let word = |index| rows.word(Purpose::Value, row, self.draws.number(index));
        let mut index = 3;
        loop {
            let z = normal::quantile(unit_open(word(index)));
            if let Some(value) = self.attempt(z, word(index + 1)) {
                return value;
            }
            index += 2;
        }
    }
}
