//! Where a list of tools is read from: a file, stdin, a revision in git, a live server, this program.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use contract_core::evolution::{ToolList, read_document};
use contract_core::projection::mcp;
use contract_core::{Registry, ToolFilter};
use serde_json::Value;

use super::{Failure, escape};
use crate::serve::forward::listing;

/// A list longer than this is refused rather than read.
const LONGEST: u64 = 64 << 20;

/// A place that holds a list of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
    Git { revision: String, path: String },
    Server(String),
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "-" {
            return Ok(Self::Stdin);
        }
        if text.is_empty() {
            return Err("expected a file, - for stdin, git:REVISION:PATH, or the URL of a server".to_owned());
        }
        if let Some(rest) = text.strip_prefix("git:") {
            return match rest.split_once(':') {
                Some((revision, path)) if !revision.is_empty() && !revision.starts_with('-') && !path.is_empty() => {
                    Ok(Self::Git { revision: revision.to_owned(), path: path.to_owned() })
                }
                _ => Err(format!(
                    "expected git:REVISION:PATH, such as git:HEAD~1:contract-tools/contract.json; a file of this name is ./{text}"
                )),
            };
        }
        match text.split_once("://") {
            Some((scheme, _)) if ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) => {
                Ok(Self::Server(text.to_owned()))
            }
            Some((scheme, _))
                if scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character)) =>
            {
                Err(format!(
                    "no server lists its tools over {scheme}; expected an http:// or https:// URL, a file, - for stdin, or \
                     git:REVISION:PATH"
                ))
            }
            _ => Ok(Self::File(text.into())),
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stdin => f.write_str("stdin"),
            Self::File(path) => path.display().fmt(f),
            Self::Git { revision, path } => write!(f, "{path} at {revision}"),
            Self::Server(url) => f.write_str(&shown(url)),
        }
    }
}

/// An address without what may be a credential: the part before `@` and the query.
fn shown(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    format!("{scheme}://{}{path}", authority.rsplit('@').next().unwrap_or_default())
}

/// That nothing could be compared is another thing than that something breaks: it has its own exit code.
pub(super) fn unreadable(source: impl std::fmt::Display, why: impl std::fmt::Display) -> Failure {
    Failure::Usage(escape::line(&format!("cannot read a list of tools from {source}: {why}")))
}

impl Source {
    /// Reads the list; `token` is for a server that asks for one.
    pub(crate) fn read(&self, token: Option<&str>) -> Result<ToolList, Failure> {
        let list = match self {
            Self::Server(_) => ToolList::read(&self.document(token)?),
            Self::Stdin | Self::File(_) | Self::Git { .. } => ToolList::read_text(&self.text()?),
        };
        list.map_err(|why| unreadable(self, why))
    }

    /// Reads the document that should hold a list.
    pub(super) fn document(&self, token: Option<&str>) -> Result<Value, Failure> {
        if let Self::Server(url) = self {
            if let Err(error) = reqwest::Url::parse(url) {
                let why = format!("it is no URL: {error}; expected one such as http://127.0.0.1:8787/mcp");
                return Err(unreadable(self, why));
            }
            return listing::ask(url, token).map_err(|why| unreadable(self, why));
        }
        read_document(&self.text()?).map_err(|why| unreadable(self, why))
    }

    fn text(&self) -> Result<String, Failure> {
        self.bounded_text().map_err(|why| unreadable(self, why))
    }

    fn bounded_text(&self) -> Result<String, String> {
        match self {
            Self::Stdin => taken(std::io::stdin().lock()),
            Self::File(path) => text_of(path),
            Self::Git { revision, path } => in_git(revision, path),
            Self::Server(_) => Ok(String::new()),
        }
    }
}

/// What `file` says, if that is text and no longer than a list may be.
pub(super) fn text_of(file: &Path) -> Result<String, String> {
    taken(std::fs::File::open(file).map_err(|error| error.to_string())?)
}

fn taken(from: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    from.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    checked(bytes)
}

fn checked(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.len() as u64 > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    String::from_utf8(bytes).map_err(|_| "it is no UTF-8".to_owned())
}

/// The file as git keeps it: plumbing, so that no filter, pager or text conversion of the repository runs.
fn in_git(revision: &str, path: &str) -> Result<String, String> {
    let output = Command::new("git")
        .args(["--no-pager", "--no-replace-objects", "cat-file", "blob", &format!("{revision}:{path}")])
        .envs([("LC_ALL", "C"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_OPTIONAL_LOCKS", "0"), ("GIT_NO_LAZY_FETCH", "1")])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("git does not start: {error}"))?;
    if output.status.success() {
        return checked(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().next().unwrap_or("git failed").to_owned())
}

/// The tools of this program.
pub(crate) fn of_registry(registry: &Registry) -> Result<ToolList, Failure> {
    Ok(ToolList::read(&document_of_registry(registry))?)
}

/// What this program lists.
pub(super) fn document_of_registry(registry: &Registry) -> Value {
    mcp::tools_list(&registry.list_tool_definitions(&ToolFilter::new()))
}

/// The credential in `file`, without the white space around it.
pub(crate) fn token(file: Option<&Path>) -> Result<Option<String>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let refuse = |why: &str| Failure::Usage(escape::line(&format!("cannot read {}: {why}", file.display())));
    let text = text_of(file).map_err(|why| refuse(&why))?;
    match text.trim() {
        "" => Err(refuse("it is empty; expected a credential")),
        token => Ok(Some(token.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn an_address_is_shown_without_its_credentials() {
        let shown = |url: &str| url.parse::<Source>().unwrap().to_string();
        assert_eq!(shown("https://user:p@ss@a.example:8/mcp?key=k#f"), "https://a.example:8/mcp");
        assert_eq!(shown("http://a.example"), "http://a.example");
    }

    #[test]
    fn a_place_is_told_by_how_it_begins() {
        let read = |text: &str| text.parse::<Source>();
        assert_eq!(read("-"), Ok(Source::Stdin));
        let in_git = Source::Git { revision: "HEAD~1".into(), path: "a/b.json".into() };
        assert_eq!(read("git:HEAD~1:a/b.json"), Ok(in_git));
        assert_eq!(read("./git:odd"), Ok(Source::File("./git:odd".into())));
        assert_eq!(read("http://127.0.0.1:1/mcp"), Ok(Source::Server("http://127.0.0.1:1/mcp".into())));
        assert_eq!(read("HTTP://127.0.0.1:1/mcp"), Ok(Source::Server("HTTP://127.0.0.1:1/mcp".into())));
        assert_eq!(read("tools.json"), Ok(Source::File("tools.json".into())));
        for wrong in ["", "git:odd", "git:", "git::a", "git:-x:a", "ftp://a.example/tools"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
