//! Reads `owner/repo` out of a remote's address, for the three forms in which GitHub gives it out.

const PREFIXES: [&str; 3] = ["git@github.com:", "https://github.com/", "ssh://git@github.com/"];

/// `owner/repo` of a GitHub address; none for other hosts, other forms, and addresses with credentials in them.
pub fn repository_name_from_remote(address: &str) -> Option<String> {
    let address = address.trim().trim_end_matches('/');
    let mut name = PREFIXES.iter().find_map(|prefix| address.strip_prefix(prefix))?;
    while let Some(shorter) = name.strip_suffix(".git") {
        name = shorter;
    }
    is_repository_name(name).then(|| name.to_owned())
}

/// Whether the text is `owner/repo`: two segments of letters, digits, `.`, `_` and `-`, neither of them `.` or `..`.
pub fn is_repository_name(text: &str) -> bool {
    let segments: Vec<&str> = text.split('/').collect();
    segments.len() == 2 && segments.iter().all(|segment| is_segment(segment))
}

fn is_segment(segment: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    !segment.is_empty() && !matches!(segment, "." | "..") && segment.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_empty_on_either_side() {
        for address in
            ["https://github.com/a/.git", "https://github.com//b", "git@github.com:/b", "https://github.com/a/.."]
        {
            assert_eq!(repository_name_from_remote(address), None, "{address}");
        }
    }

    #[test]
    fn names_follow_the_rule_of_segments() {
        assert!(is_repository_name("a/b") && is_repository_name("-a/...") && is_repository_name("A_1/b.c"));
        for text in ["abc", "a/b/c", "a/", "/b", "a/.", "../b", "a b/c", "é/b", " a/b"] {
            assert!(!is_repository_name(text), "{text}");
        }
    }
}
