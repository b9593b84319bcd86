//! What addresses say: which repository, which number, which commit. GitHub's hosts differ (an enterprise's has `/api/v3`),
//! the paths do not.

use crate::forge::RepoName;

/// What stands behind a repository in an address.
pub(super) struct Address<'t> {
    pub(super) repo: RepoName,
    rest: &'t str,
}

impl<'t> Address<'t> {
    /// Reads an address of the API, or of a page.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let (_, path) = text.split_once("://")?;
        let path = match path.split_once("/repos/") {
            Some((_, path)) => path,
            None => path.split_once('/')?.1,
        };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let mut parts = path.splitn(3, '/');
        let repo = RepoName::of(parts.next()?, parts.next()?)?;
        Some(Self { repo, rest: parts.next().unwrap_or_default() })
    }

    /// What stands behind a step: `issues`, `pulls`, `statuses`.
    pub(super) fn behind(&self, step: &str) -> Option<&'t str> {
        let rest = self.rest.strip_prefix(step)?.strip_prefix('/')?;
        rest.split('/').next().filter(|part| !part.is_empty())
    }
}

/// The value of a parameter of an address.
pub(super) fn parameter<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, query) = text.split_once('?')?;
    let query = query.split('#').next().unwrap_or_default();
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// A commit's name as git gives it.
pub(super) fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_every_host_say_the_same() {
        for host in ["https://api.github.com", "https://git.example.org:8443/api/v3"] {
            let text = format!("{host}/repos/Acme/widgets/pulls/7?page=2");
            let address = Address::of(&text).unwrap();
            assert_eq!((address.repo.as_str(), address.behind("pulls")), ("Acme/widgets", Some("7")));
            assert_eq!(address.behind("pull"), None);
        }
        let page = Address::of("https://github.com/Acme/widgets/issues/9#comment").unwrap();
        assert_eq!((page.repo.as_str(), page.behind("issues")), ("Acme/widgets", Some("9")));
        for nothing in ["", "acme/widgets", "https://github.com", "https://github.com/acme"] {
            assert!(Address::of(nothing).is_none(), "{nothing}");
        }
        assert_eq!(parameter("https://a/b?x=1&ref=c0ffee#top", "ref"), Some("c0ffee"));
        assert_eq!(parameter("https://a/b?preferred=1", "ref"), None);
    }
}
