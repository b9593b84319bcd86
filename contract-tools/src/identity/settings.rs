//! What a deployment says about its callers, read once when it starts.

use super::lists::{Allowlist, Operators, entries, user_id};
use super::secret::TokenHash;
use super::who::StaticActor;
use crate::forge::RepoName;

/// A token of fewer characters can be found by trying.
const SHORT: usize = 16;

/// The deployment's own tokens, who runs it, and what shared tokens reach.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    tokens: Vec<(StaticActor, TokenHash)>,
    pub(super) operators: Operators,
    pub(super) readable: Allowlist,
}

impl Settings {
    /// Reads an environment, in which the files of secrets are in place already. Only hashes of secrets are kept.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| variable(name).unwrap_or_default();
        let token = |actor: StaticActor| Some((actor, TokenHash::of_configured(&text(actor.variable()))?));
        Self {
            tokens: StaticActor::ALL.into_iter().filter_map(token).collect(),
            operators: Operators::new(&text("ADMIN_GITHUB_IDS"), &text("ADMIN_GITHUB_LOGINS")),
            readable: Allowlist::new(&text("MCP_READ_REPO_ALLOWLIST")),
        }
    }

    /// The same, held to what an operator can have meant; and the variables whose tokens are short enough to be guessed.
    ///
    /// # Errors
    /// When a variable is set and cannot count as it is written, or two tokens are one: the server would let in somebody else
    /// than meant, or nobody. The sentence names the variable and shows no value.
    pub fn of_deployment(variable: impl Fn(&str) -> Option<String>) -> Result<(Self, Vec<&'static str>), String> {
        let mut tokens: Vec<(&'static str, TokenHash)> = Vec::new();
        let mut short = Vec::new();
        for name in StaticActor::ALL.map(StaticActor::variable) {
            // An empty value is how many tools write that nothing is set.
            let Some(written) = variable(name).filter(|written| !written.is_empty()) else { continue };
            let secret = written.trim();
            let token = TokenHash::of_configured(secret)
                .ok_or_else(|| format!("{name} is blank; write a token into it, or leave it out"))?;
            if !secret.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
                return Err(format!("{name} has characters that no client can send; write printable ASCII characters"));
            }
            if let Some((other, _)) = tokens.iter().find(|(_, other)| *other == token) {
                return Err(format!(
                    "{other} and {name} are the same token, which can stand for one of them; make two"
                ));
            }
            if secret.len() < SHORT {
                short.push(name);
            }
            tokens.push((name, token));
        }
        let listed = |name: &str, form: &str, reads: fn(&str) -> bool| {
            let list = variable(name).unwrap_or_default();
            match entries(&list).position(|entry| !reads(entry)) {
                Some(place) => {
                    Err(format!("entry {} of {name} cannot be read; write {form} between commas", place + 1))
                }
                None => Ok(()),
            }
        };
        listed("ADMIN_GITHUB_IDS", "the numbers of accounts", |entry| user_id(entry).is_some())?;
        listed("MCP_READ_REPO_ALLOWLIST", "`owner/repo`, or `*` for all,", |entry| {
            entry == "*" || entry.eq_ignore_ascii_case("all") || RepoName::parse(entry).is_some()
        })?;
        Ok((Self::from_environment(variable), short))
    }

    /// Whose token this is. Every configured one is compared, so that the time tells nothing.
    pub(super) fn holder(&self, presented: &TokenHash) -> Option<StaticActor> {
        let mut holders: Vec<StaticActor> =
            self.tokens.iter().filter(|(_, token)| token == presented).map(|(actor, _)| *actor).collect();
        holders.reverse();
        holders.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    fn read(variables: &[(&str, &str)]) -> Result<Vec<&'static str>, String> {
        let find = |name: &str| variables.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned());
        Settings::of_deployment(find).map(|(_, short)| short)
    }

    #[test]
    fn what_an_operator_cannot_have_meant_is_refused_by_its_name() {
        for (variables, said) in [
            (&[("LOOPOVER_API_TOKEN", " \n")][..], "LOOPOVER_API_TOKEN is blank"),
            (&[("LOOPOVER_MCP_TOKEN", "geheim-\u{fc}ber-alles-1")], "LOOPOVER_MCP_TOKEN has characters"),
            (
                &[
                    ("LOOPOVER_API_TOKEN", "secret-secret-secret"),
                    ("LOOPOVER_MCP_ADMIN_TOKEN", " secret-secret-secret\n"),
                ],
                "LOOPOVER_API_TOKEN and LOOPOVER_MCP_ADMIN_TOKEN are the same",
            ),
            (&[("ADMIN_GITHUB_IDS", "7, abc")], "entry 2 of ADMIN_GITHUB_IDS"),
            (&[("MCP_READ_REPO_ALLOWLIST", "!!")], "entry 1 of MCP_READ_REPO_ALLOWLIST"),
            (&[("MCP_READ_REPO_ALLOWLIST", "acme/widgets acme/*")], "entry 2 of MCP_READ_REPO_ALLOWLIST"),
        ] {
            let error = read(variables).unwrap_err();
            assert!(error.contains(said) && !error.contains("secret-") && !error.contains("geheim"), "{error}");
        }
    }

    #[test]
    fn what_counts_is_taken_and_a_short_token_is_told() {
        let variables = [
            ("LOOPOVER_API_TOKEN", ""),
            ("LOOPOVER_MCP_TOKEN", "0123456789abcdef"),
            ("INTERNAL_JOB_TOKEN", "0123456789abcde"),
            ("ADMIN_GITHUB_IDS", "7, 0x10"),
            ("MCP_READ_REPO_ALLOWLIST", "acme/widgets,ALL *"),
        ];
        assert_eq!(read(&variables), Ok(vec!["INTERNAL_JOB_TOKEN"]));
    }
}
