//! Colours for the characters that a report marks.

use tdg_engine::text::char_width;

use super::style::BAD;

/// Colours the marks in a report, and the characters above them.
pub(crate) fn with_coloured_marks(report: &str) -> String {
    let mut lines = report.lines().peekable();
    let mut text = String::with_capacity(report.len());
    while let Some(line) = lines.next() {
        let below = lines.peek().filter(|it| is_of_marks(it));
        let marks = if is_of_marks(line) {
            Some(&line)
        } else {
            below
        };
        match marks {
            Some(marks) => push_coloured(&mut text, line, marks),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

fn is_of_marks(line: &str) -> bool {
    line.contains('^') && line.chars().all(|it| [' ', '^'].contains(&it))
}

fn push_coloured(text: &mut String, line: &str, marks: &str) {
    let is_mark = |column: usize| marks.as_bytes().get(column) == Some(&b'^');
    let (mut column, mut is_coloured) = (0, false);
    for character in line.chars() {
        if is_mark(column) != is_coloured {
            is_coloured = !is_coloured;
            text.push_str(&match is_coloured {
                true => format!("{BAD}"),
                false => format!("{BAD:#}"),
            });
        }
        text.push(character);
        column += char_width(character);
    }
    if is_coloured {
        text.push_str(&format!("{BAD:#}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_characters_have_a_colour() {
        let report = "case  text\n   1  日本 2021-03\n           ^    ^^\n   2  ^ 1\n";
        let text = with_coloured_marks(report).replace('\u{1b}', "~");
        insta::assert_snapshot!(text, @"
        case  text
           1  日本 ~[31m2~[0m021-~[31m03~[0m
                   ~[31m^~[0m    ~[31m^^~[0m
           2  ^ 1
        ");
    }
}
