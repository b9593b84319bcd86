//! A report for its readers: people at a terminal, a script, a workflow run, a pull request.

use contract_core::evolution::{Change, Direction, Report, Verdict};
use serde_json::Value;

use super::allowed::Allowed;

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
            lines.push(painted(&change.tool, "1", color));
            tool = Some(&change.tool);
        }
        let paint = match change.verdict {
            Verdict::Breaking => "31",
            Verdict::Dangerous | Verdict::Undecided => "33",
            Verdict::Compatible => "32",
        };
        let verdict = painted(&format!("{:<10}", change.verdict), paint, color);
        lines.push(format!("  {verdict} {}", sentence(change)));
        lines.extend(witness(change).map(|witness| format!("             {witness}")));
        lines.extend(hangs_on(change).map(|keywords| format!("             {keywords}")));
        lines.extend(allowed.reason(change).map(|reason| format!("             allowed: {reason}")));
    }
    lines.push(summary(report));
    lines.join("\n")
}

/// Where, and what is different.
fn sentence(change: &Change) -> String {
    let side = change.direction.map(|direction| format!("{direction} ")).unwrap_or_default();
    let place = if change.place.is_empty() { String::new() } else { format!("`{}`", change.place) };
    let lead = format!("{side}{place}");
    let lead = lead.trim_end();
    if lead.is_empty() { change.message.clone() } else { format!("{lead}: {}", change.message) }
}

fn witness(change: &Change) -> Option<String> {
    let witness = change.witness.as_ref()?.to_string();
    let shown: String = witness.chars().take(LONGEST).collect();
    let cut = if shown.len() < witness.len() { "…" } else { "" };
    Some(match change.direction {
        Some(Direction::Output) => format!("may answer now, and never did: {shown}{cut}"),
        _ => format!("used to be taken: {shown}{cut}"),
    })
}

fn hangs_on(change: &Change) -> Option<String> {
    let keywords: Vec<String> = change.keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
    if keywords.is_empty() { None } else { Some(format!("it hangs on {}", keywords.join(", "))) }
}

fn painted(text: &str, code: &str, color: bool) -> String {
    if color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
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
            let parts = [Some(sentence(change)), witness(change), hangs_on(change)];
            let reason = allowed.reason(change).map(|reason| format!("allowed: {reason}"));
            let message = parts.into_iter().chain([reason]).flatten().collect::<Vec<_>>().join("\n");
            let title = format!("{} change of {}", change.verdict, change.tool);
            format!("::{level} title={}::{}", escaped_property(&title), escaped(&message))
        })
        .collect();
    lines.push(format!("::notice title=contract::{}", escaped(&summary(report))));
    lines.join("\n")
}

/// The message of a workflow command stands on one line.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
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
        let mut told = cell(&sentence(change));
        let witness = change.witness.as_ref().map(|witness| format!("<br>`{}`", cell(&witness.to_string())));
        told.extend(witness);
        told.extend(hangs_on(change).map(|keywords| format!("<br>{}", cell(&keywords))));
        told.extend(allowed.reason(change).map(|reason| format!("<br>allowed: {}", cell(reason))));
        lines.push(format!("| `{}` | {} | {} | {told} |", cell(&change.tool), change.verdict, change.rule));
    }
    lines.join("\n")
}

/// Text that cannot break out of a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\r', '\n'], " ")
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
        assert!(shown.lines().skip(4).all(|line| line.starts_with("| `t%:,` |") && line.ends_with(" |")), "{shown}");
        assert!(text(&report, &Allowed::default(), true).contains("\u{1b}[31mbreaking  \u{1b}[0m input `a|b`"));
    }
}
