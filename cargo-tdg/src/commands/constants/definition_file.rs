//! Edits edge cases in a definition file. All other text stays, including comments.

use std::ops::Range;

use crate::sources::edit::{insert, new_line};

/// Sets the edge cases of the feature at `pointer`; `None` if there isn't one.
pub(super) fn with_edge_cases(text: &str, pointer: &[String], edge_cases: &str) -> Option<String> {
    let mut start = 0;
    for segment in pointer {
        start = JsonText { text, at: start }.part(segment)?.start;
    }
    let feature = JsonText { text, at: start }.members()?;
    let stated = feature.iter().find(|(name, _)| name == "edge_cases");
    if let Some((_, Range { start, end })) = stated {
        return Some(format!("{}{edge_cases}{}", &text[..*start], &text[*end..]));
    }
    let (_, last) = feature.last()?;
    let member = format!("\"edge_cases\": {edge_cases}");
    let before = text[..last.start]
        .rfind('"')
        .and_then(|end| text[..end].rfind('"'));
    // On a separate line if the last member is.
    let line = before.map(|key| text[..key].rfind('\n').map_or(0, |at| at + 1)..key);
    let is_alone = line.is_some_and(|it| it.start > 0 && text[it].trim().is_empty());
    let inserted = match is_alone {
        true => format!(",{}{member}", new_line(text, before?)),
        false => format!(", {member}"),
    };
    Some(insert(text, &[(last.end, inserted)]))
}

/// JSON with comments, read from an offset.
struct JsonText<'t> {
    text: &'t str,
    at: usize,
}

impl JsonText<'_> {
    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let end = match trimmed {
                it if it.starts_with("//") => trimmed.find('\n'),
                it if it.starts_with("/*") => trimmed.find("*/").map(|at| at + 2),
                _ => return,
            };
            self.at += end.unwrap_or(trimmed.len());
        }
    }

    /// Skips a value.
    fn value(&mut self) -> Option<Range<usize>> {
        self.skip_space();
        let start = self.at;
        match self.next()? {
            b'"' => {
                self.at += 1;
                while self.next()? != b'"' {
                    self.at += if self.next()? == b'\\' { 2 } else { 1 };
                }
                self.at += 1;
            }
            b'{' | b'[' => drop(self.parts()?),
            _ => {
                let rest = &self.text[start..];
                let is_end = |it: char| it.is_whitespace() || ",]}/".contains(it);
                self.at += rest.find(is_end).unwrap_or(rest.len());
            }
        }
        Some(start..self.at)
    }

    /// Returns the elements of a list, or the keys and values of an object, alternating.
    fn parts(&mut self) -> Option<Vec<Range<usize>>> {
        self.skip_space();
        let close = match self.next()? {
            b'{' => b'}',
            b'[' => b']',
            _ => return None,
        };
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            self.skip_space();
            match self.next()? {
                b',' | b':' => self.at += 1,
                it if it == close => {
                    self.at += 1;
                    return Some(parts);
                }
                _ => parts.push(self.value()?),
            }
        }
    }

    /// Returns the members of an object.
    fn members(mut self) -> Option<Vec<(String, Range<usize>)>> {
        self.skip_space();
        if self.next()? != b'{' {
            return None;
        }
        let text = self.text;
        let parts = self.parts()?;
        let members = parts.chunks_exact(2).map(|pair| {
            let key = text[pair[0].clone()].trim_matches('"').to_owned();
            (key, pair[1].clone())
        });
        Some(members.collect())
    }

    /// Returns a member by name or an element by index.
    fn part(mut self, segment: &str) -> Option<Range<usize>> {
        self.skip_space();
        if self.next()? == b'[' {
            return self.parts()?.into_iter().nth(segment.parse().ok()?);
        }
        let members = self.members()?.into_iter();
        members
            .rev()
            .find_map(|(name, range)| (name == segment).then_some(range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: &str = r#"{"probability": 0.05, "values": [14]}"#;

    fn with(text: &str, pointer: &str) -> Option<String> {
        let pointer: Vec<String> = pointer.split('/').map(str::to_owned).collect();
        with_edge_cases(text, &pointer, EDGES)
    }

    #[test]
    fn a_feature_in_one_line_or_in_several_gets_the_member() {
        let text = r#"{"features": [
    {"feature_name": "a]", "type": "STRING"},
    {
        // Comments { stay.
        "feature_name": "b", // Its name.
        "distribution": {"type": "list", "element": {"type": "INTEGER"}},
    },
]}"#;
        insta::assert_snapshot!(with(text, "features/0").unwrap(), @r#"
        {"features": [
            {"feature_name": "a]", "type": "STRING", "edge_cases": {"probability": 0.05, "values": [14]}},
            {
                // Comments { stay.
                "feature_name": "b", // Its name.
                "distribution": {"type": "list", "element": {"type": "INTEGER"}},
            },
        ]}
        "#);
        insta::assert_snapshot!(with(text, "features/1").unwrap(), @r#"
        {"features": [
            {"feature_name": "a]", "type": "STRING"},
            {
                // Comments { stay.
                "feature_name": "b", // Its name.
                "distribution": {"type": "list", "element": {"type": "INTEGER"}},
                "edge_cases": {"probability": 0.05, "values": [14]},
            },
        ]}
        "#);
        insta::assert_snapshot!(with(text, "features/1/distribution/element").unwrap(), @r#"
        {"features": [
            {"feature_name": "a]", "type": "STRING"},
            {
                // Comments { stay.
                "feature_name": "b", // Its name.
                "distribution": {"type": "list", "element": {"type": "INTEGER", "edge_cases": {"probability": 0.05, "values": [14]}}},
            },
        ]}
        "#);
        let lines = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(
            with(&lines(text), "features/1"),
            with(text, "features/1").map(|it| lines(&it))
        );
        assert_eq!(with(text, "features/2"), None);
        assert_eq!(with(text, "features/0/distribution"), None);
    }

    #[test]
    fn what_is_stated_is_replaced() {
        let text = r#"{"features": [{"edge_cases": {"probability": 1} , "type": "FLOAT"}]}"#;
        let replaced = text.replace(r#"{"probability": 1}"#, EDGES);
        assert_eq!(with(text, "features/0"), Some(replaced));
    }
}
