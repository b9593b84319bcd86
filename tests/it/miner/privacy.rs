//! Words of the blocked kinds and whatever looks like a secret are planted in every text of every store; none comes out.

use contract_tools::miner::Store;
use serde_json::json;

use super::state::{State, TOOLS, value};

/// What is planted: harmless words around what must not leave.
const PLANTED: [&str; 7] = [
    "it pays into a wallet 5Fabc",
    "the hot-key is 5Gxyz",
    "trust_score 97",
    "a payout of 42",
    "w\u{200b}allet 5Hdef",
    "ghp_0123456789abcdefABCD",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nMIIabc",
];

/// What must not be in any answer.
const SECRET: [&str; 10] =
    ["wallet", "5Fabc", "5Gxyz", "trust_score", "97", "42", "5Hdef", "ghp_", "MIIabc", "reputation-secret"];

#[test]
fn what_is_planted_in_any_column_never_comes_out() {
    for planted in PLANTED {
        let state = State::demo();
        let quoted = planted.replace('\'', "''");
        let json = serde_json::to_string(planted).unwrap().replace('\'', "''");
        for (store, sql) in [
            (
                Store::ClaimLedger,
                format!(
                    "UPDATE miner_claims SET note = '{quoted}', claimed_at = '{quoted}', repo_full_name = 'a/' || '{quoted}'"
                ),
            ),
            (
                Store::EventLedger,
                format!(
                    "UPDATE miner_event_ledger SET event_type = iif(seq = 1, '{quoted}', event_type), created_at = '{quoted}', \
                     payload_json = '{{\"prNumber\":101,\"decision\":\"merged\",\"outcome\":{json},\"actor\":{json},\"detail\":{json},\
                     \"branch\":{json},\"ciState\":{json},\"gateVerdict\":{json},\"lastPolledAt\":{json},\"token\":\"reputation-secret\"}}'"
                ),
            ),
            (Store::PortfolioQueue, format!("UPDATE miner_portfolio_queue SET repo_full_name = 'x/' || '{quoted}'")),
            (
                Store::RunState,
                format!(
                    "UPDATE miner_run_state SET repo_full_name = 'y/' || api_base_url || repo_full_name || ' {quoted}', updated_at = '{quoted}'"
                ),
            ),
            (
                Store::PlanStore,
                format!(
                    "UPDATE miner_plans SET plan_id = 'plan-x', updated_at = '{quoted}', plan_json = '{{\"steps\":[{{\"id\":{json},\
                     \"title\":{json},\"actionClass\":{json},\"dependsOn\":[],\"status\":\"failed\",\"attempts\":0,\"maxAttempts\":1,\
                     \"lastError\":{json}}}]}}'"
                ),
            ),
            (
                Store::GovernorLedger,
                format!(
                    "UPDATE governor_events SET ts = '{quoted}', event_type = '{quoted}', action_class = '{quoted}', \
                     decision = '{quoted}', reason = '{quoted}', repo_full_name = '{quoted}', payload_json = 'reputation-secret'"
                ),
            ),
            (
                Store::PredictionLedger,
                format!("UPDATE predictions SET repo_full_name = '{quoted}', head_sha = '{quoted}'"),
            ),
        ] {
            state.execute(store, &sql);
        }
        let mut client = state.client();
        for tool in TOOLS {
            let arguments = if tool == "loopover_miner_get_plan" { json!({ "planId": "plan-x" }) } else { json!({}) };
            let result = client.call(tool, &arguments);
            value(&result);
            if tool == "loopover_miner_status" {
                continue;
            }
            let answer = result.to_string();
            for secret in SECRET {
                // Numbers of pull requests and the like are no secrets.
                let is_there = if secret.bytes().all(|byte| byte.is_ascii_digit()) {
                    answer.contains(&format!(" {secret}"))
                } else {
                    answer.to_lowercase().contains(&secret.to_lowercase())
                };
                assert!(!is_there, "{tool} shows `{secret}` of {planted:?}: {answer}");
            }
        }
    }
}

#[test]
fn no_variable_is_shown_by_the_status() {
    let state = State::demo();
    let names = ["GITHUB_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "LOOPOVER_API_TOKEN"];
    let mut client = state.client_with(names.map(|name| (name, "planted-value")));
    let status = client.call("loopover_miner_status", &json!({}));
    assert!(!status.to_string().contains("planted-value"), "{status}");
}
