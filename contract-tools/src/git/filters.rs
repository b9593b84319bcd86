//! Switches off every content filter that a repository configures, before anything compares file contents.
//!
//! Comparing a file whose time stamp is stale makes git run the `clean` or `process` program that
//! `filter.<name>` configures and `.gitattributes` assigns. There is no switch against that, so each configured name
//! is overridden with an empty program, which git passes contents through.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use super::command::{Git, os_string};
use super::error::{GitError, GitReason};
use super::records::Records;

/// What the repository's configuration says that matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Configured {
    /// Settings that switch off each filter.
    pub(super) overrides: Vec<OsString>,
    /// The address of the `origin` remote, as written.
    pub(super) remote_url: Option<String>,
    /// Objects may be missing because they were never fetched.
    pub(super) partial_clone: bool,
}

const MOST_FILTERS: usize = 200;

/// Reads the configuration that commands in this directory will see.
pub(super) fn configured(git: &Git, directory: &Path) -> Result<Configured, GitError> {
    let pattern = r"^(filter\..*|remote\.origin\.url|remote\..*\.promisor|extensions\.partialclone)$";
    let answer = git.ask(directory, &["config", "-z", "--get-regexp", pattern])?;
    if answer.cut {
        return Err(GitError::of(GitReason::UnsafeConfiguration));
    }
    match answer.code {
        0 => parse(&answer.bytes),
        1 => Ok(Configured::default()),
        _ => Err(GitError::of(GitReason::BrokenRepository)),
    }
}

fn parse(bytes: &[u8]) -> Result<Configured, GitError> {
    let mut names = BTreeSet::new();
    let mut remote_url = None;
    let mut partial_clone = false;
    let mut records = Records::new(bytes.len());
    records.take(bytes, &mut |record| {
        let mut parts = record.splitn(2, |byte| *byte == b'\n');
        let key = parts.next().unwrap_or_default();
        let value = parts.next().unwrap_or_default();
        if key == b"remote.origin.url" {
            remote_url = Some(String::from_utf8_lossy(value).into_owned());
        } else if let Some(name) = filter_name(key) {
            names.insert(name.to_vec());
        } else if !key.starts_with(b"filter.") {
            partial_clone = true;
        }
    });
    // On a command line a setting's name ends at the first `=`, so such a filter could not be switched off.
    if names.len() > MOST_FILTERS || names.iter().any(|name| name.contains(&b'=')) {
        return Err(GitError::of(GitReason::UnsafeConfiguration));
    }
    Ok(Configured { overrides: names.iter().flat_map(|name| overrides_of(name)).collect(), remote_url, partial_clone })
}

/// `name` of `filter.name.clean`; the name itself may hold dots.
fn filter_name(key: &[u8]) -> Option<&[u8]> {
    let rest = key.strip_prefix(b"filter.")?;
    let end = rest.iter().rposition(|byte| *byte == b'.')?;
    Some(&rest[..end])
}

fn overrides_of(name: &[u8]) -> [OsString; 4] {
    ["clean=", "smudge=", "process=", "required=false"]
        .map(|setting| os_string(&[b"filter.", name, b".", setting.as_bytes()].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_filter_is_switched_off_once_whatever_its_name() {
        let bytes = b"filter.a.b.clean\nx\0filter.a.b.process\ny\0filter.\xff.smudge\0remote.origin.url\nu\n1\0";
        let configured = parse(bytes).expect("safe");
        assert_eq!(configured.remote_url.as_deref(), Some("u\n1"));
        assert_eq!(configured.overrides.len(), 8);
        assert_eq!(configured.overrides[0], OsString::from("filter.a.b.clean="));
        assert_eq!(configured.overrides[4], os_string(b"filter.\xff.clean="));
    }

    #[test]
    fn a_filter_that_cannot_be_switched_off_is_refused() {
        let error = parse(b"filter.a=b.clean\nx\0").expect_err("unsafe");
        assert_eq!(error.reason, GitReason::UnsafeConfiguration);
    }
}
