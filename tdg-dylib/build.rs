//! Binds the library's calls within itself when it is linked, rather than when each test process
//! starts: 22,000 symbols, which took 6 ms of CPU time.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Linkers of Apple bind so by default.
    if env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor != "apple") {
        println!("cargo::rustc-link-arg=-Wl,-Bsymbolic");
    }
}
