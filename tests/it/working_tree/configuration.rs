//! The configuration of the CLI: profiles, logins and tokens (defects 18 and 19).

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use contract_tools::config::{CliConfig, ConfigError, Environment, FileProblem, Request, TokenSource, resolve};
use serde_json::{Value, json};

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_767_323_045)
}

fn environment(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn resolved(file: &Value, pairs: &[(&str, &str)]) -> CliConfig {
    let home = tempfile::tempdir().expect("a home");
    let folder = home.path().join(".config/loopover");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("config.json"), file.to_string()).expect("written");
    let environment = environment(pairs);
    let request = Request { environment: &environment, home: Some(home.path()), profile: None, now: now() };
    resolve(&request).expect("resolved")
}

fn logged_in(expires_at: &str) -> Value {
    json!({"profiles": {"default": {"session": {"token": "hush-hush", "login": "octo", "expiresAt": expires_at}}}})
}

#[test]
fn defect_19_an_empty_token_variable_does_not_mask_the_profile() {
    let config = resolved(&logged_in("2099-01-01T00:00:00Z"), &[("LOOPOVER_API_TOKEN", ""), ("LOOPOVER_TOKEN", " ")]);
    assert!(config.has_token);
    assert_eq!(config.profile.token_source, TokenSource::Profile);
    assert_eq!(config.token.expect("a token").expose(), "hush-hush");
}

#[test]
fn defect_19_a_login_that_is_over_gives_no_token() {
    let config = resolved(&logged_in("2026-01-01T00:00:00Z"), &[]);
    assert!(!config.has_token && config.token.is_none());
    assert!(config.profile.configured && !config.profile.authenticated);
    assert_eq!(config.profile.token_source, TokenSource::None);
    assert_eq!(config.auth_login.as_deref(), Some("octo"), "who it was and until when is still told");
    assert_eq!(config.session_expires_at.as_deref(), Some("2026-01-01T00:00:00Z"));
}

#[test]
fn the_first_token_variable_that_is_set_goes_before_the_profile() {
    let pairs = [("LOOPOVER_TOKEN", "c"), ("LOOPOVER_MCP_TOKEN", "b"), ("LOOPOVER_API_TOKEN", "")];
    let config = resolved(&logged_in("2026-01-01T00:00:00Z"), &pairs);
    assert_eq!(config.token.expect("a token").expose(), "b");
    assert_eq!(config.profile.token_source, TokenSource::Environment);
    assert!(!config.profile.authenticated);
}

#[test]
fn a_profile_asked_for_is_used_even_if_it_does_not_exist() {
    let file = logged_in("2099-01-01T00:00:00Z");
    let config = resolved(&file, &[("LOOPOVER_PROFILE", "Work")]);
    assert_eq!((config.profile.name.as_str(), config.profile.configured, config.has_token), ("work", false, false));
    let environment = environment(&[("LOOPOVER_PROFILE", "work")]);
    let request = Request { environment: &environment, home: None, profile: Some("other"), now: now() };
    assert_eq!(resolve(&request).expect("resolved").profile.name, "other");
    let request = Request { profile: Some("../x"), ..request };
    assert_eq!(resolve(&request), Err(ConfigError::IllegalProfileName));
}

#[test]
fn no_secret_is_printed() {
    let config = resolved(&logged_in("2099-01-01T00:00:00Z"), &[("LOOPOVER_API_TOKEN", "hush-hush")]);
    assert!(!format!("{config:?} {config:#?}").contains("hush"));
    assert!(!format!("{} {:?}", ConfigError::IllegalProfileName, ConfigError::IllegalProfileName).contains("hush"));
}

#[test]
fn no_address_carries_a_secret() {
    let address = "https://u:s3cret@h/x?token=s3cret";
    let of_profile = json!({"apiUrl": address, "profiles": {"default": {"apiUrl": address}}});
    for (file, pairs) in [
        (&of_profile, [].as_slice()),
        (&json!({"apiUrl": address}), &[]),
        (&json!({}), &[("LOOPOVER_API_URL", address)]),
    ] {
        let config = resolved(file, pairs);
        assert_eq!(config.api_url, "https://h/x");
        assert!(!format!("{config:?}").contains("s3cret"), "{config:?}");
    }
    assert_eq!(resolved(&of_profile, &[]).profile.api_url.as_deref(), Some("https://h/x"));
}

#[test]
fn a_file_that_cannot_be_used_counts_as_empty_and_is_told_of() {
    let environment = environment(&[("LOOPOVER_CONFIG_PATH", "/dev/zero"), ("LOOPOVER_TOKEN", "t")]);
    let request = Request { environment: &environment, home: Some(Path::new("/nowhere")), profile: None, now: now() };
    let config = resolve(&request).expect("resolved");
    assert_eq!((config.file_problem, config.has_token), (Some(FileProblem::NotAFile), true));
}
