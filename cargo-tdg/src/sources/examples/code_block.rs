//! Fenced blocks of code in Markdown.

/// A fenced block.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct CodeBlock {
    /// The number of the line with the fence.
    pub(crate) line: usize,
    /// The words after the fence.
    pub(crate) tags: String,
    /// The code with the lines that documentation hides, but without attributes of the crate.
    pub(crate) code: String,
}

/// The letter and the length of a fence.
type Fence = (char, usize);

/// Returns the blocks in numbered lines.
pub(crate) fn code_blocks<'l>(lines: impl Iterator<Item = (usize, &'l str)>) -> Vec<CodeBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<(Fence, CodeBlock)> = None;
    for (number, line) in lines {
        match (open.take(), fence(line)) {
            (Some((begun, block)), Some((fence, "")))
                if fence.0 == begun.0 && fence.1 >= begun.1 =>
            {
                blocks.push(block);
            }
            (Some((begun, mut block)), _) => {
                block.add(line);
                open = Some((begun, block));
            }
            (None, Some((fence, tags))) => {
                let block = CodeBlock {
                    line: number,
                    tags: tags.to_owned(),
                    code: String::new(),
                };
                open = Some((fence, block));
            }
            (None, None) => {}
        }
    }
    blocks
}

/// Returns the fence with the words after it.
fn fence(line: &str) -> Option<(Fence, &str)> {
    let line = line.trim();
    let letter = line.chars().next().filter(|it| "`~".contains(*it))?;
    let rest = line.trim_start_matches(letter);
    let length = line.len() - rest.len();
    // Otherwise, it is code within a line.
    let is_fence = length >= 3 && !rest.contains('`');
    is_fence.then_some(((letter, length), rest.trim()))
}

impl CodeBlock {
    /// Adds a line. `# ` at the start hides it from readers.
    fn add(&mut self, line: &str) {
        let trimmed = line.trim_start();
        let line = match trimmed.strip_prefix('#') {
            Some("") => "",
            Some(rest) if rest.starts_with([' ', '#']) => rest.trim_start_matches(' '),
            _ => line,
        };
        // An attribute of the crate has no place in a function.
        if !line.trim_start().starts_with("#![") {
            self.code += line;
        }
        self.code += "\n";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_at_its_fence() {
        let text = "# Title\n```rust, no_run\n# use a;\n##[b]\n#![c]\n #d\n```\n\
                    ~~~~\n```\n~~~\n~~~~~\n```inline``` code\n````\nopen\n```\n";
        let blocks = code_blocks(text.lines().enumerate());
        let block = |line, tags: &str, code: &str| CodeBlock {
            line,
            tags: tags.to_owned(),
            code: code.to_owned(),
        };
        let expected = [
            block(1, "rust, no_run", "use a;\n#[b]\n\n #d\n"),
            block(7, "", "```\n~~~\n"),
        ];
        assert_eq!(blocks, expected);
    }
}
