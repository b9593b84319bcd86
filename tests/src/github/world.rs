//! What the small GitHub knows: repositories with labels, issues, pull requests and files, and the JSON of each.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Everything it knows.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The repositories.
    pub repos: Vec<Repo>,
    /// Old names, and the new one of each.
    pub moved: BTreeMap<String, String>,
    /// Whether its search answers.
    pub has_no_search: bool,
    /// Whether checks may be seen.
    pub hides_checks: bool,
}

/// One repository.
#[derive(Clone, Debug, Default)]
pub struct Repo {
    /// `owner/name`.
    pub name: String,
    /// When it last changed.
    pub updated: u64,
    /// Names of its labels.
    pub labels: Vec<String>,
    /// Number, text, whether it is open, and when it last changed, of each issue.
    pub issues: Vec<(u64, String, bool, u64)>,
    /// Its pull requests.
    pub pulls: Vec<Pull>,
    /// Files on its default branch.
    pub files: BTreeMap<String, String>,
    /// Whether issues are turned off.
    pub has_no_issues: bool,
}

/// A pull request.
#[derive(Clone, Debug, Default)]
pub struct Pull {
    /// Its number.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// `open`, `closed` or `merged`.
    pub state: &'static str,
    /// How often something was pushed to it.
    pub pushes: u64,
    /// When it last changed.
    pub updated: u64,
    /// Reviews: number and verdict.
    pub reviews: Vec<(u64, &'static str)>,
    /// How its checks ended.
    pub checks: Vec<&'static str>,
}

impl World {
    /// A repository `acme/widgets` with enough in it that everything takes several pages of two.
    pub fn widgets() -> Self {
        let mut repo = Repo { name: "acme/widgets".to_owned(), updated: 1, ..Repo::default() };
        repo.labels = ["bug", "feature", "docs", "good first issue", "help wanted"].map(str::to_owned).to_vec();
        repo.issues = (1..=5).map(|number| (number, format!("Issue {number}"), true, number)).collect();
        for number in 11..=20 {
            let state = match number {
                11..=14 => "open",
                15..=18 => "merged",
                _ => "closed",
            };
            repo.pulls.push(Pull {
                number,
                title: format!("Change {number}"),
                state,
                pushes: 1,
                updated: number,
                reviews: vec![(number * 10, "APPROVED"), (number * 10 + 1, "COMMENTED"), (number * 10 + 2, "APPROVED")],
                checks: vec!["success", "failure", "success"],
            });
        }
        repo.files.insert(".loopover.yml".to_owned(), "linkedIssuePolicy: required\n".to_owned());
        Self { repos: vec![repo], ..Self::default() }
    }

    /// The first repository.
    ///
    /// # Panics
    /// When there is none.
    pub fn first(&mut self) -> &mut Repo {
        self.repos.first_mut().expect("a repository")
    }
}

impl Pull {
    /// The commit at its head.
    pub fn head(&self) -> String {
        format!("{:040x}", self.number * 1000 + self.pushes)
    }
}

/// A moment so many minutes after the beginning of 2026, in its first two months.
pub(crate) fn moment(minutes: u64) -> String {
    let day = minutes / 1440;
    format!("2026-{:02}-{:02}T{:02}:{:02}:00Z", 1 + day / 31, 1 + day % 31, minutes / 60 % 24, minutes % 60)
}

const PULL_BODY: &str = "Fixes #1";

fn user() -> Value {
    json!({ "login": "ada", "id": 7 })
}

impl Repo {
    pub(crate) fn to_json(&self, base: &str) -> Value {
        let (owner, name) = self.name.split_once('/').unwrap_or_default();
        json!({
            "id": 1,
            "name": name,
            "full_name": self.name,
            "owner": { "login": owner },
            "private": false,
            "html_url": format!("https://github.com/{}", self.name),
            "url": format!("{base}/repos/{}", self.name),
            "default_branch": "main",
            "updated_at": moment(self.updated),
        })
    }

    pub(crate) fn labels_json(&self, base: &str) -> Vec<Value> {
        let url = |name: &str| format!("{base}/repos/{}/labels/{}", self.name, name.replace(' ', "%20"));
        let label = |name: &String| json!({ "id": 1, "url": url(name), "name": name, "color": "ededed", "default": false, "description": null });
        self.labels.iter().map(label).collect()
    }

    /// Issues and, as GitHub has it, pull requests among them.
    pub(crate) fn issues_json(&self, base: &str) -> Vec<(bool, u64, u64, Value)> {
        let common = |number: u64, title: &str, is_open: bool, updated: u64, kind: &str| {
            json!({
                "url": format!("{base}/repos/{}/issues/{number}", self.name),
                "repository_url": format!("{base}/repos/{}", self.name),
                "html_url": format!("https://github.com/{}/{kind}/{number}", self.name),
                "number": number,
                "title": title,
                "user": user(),
                "labels": [{ "name": "bug" }],
                "state": if is_open { "open" } else { "closed" },
                "author_association": "CONTRIBUTOR",
                "created_at": moment(number),
                "updated_at": moment(updated),
                "body": "What it is about",
            })
        };
        let mut all: Vec<_> = self
            .issues
            .iter()
            .map(|(number, title, is_open, updated)| {
                (*is_open, *number, *updated, common(*number, title, *is_open, *updated, "issues"))
            })
            .collect();
        all.extend(self.pulls.iter().map(|pull| {
            let is_open = pull.state == "open";
            let mut value = common(pull.number, &pull.title, is_open, pull.updated, "pull");
            value["pull_request"] = json!({ "merged_at": pull.merged_at() });
            // The same as the list of pull requests says.
            value["labels"] = json!([]);
            value["body"] = json!(PULL_BODY);
            (is_open, pull.number, pull.updated, value)
        }));
        all
    }

    pub(crate) fn pulls_json(&self, base: &str) -> Vec<(bool, u64, u64, Value)> {
        let one = |pull: &Pull| {
            let is_open = pull.state == "open";
            let value = json!({
                "url": format!("{base}/repos/{}/pulls/{}", self.name, pull.number),
                "html_url": format!("https://github.com/{}/pull/{}", self.name, pull.number),
                "number": pull.number,
                "title": pull.title,
                "user": user(),
                "labels": [],
                "state": if is_open { "open" } else { "closed" },
                "author_association": "CONTRIBUTOR",
                "body": PULL_BODY,
                "draft": false,
                "head": { "sha": pull.head(), "ref": "topic" },
                "base": { "ref": "main", "repo": self.to_json(base) },
                "created_at": moment(pull.number),
                "updated_at": moment(pull.updated),
                "merged_at": pull.merged_at(),
            });
            (is_open, pull.number, pull.updated, value)
        };
        self.pulls.iter().map(one).collect()
    }

    pub(crate) fn content_json(&self, base: &str, path: &str) -> Option<Value> {
        let content = self.files.get(path)?;
        let url = format!("{base}/repos/{}/contents/{path}?ref=main", self.name);
        Some(json!({
            "name": path, "path": path, "sha": "0".repeat(40), "size": content.len(), "type": "file",
            "url": url, "html_url": format!("https://github.com/{}/blob/main/{path}", self.name), "git_url": url,
            "content": base64(content.as_bytes()), "encoding": "base64",
        }))
    }
}

impl Pull {
    fn merged_at(&self) -> Option<String> {
        (self.state == "merged").then(|| moment(self.updated))
    }

    pub(crate) fn files_json(&self, base: &str, repo: &str) -> Vec<Value> {
        let file = |index: u64| {
            let path = format!("src/part-{}-{index}.rs", self.number);
            json!({
                "sha": "0".repeat(40), "filename": path, "status": "modified",
                "additions": index + 1, "deletions": index, "changes": 2 * index + 1,
                "contents_url": format!("{base}/repos/{repo}/contents/{path}?ref={}", self.head()),
            })
        };
        (0..3).map(file).collect()
    }

    pub(crate) fn reviews_json(&self, base: &str, repo: &str) -> Vec<Value> {
        let review = |(id, state): &(u64, &str)| {
            json!({
                "id": id, "user": user(), "state": state, "body": "", "submitted_at": moment(*id),
                "pull_request_url": format!("{base}/repos/{repo}/pulls/{}", self.number),
            })
        };
        self.reviews.iter().map(review).collect()
    }

    pub(crate) fn checks_json(&self, base: &str, repo: &str) -> Vec<Value> {
        let check = |(index, conclusion): (usize, &&str)| {
            let id = self.number * 100 + index as u64;
            json!({
                "id": id, "name": format!("check {index}"), "head_sha": self.head(), "status": "completed",
                "conclusion": conclusion, "started_at": moment(id), "completed_at": moment(id + 1),
                "url": format!("{base}/repos/{repo}/check-runs/{id}"),
            })
        };
        self.checks.iter().enumerate().map(check).collect()
    }

    pub(crate) fn statuses_json(&self, base: &str, repo: &str) -> Vec<Value> {
        vec![json!({
            "id": self.number, "context": "ci/old", "state": "success", "description": null,
            "url": format!("{base}/repos/{repo}/statuses/{}", self.head()),
            "created_at": moment(self.number), "updated_at": moment(self.number),
        })]
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = usize::try_from(word >> (18 - 6 * place) & 63).unwrap_or_default();
            text.push(if place <= chunk.len() { char::from(DIGITS[digit]) } else { '=' });
        }
    }
    text
}
