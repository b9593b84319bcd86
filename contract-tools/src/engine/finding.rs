//! One thing that a rule has to say, in the shape that every report shares.

use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Worth acting on.
    Warning,
    /// Stands in the way.
    Critical,
}

/// One thing that a rule has to say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What was found, in a word that programs can branch on.
    pub code: String,
    /// The same for a reader, in a few words.
    pub title: String,
    /// How much it matters.
    pub severity: Severity,
    /// The facts, with their numbers.
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What may be said about it in public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public_text: Option<String>,
    /// How sure the rule is, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl Finding {
    /// A finding that asks for nothing.
    pub fn new(code: &str, severity: Severity, title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            title: title.into(),
            severity,
            detail: detail.into(),
            action: None,
            public_text: None,
            confidence: None,
        }
    }

    /// The same finding with what to do about it.
    pub fn with_action(self, action: impl Into<String>) -> Self {
        Self { action: Some(action.into()), ..self }
    }

    /// The same finding with what may be said about it in public.
    pub fn with_public_text(self, public_text: impl Into<String>) -> Self {
        Self { public_text: Some(public_text.into()), ..self }
    }
}
