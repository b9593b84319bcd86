//! Which API to talk to. Two hosts of the project's former name are retired: an address there is passed over.

use super::document::{Document, Profile};
use super::{Environment, set};

/// The API when nothing else is configured.
pub const DEFAULT_API_URL: &str = "https://api.loopover.ai";

const RETIRED: [&str; 2] = ["https://gittensory-api.zeronode.workers.dev", "https://gittensory-api.aethereal.dev"];

/// The environment's API, else the profile's, else the file's, else the default; without slashes at its end
/// and without what could be a secret.
pub fn api_url(environment: &Environment, document: &Document, profile: Option<&Profile>) -> String {
    if let Some(address) = set(environment, "LOOPOVER_API_URL") {
        return plain(address);
    }
    let candidates = [profile.and_then(|profile| profile.api_url.as_deref()), document.api_url.as_deref()];
    let usable =
        candidates.into_iter().flatten().map(plain).find(|address| !address.is_empty() && !is_retired(address));
    usable.unwrap_or_else(|| DEFAULT_API_URL.to_owned())
}

/// An address without white space around it, slashes at its end, and whatever could be a secret: a user and password
/// before the host, a query, a fragment. Addresses are shown to models and in reports.
pub(super) fn plain(address: &str) -> String {
    let address = address.trim();
    let start = address.find("://").map_or(0, |colon| colon + 3);
    let (scheme, rest) = address.split_at(start);
    let authority = &rest[..rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len())];
    let end_of_secret = match authority.rfind('@') {
        Some(at) => Some(at),
        // Not a port: a password that holds one of these characters as it is.
        None if !has_plain_port(authority) => rest.rfind('@'),
        None => None,
    };
    let rest = end_of_secret.map_or(rest, |at| &rest[at + 1..]);
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    format!("{scheme}{rest}").trim_end_matches('/').to_owned()
}

fn has_plain_port(authority: &str) -> bool {
    let after_host = authority.rsplit(']').next().unwrap_or_default();
    after_host.split_once(':').is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_retired(address: &str) -> bool {
    RETIRED.iter().any(|retired| retired.eq_ignore_ascii_case(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(address: &str) -> Profile {
        Profile { api_url: Some(address.to_owned()), session: None }
    }

    #[test]
    fn a_retired_address_is_passed_over_wherever_it_stands() {
        let document =
            Document { api_url: Some("https://GITTENSORY-api.aethereal.dev//".to_owned()), ..Document::default() };
        let address = api_url(&Environment::new(), &document, Some(&profile(RETIRED[0])));
        assert_eq!(address, DEFAULT_API_URL);
    }

    #[test]
    fn an_empty_address_is_as_good_as_none() {
        let environment = Environment::from([("LOOPOVER_API_URL".to_owned(), String::new())]);
        assert_eq!(api_url(&environment, &Document::default(), Some(&profile(""))), DEFAULT_API_URL);
        let environment = Environment::from([("LOOPOVER_API_URL".to_owned(), "http://localhost:9//".to_owned())]);
        assert_eq!(api_url(&environment, &Document::default(), None), "http://localhost:9");
    }

    #[test]
    fn what_could_be_a_secret_is_left_off() {
        for (address, expected) in [
            ("https://u:s3cret@h/x?token=y", "https://h/x"),
            ("https://s3cret@h:8443/#s3cret", "https://h:8443"),
            ("https://u:s3cret@s3cret@h", "https://h"),
            ("https://u:s3/cr?e#t@h/x", "https://h/x"),
            ("u:s3cret@h/x", "h/x"),
            ("https://[::1]:9/@scope/x", "https://[::1]:9/@scope/x"),
            (" http://localhost:9// ", "http://localhost:9"),
        ] {
            assert_eq!(plain(address), expected, "{address}");
        }
    }
}
