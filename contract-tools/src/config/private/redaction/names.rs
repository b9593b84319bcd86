//! Which names speak of a secret.

use crate::privacy;

/// Any of these in a name, however its words are put together.
const PARTS: [&str; 34] = [
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
    "webhook",
    "connectionstring",
    "passcode",
    "privkey",
    "licensekey",
    "sharedkey",
    "accountkey",
    "storagekey",
    "servicekey",
    "clientkey",
    "recoverycode",
    "backupcode",
    "sessionid",
    "macaroon",
];

/// Any of these as a word of a name, or at its end.
const WORDS: [&str; 23] = [
    "token", "tokens", "jwt", "pwd", "bearer", "cookie", "cookies", "dsn", "hook", "hooks", "auth", "oauth", "seed",
    "seeds", "cred", "creds", "otp", "totp", "psk", "hmac", "salt", "pem", "sig",
];

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

/// The words of a name in small letters: `apiKey`, `API_KEY` and `api-key` have the same. Letters that only look like others,
/// such as those of full width, are those.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in privacy::plain(name).chars() {
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
            "webhook",
            "slackWebhook",
            "webhooks",
            "hook",
            "preReceiveHooks",
            "auth",
            "basicAuth",
            "seed",
            "\u{ff54}\u{ff4f}\u{ff4b}\u{ff45}\u{ff4e}",
            "\u{ff21}\u{ff30}\u{ff29}\u{ff3f}\u{ff2b}\u{ff25}\u{ff39}",
            "to\u{200b}ken",
            "p\u{430}ssword",
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
            "authors",
            "seedling",
            "saltire",
            "größe",
        ] {
            assert!(!is_secret(name), "{name}");
        }
        assert!(is_amount("maxTokens") && !is_amount("token"));
    }
}
