//! What a change of LoopOver's own words means for those who call: who may, where, and in which deployment.

use contract_core::evolution::{Change, MetadataRules, Rule, Verdict};
use contract_core::{Auth, Availability, Locality};
use serde_json::{Map, Value};

/// Reads the words that a LoopOver tool carries in `_meta`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoopoverMetadata;

impl MetadataRules for LoopoverMetadata {
    fn compare(&self, tool: &str, old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<Change> {
        let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
        let differing = names.filter(|name| old.get(*name) != new.get(*name));
        differing
            .map(|name| {
                let word = |members: &Map<String, Value>| members.get(name).and_then(Value::as_str).map(str::to_owned);
                let (before, after) = (word(old), word(new));
                let verdict = verdict(name, before.as_deref(), after.as_deref());
                let message = format!("{name} was {} and is {}", shown(old.get(name)), shown(new.get(name)));
                Change::about(tool, Rule::Metadata, message, verdict)
            })
            .collect()
    }
}

/// A value as a message has it: a word by itself, anything else as JSON.
fn shown(value: Option<&Value>) -> String {
    match value {
        None => "not stated".to_owned(),
        Some(Value::String(word)) => format!("`{word}`"),
        Some(other) => format!("`{other}`"),
    }
}

/// A word that one side does not state, or that nobody here knows, is dangerous: it cannot be ranked.
fn verdict(name: &str, old: Option<&str>, new: Option<&str>) -> Verdict {
    let judged = match name {
        "auth" => both(old, new).map(|(old, new)| keeps_callers(old, new)),
        "locality" => both::<Locality>(old, new).map(|(old, new)| old == new),
        "availability" => both::<Availability>(old, new).map(|(old, new)| new == Availability::Both || new == old),
        "deprecated" => Some(true),
        _ => None,
    };
    match judged {
        Some(true) => Verdict::Compatible,
        Some(false) => Verdict::Breaking,
        None => Verdict::Dangerous,
    }
}

fn both<T: std::str::FromStr>(old: Option<&str>, new: Option<&str>) -> Option<(T, T)> {
    Some((old?.parse().ok()?, new?.parse().ok()?))
}

/// Whether everyone who could call still can. The administrative credential and the deployment's jobs stand outside the
/// order: each opens its own tools and no other.
fn keeps_callers(old: Auth, new: Auth) -> bool {
    const ORDER: [Auth; 5] = [Auth::Public, Auth::Token, Auth::Session, Auth::Maintainer, Auth::Operator];
    let rank = |auth: Auth| ORDER.iter().position(|other| *other == auth);
    match (rank(old), rank(new)) {
        (Some(old), Some(new)) => new <= old,
        // Anyone may call a public tool, whatever else opens.
        (None, Some(0)) => true,
        _ => old == new,
    }
}

#[cfg(test)]
mod tests {
    use contract_core::Auth;
    use contract_core::evolution::Verdict::{self, Breaking, Compatible, Dangerous};

    #[test]
    fn each_word_is_judged_by_who_loses_the_tool() {
        let check = |name: &str, old: &str, new: &str, expected: Verdict| {
            assert_eq!(super::verdict(name, Some(old), Some(new)), expected, "{name} from {old} to {new}");
        };
        check("auth", "public", "token", Breaking);
        check("auth", "operator", "maintainer", Compatible);
        check("auth", "operator", "mcp-admin", Breaking);
        check("auth", "mcp-admin", "internal", Breaking);
        check("auth", "internal", "token", Breaking);
        check("auth", "mcp-admin", "public", Compatible);
        check("auth", "token", "magic", Dangerous);
        check("locality", "remote", "miner", Breaking);
        check("availability", "both", "cloud", Breaking);
        check("availability", "cloud", "both", Compatible);
        check("availability", "cloud", "selfhost", Breaking);
        check("category", "agent", "review", Dangerous);
        assert_eq!(super::verdict("auth", None, Some("token")), Dangerous);
        assert_eq!(super::verdict("deprecated", None, Some("use another")), Compatible);
    }

    #[test]
    fn the_order_of_levels_is_that_of_the_vocabulary() {
        let open: Vec<bool> = Auth::ALL.iter().map(|auth| super::keeps_callers(*auth, Auth::Session)).collect();
        assert_eq!(open, [false, false, true, true, true, false, false]);
    }
}
