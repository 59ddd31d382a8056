//! Inputs in the cells of a table.

use tdg_definition::json::{self, Value};

use super::digits::rounded;

/// Returns the cell of an input, given as JSON. Floats are rounded, and lists begin with their
/// length. Running the case shows them in full.
pub fn input_cell(json: &str) -> String {
    if !json.starts_with(['[', '{']) {
        return match json.parse::<f64>() {
            Ok(float) if json.contains(['.', 'e']) => rounded(float),
            _ => json.to_owned(),
        };
    }
    let mut cell = String::new();
    match json::parse(json) {
        Ok(Value::Array(elements)) => {
            cell.push_str(&format!("[{}] ", elements.len()));
            push_inputs(&mut cell, elements.iter().map(|element| (None, element)));
        }
        Ok(value) => push_input(&mut cell, &value),
        Err(_) => cell.push_str(json),
    }
    cell.trim_end().to_owned()
}

/// Appends inputs such as `17, 4, 99` or `sku: "AB123", quantity: 2`.
fn push_inputs<'a>(cell: &mut String, values: impl Iterator<Item = (Option<&'a str>, &'a Value)>) {
    const ENOUGH: usize = 400;
    for (index, (name, value)) in values.enumerate() {
        if index > 0 {
            cell.push_str(", ");
        }
        if cell.len() > ENOUGH {
            return cell.push('…');
        }
        if let Some(name) = name {
            cell.push_str(&format!("{name}: "));
        }
        push_input(cell, value);
    }
}

fn push_input(cell: &mut String, value: &Value) {
    match value {
        Value::Array(elements) => {
            cell.push('[');
            push_inputs(cell, elements.iter().map(|element| (None, element)));
            cell.push(']');
        }
        Value::Object(members) => {
            cell.push('{');
            push_inputs(cell, members.iter().map(|(name, it)| (Some(&**name), it)));
            cell.push('}');
        }
        scalar => cell.push_str(&input_cell(&scalar.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_begins_with_its_length() {
        insta::assert_snapshot!(input_cell("[]"), @"[0]");
        insta::assert_snapshot!(input_cell("[1,2.5000000000001,null]"), @"[3] 1, 2.5000000, null");
        insta::assert_snapshot!(input_cell(r#"[[1],[],{"sku":"a","x":[true]}]"#), @r#"[3] [1], [], {sku: "a", x: [true]}"#);
        insta::assert_snapshot!(input_cell(r#"{"sku":"[b","x":{"y":1}}"#), @r#"{sku: "[b", x: {y: 1}}"#);
        insta::assert_snapshot!(input_cell(r#""[b""#), @r#""[b""#);
        assert!(input_cell(&format!("[{}1]", "1,".repeat(9_999))).len() < 450);
    }
}
