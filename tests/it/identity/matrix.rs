//! Every tool on shared data × every identity, over the wire: what is listed to whom, and what a call of it is answered.

use contract_core::Registry;
use contract_tests::http_client::{Ask, HttpServer};
use serde_json::json;

use super::{World, arguments, credential, outcome, remote_tools};

/// The deployment's own tokens.
const TOKENS: [(&str, &str); 4] = [
    ("LOOPOVER_API_TOKEN", "the-api-token"),
    ("LOOPOVER_MCP_TOKEN", "the-mcp-token"),
    ("LOOPOVER_MCP_ADMIN_TOKEN", "the-admin-token"),
    ("INTERNAL_JOB_TOKEN", "the-internal-token"),
];

/// In the order of the table's columns: tools by name.
const TOOLS: [&str; 5] = [
    "loopover_admin_get_config",
    "loopover_get_pr_reviewability",
    "loopover_get_repo_context",
    "loopover_predict_gate",
    "loopover_preflight_pr",
];

/// `+` listed and answered; `!` listed, and refused for what the arguments name; `-` neither listed nor answered.
struct Row {
    who: &'static str,
    login: &'static str,
    expected: &'static str,
}

const fn row(who: &'static str, login: &'static str, expected: &'static str) -> Row {
    Row { who, login, expected }
}

fn listed(server: &HttpServer, token: Option<&str>) -> Vec<String> {
    let reply = credential(Ask::alone(server, "tools/list", json!({})), token).answer(server).json();
    let tools = reply["result"]["tools"].as_array().unwrap_or_else(|| panic!("{reply}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn token<'world>(world: &'world World, who: &str) -> Option<&'world str> {
    let fixed = TOKENS.iter().find(|(variable, _)| match who {
        "api" => *variable == "LOOPOVER_API_TOKEN",
        "mcp" => *variable == "LOOPOVER_MCP_TOKEN",
        "mcp-admin" => *variable == "LOOPOVER_MCP_ADMIN_TOKEN",
        "internal" => *variable == "INTERNAL_JOB_TOKEN",
        _ => false,
    });
    fixed.map(|(_, token)| *token).or_else(|| world.sessions.get(who).map(String::as_str))
}

#[track_caller]
fn check(world: &World, server: &HttpServer, rows: &[Row]) {
    for Row { who, login, expected } in rows {
        let token = token(world, who);
        assert!(token.is_some() || *who == "anonymous", "{who}");
        let listed = listed(server, token);
        let mut found = String::new();
        for tool in TOOLS {
            let call = credential(Ask::call(server, tool, &arguments(tool, login)), token);
            let outcome = outcome(&call.answer(server).json());
            let is_listed = listed.iter().any(|name| name == tool);
            let refused = if token.is_some() { "forbidden" } else { "unauthorized" };
            found.push(match (is_listed, outcome.as_str()) {
                (true, "ok") => '+',
                (true, "forbidden") => '!',
                (false, code) if code == refused => '-',
                (_, code) => panic!("{who}, {tool}: listed {is_listed}, answered {code}"),
            });
        }
        assert_eq!(found, *expected, "{who}: {TOOLS:?}");
        assert_eq!(listed.len(), found.chars().filter(|it| *it != '-').count(), "{who}: {listed:?}");
    }
}

#[test]
fn each_identity_sees_and_calls_what_the_table_says() {
    let registry = Registry::collect().unwrap();
    let names: Vec<&str> = remote_tools(&registry).iter().map(|tool| tool.name()).collect();
    assert_eq!(names, TOOLS, "each tool has its column");
    let world = World::new();
    let variables =
        [&TOKENS[..], &[("MCP_READ_REPO_ALLOWLIST", "acme/widgets"), ("LOOPOVER_MCP_ADMIN_ENABLED", "1")]].concat();
    let server = world.serve(&variables, &[]);
    check(
        &world,
        &server,
        &[
            row("anonymous", "rui", "-----"),
            row("api", "rui", "-++++"),
            row("mcp", "rui", "-++!+"),
            row("mcp-admin", "rui", "+----"),
            row("internal", "rui", "--+++"),
            row("stranger", "rui", "--!!!"),
            row("owner", "acme", "-++++"),
            row("maintainer", "Dana", "-++++"),
            row("operator", "root", "-++++"),
            // Whoever signed in asks about nobody else, also who runs the deployment.
            row("maintainer", "rui", "-++!+"),
            row("operator", "rui", "-++!+"),
        ],
    );
    for who in ["expired", "revoked"] {
        let ask = credential(Ask::alone(&server, "tools/list", json!({})), token(&world, who));
        assert_eq!(ask.answer(&server).status, 401, "{who}");
    }
    let complaints = server.complaints();
    let secrets = TOKENS.iter().map(|(_, token)| *token).chain(world.sessions.values().map(String::as_str));
    for secret in secrets {
        assert!(!complaints.contains(secret), "the log shows a secret");
    }
}

#[test]
fn a_shared_token_reaches_what_its_list_says() {
    let world = World::new();
    let mcp = |list: &'static str, expected: &'static str| {
        let variables =
            [&TOKENS[..], &[("MCP_READ_REPO_ALLOWLIST", list), ("LOOPOVER_MCP_ADMIN_ENABLED", "on")]].concat();
        check(&world, &world.serve(&variables, &[]), &[row("mcp", "rui", expected)]);
    };
    mcp("", "--!!!");
    mcp("acme/gears", "-!!!!");
    mcp("acme/gears *", "-++++");
}

#[test]
fn a_repository_that_is_not_there_is_answered_like_one_that_is_not_yours() {
    let world = World::new();
    let server = world.serve(&TOKENS, &[]);
    let ask = |who: &str, owner: &str, repo: &str| {
        let arguments = json!({ "owner": owner, "repo": repo });
        let call = Ask::call(&server, "loopover_get_repo_context", &arguments);
        credential(call, token(&world, who)).answer(&server).json()
    };
    let of_others = ask("stranger", "acme", "widgets");
    assert_eq!(of_others["result"], ask("stranger", "no", "such")["result"]);
    assert_eq!(outcome(&of_others), "forbidden");
    assert_eq!(outcome(&ask("maintainer", "acme", "gears")), "forbidden");
    // A name that only looks like one of a list is none.
    for (owner, repo) in [("acme/widgets", "x"), ("acme", "widgets/.."), ("acme ", "widgets"), ("*", "*")] {
        assert_eq!(outcome(&ask("maintainer", owner, repo)), "forbidden", "{owner} {repo}");
    }
}
