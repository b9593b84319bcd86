//! What stands in the documents' fences and tables, for tests that hold them to it.

/// One fenced block.
#[derive(Debug)]
pub struct Block {
    /// The words behind the opening fence.
    pub language: String,
    /// Its lines, without the indentation of the fence.
    pub text: String,
    /// The last line before it that is not empty.
    pub before: String,
    /// The number of the line with its opening fence.
    pub line: usize,
}

/// The fenced blocks of a document, in its order.
///
/// # Panics
/// When a fence is not closed.
pub fn blocks(document: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    let mut before = String::new();
    for (index, line) in document.lines().enumerate() {
        let trimmed = line.trim_start();
        match (&mut open, trimmed.strip_prefix("```")) {
            (None, Some(language)) => {
                let block = Block {
                    language: language.trim().to_owned(),
                    text: String::new(),
                    before: std::mem::take(&mut before),
                    line: index + 1,
                };
                open = Some((line.len() - trimmed.len(), block));
            }
            (None, None) if trimmed.is_empty() => {}
            (None, None) => trimmed.trim_end().clone_into(&mut before),
            (Some(_), Some("")) => found.extend(open.take().map(|(_, block)| block)),
            (Some((indentation, block)), _) => {
                block.text.push_str(line.get(*indentation..).unwrap_or_default());
                block.text.push('\n');
            }
        }
    }
    if let Some((_, block)) = open {
        panic!("the fence of line {} is not closed", block.line);
    }
    found
}

/// The rows of a document's tables that have `N` cells, each of them code and nothing else.
pub fn code_rows<const N: usize>(document: &str) -> Vec<[String; N]> {
    let rows = document.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.filter_map(|row| {
        let cells = row.split(" | ").map(|cell| Some(cell.strip_prefix('`')?.strip_suffix('`')?.to_owned()));
        cells.collect::<Option<Vec<_>>>()?.try_into().ok()
    })
    .collect()
}
