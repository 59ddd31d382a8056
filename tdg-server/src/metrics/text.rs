//! The text format of Prometheus.

use std::fmt::{self, Display, Write};

/// A text with families of samples.
#[derive(Default)]
pub(crate) struct MetricsText(String);

impl MetricsText {
    /// Begins a family. Its samples follow.
    pub(crate) fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    pub(crate) fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.0.push_str(name);
        for (index, (label, value)) in labels.iter().enumerate() {
            let begin = if index == 0 { '{' } else { ',' };
            let _ = write!(self.0, "{begin}{label}=\"{}\"", escape(value));
        }
        let end = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(self.0, "{end} {value}");
    }

    /// Writes a family of one sample without labels.
    pub(crate) fn single(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.family(name, kind, help);
        self.sample(name, &[], value);
    }
}

impl Display for MetricsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn escape(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        let mut text = MetricsText::default();
        text.single("up", "gauge", "Whether it is.", 1);
        text.sample("t", &[("a", "\"\\"), ("b", "\n")], 0.5);
        insta::assert_snapshot!(text.to_string(), @r#"
        # HELP up Whether it is.
        # TYPE up gauge
        up 1
        t{a="\"\\",b="\n"} 0.5
        "#);
    }
}
