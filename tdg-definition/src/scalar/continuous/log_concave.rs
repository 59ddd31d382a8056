//! Quantiles of a density known up to a constant factor.

use crate::checkpoint;
use crate::math::exp;
use crate::scalar::Work;

/// The work of values by inversion, with the panels of any shape.
pub(super) const LOG_CONCAVE: Work = Work {
    once: 800_000,
    each: 1_500,
};

/// A density on the real line with a concave logarithm, given by that logarithm: 0 at 0, where it
/// is largest.
///
/// The line is cut into panels in which the density is nearly a polynomial, and a quantile is found
/// in its panel by Newton's method on the integral from the panel's end (G. Derflinger, W. Hörmann
/// and J. Leydold, *Random variate generation by numerical inversion when only the density is
/// known*, ACM Transactions on Modeling and Computer Simulation 20, 2010, who interpolate in the
/// panels). Probabilities are accurate to 1e-9 in both tails.
pub(super) struct LogConcave<F> {
    log_density: F,
    width: f64,
    /// From left to right.
    panels: Vec<Panel>,
    total: f64,
}

#[derive(Clone, Copy)]
struct Panel {
    start: f64,
    end: f64,
    /// The integral over the panel, over all panels to its left, and over all to its right.
    mass: f64,
    before: f64,
    after: f64,
}

/// Densities below exp(-60) of the mode are ignored: no word reaches them.
const DEPTH: f64 = -60.0;
/// The largest change of the logarithm of the density in a panel, so that Newton's method
/// converges.
const CHANGE: f64 = 0.5;
/// The tolerance between a panel's integral and the sum over its halves, which is about 1000 times
/// as accurate: relative to itself, or to the total, which is at least the width of the considered
/// range divided by 60.
const SLACK: f64 = 1e-9;
const SLACK_OF_ALL: f64 = 1e-22;
/// The most panels; enough for all distributions.
const LARGEST: usize = 10_000;
/// The number of Newton steps. Each doubles the number of correct digits, which begins at one.
const STEPS: u32 = 3;

impl<F: Fn(f64) -> f64> LogConcave<F> {
    pub(super) fn new(log_density: F) -> Self {
        let mut density = Self {
            log_density,
            width: 0.0,
            panels: Vec::new(),
            total: 0.0,
        };
        let (low, high) = (density.end(-1.0), density.end(1.0));
        density.width = high - low;
        density.cut(low, 0.0);
        density.cut(0.0, high);
        for panel in &mut density.panels {
            panel.before = density.total;
            density.total += panel.mass;
        }
        let mut after = 0.0;
        for panel in density.panels.iter_mut().rev() {
            panel.after = after;
            after += panel.mass;
        }
        density
    }

    /// The number with probability `below` to its left and `above` to its right; uses the smaller.
    pub(super) fn quantile(&self, below: f64, above: f64) -> f64 {
        if below <= above {
            let wanted = below * self.total;
            let next = self.panels.partition_point(|panel| panel.before <= wanted);
            let panel = self.panels[next.saturating_sub(1)];
            self.solve(panel.start, panel.end, panel.mass, wanted - panel.before)
        } else {
            let wanted = above * self.total;
            let found = self.panels.partition_point(|panel| panel.after > wanted);
            let panel = self.panels[found.min(self.panels.len() - 1)];
            self.solve(panel.end, panel.start, panel.mass, wanted - panel.after)
        }
    }

    /// Finds the place between the ends of a panel at which the integral is `wanted`.
    fn solve(&self, from: f64, to: f64, mass: f64, wanted: f64) -> f64 {
        let width = to - from;
        let mut share = wanted / mass;
        for _ in 0..STEPS {
            let at = from + width * share;
            let missing = wanted - self.integral(from, at).abs();
            share += missing / (self.density(at) * width.abs());
            share = if share > 1.0 { 1.0 } else { share };
            share = if share < 0.0 { 0.0 } else { share };
        }
        from + width * share
    }

    fn density(&self, at: f64) -> f64 {
        exp((self.log_density)(at))
    }

    /// The place in this direction past which the density is ignored.
    fn end(&self, direction: f64) -> f64 {
        let is_beyond = |at: f64| (self.log_density)(at) <= DEPTH;
        let (mut within, mut beyond) = (0.0, direction);
        while is_beyond(beyond * 0.5) {
            beyond *= 0.5;
        }
        while !is_beyond(beyond) {
            within = beyond;
            beyond *= 2.0;
        }
        for _ in 0..20 {
            let middle = within + (beyond - within) * 0.5;
            if is_beyond(middle) {
                beyond = middle;
            } else {
                within = middle;
            }
        }
        beyond
    }

    /// Cuts a stretch into panels, from left to right.
    fn cut(&mut self, start: f64, end: f64) {
        checkpoint();
        let middle = start + (end - start) * 0.5;
        let change = (self.log_density)(start) - (self.log_density)(end);
        let halves = self.integral(start, middle) + self.integral(middle, end);
        let error = (self.integral(start, end) - halves).abs();
        let is_smooth = error <= SLACK * halves || error <= SLACK_OF_ALL * self.width;
        let is_cut = start < middle && middle < end && self.panels.len() < LARGEST;
        if is_cut && !(change.abs() <= CHANGE && is_smooth) {
            self.cut(start, middle);
            self.cut(middle, end);
            return;
        }
        self.panels.push(Panel {
            start,
            end,
            mass: halves,
            before: 0.0,
            after: 0.0,
        });
    }

    /// Integrates by Gauss-Legendre quadrature with five points.
    fn integral(&self, start: f64, end: f64) -> f64 {
        const NEAR: f64 = 0.538_469_310_105_683_1;
        const FAR: f64 = 0.906_179_845_938_664;
        let half = (end - start) * 0.5;
        let middle = start + half;
        let pair = |at: f64| self.density(middle - half * at) + self.density(middle + half * at);
        half * (0.568_888_888_888_888_9 * self.density(middle)
            + 0.478_628_670_499_366_5 * pair(NEAR)
            + 0.236_926_885_056_189_1 * pair(FAR))
    }
}
