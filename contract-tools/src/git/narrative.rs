//! The words drawn from a read: a title, and what the change may mean for continuous integration.

use super::model::{CiStatusHint, CiStatusHintKind};

const MANIFESTS: [&str; 6] = ["makefile", "dockerfile", "package.json", "pyproject.toml", "go.mod", "cargo.toml"];

/// Which changed paths matter to continuous integration; collected over all paths, also those not listed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotablePaths {
    workflow: bool,
    manifest: bool,
}

impl NotablePaths {
    /// Takes one changed path into account.
    pub(super) fn note(&mut self, path: &[u8]) {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        self.workflow |= path.starts_with(b".github/workflows/");
        self.manifest |= MANIFESTS.iter().any(|manifest| name.eq_ignore_ascii_case(manifest.as_bytes()));
    }
}

/// The hints, in a fixed order.
pub(super) fn ci_status_hints(paths: NotablePaths, pending: Option<u64>, base_name: &str) -> Vec<CiStatusHint> {
    let mut hints = Vec::new();
    if paths.workflow {
        hints.push(CiStatusHint {
            kind: CiStatusHintKind::Workflow,
            text: "A workflow under .github/workflows/ changed: the required checks may change too.".to_owned(),
        });
    }
    if paths.manifest {
        hints.push(CiStatusHint {
            kind: CiStatusHintKind::Manifest,
            text: "A build manifest changed: run the whole validation again before asking for review.".to_owned(),
        });
    }
    if let Some(count) = pending.filter(|count| *count > 0) {
        let commits = if count == 1 { "commit is" } else { "commits are" };
        hints.push(CiStatusHint {
            kind: CiStatusHintKind::Ahead,
            text: format!("{count} {commits} ahead of {base_name}: checks of the base do not cover them."),
        });
    }
    hints
}

/// A title: the branch name in words, else the first line of the newest message.
pub(super) fn title(branch: Option<&str>, messages: &[String]) -> String {
    let named = branch.map(words_of_branch).unwrap_or_default();
    if !named.is_empty() {
        return named;
    }
    messages.first().and_then(|message| message.lines().next()).unwrap_or_default().to_owned()
}

/// The branch name without its leading folders, dashes and underscores as spaces.
fn words_of_branch(branch: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    let plain = branch.bytes().take_while(|byte| is_plain(*byte)).count();
    let start = branch[..plain].rfind('/').map_or(0, |slash| slash + 1);
    let words: Vec<&str> = branch[start..].split(['-', '_']).filter(|word| !word.is_empty()).collect();
    words.join(" ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_branch_in_words() {
        let check =
            |branch: &str, expected: &str| assert_eq!(title(Some(branch), &["first\nbody".to_owned()]), expected);
        check("fix/42-better_title", "42 better title");
        check("a/b/c--d", "c d");
        check("größe/x-y", "größe/x y");
        check("main", "main");
        check("x/---", "first");
    }

    #[test]
    fn a_title_falls_back_to_the_newest_message() {
        assert_eq!(title(None, &["first\nbody".to_owned()]), "first");
        assert_eq!(title(None, &[]), "");
    }

    #[test]
    fn hints_come_in_order_and_only_for_what_happened() {
        let mut paths = NotablePaths::default();
        paths.note(b"docs/workflows/ci.yml");
        paths.note(b"src/makefile.rs");
        assert_eq!(ci_status_hints(paths, Some(0), "main"), []);
        paths.note(b"sub/Cargo.TOML");
        paths.note(b".github/workflows/ci.yml");
        let kinds: Vec<_> = ci_status_hints(paths, Some(2), "main").iter().map(|hint| hint.kind).collect();
        assert_eq!(kinds, [CiStatusHintKind::Workflow, CiStatusHintKind::Manifest, CiStatusHintKind::Ahead]);
        assert!(
            ci_status_hints(paths, Some(2), "origin/main")[2].text.starts_with("2 commits are ahead of origin/main")
        );
        assert_eq!(ci_status_hints(paths, None, "main").len(), 2);
    }
}
