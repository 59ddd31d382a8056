//! Inputs in the cells of a table.

use tdg_definition::json::{Error, Kind, Reader};

use super::digits::rounded;

/// Returns the cell of an input, given as JSON. Floats are rounded, members keep their order, and
/// lists begin with their length. Running the case shows them in full.
pub fn input_cell(json: &str) -> String {
    read(json).unwrap_or_else(|_| json.to_owned())
}

fn read(json: &str) -> Result<String, Error> {
    let mut reader = CellReader {
        json,
        reader: Reader::new(json),
        cell: String::new(),
    };
    if !json.starts_with('[') {
        reader.value()?;
        return Ok(reader.cell);
    }
    let length = reader.elements()?;
    Ok(format!("[{length}] {}", reader.cell).trim_end().to_owned())
}

struct CellReader<'a> {
    json: &'a str,
    reader: Reader<'a>,
    cell: String,
}

impl CellReader<'_> {
    fn value(&mut self) -> Result<(), Error> {
        let start = self.reader.offset();
        match self.reader.peek()? {
            Kind::Array => {
                self.cell.push('[');
                self.elements()?;
                self.cell.push(']');
            }
            Kind::Object => {
                self.cell.push('{');
                self.members()?;
                self.cell.push('}');
            }
            _ => {
                self.reader.skip_value()?;
                let scalar = &self.json[start..self.reader.offset()];
                let float = scalar.parse().ok();
                let float = float.filter(|_| scalar.contains(['.', 'e']));
                let cell = float.map_or_else(|| scalar.to_owned(), rounded);
                self.cell.push_str(&cell);
            }
        }
        Ok(())
    }

    /// Appends elements such as `17, 4, 99`, and returns their number.
    fn elements(&mut self) -> Result<usize, Error> {
        self.reader.begin_array()?;
        let mut count = 0;
        while self.reader.next_element()? {
            self.separate(count);
            self.value()?;
            count += 1;
        }
        Ok(count)
    }

    /// Appends members such as `sku: "AB123", quantity: 2`.
    fn members(&mut self) -> Result<(), Error> {
        self.reader.begin_object()?;
        let mut count = 0;
        while let Some(name) = self.reader.next_key()? {
            self.separate(count);
            self.cell.push_str(&name);
            self.cell.push_str(": ");
            self.value()?;
            count += 1;
        }
        Ok(())
    }

    fn separate(&mut self, before: usize) {
        if before > 0 {
            self.cell.push_str(", ");
        }
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
    }

    #[test]
    fn members_keep_their_order() {
        let cell = input_cell(r#"[{"id":1,"fragile":false},{"id":2,"at":{"y":0.5,"x":0.25}}]"#);
        insta::assert_snapshot!(cell, @"[2] {id: 1, fragile: false}, {id: 2, at: {y: 0.5, x: 0.25}}");
    }
}
