//! Fixtures: when they are created and dropped, and their errors.

#![warn(clippy::pedantic)]
#![warn(unused, unused_qualifications, unused_results)]
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use std::cell::{Cell, RefCell};
use std::panic::catch_unwind;

use tdg::ensemble_test;

thread_local! {
    static EVENTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn note(event: impl Into<String>) {
    EVENTS.with_borrow_mut(|events| events.push(event.into()));
}

/// Runs a test and returns its events.
fn events(test: fn()) -> Vec<String> {
    drop(EVENTS.take());
    test();
    EVENTS.take()
}

/// Returns the report of a failing test.
fn report(test: fn()) -> String {
    *catch_unwind(test)
        .unwrap_err()
        .downcast::<String>()
        .unwrap()
}

/// Notes when it is opened and dropped.
#[derive(Debug)]
struct Db(&'static str);

impl Db {
    fn open(name: &'static str) -> Result<Self, String> {
        note(format!("open {name}"));
        match name {
            "closed" => Err("no such file".to_owned()),
            name => Ok(Self(name)),
        }
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        note(format!("drop {}", self.0));
        assert!(self.0 != "stuck", "it is in use");
    }
}

/// A fixture that borrows another one.
struct Table<'a>(&'a Db);

impl Drop for Table<'_> {
    fn drop(&mut self) {
        note(format!("drop table of {}", self.0.0));
    }
}

mod for_all_rows {
    use super::*;

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 3)]
    fn some(
        #[fixture(Db::open("first")?)] db: &Db,
        quantity: u32,
        #[fixture(Table(db))] table: &Table<'_>,
        #[fixture(Vec::new())] rows: &mut Vec<u32>,
    ) {
        rows.push(quantity);
        note(format!(
            "row {} with {} and table of {}",
            rows.len(),
            db.0,
            table.0.0
        ));
    }

    #[test]
    fn are_made_once_and_dropped_in_order() {
        assert_eq!(
            events(some),
            [
                "open first",
                "row 1 with first and table of first",
                "row 2 with first and table of first",
                "row 3 with first and table of first",
                "drop table of first",
                "drop first",
            ]
        );
    }

    #[ensemble_test(size = 2)]
    fn stand_beside_features_of_the_signature(
        #[fixture(7_u32)] least: &u32,
        #[define(uniform(1..=20))] quantity: u32,
        #[fixture(Box::new(*least))] boxed: &u32,
        #[feature("unit price")]
        #[define(constant(value = 2))]
        price: u32,
    ) -> u32 {
        quantity.max(*least).max(*boxed) * price
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2, threads = 2)]
    fn are_shared_by_threads(#[fixture(vec![1_u32])] table: &[u32], quantity: u32) -> bool {
        table.contains(&quantity)
    }

    /// The fixture can be sent to a thread, but not shared by several.
    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    fn need_not_be_shareable(#[fixture(Cell::new(0))] sum: &Cell<u32>, quantity: u32) -> bool {
        sum.set(sum.get() + quantity);
        true
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2, threads = 1)]
    fn are_mutable_on_one_thread(#[fixture(0)] rows: &mut usize, amount: f64) -> bool {
        *rows += 1;
        amount > 0.0
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 3, batch)]
    fn are_for_a_batch_too(
        rows: &[tdg_row::Order],
        #[fixture(Vec::new())] seen: &mut Vec<u32>,
    ) -> Vec<usize> {
        rows.iter()
            .map(|order| {
                seen.push(order.quantity);
                seen.len()
            })
            .collect()
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    fn stand_beside_a_whole_row(
        order: tdg_row::Order,
        #[fixture("USD".to_owned())] currency: &str,
        #[fixture(Box::new(7_u32))] _: &dyn std::fmt::Display,
    ) -> String {
        format!("{} {currency}", order.quantity)
    }
}

mod tdg_row {
    #[derive(serde::Deserialize)]
    pub(super) struct Order {
        pub(super) quantity: u32,
    }
}

mod for_each_row {
    use super::*;

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    fn some(
        #[fixture(Db::open("shared")?)] db: &Db,
        #[fixture(each_row, Table(db))] table: Table<'_>,
        #[fixture(each_row, Db::open("own")?)] own: &mut Db,
        quantity: u32,
    ) {
        note(format!("row with {} and {}", db.0, own.0));
        assert_eq!(table.0.0, db.0);
        own.0 = if quantity > 0 { "used" } else { "unused" };
    }

    #[test]
    fn are_dropped_after_it() {
        let row = [
            "open own",
            "row with shared and own",
            "drop table of shared",
            "drop used",
        ];
        let mut expected = vec!["open shared"];
        expected.extend(row);
        expected.extend(row);
        expected.push("drop shared");
        assert_eq!(events(some), expected);
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 4, threads = 2)]
    fn are_mutable_in_threads(
        #[fixture(each_row, Cell::new(1))] cell: &mut Cell<u32>,
        quantity: u32,
    ) -> u32 {
        cell.replace(quantity)
    }
}

mod mistakes {
    use super::*;

    #[allow(clippy::panic)]
    fn unavailable() -> Db {
        panic!("no port is free")
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    #[ignore = "it is invalid"]
    fn failing(#[fixture(Db::open("closed")?)] db: &Db, quantity: u32) -> u32 {
        note(db.0);
        quantity
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    #[ignore = "it is invalid"]
    fn panicking(
        #[fixture(Db::open("first")?)] db: &Db,
        #[fixture(unavailable())] none: &Db,
        quantity: u32,
    ) -> u32 {
        note(db.0);
        note(none.0);
        quantity
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    #[ignore = "it is invalid"]
    fn failing_for_a_row(
        #[fixture(RefCell::new(vec![1_u32]))] left: &RefCell<Vec<u32>>,
        #[fixture(each_row, left.borrow_mut().pop().ok_or("none is left")?)] one: u32,
        quantity: u32,
    ) -> u32 {
        note(format!("{} after {one}", left.borrow().len()));
        quantity
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    #[ignore = "it is invalid"]
    fn panicking_when_dropped(#[fixture(Db::open("stuck")?)] db: &Db, quantity: u32) {
        note(format!("{} {quantity}", db.0));
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    #[ignore = "it panics"]
    fn a_row_that_panics(#[fixture(Db::open("first")?)] db: &Db, quantity: u32) {
        assert!(quantity == 0, "{}", db.0);
    }

    fn reason(test: fn()) -> String {
        let report = report(test);
        let mut lines = report.lines().map(str::trim);
        assert!(
            lines
                .next()
                .unwrap()
                .ends_with("invalid: this run can't be compared")
        );
        lines.collect::<Vec<_>>().join(" ").trim().to_owned()
    }

    #[test]
    fn a_fixture_that_can_not_be_set_up_is_invalid() {
        insta::assert_snapshot!(reason(failing), @"the fixture `db` can't be set up: no such file");
        let panicked = reason(panicking);
        let (what, place) = panicked.split_once(" (at ").unwrap();
        insta::assert_snapshot!(what, @"the fixture `none` panicked while it was set up: no port is free");
        assert!(place.starts_with("tdg/tests/fixtures.rs:"));
        assert_eq!(EVENTS.take(), ["open closed", "open first", "drop first"]);
        insta::assert_snapshot!(reason(failing_for_a_row), @"row 1: the fixture `one` can't be set up: none is left");
        insta::assert_snapshot!(
            reason(panicking_when_dropped).split_once(" (at ").unwrap().0,
            @"a fixture panicked while it was dropped: it is in use"
        );
    }

    #[test]
    fn a_row_that_panics_leaves_them_to_the_other_rows() {
        let report = report(a_row_that_panics);
        assert!(report.contains("2 of 2 cases panicked"), "{report}");
        assert_eq!(EVENTS.take(), ["open first", "drop first"]);
    }
}

mod against {
    use super::*;

    fn old(db: &Db, quantity: u32) -> u64 {
        note(format!("old {}", db.0));
        u64::from(quantity)
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 1, against = old)]
    fn new(#[fixture(Db::open("first")?)] db: &Db, quantity: u32) -> u32 {
        note(format!("new {}", db.0));
        quantity
    }

    #[test]
    fn both_functions_have_their_own() {
        let of = |function| {
            [
                "open first".to_owned(),
                format!("{function} first"),
                "drop first".to_owned(),
            ]
        };
        assert_eq!(events(new), [of("new"), of("old")].concat());
    }
}

#[cfg(feature = "tokio")]
mod of_async_functions {
    use super::*;

    async fn connect() -> Result<Db, std::io::Error> {
        tokio::task::yield_now().await;
        Ok(Db("connected"))
    }

    /// A value that must be dropped within the runtime.
    struct Task;

    impl Drop for Task {
        fn drop(&mut self) {
            drop(tokio::spawn(async {}));
        }
    }

    #[ensemble_test(definition = "tests/definitions/orders.json", size = 2)]
    async fn may_await(
        #[fixture(connect().await?)] db: &Db,
        #[fixture(each_row, (Task, db))] of_row: (Task, &Db),
        #[fixture(Task)] _task: &Task,
        quantity: u32,
    ) -> bool {
        tokio::task::yield_now().await;
        of_row.1.0 == db.0 && quantity > 0
    }
}
