//! A snapshot under another name.

use tdg_definition::json;

use super::ensemble_line;
use super::parse::Snapshot;
use super::render::write_yaml_string;

impl Snapshot {
    /// Returns the text of this snapshot for a renamed test; `is_named` if the new name isn't its
    /// function's.
    #[must_use]
    pub fn renamed(&self, name: &str, is_named: bool) -> String {
        let (mut text, mut is_head) = (String::with_capacity(self.text().len()), true);
        for line in self.text().split_inclusive('\n') {
            let end = line.trim_end();
            if is_head && end.starts_with("expression: ") {
                text.push_str("expression: ");
                write_yaml_string(&mut text, name);
                text.push_str(&line[end.len()..]);
            } else if is_head && end.starts_with('{') {
                is_head = false;
                text.push_str(&self.renamed_line(line, name));
            } else {
                text.push_str(line);
            }
        }
        let text = ensemble_line::unnamed(&text);
        match is_named {
            true => ensemble_line::named(&text),
            false => text,
        }
    }

    /// Renames the ensemble in its line and keeps everything else, such as keys of later versions.
    fn renamed_line(&self, line: &str, name: &str) -> String {
        let member = |name: &str| {
            let mut text = "\"ensemble\":".to_owned();
            json::write_str(&mut text, name);
            text
        };
        line.replacen(&member(&self.ensemble().name), &member(name), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_changes() {
        let text = "---\r\ndescription: 1 case of a.json\r\nexpression: total\r\n---\r\n\
                    {\"tdg\":1,\"ensemble\":\"total\",\"size\":1,\"seed\":\"0\",\"sampler\":1,\
                    \"digest\":\"0\",\"later\":3,\"definition\":{}}\r\n[[\"total\"],1]";
        let renamed = Snapshot::parse(text.to_owned())
            .unwrap()
            .renamed("a::\"b\"", false);
        assert_eq!(
            renamed,
            text.replace("expression: total", "expression: \"a::\\\"b\\\"\"")
                .replace("\"ensemble\":\"total\"", "\"ensemble\":\"a::\\\"b\\\"\"")
        );
        assert_eq!(
            Snapshot::parse(renamed.clone()).unwrap().ensemble().name,
            "a::\"b\""
        );
        let named = Snapshot::parse(renamed.clone()).unwrap().renamed("c", true);
        assert!(
            named.contains(r#","later":3,"named":true,"definition":"#),
            "{named}"
        );
        let back = Snapshot::parse(named).unwrap().renamed("a::\"b\"", false);
        assert_eq!(back, renamed);
    }
}
