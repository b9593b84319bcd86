//! Repositories themselves, and the app's installations on them.

use super::members::{Members, needed, number};
use super::{RecordKind, Skip};
use crate::forge::{Change, Installation, RepoName, RepositoryFacts};

/// The name that an object has as its `full_name`.
pub(super) fn name(record: &Members<'_>) -> Option<RepoName> {
    RepoName::parse(&record.text("full_name")?)
}

pub(super) fn facts(record: &Members<'_>) -> Result<(RecordKind, Change), Skip> {
    let kind = RecordKind::Repository;
    let facts = RepositoryFacts {
        name: needed(name(record), kind, "full_name")?,
        is_private: needed(record.truth("private"), kind, "private")?,
        html_url: record.text("html_url"),
        default_branch: record.text("default_branch"),
        updated_at: record.moment("updated_at"),
    };
    Ok((kind, Change::Repository(facts)))
}

pub(super) fn installation(record: &Members<'_>, is_removed: bool) -> Result<(RecordKind, Change), Skip> {
    let kind = RecordKind::Installation;
    let account = needed(record.object("account"), kind, "account")?;
    let installation = Installation {
        id: number(record, kind, "id")?,
        account_login: needed(account.text("login"), kind, "account")?,
        is_suspended: record.moment("suspended_at").is_some(),
        is_removed,
        updated_at: record.moment("updated_at"),
    };
    Ok((kind, Change::Installation(installation)))
}
