//! Runs every test in its own process, all at once.

use std::fmt::Write as _;

use tdg_tests::tools;

use crate::first_run::small_crate;
use crate::history::{history, integrity, test_of};

const TESTS: usize = 64;
const ROUNDS: usize = 4;

#[test]
fn sixty_four_processes_of_nextest_on_a_store_that_does_not_exist_yet_lose_nothing() {
    let mut source = String::from(
        "macro_rules! tests { ($($name:ident)*) => { $(\n\
         #[tdg::ensemble_test(definition = \"definitions/orders.json\", size = 20)]\n\
         fn $name(amount: f64) -> f64 { amount * 2.0 }\n\
         )* } }\n\
         tests! {",
    );
    let names: Vec<String> = (0..TESTS).map(|number| format!("test_{number}")).collect();
    for name in &names {
        write!(source, " {name}").unwrap();
    }
    source.push_str(" }\n");
    let shop = small_crate("many-processes");
    shop.write("tests/many.rs", &source);
    let nextest = || {
        let jobs = TESTS.to_string();
        let arguments = [
            "run",
            "--test",
            "many",
            "--no-fail-fast",
            "--color=never",
            "-j",
            &jobs,
        ];
        tools::nextest(&shop, &arguments).passes()
    };
    for round in 0..ROUNDS {
        shop.remove(".tdg");
        // In every other round, the files are new as well.
        if round % 2 == 0 {
            shop.remove("tests/snapshots");
        }
        let run = nextest();
        let passed = format!("{TESTS} passed");
        assert!(run.stderr.contains(&passed), "{run}");
        assert!(!run.stderr.contains("no history is kept"), "{run}");
        for name in &names {
            let runs = history(&shop, &test_of("many-processes", "tests/many.rs", name)).len();
            assert_eq!(runs, 1, "{name} in round {round}");
        }
        assert_eq!(integrity(&shop), "ok");
    }
}
