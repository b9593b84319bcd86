//! Which API to talk to. Two hosts of the project's former name are retired: an address there is passed over.

use super::document::{Document, Profile};
use super::{Environment, set};

/// The API when nothing else is configured.
pub const DEFAULT_API_URL: &str = "https://api.loopover.ai";

const RETIRED: [&str; 2] = ["https://gittensory-api.zeronode.workers.dev", "https://gittensory-api.aethereal.dev"];

/// The environment's API, else the profile's, else the file's, else the default; without slashes at its end.
pub fn api_url(environment: &Environment, document: &Document, profile: Option<&Profile>) -> String {
    if let Some(address) = set(environment, "LOOPOVER_API_URL") {
        return trimmed(address).to_owned();
    }
    let candidates = [profile.and_then(|profile| profile.api_url.as_deref()), document.api_url.as_deref()];
    let usable =
        candidates.into_iter().flatten().map(trimmed).find(|address| !address.is_empty() && !is_retired(address));
    usable.unwrap_or(DEFAULT_API_URL).to_owned()
}

/// An address without white space around it and slashes at its end.
pub(super) fn trimmed(address: &str) -> &str {
    address.trim().trim_end_matches('/')
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
}
