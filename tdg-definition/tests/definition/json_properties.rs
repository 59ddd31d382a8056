//! Properties of all JSON, with serde_json as a second opinion.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::Value as Peer;
use tdg_definition::json::{Kind, Number, Pointer, Reader, Value, parse, parse_with_comments};

fn any_float() -> impl Strategy<Value = f64> {
    // Every bit pattern, and common decimals.
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        (-1_000_000_i64..1_000_000).prop_map(|hundredths| hundredths as f64 / 100.0),
    ]
}

fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any_float().prop_map(Number::from),
        any::<i64>().prop_map(Number::from),
        any::<i128>().prop_map(Number::from),
        any::<u128>().prop_map(Number::from),
        (-3_i64..3).prop_map(Number::from),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,20}", "[\\x00-\\x7f]{0,20}", "[a-c]{1,2}"]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any_number().prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(any_text(), inner, 0..6).prop_map(Value::from),
        ]
    })
}

/// Canonical text with a few bytes inserted, removed or replaced, which is often almost JSON.
fn almost_json() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[\\[\\]{},:\"0-9eE+.\\-tfn \\n\\\\u\u{1}é]",
        Just("\\u12aF".to_owned()),
        Just("\\ud83e".to_owned()),
        Just("\\udd80".to_owned()),
        Just("null".to_owned()),
        Just("1e308".to_owned()),
        Just("\"a\":".to_owned()),
    ];
    let change = (any::<prop::sample::Index>(), 0..3_usize, piece);
    (any_value(), vec(change, 0..4)).prop_map(|(value, changes)| {
        let mut characters: Vec<char> = value.to_string().chars().collect();
        for (place, removed, inserted) in changes {
            let start = place.index(characters.len() + 1);
            let end = (start + removed).min(characters.len());
            characters.splice(start..end, inserted.chars());
        }
        characters.into_iter().collect()
    })
}

/// Returns true if both read a text in the same way.
fn agree(ours: &Value, peer: &Peer) -> bool {
    match (ours, peer) {
        (Value::Null, Peer::Null) => true,
        (Value::Bool(ours), Peer::Bool(peer)) => ours == peer,
        (Value::String(ours), Peer::String(peer)) => ours == peer,
        (Value::Number(ours), Peer::Number(peer)) => {
            // By default, serde_json's floats are occasionally a few units in the last place off,
            // and its integers end at 64 bits.
            let (ours, peer) = (ours.as_f64(), peer.as_f64().unwrap_or(f64::NAN));
            ours.to_bits().abs_diff(peer.to_bits()) <= 4 || ours == peer
        }
        (Value::Array(ours), Peer::Array(peer)) => {
            ours.len() == peer.len() && ours.iter().zip(peer).all(|(ours, peer)| agree(ours, peer))
        }
        (Value::Object(ours), Peer::Object(peer)) => {
            ours.len() == peer.len()
                && ours
                    .iter()
                    .all(|(key, ours)| peer.get(key).is_some_and(|peer| agree(ours, peer)))
        }
        (Value::Number(ours), Peer::Object(peer)) => {
            !ours.as_f64().is_finite() && peer.contains_key("$float")
        }
        _ => false,
    }
}

/// Exact equality: equal values, where a float stays a float with its sign.
fn identical(left: &Value, right: &Value) -> bool {
    left == right && left.to_string() == right.to_string()
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(value in any_value()) {
        let text = value.to_string();
        let read = parse(&text).unwrap();
        prop_assert!(identical(&read, &value), "{text}");
    }

    #[test]
    fn every_float_is_read_back_with_its_bits(float in any_float()) {
        let text = Value::from(float).to_string();
        let read = Reader::new(&text).f64().unwrap();
        prop_assert!(read.to_bits() == float.to_bits() || read.is_nan() && float.is_nan());
    }

    #[test]
    fn a_float_is_read_as_the_standard_library_reads_it(
        text in "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?"
    ) {
        let expected: f64 = text.parse().unwrap();
        match Reader::new(&text).f64() {
            Ok(float) => prop_assert_eq!(float.to_bits(), expected.to_bits()),
            Err(_) => prop_assert!(expected.is_infinite()),
        }
    }

    #[test]
    fn an_integer_is_read_alike_by_every_method(text in "-?[0-9]{1,21}(\\.0|\\.5|e1)?") {
        let number = Reader::new(&text).number().ok();
        prop_assert_eq!(Reader::new(&text).i64().ok(), number.and_then(Number::as_i64));
        prop_assert_eq!(Reader::new(&text).u64().ok(), number.and_then(Number::as_u64));
        prop_assert_eq!(Reader::new(&text).f64().ok(), number.map(Number::as_f64));
    }

    #[test]
    fn a_float_has_as_few_digits_as_the_standard_library_needs(float in any_float()) {
        prop_assume!(float.is_finite());
        let digits = |text: &str| -> usize {
            let mantissa = text.split('e').next().unwrap().replace(['.', '-'], "");
            mantissa.trim_matches('0').len()
        };
        prop_assert_eq!(digits(&Value::from(float).to_string()), digits(&format!("{float:e}")));
    }

    #[test]
    fn the_peer_accepts_the_same_texts_and_reads_the_same(text in almost_json()) {
        match (parse(&text), serde_json::from_str::<Peer>(&text)) {
            (Ok(ours), Ok(peer)) => prop_assert!(agree(&ours, &peer), "{text}"),
            (Err(_), Err(_)) => {}
            (Ok(_), Err(peer)) => prop_assert!(false, "only we accept {text}: {peer}"),
            // We are stricter here on purpose.
            (Err(ours), Ok(_)) => prop_assert!(
                ours.message().starts_with("duplicate key ")
                    || ours.message().starts_with("expected an integer of at most 128 bits")
                    // With `arbitrary_precision`, the peer accepts these as text.
                    || ours.message().starts_with("expected a number within the range"),
                "only the peer accepts {text}: {ours}"
            ),
        }
    }

    #[test]
    fn a_text_is_accepted_the_same_whether_it_is_kept_or_skipped(text in almost_json()) {
        let mut reader = Reader::new(&text);
        let skipped = reader.skip_value().and_then(|()| reader.finish());
        prop_assert_eq!(skipped, parse(&text).map(drop));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in prop_oneof![".*", "[\\[\\]{},:\"0-9eE+.\\-tfn\\\\u\u{1}é]*"]) {
        let _ = parse(&text);
        for read in [
            |reader: &mut Reader<'_>| reader.f64().map(drop),
            |reader: &mut Reader<'_>| reader.i64().map(drop),
            |reader: &mut Reader<'_>| reader.u64().map(drop),
            |reader: &mut Reader<'_>| reader.string().map(drop),
            |reader: &mut Reader<'_>| reader.boolean().map(drop),
            |reader: &mut Reader<'_>| reader.null(),
            |reader: &mut Reader<'_>| reader.skip_value(),
        ] {
            let mut reader = Reader::new(&text);
            let _ = read(&mut reader);
            let _ = reader.finish();
        }
    }

    #[test]
    fn an_error_is_within_its_text(text in almost_json()) {
        if let Err(error) = parse(&text) {
            prop_assert!(error.offset() <= text.len());
            prop_assert!(text.is_char_boundary(error.offset()));
            let line = text.split('\n').nth(error.line() - 1).unwrap();
            prop_assert!(error.column() <= line.chars().count() + 1);
        }
    }

    #[test]
    fn the_order_of_numbers_is_total(a in any_number(), b in any_number(), c in any_number()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
    }

    #[test]
    fn an_integer_is_equal_to_a_float_only_if_it_is_that_float(float in any_float(), near in -2_i128..=2) {
        let integer = (float as i128).saturating_add(near);
        // Both conversions are exact if they reproduce the number.
        let same = integer as f64 == float && (float as i128) == integer
            && float.abs() < 1.7014118346046923e38;
        prop_assert_eq!(Number::from(integer) == Number::from(float), same);
    }

    #[test]
    fn a_pointer_is_read_back(segments in vec("[a~/01é]{0,4}", 0..5)) {
        let mut pointer = Pointer::root();
        for segment in segments {
            pointer.push(segment);
        }
        prop_assert_eq!(pointer.to_string().parse::<Pointer>(), Ok(pointer));
    }

    #[test]
    fn the_kind_that_is_seen_ahead_is_the_one_that_is_read(value in any_value()) {
        let text = value.to_string();
        let seen = Reader::new(&text).peek().unwrap();
        let is_named = text.starts_with("{\"$float\"");
        prop_assert_eq!(seen, if is_named { Kind::Object } else { value.kind() });
    }

    #[test]
    fn json_means_the_same_where_comments_are_allowed(text in almost_json()) {
        if let Ok(value) = parse(&text) {
            prop_assert_eq!(parse_with_comments(&text), Ok(value));
        }
    }

    #[test]
    fn comments_and_trailing_commas_mean_nothing(
        value in any_value(),
        comment in prop_oneof!["/\\*[^*]{0,9}\\*/", "//[^\n]{0,9}\n"],
    ) {
        let text = value.to_string();
        // A trailing comma prevents it from being a float.
        prop_assume!(!text.contains("$float"));
        prop_assert_eq!(parse_with_comments(&commented(&text, &comment)), Ok(value));
    }
}

/// The text with a comment at each bracket, comma and colon, and with trailing commas.
fn commented(text: &str, comment: &str) -> String {
    let (mut commented, mut is_text, mut is_escaped, mut last) = (String::new(), false, false, ' ');
    for character in text.chars() {
        if is_text {
            is_text = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            commented.push(character);
        } else {
            if matches!(character, ']' | '}') && !matches!(last, '[' | '{') {
                commented.push(',');
            }
            is_text = character == '"';
            commented.push(character);
            if matches!(character, '[' | ']' | '{' | '}' | ',' | ':') {
                commented.push_str(comment);
            }
        }
        last = character;
    }
    commented
}
