//! Whether two things are about the same, by the rules for words, issues and files.

use std::collections::BTreeSet;

use serde_json::Value;

/// An open issue or pull request of a vector, or the plan.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub(super) is_issue: bool,
    pub(super) number: u64,
    pub(super) author: String,
    title: BTreeSet<String>,
    whole_title: String,
    labels: BTreeSet<String>,
    paths: BTreeSet<String>,
    files: BTreeSet<String>,
    pub(super) issues: BTreeSet<u64>,
}

const STOP_WORDS: [&str; 16] = [
    "the", "and", "for", "with", "from", "this", "that", "when", "into", "issue", "pull", "request", "add", "fix",
    "update", "improve",
];

fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| word.len() >= 3 && !STOP_WORDS.contains(word)).map(str::to_owned).collect()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn numbers(list: &Value) -> BTreeSet<u64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}

impl Work {
    fn of(row: &Value, is_issue: bool, author: &str, files: &str) -> Self {
        let title = row["title"].as_str().unwrap_or_default();
        let number = row["number"].as_u64().unwrap_or_default();
        let files = texts(&row[files]);
        Self {
            is_issue,
            number,
            author: row[author].as_str().unwrap_or_default().to_lowercase(),
            title: words(title),
            whole_title: title.to_lowercase(),
            labels: texts(&row["labels"]).into_iter().flat_map(words).collect(),
            paths: files.iter().flat_map(|path| words(path)).collect(),
            files: files.into_iter().map(str::to_owned).collect(),
            issues: if is_issue { [number].into() } else { numbers(&row["linkedIssues"]) },
        }
    }

    /// The plan of a call, which closes `issues`.
    pub(super) fn plan(tool: &Value, author: &str, files: &str, issues: &Value) -> Self {
        Self { issues: numbers(issues), ..Self::of(tool, false, author, files) }
    }

    /// Everything open in a vector.
    pub(super) fn open(input: &Value) -> Vec<Self> {
        let open = |list: &str| {
            let rows = input[list].as_array().cloned().unwrap_or_default();
            rows.into_iter().filter(|row| row["state"] == "open").collect::<Vec<_>>()
        };
        let issues = open("issues").iter().map(|row| Self::of(row, true, "authorLogin", "")).collect::<Vec<_>>();
        let rows = open("pullRequests");
        issues.into_iter().chain(rows.iter().map(|row| Self::of(row, false, "authorLogin", "changedFiles"))).collect()
    }

    pub(super) fn shares_issue(&self, other: &Self) -> bool {
        !self.issues.is_disjoint(&other.issues)
    }

    /// Whether so many words, and so large a part of the smaller item's, are the same, in either form; of paths only
    /// together with a file. Or the titles are.
    pub(super) fn is_like(&self, other: &Self, part: f64) -> bool {
        let by_words = enough(&self.plain(), &other.plain(), part);
        let by_files = self.speaks_of(other, part) && !self.files.is_disjoint(&other.files);
        by_words || by_files || (!self.title.is_empty() && self.whole_title == other.whole_title)
    }

    /// The same by all words, those of paths among them.
    pub(super) fn speaks_of(&self, other: &Self, part: f64) -> bool {
        let whole = |work: &Self| work.plain().union(&work.paths).cloned().collect::<BTreeSet<_>>();
        enough(&whole(self), &whole(other), part)
    }

    fn plain(&self) -> BTreeSet<String> {
        self.title.union(&self.labels).cloned().collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "a title has few words")]
fn enough(one: &BTreeSet<String>, other: &BTreeSet<String>, part: f64) -> bool {
    let shared = one.intersection(other).count();
    shared >= 2 && shared as f64 >= part * one.len().min(other.len()) as f64
}
