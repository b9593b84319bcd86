//! Whether a contributor consented to the licence agreement.

use crate::engine::finding::{Finding, Severity};
use crate::engine::text::trim_spaces;

use super::model::ClaConsent;

/// What is known of the check that tells consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaCheckRun<'a> {
    /// Nothing: it was not looked for.
    Unresolved,
    /// It did not run.
    Absent,
    /// It ended so.
    Concluded(&'a str),
}

/// What there is to say about consent; nothing when it is given, or when nobody asks for it.
pub fn cla_finding(consent: &ClaConsent, body: Option<&str>, check_run: ClaCheckRun<'_>) -> Option<Finding> {
    let set =
        |text: &'_ Option<String>| text.as_deref().map(trim_spaces).filter(|text| !text.is_empty()).map(str::to_owned);
    let (phrase, name) = (set(&consent.phrase), set(&consent.check_run));
    let body = body.unwrap_or_default().to_lowercase();
    if phrase.as_ref().is_some_and(|phrase| body.contains(&phrase.to_lowercase())) {
        return None;
    }
    match (&name, check_run) {
        (Some(name), ClaCheckRun::Unresolved) => Some(unresolved(name)),
        (Some(_), ClaCheckRun::Concluded("success" | "neutral")) => None,
        _ if phrase.is_none() && name.is_none() => None,
        _ => Some(missing(phrase.as_deref(), name.as_deref())),
    }
}

fn unresolved(name: &str) -> Finding {
    let detail = format!("The result of the check \"{name}\" is not known yet, so the gate waits for it.");
    Finding::new("cla_check_unresolved", Severity::Warning, "The licence agreement check has no result", detail)
        .with_action("There is nothing to do: the gate is asked again when the check has ended.")
}

fn missing(phrase: Option<&str>, name: Option<&str>) -> Finding {
    let phrase = phrase.map(|phrase| format!("the words \"{phrase}\" in the description"));
    let name = name.map(|name| format!("a successful check \"{name}\""));
    let ways: Vec<String> = phrase.iter().chain(&name).cloned().collect();
    let detail = format!("Consent to the licence agreement was not found. It is given by {}.", ways.join(" or by "));
    let action = match &phrase {
        Some(phrase) => format!("If you agree, put {phrase}."),
        None => "Complete the licence agreement check.".to_owned(),
    };
    Finding::new("cla_consent_missing", Severity::Warning, "Consent to the licence agreement is missing", detail)
        .with_action(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(phrase: Option<&str>, name: Option<&str>, body: Option<&str>, run: ClaCheckRun<'_>, code: Option<&str>) {
        let consent = ClaConsent { phrase: phrase.map(str::to_owned), check_run: name.map(str::to_owned) };
        let finding = cla_finding(&consent, body, run);
        assert_eq!(finding.as_ref().map(|finding| finding.code.as_str()), code, "{finding:?}");
    }

    #[test]
    fn a_phrase_or_a_check_consents() {
        let (phrase, name) = (Some("I agree"), Some("CLA"));
        check(phrase, name, Some("yes, i AGREE."), ClaCheckRun::Unresolved, None);
        check(phrase, name, None, ClaCheckRun::Concluded("neutral"), None);
        check(phrase, name, None, ClaCheckRun::Concluded("failure"), Some("cla_consent_missing"));
        check(None, name, Some("I agree"), ClaCheckRun::Absent, Some("cla_consent_missing"));
        check(None, name, Some("I agree"), ClaCheckRun::Unresolved, Some("cla_check_unresolved"));
        check(phrase, None, Some("no"), ClaCheckRun::Concluded("success"), Some("cla_consent_missing"));
    }

    #[test]
    fn a_blank_way_is_none() {
        check(Some(" "), Some(""), Some("no"), ClaCheckRun::Unresolved, None);
        check(None, None, None, ClaCheckRun::Absent, None);
    }
}
