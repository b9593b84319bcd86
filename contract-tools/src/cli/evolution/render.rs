//! A report for its readers: people at a terminal, a script, a workflow run, a pull request.

use contract_core::evolution::{Change, Direction, Report, Verdict};
use serde_json::Value;

use super::allowed::Allowed;
use crate::cli::escape;
use crate::cli::output::painted;

/// The longest witness that is shown on a line, in characters; JSON shows all of it.
const LONGEST: usize = 300;

/// The report with the reasons of what is allowed.
pub(super) fn json(report: &Report, allowed: &Allowed) -> Value {
    let mut document = report.to_json();
    let changes = document.get_mut("changes").and_then(Value::as_array_mut);
    for (change, shown) in report.changes.iter().zip(changes.into_iter().flatten()) {
        if let (Some(reason), Some(members)) = (allowed.reason(change), shown.as_object_mut()) {
            members.insert("allowed".to_owned(), reason.into());
        }
    }
    document
}

/// Grouped by tool.
pub(super) fn text(report: &Report, allowed: &Allowed, color: bool) -> String {
    let mut lines = Vec::new();
    let mut tool = None;
    for change in &report.changes {
        if tool != Some(&change.tool) {
            lines.push(painted(&escape::heading(&change.tool), "1", color));
            tool = Some(&change.tool);
        }
        let paint = match change.verdict {
            Verdict::Breaking => "31",
            Verdict::Dangerous | Verdict::Undecided => "33",
            Verdict::Compatible => "32",
        };
        let verdict = painted(&format!("{:<10}", change.verdict), paint, color);
        let mut told = told(change, allowed).into_iter().map(|part| escape::line(&part));
        lines.extend(told.next().map(|sentence| format!("  {verdict} {sentence}")));
        lines.extend(told.map(|part| format!("             {part}")));
    }
    lines.push(summary(report));
    lines.join("\n")
}

/// What is different, and all that belongs to it, a line each; as strangers wrote it, and for no reader's eyes yet.
fn told(change: &Change, allowed: &Allowed) -> Vec<String> {
    let reason = allowed.reason(change).map(|reason| format!("allowed: {reason}"));
    let witness = witness(change).map(|(meaning, value)| format!("{meaning}: {value}"));
    let parts = [Some(sentence(change)), also_at(change), witness, hangs_on(change), reason, left_out(change, allowed)];
    parts.into_iter().flatten().collect()
}

/// Where, and what is different.
fn sentence(change: &Change) -> String {
    let side = change.direction.map(|direction| format!("{direction} ")).unwrap_or_default();
    let place = if change.place.is_empty() { String::new() } else { format!("`{}`", change.place) };
    let lead = format!("{side}{place}");
    let lead = lead.trim_end();
    if lead.is_empty() { change.message.clone() } else { format!("{lead}: {}", change.message) }
}

/// Where else it stands.
fn also_at(change: &Change) -> Option<String> {
    let places: Vec<&str> = change.places().skip(1).collect();
    (change.stands_elsewhere() || !places.is_empty()).then(|| format!("also at {}", listed(&places, change)))
}

/// Where it is not allowed, though it is elsewhere.
fn left_out(change: &Change, allowed: &Allowed) -> Option<String> {
    let places = allowed.left_out(change)?;
    let places = listed(&places, change);
    Some(format!("not allowed at {places}: an entry with a `place` is for that place alone"))
}

/// `places` of `change`, and how many there are that it does not tell.
fn listed(places: &[&str], change: &Change) -> String {
    let quoted = |place: &&str| if place.is_empty() { "its root".to_owned() } else { format!("`{place}`") };
    let named = places.iter().map(quoted).collect::<Vec<_>>().join(", ");
    let more = match change.more_places {
        Some(0) => return named,
        Some(1) => "1 more place".to_owned(),
        Some(count) => format!("{count} more places"),
        None => "more places than can be counted".to_owned(),
    };
    if named.is_empty() { more } else { format!("{named} and {more}") }
}

/// A value that shows it, and what it shows.
fn witness(change: &Change) -> Option<(&'static str, String)> {
    let witness = change.witness.as_ref()?.to_string();
    let head: String = witness.chars().take(LONGEST).collect();
    let cut = if head.len() < witness.len() { "…" } else { "" };
    let meaning = match change.direction {
        Some(Direction::Output) => "may answer now, and never did",
        _ => "used to be taken",
    };
    Some((meaning, format!("{head}{cut}")))
}

fn hangs_on(change: &Change) -> Option<String> {
    let keywords: Vec<String> = change.keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
    if keywords.is_empty() { None } else { Some(format!("it hangs on {}", keywords.join(", "))) }
}

fn summary(report: &Report) -> String {
    if report.changes.is_empty() {
        return "nothing changed".to_owned();
    }
    let worst_first = Verdict::ALL.iter().rev();
    let counts: Vec<String> = worst_first
        .filter(|verdict| report.count(**verdict) > 0)
        .map(|verdict| format!("{} {verdict}", report.count(*verdict)))
        .collect();
    format!("{}; the version should move by: {}", counts.join(", "), report.bump())
}

/// Workflow commands, one a change; compatible ones are left to the summary.
pub(super) fn github(report: &Report, allowed: &Allowed) -> String {
    let mut lines: Vec<String> = report
        .changes
        .iter()
        .filter(|change| change.verdict != Verdict::Compatible)
        .map(|change| {
            let level = match (change.verdict, allowed.reason(change)) {
                (_, Some(_)) => "notice",
                (Verdict::Breaking, None) => "error",
                _ => "warning",
            };
            let title = format!("{} change of {}", change.verdict, change.tool);
            let message = escape::workflow_message(&told(change, allowed));
            format!("::{level} title={}::{message}", escape::workflow_property(&title))
        })
        .collect();
    lines.push(format!("::notice title=contract::{}", escape::workflow_message(&[summary(report)])));
    lines.join("\n")
}

/// A table.
pub(super) fn markdown(report: &Report, allowed: &Allowed) -> String {
    let mut lines = vec![format!("**{}**", summary(report))];
    if !report.changes.is_empty() {
        lines.push(String::new());
        lines.push("| tool | verdict | rule | change |".to_owned());
        lines.push("| --- | --- | --- | --- |".to_owned());
    }
    for change in &report.changes {
        let parts = [
            Some(escape::markdown(&sentence(change))),
            also_at(change).map(|places| escape::markdown(&places)),
            witness(change).map(|(meaning, value)| format!("{meaning}: {}", escape::markdown_code(&value))),
            hangs_on(change).map(|keywords| escape::markdown(&keywords)),
            allowed.reason(change).map(|reason| format!("allowed: {}", escape::markdown(&reason))),
            left_out(change, allowed).map(|places| escape::markdown(&places)),
        ];
        let told = parts.into_iter().flatten().collect::<Vec<_>>().join("<br>");
        let tool = escape::markdown_code(&change.tool);
        lines.push(format!("| {tool} | {} | {} | {told} |", change.verdict, change.rule));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use contract_core::evolution::{AnyMetadata, ToolList, compare};
    use serde_json::json;

    use super::{github, markdown, text};
    use crate::cli::evolution::allowed::Allowed;

    #[test]
    fn a_witness_cannot_break_out_of_a_line_or_a_cell() {
        let list = |words: &[&str]| {
            let input = json!({ "type": "object", "properties": { "a|b": { "enum": words } } });
            ToolList::read(&json!([{ "name": "t%:,", "inputSchema": input }])).unwrap()
        };
        let report = compare(&list(&["x\n::error::|y%"]), &list(&["z"]), &AnyMetadata);
        let shown = github(&report, &Allowed::default());
        assert!(
            shown.lines().all(|line| line.starts_with("::error title=") || line.starts_with("::notice title=")),
            "{shown}"
        );
        assert!(shown.contains("change of t%25%3A%2C::"), "{shown}");
        let shown = markdown(&report, &Allowed::default());
        let is_row =
            |line: &str| line.starts_with("| `t%:,` |") && line.ends_with(" |") && line.matches('|').count() == 5;
        assert!(shown.lines().skip(4).all(is_row), "{shown}");
        assert!(text(&report, &Allowed::default(), true).contains("\u{1b}[31mbreaking  \u{1b}[0m input `a|b`"));
    }
}
