//! Addresses in `Debug` output, which differ from process to process.

use std::ptr;

/// The largest distance between addresses of one process. Heaps and stacks are that close to each
/// other, while an unrelated number is this near by a chance of one in ten thousand.
const NEAR: u64 = 1 << 32;

/// Returns an output as another process would give it, or `None` if it contains no address.
pub(super) fn in_another_process(output: &str) -> Option<String> {
    if !cfg!(target_pointer_width = "64") || !output.contains("\"$debug\"") {
        return None;
    }
    let mut other = String::new();
    let (mut rest, mut is_other) = (output, false);
    while let Some((before, after)) = rest.split_once("0x") {
        let end = after.find(|it: char| !it.is_ascii_hexdigit());
        let (digits, after) = after.split_at(end.unwrap_or(after.len()));
        other.push_str(before);
        match u64::from_str_radix(digits, 16) {
            Ok(number) if is_address(number) => {
                other.push_str("another address");
                is_other = true;
            }
            _ => other.extend(["0x", digits]),
        }
        rest = after;
    }
    other.push_str(rest);
    is_other.then_some(other)
}

fn is_address(number: u64) -> bool {
    static PROGRAM: u8 = 0;
    let (stack, heap) = (0_u8, Box::new(0_u8));
    let addresses = [&PROGRAM, &stack, &*heap].map(|place| ptr::from_ref(place).addr());
    addresses
        .iter()
        .any(|address| (*address as u64).abs_diff(number) < NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Outcome;

    fn elsewhere(outcome: Outcome) -> Option<String> {
        in_another_process(&outcome.into_value().unwrap().unwrap().to_string())
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn only_an_address_of_this_process_is_another_elsewhere() {
        let (boxed, function): (_, fn(Outcome) -> Option<String>) = (Box::new(1), elsewhere);
        let addresses = (
            ptr::from_ref(&boxed),
            ptr::from_ref(&*boxed),
            function,
            0x10,
        );
        let expected = r#"{"$debug":"(another address, another address, another address, 16)"}"#;
        assert_eq!(
            elsewhere(Outcome::debug(&addresses)).as_deref(),
            Some(expected)
        );
        for text in [
            "0x10",
            "0x",
            "0xdeadbeefdeadbeefdeadbeef",
            "0x0000000000000001",
        ] {
            assert_eq!(elsewhere(Outcome::debug(&format_args!("{text}"))), None);
        }
        let text = format!("{:?}", ptr::from_ref(&boxed));
        assert_eq!(elsewhere(Outcome::of(&text)), None);
    }
}
