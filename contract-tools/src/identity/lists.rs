//! The lists that an operator writes into the environment: people and repositories, between commas or white space.

use std::collections::BTreeSet;

/// Past this a number is no longer exact where it comes from.
const LARGEST_ID: f64 = 9_007_199_254_740_991.0;

pub(super) fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.split(|c: char| c == ',' || c.is_whitespace() || c == '\u{feff}').filter(|entry| !entry.is_empty())
}

/// Whether a switch is on: `1`, `true`, `yes` or `on` in any case.
pub fn is_on(value: &str) -> bool {
    ["1", "true", "yes", "on"].iter().any(|on| value.trim().eq_ignore_ascii_case(on))
}

/// The accounts' numbers of a list, in order; what is no whole number is passed over.
pub fn user_ids(list: &str) -> Vec<i64> {
    entries(list).filter_map(user_id).collect()
}

/// A whole number in any of the forms that the list has always been read in: `16`, `0x10`, `1.6e1`.
pub(super) fn user_id(text: &str) -> Option<i64> {
    for (prefix, radix) in [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return i64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with(['+', '-']));
        }
    }
    let number: f64 = text.parse().ok()?;
    let is_exact = number.fract() == 0.0 && number.abs() <= LARGEST_ID;
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and within ±(2^53−1)")]
    is_exact.then_some(number as i64)
}

/// The logins of a list in lower case, each once, in order.
pub fn logins(list: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    entries(list).map(str::to_lowercase).filter(|login| seen.insert(login.clone())).collect()
}

/// Who runs the deployment.
#[derive(Clone, Debug, Default)]
pub struct Operators {
    ids: Vec<i64>,
    logins: Vec<String>,
}

impl Operators {
    /// Reads both lists.
    pub fn new(ids: &str, names: &str) -> Self {
        Self { ids: user_ids(ids), logins: logins(names) }
    }

    /// Whether this account is an operator. A list of numbers decides alone: a login can change its owner.
    pub fn include(&self, login: &str, user_id: Option<i64>) -> bool {
        if self.ids.is_empty() {
            return self.logins.contains(&login.to_lowercase());
        }
        user_id.is_some_and(|id| self.ids.contains(&id))
    }
}

/// The repositories that a shared credential reaches. Unset, it reaches none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowlist {
    everything: bool,
    repositories: BTreeSet<String>,
}

impl Allowlist {
    /// Reads a list of `owner/repo`; `*` or `all` anywhere in it is every repository.
    pub fn new(list: &str) -> Self {
        let repositories: BTreeSet<String> = entries(list).map(str::to_lowercase).collect();
        Self { everything: repositories.contains("*") || repositories.contains("all"), repositories }
    }

    /// Whether it is every repository.
    pub fn is_everything(&self) -> bool {
        self.everything
    }

    /// Whether it is no repository at all.
    pub fn is_empty(&self) -> bool {
        self.repositories.is_empty()
    }

    /// Whether `owner/repo` is on it, in any case.
    pub fn includes(&self, repository: &str) -> bool {
        self.everything || self.repositories.contains(&repository.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_and_exact() {
        assert_eq!(
            user_ids("1,2\t0x10 1e3 -2, +5 5. 9007199254740991"),
            [1, 2, 16, 1000, -2, 5, 5, 9_007_199_254_740_991]
        );
        assert!(user_ids("1.5 x 0x-1 0x inf NaN 9007199254740993e9 _1 1_0").is_empty());
    }

    #[test]
    fn a_list_of_numbers_decides_alone() {
        let both = Operators::new("7", "octo");
        assert!(both.include("anyone", Some(7)) && !both.include("octo", None) && !both.include("octo", Some(8)));
        let unreadable = Operators::new("x", "Octo");
        assert!(unreadable.include("oCTO", Some(8)) && !unreadable.include("hexa", Some(8)));
        assert!(!Operators::default().include("", None));
    }

    #[test]
    fn a_list_names_repositories_exactly_or_all() {
        let some = Allowlist::new("ACME/Widgets, other/x");
        assert!(some.includes("acme/widgets") && !some.includes("acme/widget") && !some.is_everything());
        let none = Allowlist::new(" ");
        assert!(none.is_empty() && !none.includes("") && !none.is_everything());
        assert!(Allowlist::new("a/b,ALL").includes("c/d") && !Allowlist::new("acme/*").includes("acme/widgets"));
    }
}
