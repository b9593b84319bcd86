//! What single fixes make of expectations, each written down from the rule that it puts right and not from the engines.

mod closed_rate;
mod preflight;
mod prediction;
mod related;

use contract_tests::vectors::Effect;

/// Every effect that `deviations.toml` names.
pub(crate) static EFFECTS: [Effect; 4] = [
    Effect { name: "closed rate", of: closed_rate::closed_rate },
    Effect { name: "own pull request", of: prediction::own_pull_request },
    Effect { name: "related work in a prediction", of: prediction::related_work },
    Effect { name: "related work in preflight", of: preflight::related_work },
];
