//! What somebody is to a repository, as far as the rules tell people apart.

use super::patterns::is_space;

/// Whether an author association is one of those that maintain the repository. None at all is not.
pub fn is_maintainer_association(association: Option<&str>) -> bool {
    const MAINTAINERS: [&str; 3] = ["OWNER", "MEMBER", "COLLABORATOR"];
    association.is_some_and(|text| {
        let text = text.trim_matches(is_space);
        MAINTAINERS.iter().any(|maintainer| text.eq_ignore_ascii_case(maintainer))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_associations_maintain_and_no_other() {
        for association in ["OWNER", "member", " Collaborator\n"] {
            assert!(is_maintainer_association(Some(association)), "{association}");
        }
        for association in ["CONTRIBUTOR", "NONE", "", "OWNERS", "FIRST_TIMER"] {
            assert!(!is_maintainer_association(Some(association)), "{association}");
        }
        assert!(!is_maintainer_association(None));
    }
}
