//! The configuration file as data: what does not have the expected shape is left out, never guessed.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::token::Token;

/// The profile that is there without being configured.
pub(super) const DEFAULT_PROFILE: &str = "default";

const LONGEST_NAME: usize = 64;

/// What the configuration file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The API for every profile without its own.
    pub api_url: Option<String>,
    /// The profile to use unless another is asked for.
    pub active_profile: Option<String>,
    /// Profiles by canonical name.
    pub profiles: BTreeMap<String, Profile>,
}

/// One profile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// The profile's own API.
    pub api_url: Option<String>,
    /// Its login, if it has a token.
    pub session: Option<Session>,
}

/// A login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The token.
    pub token: Token,
    /// Who logged in.
    pub login: Option<String>,
    /// When the login ends, as written.
    pub expires_at: Option<String>,
}

impl Document {
    /// Takes what is well-formed out of a JSON object.
    ///
    /// An older form has one `session` at the top; it becomes the default profile unless there is one.
    pub(super) fn from_json(object: &Map<String, Value>) -> Self {
        let mut profiles = BTreeMap::new();
        if let Some(Value::Object(entries)) = object.get("profiles") {
            for (name, entry) in entries {
                if let (Some(name), Value::Object(entry)) = (canonical_profile_name(Some(name)), entry) {
                    profiles.insert(name, Profile { api_url: text(entry, "apiUrl"), session: session(entry) });
                }
            }
        }
        if let Some(session) = session(object) {
            profiles
                .entry(DEFAULT_PROFILE.to_owned())
                .or_insert_with(|| Profile { api_url: text(object, "apiUrl"), session: Some(session) });
        }
        Self {
            api_url: text(object, "apiUrl"),
            active_profile: canonical_profile_name(object.get("activeProfile").and_then(Value::as_str)),
            profiles,
        }
    }
}

/// The name as it is stored: trimmed, in lower case, `[a-z0-9][a-z0-9._-]{0,63}`; none if it is not of that form.
pub fn canonical_profile_name(name: Option<&str>) -> Option<String> {
    let name = name?.trim().to_lowercase();
    let opens_well = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-');
    (opens_well && name.len() <= LONGEST_NAME && name.bytes().all(allowed)).then_some(name)
}

fn session(object: &Map<String, Value>) -> Option<Session> {
    let session = object.get("session")?.as_object()?;
    let token = Token::new(session.get("token")?.as_str()?)?;
    Some(Session { token, login: text(session, "login"), expires_at: text(session, "expiresAt") })
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(value: &Value) -> Document {
        Document::from_json(value.as_object().expect("an object"))
    }

    #[test]
    fn a_name_has_at_most_64_characters() {
        assert!(canonical_profile_name(Some(&"a".repeat(64))).is_some());
        assert!(canonical_profile_name(Some(&"a".repeat(65))).is_none());
    }

    #[test]
    fn what_is_misshapen_is_left_out() {
        let read = document(&json!({
            "apiUrl": 3, "activeProfile": "../x", "session": {"token": ""},
            "profiles": {"../x": {}, "a": 1, "OK": {"apiUrl": null, "session": {"token": "t", "login": 1, "expiresAt": 2}}}
        }));
        assert_eq!((read.api_url, read.active_profile), (None, None));
        assert_eq!(read.profiles.keys().collect::<Vec<_>>(), ["ok"]);
        let session = read.profiles["ok"].session.as_ref().expect("a session");
        assert_eq!((&session.login, &session.expires_at), (&None, &None));
    }

    #[test]
    fn the_older_form_is_the_default_profile_unless_there_is_one() {
        let old = json!({"apiUrl": "https://a", "session": {"token": "t", "login": "old"}});
        let profile = document(&old).profiles["default"].clone();
        assert_eq!(profile.api_url.as_deref(), Some("https://a"));
        assert_eq!(profile.session.and_then(|session| session.login).as_deref(), Some("old"));
        let both = json!({"session": {"token": "t"}, "profiles": {"default": {}}});
        assert_eq!(document(&both).profiles["default"], Profile::default());
    }
}
