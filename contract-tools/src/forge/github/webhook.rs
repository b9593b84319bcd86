//! Webhook payloads: each holds the records that an event is about, whole, and the repository beside them.

use super::members::Members;
use super::{Reading, RecordKind, Skip, records, repository};
use crate::forge::{Change, RepoName};

pub(super) fn read(payload: &Members<'_>) -> Reading {
    let mut reading = Reading::default();
    let repo = payload.object("repository");
    let home = repo.as_ref().and_then(repository::name);
    if let Some(repo) = &repo {
        reading.add(repository::facts(repo));
    }
    let action = payload.text("action").unwrap_or_default();
    if payload.has("changes") && action == "renamed" && !payload.has("issue") {
        reading.skipped.push(Skip::Undated("a new name"));
    }
    subjects(payload, &action, home.as_ref(), &mut reading);
    installation(payload, &action, &mut reading);
    if reading.taken.is_empty() && reading.skipped.is_empty() {
        reading.skipped.push(Skip::Unknown);
    }
    reading
}

/// What the event is about.
fn subjects(payload: &Members<'_>, action: &str, home: Option<&RepoName>, reading: &mut Reading) {
    let pull = payload.object("pull_request");
    let pull_number = pull.as_ref().and_then(|pull| pull.number("number"));
    if let Some(pull) = &pull {
        reading.add(records::pull_request(pull, home));
    }
    if let Some(issue) = payload.object("issue") {
        let read = records::issue(&issue, home);
        // Of a comment only the comment was deleted.
        let is_gone = matches!(action, "deleted" | "transferred") && !payload.has("comment");
        match (read, home) {
            (Ok((RecordKind::Issue, Change::Issue(issue))), Some(home)) if is_gone => {
                reading.take(RecordKind::Issue, Change::IssueGone(home.clone(), issue.number));
            }
            (read, _) => reading.add(read),
        }
    }
    if let Some(review) = payload.object("review") {
        reading.add(records::review(&review, home, pull_number));
    }
    if let Some(check) = payload.object("check_run") {
        reading.add(records::check_run(&check, home));
    }
    if let Some(sha) = payload.text("sha").filter(|_| payload.has("context") && payload.has("state")) {
        reading.add(records::status(payload, home, Some(sha)));
    }
    // Labelling something holds the label as well; the labels that it has then stand in the record.
    if let Some(label) = payload.object("label").filter(|_| pull.is_none() && !payload.has("issue")) {
        match action {
            "created" | "edited" => reading.add(records::label(&label, home)),
            _ => reading.skipped.push(Skip::Undated("the end of a label")),
        }
    }
}

/// An installation that the event is about; every other payload names its installation by number alone.
fn installation(payload: &Members<'_>, action: &str, reading: &mut Reading) {
    let Some(installation) = payload.object("installation").filter(|installation| installation.has("account")) else {
        return;
    };
    let read = repository::installation(&installation, action == "deleted");
    let Ok((_, Change::Installation(known))) = &read else { return reading.add(read) };
    let (number, at) = (known.id, known.updated_at.clone());
    let is_removed = known.is_removed;
    reading.add(read);
    for (list, is_added) in [("repositories", true), ("repositories_added", true), ("repositories_removed", false)] {
        for repo in payload.each(list).into_iter().flatten().flatten() {
            let is_private = repo.truth("private");
            let Some(repo) = repository::name(&repo) else { continue };
            let is_covered = is_added && !is_removed;
            let change = Change::Covered { repo, installation: number, is_covered, is_private, at: at.clone() };
            reading.take(RecordKind::Repository, change);
        }
    }
}
