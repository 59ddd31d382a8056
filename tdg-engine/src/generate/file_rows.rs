//! Rows of a file, typed by a definition.

use tdg_definition::table::{NullMarks, Table, TableCell, TableError};
use tdg_definition::{Definition, Feature, FeatureType, nearest};

use super::Vectors;
use super::read::Builder;

impl Vectors {
    /// Reads the rows of a file, with columns found by the features' names. Other columns are
    /// skipped. A null mark is a text for a `STRING` that is never null.
    ///
    /// ```
    /// use tdg_definition::Definition;
    /// use tdg_definition::table::{NullMarks, Table};
    /// use tdg_engine::Vectors;
    ///
    /// let definition = Definition::parse(r#"{"features": [
    ///     {"feature_name": "dice", "type": "INTEGER",
    ///      "distribution": {"type": "uniform", "min": 1, "max": 6}}
    /// ]}"#)?;
    /// let table = Table::parse("day,dice\nMonday,3\nFriday,6\n", b',', 100)?;
    /// let vectors = Vectors::of_file(&definition, &table, &NullMarks::default())?;
    /// assert_eq!(vectors.to_json(), "[[3],[6]]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if a feature has no column, and at the first cell that isn't of its feature's type.
    pub fn of_file(
        definition: &Definition,
        table: &Table<'_>,
        nulls: &NullMarks,
    ) -> Result<Self, TableError> {
        let mut columns = Vec::new();
        for feature in definition.features() {
            let name = feature.name();
            let column = table.columns().iter().find(|column| column.name() == name);
            columns.push(column.ok_or_else(|| no_such_column(name, table.names()))?);
        }
        let empty = TableCell::Text("".into());
        let is_empty_a_mark = !table.is_json() && nulls.contain("");
        let mut builder = Builder::new(definition);
        for row in 0..table.rows() {
            let features = definition.features().iter().zip(&columns);
            for (index, (feature, column)) in features.enumerate() {
                let cell = match &column.cells()[row] {
                    TableCell::Null if is_empty_a_mark => &empty,
                    cell => cell,
                };
                let read = match cell {
                    TableCell::Text(text) if is_null(feature, text, nulls) => None,
                    TableCell::Text(text) => Some(builder.push_text(index, text)),
                    TableCell::Json(value) => Some(builder.push_json(index, &value.to_string())),
                    TableCell::Null => None,
                };
                match read {
                    Some(Some(())) => {}
                    None if feature.null_probability() > 0.0 => builder.push_null(index),
                    None => return Err(table.error_in_row(row, no_null(feature))),
                    Some(None) => {
                        let problem = no_value(feature, cell);
                        return Err(table.error_in_row(row, problem));
                    }
                }
            }
            builder.end_row();
        }
        let read = builder.finish();
        read.map_err(|error| TableError::of_file(error.to_string()))
    }
}

fn is_null(feature: &Feature, text: &str, nulls: &NullMarks) -> bool {
    let is_string = feature.feature_type() == FeatureType::String;
    nulls.contain(text) && (feature.null_probability() > 0.0 || !is_string)
}

fn no_value(feature: &Feature, cell: &TableCell<'_>) -> String {
    let (name, kind) = (feature.name(), feature.feature_type().name());
    let text = match cell {
        TableCell::Json(value) => value.to_string(),
        TableCell::Text(text) => format!("{text:?}"),
        TableCell::Null => String::new(),
    };
    format!("`{name}` is {}, but its type is {kind}", shortened(text))
}

fn no_such_column<'a>(name: &str, columns: impl Iterator<Item = &'a str> + Clone) -> TableError {
    let hint = match nearest(name, columns.clone()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("found: {}", columns.collect::<Vec<_>>().join(", ")),
    };
    TableError::of_file(format!("unknown column `{name}`; {hint}"))
}

fn no_null(feature: &Feature) -> String {
    let name = feature.name();
    let text = match feature.feature_type() {
        FeatureType::String => "; an empty text is written \"\"",
        _ => "",
    };
    format!(
        "`{name}` is null, but its definition has no null_probability; in a signature, an `Option` \
         without `define` allows null{text}"
    )
}

fn shortened(mut text: String) -> String {
    if let Some((cut, _)) = text.char_indices().nth(60) {
        text.truncate(cut);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition() -> Definition {
        let feature = |name: &str, kind: &str, null: f64| {
            format!(
                r#"{{"feature_name": "{name}", "type": "{kind}", "null_probability": {null},
                    "distribution": {{"type": "any"}}}}"#
            )
        };
        let features = [
            feature("amount", "FLOAT", 0.0),
            feature("count", "INTEGER", 0.1),
            feature("paid", "BOOLEAN", 0.1),
            feature("coupon", "STRING", 0.1),
            feature("day", "DATE", 0.1),
        ];
        Definition::parse(&format!(r#"{{"features": [{}]}}"#, features.join(","))).unwrap()
    }

    fn read(text: &str) -> Result<String, String> {
        let table = Table::parse(text, b',', 100).unwrap();
        let vectors = Vectors::of_file(&definition(), &table, &NullMarks::default());
        vectors
            .map(|vectors| vectors.to_json())
            .map_err(|error| error.to_string())
    }

    const HEADER: &str = "day,id,amount,count,paid,coupon";

    #[test]
    fn columns_are_found_by_names_and_typed() {
        let rows = "2024-02-29,x,1.50,18446744073709551615,TRUE,HALF\n,y,-3,,,\"\"\n";
        let csv = read(&format!("{HEADER}\n{rows}")).unwrap();
        insta::assert_snapshot!(csv, @r#"[[1.5,18446744073709551615,true,"HALF","2024-02-29"],[-3.0,null,null,"",null]]"#);
        let json = r#"{"amount": 1.5, "count": 18446744073709551615, "paid": true, "coupon": "HALF", "day": "2024-02-29"}
            {"amount": -3, "coupon": ""}"#;
        assert_eq!(read(json).unwrap(), csv);
    }

    fn nested() -> Definition {
        let text = r#"{"features": [
            {"feature_name": "marks", "type": "LIST", "null_probability": 0.2, "distribution": {"type": "list",
             "element": {"type": "INTEGER", "null_probability": 0.2, "distribution": {"type": "any"}}}},
            {"feature_name": "line", "type": "OBJECT", "distribution": {"type": "object", "features": [
                {"feature_name": "sku", "type": "STRING", "distribution": {"type": "any"}},
                {"feature_name": "due", "type": "DATE", "distribution": {"type": "any"}}]}}
        ]}"#;
        Definition::parse(text).unwrap()
    }

    /// Returns a definition with tuples, and variants in each form.
    fn enums() -> Definition {
        let text = include_str!("../../../tdg-definition/tests/golden/variants.json");
        Definition::parse(text).unwrap()
    }

    /// Returns a definition with recursive values.
    fn shapes() -> Definition {
        let text = include_str!("../../../tdg-definition/tests/golden/shapes.json");
        Definition::parse(text).unwrap()
    }

    #[test]
    fn variants_tuples_and_maps_are_the_same_rows_after_a_round_trip() {
        let maps = include_str!("../../../tdg-definition/tests/golden/maps.json");
        for definition in [enums(), shapes(), Definition::parse(maps).unwrap()] {
            let drawn = Vectors::generate(&definition, 7, 300);
            let read = Vectors::from_json(&definition, &drawn.to_json()).unwrap();
            assert_eq!(
                (read.to_json(), read.digest()),
                (drawn.to_json(), drawn.digest())
            );
        }
        for definition in [enums(), shapes()] {
            let drawn = Vectors::generate(&definition, 7, 300);
            let text = drawn.to_json();
            let read = Vectors::from_json(&definition, &text).unwrap();
            let order: Vec<usize> = (0..300).rev().collect();
            let reversed = read.gather(&order);
            assert_ne!(reversed.digest(), drawn.digest());
            assert_eq!(reversed.gather(&order).digest(), drawn.digest());
            assert!(drawn.is_within(text.len()) && !drawn.is_within(text.len() - 1));
        }
    }

    #[test]
    fn the_entries_of_a_map_in_a_variant_keep_their_order() {
        for (form, value) in [
            ("", r#"{"Of":{"map":{"b":1,"a":2}}}"#),
            (r#""untagged": true, "#, r#"{"map":{"b":1,"a":2}}"#),
            (r#""tag": "t", "#, r#"{"t":"Of","map":{"b":1,"a":2}}"#),
            (
                r#""tag": "t", "content": "c", "#,
                r#"{"t":"Of","c":{"map":{"b":1,"a":2}}}"#,
            ),
        ] {
            let definition = Definition::parse(&format!(
                r#"{{"features": [{{"type": "VARIANT", "distribution": {{"type": "variant", {form}"variants": [
                    {{"variant": "Of", "type": "OBJECT", "distribution": {{"type": "object", "features": [
                        {{"feature_name": "map", "type": "LIST", "distribution": {{"type": "list", "form": "map", "element":
                            {{"type": "OBJECT", "distribution": {{"type": "object", "features": [
                                {{"feature_name": "key", "type": "STRING", "unique": true, "distribution": {{"type": "pattern", "regex": "[a-z]{{4}}"}}}},
                                {{"feature_name": "value", "type": "INTEGER", "distribution": {{"type": "any"}}}}]}}}}}}}}]}}}}]}}}}]}}"#
            ));
            let rows = format!("[[{value}]]");
            let read = Vectors::from_json(&definition.unwrap(), &rows).unwrap();
            assert_eq!(read.to_json(), rows);
        }
    }

    #[test]
    fn a_value_that_is_deeper_than_its_shape_is_refused() {
        let text = r#"{"shapes": {"s": {"depth": 2, "type": "VARIANT", "distribution": {"type": "variant", "variants": [
            {"variant": "End"}, {"variant": "Next", "shape": "s"}]}}},
            "features": [{"feature_name": "x", "shape": "s"}]}"#;
        let definition = Definition::parse(text).unwrap();
        let read = |value: &str| Vectors::from_json(&definition, &format!("[[{value}]]"));
        assert!(read(r#"{"Next": {"Next": "End"}}"#).is_ok());
        insta::assert_snapshot!(
            read(r#"{"Next": {"Next": {"Next": "End"}}}"#).err().unwrap(),
            @"row 0, feature `x`: `Next`: `Next`: `Next`: is deeper than the `depth` of its shape"
        );
    }

    #[test]
    fn a_variant_or_a_tuple_of_a_file_that_does_not_fit_is_refused() {
        let text = r#"{"features": [{"feature_name": "x", "type": "VARIANT", "distribution": {"type": "variant", "variants": [
            {"variant": "Card", "type": "STRING", "distribution": {"type": "any"}}, {"variant": "Cash"},
            {"variant": "Pair", "type": "OBJECT", "distribution": {"type": "object", "form": "array", "features": [
                {"type": "BOOLEAN", "distribution": {"type": "any"}}, {"type": "INTEGER", "distribution": {"type": "any"}}]}}]}}]}"#;
        let definition = Definition::parse(text).unwrap();
        let read = |value: &str| {
            let read = Vectors::from_json(&definition, &format!("[[{value}]]"));
            read.map(|it| it.to_json())
                .map_err(|error| error.to_string())
        };
        for value in [r#"{"Card":"a"}"#, r#""Cash""#, r#"{"Pair":[true,1]}"#] {
            assert_eq!(read(value), Ok(format!("[[{value}]]")));
        }
        let wrong = [
            r#"{"Crad":"a"}"#,
            r#"{"Card":1}"#,
            r#"{"Pair":[true]}"#,
            r#"{"Pair":[true,1,2]}"#,
            r#"{"Pair":[1,1]}"#,
        ];
        let said = wrong.map(|value| read(value).unwrap_err());
        insta::assert_snapshot!(said.join("\n"), @r"
        row 0, feature `x`: has no variant `Crad`; did you mean `Card`?
        row 0, feature `x`: `Card`: expected a string, found a number
        row 0, feature `x`: `Pair`: must have 2 values, but has 1
        row 0, feature `x`: `Pair`: must have 2 values, but has more
        row 0, feature `x`: `Pair`: value 0: expected a boolean, found a number
        ");
    }

    #[test]
    fn lists_and_objects_are_read_from_json_lines_and_from_cells_of_json() {
        let read = |text: &str| {
            let table = Table::parse(text, b',', 100).unwrap();
            let vectors = Vectors::of_file(&nested(), &table, &NullMarks::default());
            vectors.map(|it| it.to_json()).map_err(|it| it.to_string())
        };
        let json = r#"{"marks": [1, null, 18446744073709551615], "line": {"due": "2024-02-29", "sku": "a,\"b"}}
            {"line": {"sku": "", "due": "0000-01-01"}, "marks": null}"#;
        let rows = r#"[[[1,null,18446744073709551615],{"sku":"a,\"b","due":"2024-02-29"}],[null,{"sku":"","due":"0000-01-01"}]]"#;
        assert_eq!(read(json).as_deref(), Ok(rows));
        let csv =
            "marks,line\n\"[1,2]\",\"{\"\"sku\"\":\"\"x\"\",\"\"due\"\":\"\"2024-02-29\"\"}\"\n";
        let rows = r#"[[[1,2],{"sku":"x","due":"2024-02-29"}]]"#;
        assert_eq!(read(csv).as_deref(), Ok(rows));
        for wrong in [
            r#"{"marks": 1, "line": {"sku": "", "due": "2024-02-29"}}"#,
            r#"{"marks": ["x"], "line": {"sku": "", "due": "2024-02-29"}}"#,
            r#"{"marks": [], "line": {"sku": ""}}"#,
            r#"{"marks": [], "line": {"sku": "", "due": "2024-02-29", "more": 1}}"#,
            r#"{"marks": [], "line": {"sku": "", "sku": "", "due": "2024-02-29"}}"#,
            r#"{"marks": [], "line": {"sku": "", "due": "2024-02-30"}}"#,
        ] {
            let refused = Table::parse(wrong, b',', 100).is_ok_and(|table| {
                Vectors::of_file(&nested(), &table, &NullMarks::default()).is_ok()
            });
            assert!(!refused, "{wrong}");
        }
    }

    #[test]
    fn lists_and_objects_are_the_same_rows_after_a_round_trip() {
        let drawn = Vectors::generate(&nested(), 7, 200);
        let read = Vectors::from_json(&nested(), &drawn.to_json()).unwrap();
        assert_eq!(read.to_json(), drawn.to_json());
        assert_eq!(read.digest(), drawn.digest());
        let order: Vec<usize> = (0..200).rev().collect();
        let reversed = read.gather(&order);
        assert_ne!(reversed.digest(), drawn.digest());
        assert_eq!(reversed.gather(&order).digest(), drawn.digest());
        let text = drawn.to_json();
        assert!(drawn.is_within(text.len()) && !drawn.is_within(text.len() - 1));
    }

    #[test]
    fn a_mark_is_null_where_its_feature_can_be_null() {
        let text = format!("{HEADER}\nNA,x,1,--,NA,--\n");
        let table = Table::parse(&text, b',', 100).unwrap();
        let read = |definition, nulls: &NullMarks| {
            let vectors = Vectors::of_file(&definition, &table, nulls);
            vectors.map(|it| it.to_json()).map_err(|it| it.to_string())
        };
        let marks = NullMarks::usual().with(["--"]);
        let nulls = read(definition(), &marks);
        assert_eq!(nulls.as_deref(), Ok("[[1.0,null,null,null,null]]"));
        let never_null = |kind: &str| {
            let text = r#"{"features": [{"feature_name": "coupon", "type": "KIND", "distribution": {"type": "any"}}]}"#;
            Definition::parse(&text.replace("KIND", kind)).unwrap()
        };
        assert_eq!(
            read(never_null("STRING"), &marks).as_deref(),
            Ok(r#"[["--"]]"#)
        );
        let error = read(never_null("INTEGER"), &marks).unwrap_err();
        assert!(error.starts_with("line 2: `coupon` is null"), "{error}");
    }

    #[test]
    fn a_cell_of_another_type_is_shown_with_its_line() {
        let wrong = |row: &str| read(&format!("{HEADER}\n{row}\n")).unwrap_err();
        let messages = [
            wrong(",x,abc,1,,"),
            wrong(",x,inf,1,,"),
            wrong(",x,,1,,"),
            wrong(",x,1,1.5,,"),
            wrong(",x,1,1,yes,"),
            wrong("29.2.2024,x,1,1,,"),
            read("{\"amount\": \"1\", \"count\": 1, \"paid\": true, \"coupon\": \"\", \"day\": null}").unwrap_err(),
            read("amuont,count,paid,coupon,day\n").unwrap_err(),
        ];
        insta::assert_snapshot!(messages.join("\n"), @r#"
        line 2: `amount` is "abc", but its type is FLOAT
        line 2: `amount` is "inf", but its type is FLOAT
        line 2: `amount` is null, but its definition has no null_probability; in a signature, an `Option` without `define` allows null
        line 2: `count` is "1.5", but its type is INTEGER
        line 2: `paid` is "yes", but its type is BOOLEAN
        line 2: `day` is "29.2.2024", but its type is DATE
        line 1: `amount` is "1", but its type is FLOAT
        unknown column `amount`; did you mean `amuont`?
        "#);
    }
}
