//! What was meant by a key or a word that is not known.

/// The candidate that `word` most likely stands for, when one is near enough: a slip of the keyboard, another case style, or
/// a part of the name.
pub(crate) fn nearest<'words>(word: &str, candidates: impl IntoIterator<Item = &'words str>) -> Option<&'words str> {
    let folded = fold(word);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = fold(candidate);
            let distance = edit_distance(&folded, &other);
            let close = distance <= folded.len().max(other.len()) / 3;
            let part = folded.len() >= 3 && (other.starts_with(&folded) || other.ends_with(&folded));
            (close || part).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Letters and digits in one case, since `tokenBudget` and `token_budget` differ in spelling alone. Long words are cut: what
/// is a hundred characters long is no slip of a known name.
fn fold(word: &str) -> Vec<char> {
    word.chars().take(100).filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Levenshtein distance.
fn edit_distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, from) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, to) in other.iter().enumerate() {
            let substituted = diagonal + usize::from(from != to);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_case_styles_and_parts_are_recognised() {
        let known = ["repoFullName", "status", "since"];
        assert_eq!(nearest("repo", known), Some("repoFullName"));
        assert_eq!(nearest("repo_full_name", known), Some("repoFullName"));
        assert_eq!(nearest("stauts", known), Some("status"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest(&"s".repeat(1_000_000), known), None);
    }
}
