//! Asks about commits: where two histories parted, how many are pending, and what their messages say.

use super::error::{GitError, GitReason};
use super::records::text_cut_at_a_character;
use super::repository::Repository;

const MOST_MESSAGES: usize = 30;
const LONGEST_MESSAGE: usize = 64 * 1024;

/// The best common ancestor of two commits; none if they share no history, as far as this clone knows.
pub(super) fn merge_base(repository: &Repository, base: &str, head: &str) -> Result<Option<String>, GitError> {
    let answer = repository.ask_patiently(&["merge-base", base, head])?;
    match (answer.code, answer.object_id()) {
        (0, Some(id)) => Ok(Some(id)),
        (1, _) => Ok(None),
        _ => Err(GitError::of(GitReason::BrokenRepository)),
    }
}

/// How many commits `head` has that `base` lacks.
pub(super) fn pending_commit_count(repository: &Repository, base: &str, head: &str) -> Result<u64, GitError> {
    let answer = repository.ask_patiently(&["rev-list", "--count", head, &format!("^{base}"), "--"])?;
    let count = answer.line().and_then(|line| line.parse().ok());
    count.ok_or_else(|| GitError::of(GitReason::BrokenRepository))
}

/// Messages of the commits that `head` has and `base` lacks, newest first; of the last commit when there are none.
///
/// Without a base only the last commit is known to be the branch's own.
pub(super) fn messages(repository: &Repository, base: Option<&str>, head: &str) -> Result<Vec<String>, GitError> {
    if let Some(base) = base {
        let own = logged(repository, &[head, &format!("^{base}")], MOST_MESSAGES)?;
        if !own.is_empty() {
            return Ok(own);
        }
    }
    logged(repository, &[head], 1)
}

fn logged(repository: &Repository, commits: &[&str], most: usize) -> Result<Vec<String>, GitError> {
    let most = format!("--max-count={most}");
    let settings = ["log", "-z", "--format=%B", "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-color"];
    let safety = ["--no-patch", "--no-ext-diff", "--no-textconv", "--end-of-options"];
    let arguments = [&settings, [most.as_str()].as_slice(), &safety, commits, &["--"]].concat();
    let mut messages = Vec::new();
    let code = repository.git.records(&repository.root, &arguments, LONGEST_MESSAGE, &mut |record| {
        messages.push(tidied(&text_cut_at_a_character(record, LONGEST_MESSAGE)));
    })?;
    if code != 0 {
        return Err(GitError::of(GitReason::BrokenRepository));
    }
    messages.retain(|message| !message.is_empty());
    Ok(messages)
}

/// The message as it was written, without white space at the ends of lines and around the whole.
fn tidied(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    lines[first..].join("\n").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_keep_blank_lines_and_indentation() {
        assert_eq!(tidied("\nSubject \n\n    code\n\n- item  \n\n\n"), "Subject\n\n    code\n\n- item");
        assert_eq!(tidied("  \n"), "");
        assert_eq!(tidied("  indented"), "  indented");
    }
}
