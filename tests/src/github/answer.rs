//! What the small GitHub answers: which list a path means, a page of it, and whether the asker has it already.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::{Value, json};

use super::Question;
use super::world::{Repo, World};

/// Records a page, whatever is asked for.
const PAGE: usize = 2;

/// An answer before it is bytes.
pub(super) struct Answer {
    pub(super) status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Answer {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let headers: String = self.headers.iter().map(|(name, value)| [name, ": ", value, "\r\n"].concat()).collect();
        let (status, length, body) = (self.status, self.body.len(), &self.body);
        format!("HTTP/1.1 {status} Whatever\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes()
    }

    /// The head and half of the body that it promises.
    pub(super) fn cut_off(&self) -> Vec<u8> {
        let mut bytes = self.bytes();
        bytes.truncate(bytes.len() - self.body.len().div_ceil(2));
        bytes
    }

    pub(super) fn with_half_a_body(mut self) -> Self {
        self.body.truncate(self.body.len() / 2);
        self
    }

    pub(super) fn into_last_one(mut self, reset: u64) -> Self {
        self.headers.retain(|(name, _)| !name.starts_with("x-ratelimit"));
        self.headers.push(("x-ratelimit-remaining", "0".to_owned()));
        self.headers.push(("x-ratelimit-reset", reset.to_string()));
        self
    }
}

pub(super) fn empty(status: u16) -> Answer {
    Answer { status, headers: Vec::new(), body: "<html>the edge says no</html>".to_owned() }
}

pub(super) fn redirect(target: &str) -> Answer {
    Answer { status: 301, headers: vec![("location", target.to_owned())], body: "{}".to_owned() }
}

pub(super) fn primary(reset: u64) -> Answer {
    let body = json!({ "message": "API rate limit exceeded" }).to_string();
    Answer { status: 403, headers: Vec::new(), body }.into_last_one(reset)
}

pub(super) fn secondary(seconds: u64) -> Answer {
    let body = json!({ "message": "You have exceeded a secondary rate limit" }).to_string();
    Answer { status: 429, headers: vec![("retry-after", seconds.to_string())], body }
}

fn refusal(status: u16, message: &str) -> Answer {
    let body = json!({ "message": message, "documentation_url": "https://docs.github.com" }).to_string();
    Answer { status, headers: vec![("x-ratelimit-remaining", "4000".to_owned())], body }
}

pub(super) fn answer(world: &mut World, question: &Question) -> Answer {
    let base = question.base.as_str();
    let (path, query) = question.target.split_once('?').unwrap_or((&question.target, ""));
    let query: BTreeMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    if path == "/search/issues" {
        return found(world, query.get("q").copied().unwrap_or_default());
    }
    if let Some(id) = path.strip_prefix("/repositories/") {
        let repo = world.repos.iter().find(|repo| id == repo.name.replace('/', "-"));
        return repo.map_or_else(|| refusal(404, "Not Found"), |repo| whole(&repo.to_json(base), question));
    }
    let Some((name, rest)) = path.strip_prefix("/repos/").and_then(split_name) else {
        return refusal(404, "Not Found");
    };
    if let Some(new) = world.moved.get(&name.to_lowercase()) {
        return redirect(&format!("{base}/repositories/{}", new.replace('/', "-")));
    }
    match world.repos.iter().find(|repo| repo.name.eq_ignore_ascii_case(name)) {
        Some(repo) => of_repo(world, repo, rest, &query, question, base),
        None => refusal(404, "Not Found"),
    }
}

fn split_name(path: &str) -> Option<(&str, &str)> {
    let slash = path.find('/')?;
    let end = path[slash + 1..].find('/').map_or(path.len(), |end| slash + 1 + end);
    Some((&path[..end], path[end..].trim_start_matches('/')))
}

fn of_repo(
    world: &World,
    repo: &Repo,
    rest: &str,
    query: &BTreeMap<&str, &str>,
    question: &Question,
    base: &str,
) -> Answer {
    let page = |items: Vec<Value>| page(items, query, question, base, None);
    let pull = |number: &str| repo.pulls.iter().find(|pull| pull.number.to_string() == number);
    let at = |head: &str| repo.pulls.iter().find(|pull| pull.head() == head);
    let parts: Vec<&str> = rest.splitn(3, '/').collect();
    match parts.as_slice() {
        [""] => whole(&repo.to_json(base), question),
        ["labels"] => page(repo.labels_json(base)),
        ["issues"] if repo.has_no_issues => refusal(410, "Issues are disabled for this repo"),
        ["issues"] => page(sorted(repo.issues_json(base), query)),
        ["pulls"] => page(sorted(repo.pulls_json(base), query)),
        ["pulls", number, list @ ("files" | "reviews")] => match pull(number) {
            Some(pull) if *list == "files" => page(pull.files_json(base, &repo.name)),
            Some(pull) => page(pull.reviews_json(base, &repo.name)),
            None => refusal(404, "Not Found"),
        },
        ["commits", head, list @ ("check-runs" | "statuses")] => match at(head) {
            Some(_) if world.hides_checks => refusal(403, "Resource not accessible by personal access token"),
            Some(pull) if *list == "check-runs" => {
                let checks = pull.checks_json(base, &repo.name);
                self::page(checks, query, question, base, Some("check_runs"))
            }
            Some(pull) => page(pull.statuses_json(base, &repo.name)),
            None => refusal(422, "No commit found for SHA"),
        },
        ["contents", path @ ..] => match repo.content_json(base, &path.join("/")) {
            Some(content) => whole(&content, question),
            None => refusal(404, "Not Found"),
        },
        _ => refusal(404, "Not Found"),
    }
}

fn sorted(mut items: Vec<(bool, u64, u64, Value)>, query: &BTreeMap<&str, &str>) -> Vec<Value> {
    match query.get("state").copied() {
        Some("all") => {}
        Some("closed") => items.retain(|(is_open, ..)| !is_open),
        _ => items.retain(|(is_open, ..)| *is_open),
    }
    let by_update = query.get("sort") == Some(&"updated");
    items.sort_by_key(|(_, number, updated, _)| if by_update { (*updated, *number) } else { (*number, 0) });
    if query.get("direction") != Some(&"asc") {
        items.reverse();
    }
    items.into_iter().map(|(.., value)| value).collect()
}

fn page(
    items: Vec<Value>,
    query: &BTreeMap<&str, &str>,
    question: &Question,
    base: &str,
    wrapper: Option<&str>,
) -> Answer {
    let number: usize = query.get("page").and_then(|page| page.parse().ok()).unwrap_or(1);
    let count = items.len();
    let last = count.div_ceil(PAGE).max(1);
    let on_page: Vec<Value> = items.into_iter().skip((number - 1) * PAGE).take(PAGE).collect();
    let body = match wrapper {
        Some(name) => json!({ "total_count": count, name: on_page }),
        None => json!(on_page),
    };
    let mut answer = whole(&body, question);
    if number < last {
        let target = question.target.split("&page=").next().unwrap_or_default();
        let next = number + 1;
        let link = format!("<{base}{target}&page={next}>; rel=\"next\", <{base}{target}&page={last}>; rel=\"last\"");
        answer.headers.push(("link", link));
    }
    answer
}

/// The value, or that the asker has it.
fn whole(value: &Value, question: &Question) -> Answer {
    let body = value.to_string();
    let mut hasher = DefaultHasher::new();
    // The same on every port.
    body.replace(&question.base, "").hash(&mut hasher);
    let etag = format!("W/\"{:x}\"", hasher.finish());
    let is_known = question.if_none_match.as_deref() == Some(&etag);
    let headers = vec![
        ("content-type", "application/json; charset=utf-8".to_owned()),
        ("etag", etag),
        ("x-ratelimit-remaining", "4000".to_owned()),
        ("x-ratelimit-reset", "1".to_owned()),
    ];
    if is_known {
        return Answer { status: 304, headers, body: String::new() };
    }
    Answer { status: 200, headers, body }
}

fn found(world: &World, query: &str) -> Answer {
    if world.has_no_search {
        return refusal(422, "Validation Failed");
    }
    let words: Vec<String> =
        query.replace("%3A", ":").replace("%2F", "/").split(['+', ' ']).map(str::to_owned).collect();
    let repo = words.iter().find_map(|word| word.strip_prefix("repo:"));
    let Some(repo) = world.repos.iter().find(|candidate| Some(candidate.name.as_str()) == repo) else {
        return refusal(422, "Validation Failed");
    };
    let has = |word: &str| words.iter().any(|own| own == word);
    let count = if has("type:issue") {
        repo.issues.iter().filter(|issue| issue.2).count()
    } else {
        let wanted = if has("is:merged") {
            "merged"
        } else if has("state:open") {
            "open"
        } else {
            "closed"
        };
        repo.pulls.iter().filter(|pull| pull.state == wanted).count()
    };
    let body = json!({ "total_count": count, "incomplete_results": false, "items": [] }).to_string();
    Answer { status: 200, headers: vec![("x-ratelimit-remaining", "29".to_owned())], body }
}
