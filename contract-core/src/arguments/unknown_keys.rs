//! What was meant by a key or a word that is not known.

/// The candidate that `word` most likely stands for, when one is near enough: a slip of the keyboard, another case style, or
/// a part of the name.
///
/// ```
/// assert_eq!(contract_core::nearest("token_budgt", ["tokenBudget", "task"]), Some("tokenBudget"));
/// assert_eq!(contract_core::nearest("zebra", ["tokenBudget", "task"]), None);
/// ```
pub fn nearest<'words>(word: &str, candidates: impl IntoIterator<Item = &'words str>) -> Option<&'words str> {
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

/// Edit distance where two swapped neighbours are one slip, as they are of the fingers (optimal string alignment).
fn edit_distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for line in 1..=one.len() {
        let mut next = vec![line];
        for column in 1..=other.len() {
            let substituted = row[column - 1] + usize::from(one[line - 1] != other[column - 1]);
            let mut least = substituted.min(row[column] + 1).min(next[column - 1] + 1);
            let swapped =
                line > 1 && column > 1 && one[line - 1] == other[column - 2] && one[line - 2] == other[column - 1];
            if swapped {
                least = least.min(before[column - 2] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
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
        let short = ["name", "limit", "title"];
        assert_eq!(["nmae", "limti", "titel"].map(|slip| nearest(slip, short)), short.map(Some), "swapped letters");
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest(&"s".repeat(1_000_000), known), None);
    }
}
