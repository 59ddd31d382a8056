//! `tdg-server verify`, on both databases.

use tdg_engine::Verdict;

use crate::support::{History, on_each};

#[test]
fn what_is_not_as_it_was_stored_is_named() {
    on_each(|server, run| {
        let verify = || {
            let output = server.run(&["verify"]);
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (
                output.status.success(),
                text(output.stdout) + &text(output.stderr),
            )
        };
        let key = server.key("team");
        let shop = History::push(server, &key, "shop", &[Verdict::Same]);
        server.client().benchmark();
        let (is_well, said) = verify();
        assert!(is_well, "{said}");
        assert_eq!(
            said,
            "3 benchmarks and the rows of 1 ensemble are as they were stored\n"
        );

        run("UPDATE ensemble SET digest = 'x'; UPDATE outputs SET text = '[2]' WHERE text = '[1]'");
        let (is_well, said) = verify();
        assert!(!is_well, "{said}");
        assert!(
            said.contains(": its outputs are not those of its digest\n"),
            "{said}"
        );
        // Its rows were never drawn.
        assert!(!said.contains(&shop.ensemble.to_string()), "{said}");
        assert!(said.ends_with(": restore a backup\n"), "{said}");
    });
}
