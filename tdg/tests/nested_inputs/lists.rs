//! Lists and references to them: a median, a search, a graph, equations, a code, a calendar.

use super::*;

mod median {
    use super::*;

    #[derive(Define, Deserialize)]
    struct Sample {
        #[define([any(-1e6..=1e6); 0..=9])]
        xs: Vec<f64>,
    }

    fn median(xs: &[f64], has_mean: bool) -> Option<f64> {
        let mut xs = xs.to_vec();
        xs.sort_by(f64::total_cmp);
        let middle = *xs.get(xs.len() / 2)?;
        match xs.len() % 2 {
            0 if has_mean => Some((xs[xs.len() / 2 - 1] + middle) / 2.0),
            _ => Some(middle),
        }
    }

    #[test]
    fn a_median_without_a_mean_is_found_by_even_lengths() {
        let test = EnsembleTest::new("median").size(300);
        let report = report(test, |sample: Sample, is_right| {
            median(&sample.xs, is_right)
        });
        insta::assert_snapshot!(report);
    }
}

mod search {
    use super::*;

    #[derive(Define, Deserialize)]
    struct Search {
        #[define([uniform(0..50), unique; 0..=20], sorted)]
        xs: Vec<u32>,
        #[define(one_of(xs, missing = 0.4, else = uniform(0..50)))]
        x: u32,
    }

    fn search(row: &Search, sees_last: bool) -> Result<usize, usize> {
        let (mut low, mut high) = (0, row.xs.len());
        if !sees_last {
            high = high.saturating_sub(1);
        }
        while low < high {
            let middle = low.midpoint(high);
            match row.xs[middle].cmp(&row.x) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    #[test]
    fn a_search_that_misses_the_last_is_found_and_explained() {
        let test = EnsembleTest::new("search").size(500);
        let report = report(test, |row: Search, is_right| search(&row, is_right));
        insta::assert_snapshot!(report);
    }
}

mod graph {
    use super::*;

    #[derive(Define, Deserialize)]
    struct Graph {
        #[define(uniform(1..=12))]
        n: usize,
        #[define([(index(of = n), index(of = n), uniform(0..20)); 0..=40])]
        edges: Vec<(usize, usize, u32)>,
    }

    /// Returns the distances from the first node.
    fn distances(graph: &Graph, are_free: bool) -> Vec<Option<u32>> {
        let mut distances = vec![None; graph.n];
        distances[0] = Some(0);
        for _ in 0..graph.n {
            for &(from, to, length) in &graph.edges {
                let Some(before) = distances[from].filter(|_| are_free || length > 0) else {
                    continue;
                };
                let reached = distances[to].unwrap_or(u32::MAX);
                distances[to] = Some(reached.min(before + length));
            }
        }
        distances
    }

    #[test]
    fn edges_of_no_length_that_are_lost_are_found_and_explained() {
        let test = EnsembleTest::new("graph").size(300);
        let report = report(test, |graph: Graph, is_right| distances(&graph, is_right));
        insta::assert_snapshot!(report);
    }
}

mod equations {
    use super::*;

    #[derive(Define, Deserialize)]
    struct Equations {
        #[define(uniform(1..=4))]
        n: usize,
        #[define([[gaussian(mu = 0.0, sigma = 1.0); n]; n])]
        a: Vec<Vec<f64>>,
        #[define([any(-9.0..=9.0); n])]
        b: Vec<f64>,
    }

    fn solve(equations: Equations, eliminates: usize) -> Option<Vec<f64>> {
        let Equations { n, mut a, mut b } = equations;
        for column in 0..n {
            let size = |row: &usize| a[*row][column].abs();
            let pivot = (column..n).max_by(|one, other| size(one).total_cmp(&size(other)))?;
            a.swap(column, pivot);
            b.swap(column, pivot);
            let above = a[column].clone();
            for row in (column + 1..n).take(eliminates) {
                let factor = a[row][column] / above[column];
                let pairs = a[row].iter_mut().zip(&above);
                pairs
                    .skip(column)
                    .for_each(|(it, above)| *it -= factor * above);
                b[row] -= factor * b[column];
            }
        }
        let mut x = vec![0.0; n];
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|at| a[row][at] * x[at]).sum();
            x[row] = (b[row] - known) / a[row][row];
        }
        Some(x)
    }

    #[test]
    fn equations_that_are_left_out_are_found_by_their_number() {
        let test = EnsembleTest::new("solve")
            .size(300)
            .tolerance(tdg::Tolerance::rel(1e-9));
        let report = report(test, |equations: Equations, is_right| match is_right {
            true => solve(equations, usize::MAX),
            false => solve(equations, 1),
        });
        insta::assert_snapshot!(report);
    }
}

mod code {
    use super::*;

    #[derive(Define, Deserialize)]
    struct Encoded {
        #[define(any, length(0..=16))]
        bytes: Vec<u8>,
    }

    /// Decodes pairs of a count and a byte.
    fn decode(bytes: &[u8], is_strict: bool) -> Result<usize, &'static str> {
        let pairs = bytes.chunks(2);
        let lengths = pairs.map(|pair| match *pair {
            [0, _] => Err("no code"),
            [count, _] => Ok(usize::from(count)),
            [_] if !is_strict => Ok(0),
            _ => Err("no code"),
        });
        lengths.sum()
    }

    #[test]
    fn a_byte_too_many_that_is_accepted_is_found_by_odd_lengths() {
        let test = EnsembleTest::new("decode").size(400);
        let report = report(test, |encoded: Encoded, is_right| {
            decode(&encoded.bytes, is_right)
        });
        insta::assert_snapshot!(report);
    }
}

mod calendar {
    use super::*;

    #[derive(Define)]
    struct Booking {
        #[define(type = DATE, uniform("2026-01-01"..="2026-12-31"), via = day)]
        from: u32,
        #[define(type = DATE, uniform("2026-01-01"..="2026-12-31"), via = day)]
        to: u32,
    }

    #[derive(Define)]
    struct Stay {
        #[define(length(0..=10), sorted(from, to))]
        bookings: Vec<Booking>,
        #[define(type = DATE, uniform("2026-01-01"..="2026-12-31"), via = day)]
        day: u32,
        #[define(uniform(1..=14))]
        nights: u32,
    }

    /// Returns the day of the year.
    fn day(date: &str) -> Option<u32> {
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
        let month: usize = date.get(5..7)?.parse().ok()?;
        let day: u32 = date.get(8..10)?.parse().ok()?;
        Some(before.get(month.checked_sub(1)?)? + day)
    }

    fn next_free(stay: &Stay, waits_for_last: bool) -> u32 {
        let mut free = stay.day;
        for (place, booking) in stay.bookings.iter().enumerate() {
            let is_last = place + 1 == stay.bookings.len();
            let is_over = booking.to <= free || booking.from >= free + stay.nights;
            if !is_over && (waits_for_last || !is_last) {
                free = booking.to;
            }
        }
        free
    }

    #[test]
    fn a_last_booking_that_is_not_seen_is_found() {
        let test = EnsembleTest::new("calendar").size(500);
        let report = report(test, |stay: Stay, is_right| next_free(&stay, is_right));
        insta::assert_snapshot!(report);
    }
}
