//! `loopover doctor`: what is in order on this machine and what is not, with what to do about it. It reads, and never calls
//! out.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use contract_core::{Clock, Registry, Upstream as _};
use serde_json::{Value, json};

use super::{Failure, Output};
use crate::config::{self, CliEnvironment, FileProblem, TokenSource};
use crate::forge::{self, ForgeReason, Place, PlaceError};
use crate::git::{self, GitReason, ReadRequest, Workspace};
use crate::serve::forward::{self, Forwarder};
use crate::{contract, serve};

/// The oldest git whose output the reader is tested with understands every option it uses.
const OLDEST_GIT: (u32, u32) = (2, 30);

/// How a check came out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It is in order.
    Good,
    /// It works, and something is worth knowing.
    Notice,
    /// It does not work.
    Problem,
}

/// One thing that was looked at.
struct Check {
    name: &'static str,
    verdict: Verdict,
    /// What was found and, unless it is good, what to do.
    detail: String,
}

impl Check {
    fn good(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Good, detail: detail.into() }
    }

    fn notice(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Notice, detail: detail.into() }
    }

    fn problem(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, verdict: Verdict::Problem, detail: detail.into() }
    }
}

/// How to print the checks.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Format {
    /// A line each, for people
    Text,
    /// `{"ok", "checks": [{name, ok, detail}]}`
    Json,
}

pub(crate) fn run(format: Format, clock: &Clock, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let environment = CliEnvironment::of_process();
    let workspace = Workspace::of_process();
    let checks = [
        tools(clock),
        git_program(&workspace),
        working_tree(&workspace),
        configuration(&environment, clock),
        forge_store(),
        github_token(),
    ];
    let all_well = checks.iter().all(|check| check.verdict != Verdict::Problem);
    match format {
        Format::Text => output.text(&checks.iter().map(line).collect::<String>())?,
        Format::Json => {
            output.json(&json!({ "ok": all_well, "checks": checks.iter().map(to_json).collect::<Vec<_>>() }))?;
        }
    }
    if all_well { Ok(()) } else { Err(Failure::Said) }
}

fn line(check: &Check) -> String {
    let mark = match check.verdict {
        Verdict::Good => "ok",
        Verdict::Notice => "note",
        Verdict::Problem => "problem",
    };
    format!("{mark:>7}  {}: {}\n", check.name, check.detail)
}

fn to_json(check: &Check) -> Value {
    json!({ "name": check.name, "ok": check.verdict != Verdict::Problem, "detail": check.detail })
}

/// Whether this binary has the tools that it should, and can serve them.
fn tools(clock: &Clock) -> Check {
    let name = "tools";
    let registry = match Registry::collect() {
        Ok(registry) => registry,
        Err(error) => return Check::problem(name, error.to_string()),
    };
    if let Err(missing) = contract::require_roster(&registry) {
        return Check::problem(name, missing.to_string());
    }
    let forwarder = Forwarder::new(CliEnvironment::of_process(), clock.clone());
    let slice = serve::stdio::slice();
    if let Err(missing) = registry.require_provided_beside(&forwarder, &slice, &serve::of_process()) {
        return Check::problem(name, missing.to_string());
    }
    let mut local = registry.list_tool_definitions(&slice);
    local.retain(|tool| !forwarder.answers(tool));
    Check::good(name, format!("{} in this binary, {} of them local", registry.len(), local.len()))
}

fn git_program(workspace: &Workspace) -> Check {
    let name = "git";
    let found = Command::new("git")
        .arg("--version")
        .env_clear()
        .env("PATH", &workspace.surroundings.search_path)
        .env("LC_ALL", "C")
        .output();
    let Ok(said) = found else { return Check::problem(name, "no `git` on the search path; install it") };
    let said = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    match version(&said) {
        Some(version) if version >= OLDEST_GIT => Check::good(name, said),
        Some(_) => {
            Check::notice(name, format!("{said} is older than {}.{}, which nobody tried", OLDEST_GIT.0, OLDEST_GIT.1))
        }
        None => Check::notice(name, "`git --version` says something unknown"),
    }
}

/// `git version 2.47.3` as its first two numbers.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.strip_prefix("git version ")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn working_tree(workspace: &Workspace) -> Check {
    let name = "working tree";
    let read = workspace
        .directory(None)
        .and_then(|directory| git::read(&ReadRequest { directory, ..ReadRequest::default() }, &workspace.surroundings));
    match read {
        Ok(tree) => {
            let branch = tree.branch_name.unwrap_or_else(|| "a detached HEAD".to_owned());
            Check::good(name, format!("{} on {branch}, {} changed files", tree.repo_full_name, tree.totals.files))
        }
        // Standing somewhere else is no fault of the machine, and neither is a repository that is not on GitHub.
        Err(error) if matches!(error.reason, GitReason::NotARepository | GitReason::NoRemote) => {
            Check::notice(name, error.message)
        }
        Err(error) => Check::problem(name, format!("{} ({})", error.message, error.reason.as_str())),
    }
}

fn configuration(environment: &CliEnvironment, clock: &Clock) -> Check {
    let name = "configuration";
    let request = config::Request {
        environment: &environment.environment,
        home: environment.home.as_deref(),
        profile: None,
        now: clock.now(),
    };
    let Ok(cli) = config::resolve(&request) else {
        return Check::problem(
            name,
            "LOOPOVER_PROFILE is no profile name: 1 to 64 of a-z 0-9 . _ -, a letter or digit first",
        );
    };
    if let Some(problem) = cli.file_problem {
        let what = match problem {
            FileProblem::Unreadable => "cannot be read; check its permissions",
            FileProblem::NotAFile => "is no file; put a JSON file in its place",
            FileProblem::TooLarge => "is larger than 1 MiB; it cannot be right",
            FileProblem::NotAnObject => "is no JSON object; mend or remove it",
        };
        return Check::problem(name, format!("the configuration file {what}"));
    }
    // Whoever names a file means one that is there; at the usual place none is as good as an empty one.
    if environment
        .environment
        .get("LOOPOVER_CONFIG_PATH")
        .is_some_and(|path| !path.is_empty() && !Path::new(path).exists())
    {
        return Check::problem(name, "LOOPOVER_CONFIG_PATH names no file; correct it, or unset it for the usual place");
    }
    if let Err(wrong) = forward::check(&cli.api_url) {
        return Check::problem(name, wrong);
    }
    let token = match cli.profile.token_source {
        TokenSource::Environment => "a token from the environment",
        TokenSource::Profile => "a token from the profile",
        TokenSource::None => "no token, which local tools do not need",
    };
    let found = format!("profile {}, API {}, {token}", cli.profile.name, cli.api_url);
    let is_asked_for =
        environment.environment.get("LOOPOVER_PROFILE").is_some_and(|profile| !profile.trim().is_empty());
    if is_asked_for && !cli.profile.configured {
        let advice = "LOOPOVER_PROFILE names a profile that the configuration file does not have; correct or unset it";
        return Check::notice(name, format!("{found}; {advice}"));
    }
    Check::good(name, found)
}

/// Whether the store of repository data can be read, where there is one.
fn forge_store() -> Check {
    let name = "forge store";
    let place = match Place::of_process(None) {
        Ok(place) => place,
        Err(error @ PlaceError::Nowhere) => return Check::notice(name, error.to_string()),
        Err(error) => return Check::problem(name, format!("LOOPOVER_STORE: {error}")),
    };
    match forge::reading(place.path()).read(|reader| reader.repositories(None, 1)) {
        Err(error) if error.reason == ForgeReason::Missing => {
            Check::notice(name, "there is none yet; `loopover import` and `loopover sync` make it")
        }
        Ok(first) if first.is_empty() => Check::good(name, "can be read, and is empty"),
        Ok(_) => Check::good(name, "can be read"),
        Err(error) => Check::problem(name, error.to_string()),
    }
}

/// Whether `loopover sync` has a token; what it is worth only GitHub could say.
fn github_token() -> Check {
    let name = "github token";
    match super::sync::token() {
        Ok(Some(_)) => Check::good(name, format!("{} is set", super::sync::TOKEN)),
        Ok(None) => Check::notice(
            name,
            format!("{} is not set, so `loopover sync` sees public repositories alone", super::sync::TOKEN),
        ),
        Err(wrong) => Check::problem(name, wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_version_is_its_first_two_numbers() {
        assert_eq!(version("git version 2.47.3"), Some((2, 47)));
        assert_eq!(version("git version 2.30.windows.1"), Some((2, 30)));
        assert_eq!(version("hub version 2"), None);
    }
}
