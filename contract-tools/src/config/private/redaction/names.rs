//! Which names speak of a secret.

/// Any of these in a name, however its words are put together.
const PARTS: [&str; 22] = [
    "secret",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "apikey",
    "privatekey",
    "accesskey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "deploykey",
    "sshkey",
    "authkey",
    "authorization",
    "hotkey",
    "coldkey",
    "wallet",
    "mnemonic",
    "seedphrase",
    "webhookurl",
    "connectionstring",
];

/// Any of these as a word of a name, or at its end.
const WORDS: [&str; 8] = ["token", "tokens", "jwt", "pwd", "bearer", "cookie", "cookies", "dsn"];

/// A word that makes a secret of a name only when it is the last one.
const LAST_WORDS: [&str; 2] = ["pass", "pat"];

/// Whether a value of this name is a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let words = words(name);
    let joined = words.concat();
    PARTS.iter().any(|part| joined.contains(part))
        || words.iter().any(|word| WORDS.contains(&word.as_str()))
        || ["token", "tokens"].iter().any(|word| joined.ends_with(word))
        || words.last().is_some_and(|word| LAST_WORDS.contains(&word.as_str()))
}

/// Whether a number of this name is an amount and no secret: so many tokens.
pub(super) fn is_amount(name: &str) -> bool {
    words(name).last().is_some_and(|word| word == "tokens")
}

/// The words of a name in small letters: `apiKey`, `API_KEY` and `api-key` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (was_small && character.is_uppercase()) {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        was_small = character.is_lowercase() || character.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_dress() {
        for name in [
            "apiKey",
            "API_KEY",
            "api-key",
            "apikey",
            "OPENAI_API_KEY",
            "webhookSecret",
            "token",
            "githubToken",
            "GITHUB_TOKEN",
            "accesstoken",
            "db.password",
            "DB_PASS",
            "private_key",
            "wallet",
            "hotkey",
            "GH_PAT",
            "clientSecret",
            "Authorization",
            "slackWebhookUrl",
            "credentials",
        ] {
            assert!(is_secret(name), "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        for name in [
            "trustedLabelPipeline",
            "tokenizer",
            "passThreshold",
            "keywords",
            "monkey",
            "key",
            "path",
            "author",
            "pattern",
            "readinessMinScore",
            "compass",
        ] {
            assert!(!is_secret(name), "{name}");
        }
        assert!(is_amount("maxTokens") && !is_amount("token"));
    }
}
