//! Identifiers to words on the wire and to type names.

/// How a parameter's name is spelled on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Case {
    #[default]
    Camel,
    Snake,
    Pascal,
}

impl Case {
    /// The spellings, as `rename_all` takes them.
    pub(crate) const WORDS: [&'static str; 3] = ["camelCase", "snake_case", "PascalCase"];

    pub(crate) fn parse(word: &str) -> Option<Self> {
        match word {
            "camelCase" => Some(Self::Camel),
            "snake_case" => Some(Self::Snake),
            "PascalCase" => Some(Self::Pascal),
            _ => None,
        }
    }

    /// `plan_id` in this case. A leading underscore says "unused" to rustc and nothing to a caller, so it is left off.
    pub(crate) fn apply(self, identifier: &str) -> String {
        let identifier = identifier.trim_start_matches('_');
        match self {
            Self::Snake => identifier.to_owned(),
            Self::Pascal => pascal(identifier),
            Self::Camel => {
                let pascal = pascal(identifier);
                let mut characters = pascal.chars();
                characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
            }
        }
    }
}

/// `plan_id` as `PlanId`.
pub(crate) fn pascal(identifier: &str) -> String {
    identifier
        .split('_')
        .flat_map(|word| {
            let mut characters = word.chars();
            characters.next().into_iter().flat_map(char::to_uppercase).chain(characters)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Case;

    #[test]
    fn each_word_is_a_case() {
        for word in Case::WORDS {
            assert!(Case::parse(word).is_some(), "{word}");
        }
        assert_eq!(Case::parse("kebab-case"), None);
    }

    #[test]
    fn identifiers_are_respelled() {
        let spelled = |identifier| [Case::Camel, Case::Snake, Case::Pascal].map(|case| case.apply(identifier));
        assert_eq!(spelled("plan_id"), ["planId", "plan_id", "PlanId"]);
        assert_eq!(spelled("_limit"), ["limit", "limit", "Limit"]);
        assert_eq!(spelled("a_1_b"), ["a1B", "a_1_b", "A1B"]);
        assert_eq!(spelled("__"), ["", "", ""]);
    }
}
