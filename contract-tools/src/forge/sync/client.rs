//! Asks the API one question at a time: waits for limits, asks again after faults that pass, follows moves on the same host.

use std::cell::Cell;
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, ETAG, IF_NONE_MATCH, LOCATION};
use http::{HeaderMap, StatusCode};
use reqwest::Url;
use reqwest::redirect::Policy;
use serde::de::IgnoredAny;
use tokio::sync::Mutex;

use super::limits::{Limit, LimitKind, limit_of, used_up};
use super::{News, Pause, Settings, SyncFailure, link};

/// What is sent with every question.
const MEDIA_TYPE: &str = "application/vnd.github+json";
const API_VERSION: (&str, &str) = ("x-github-api-version", "2022-11-28");

const CONNECT: Duration = Duration::from_secs(10);
/// The longest silence in the middle of an answer.
const SILENCE: Duration = Duration::from_mins(1);
/// The largest answer: a page of a hundred pull requests with the longest texts is far below.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// How often a question is asked before its fault counts.
const MOST_TRIES: u32 = 5;
/// The same where nobody answers at all.
const MOST_KNOCKS: u32 = 3;
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
/// How often one question waits for a limit.
const MOST_WAITS: u32 = 20;
const MOST_MOVES: u32 = 3;

/// What came back.
#[derive(Debug)]
pub(super) enum Answer {
    /// A page, which is whole JSON.
    Page(Page),
    /// The same as when its `ETag` was noted.
    Unchanged,
    /// Nothing of that kind: it is not there, not shown, or cannot be.
    Absent(u16),
    /// The token may not see it.
    Refused,
}

/// One page of an answer.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) body: String,
    pub(super) etag: Option<String>,
    pub(super) next: Option<Url>,
}

/// Who hears of waits.
pub(super) type Tell<'t> = &'t dyn Fn(News<'_>);

/// Asks the API.
pub(super) struct Client<'s> {
    http: reqwest::Client,
    settings: &'s Settings,
    pause: &'s dyn Pause,
    gate: Mutex<Gate>,
    answers: Cell<u64>,
    unchanged: Cell<u64>,
}

/// What every question passes through, so that one wait is enough for all that are open.
#[derive(Default)]
struct Gate {
    /// Grows with every wait.
    waited: u64,
    /// Limits that are known to be reached: of the API, and of its search, which counts on its own.
    reached: [Option<Limit>; 2],
}

/// An answer as it came.
struct Raw {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl<'s> Client<'s> {
    pub(super) fn new(settings: &'s Settings, pause: &'s dyn Pause) -> Result<Self, SyncFailure> {
        // Which cryptography is used is the program's choice; somebody may have made it before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .user_agent(concat!("loopover/", env!("CARGO_PKG_VERSION")));
        if settings.address.is_plain_loopback() {
            // No proxy gets to see a token in the clear, and there are no certificates to look for.
            builder = builder.no_proxy().tls_certs_only(std::iter::empty());
        } else {
            builder = builder.https_only(true);
        }
        let http = builder.build().map_err(|_| SyncFailure::NoClient)?;
        let gate = Mutex::new(Gate::default());
        Ok(Self { http, settings, pause, gate, answers: Cell::new(0), unchanged: Cell::new(0) })
    }

    pub(super) fn pause(&self) -> &dyn Pause {
        self.pause
    }

    /// How many questions were answered, and how many of the answers said "as before".
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.answers.get(), self.unchanged.get())
    }

    /// Asks for the address; with an `ETag` only whether there is anything new.
    pub(super) async fn get(&self, url: Url, etag: Option<&str>, tell: Tell<'_>) -> Result<Answer, SyncFailure> {
        let mut url = url;
        let (mut tries, mut waits, mut moves) = (0, 0, 0);
        loop {
            if !self.settings.address.owns(&url) {
                return Err(SyncFailure::Elsewhere);
            }
            let resource = usize::from(url.path().contains("/search/"));
            let waited = self.pass_gate(resource, tell).await?;
            let failure = match self.ask(&url, etag).await {
                Ok(raw) => {
                    if let Some(limit) = limit_of(raw.status, &raw.headers, &raw.body, self.pause.now(), waits) {
                        waits += 1;
                        if waits > MOST_WAITS {
                            return Err(SyncFailure::RateLimited { wait: limit.wait });
                        }
                        let mut gate = self.gate.lock().await;
                        // Somebody else may have waited for the same limit meanwhile.
                        if gate.waited == waited {
                            self.wait(limit, tell).await?;
                            gate.waited += 1;
                        }
                        continue;
                    }
                    if let Some(target) = moved(&url, &raw) {
                        moves += 1;
                        if moves > MOST_MOVES {
                            return Err(SyncFailure::TooManyRedirects);
                        }
                        url = target;
                        continue;
                    }
                    match self.understand(raw, etag.is_some(), resource).await {
                        Ok(answer) => return Ok(answer),
                        Err(failure) => failure,
                    }
                }
                Err(failure) => failure,
            };
            tries += 1;
            let most = if failure == SyncFailure::Unreachable { MOST_KNOCKS } else { MOST_TRIES };
            if !failure.is_passing() || tries >= most {
                return Err(failure);
            }
            let wait = FIRST_BACKOFF * 2u32.saturating_pow(tries - 1);
            tell(News::Retrying { wait, failure: &failure });
            self.pause.pass(wait).await;
        }
    }

    /// Waits for a limit that is known to be reached; how many waits there were.
    async fn pass_gate(&self, resource: usize, tell: Tell<'_>) -> Result<u64, SyncFailure> {
        let mut gate = self.gate.lock().await;
        if let Some(limit) = gate.reached[resource].take() {
            self.wait(limit, tell).await?;
            gate.waited += 1;
        }
        Ok(gate.waited)
    }

    async fn wait(&self, limit: Limit, tell: Tell<'_>) -> Result<(), SyncFailure> {
        if limit.wait > self.settings.patience {
            return Err(SyncFailure::RateLimited { wait: limit.wait });
        }
        let now = self.pause.now();
        tell(News::Waiting { wait: limit.wait, kind: limit.kind, until: now.checked_add(limit.wait).unwrap_or(now) });
        self.pause.pass(limit.wait).await;
        Ok(())
    }

    async fn ask(&self, url: &Url, etag: Option<&str>) -> Result<Raw, SyncFailure> {
        let mut request = self.http.get(url.clone()).header(ACCEPT, MEDIA_TYPE).header(API_VERSION.0, API_VERSION.1);
        if let Some(token) = &self.settings.token {
            request = request.header(AUTHORIZATION, token.header());
        }
        if let Some(etag) = etag {
            request = request.header(IF_NONE_MATCH, etag);
        }
        let mut response = request.send().await.map_err(|error| fault(&error))?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| fault(&error))? {
            if body.len() + chunk.len() > MOST_BYTES {
                return Err(SyncFailure::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        self.answers.set(self.answers.get() + 1);
        let body = String::from_utf8(body).unwrap_or_default();
        Ok(Raw { status, headers, body })
    }

    /// What an answer means that is neither a limit nor a move.
    async fn understand(&self, raw: Raw, is_conditional: bool, resource: usize) -> Result<Answer, SyncFailure> {
        let Raw { status, headers, body } = raw;
        match status.as_u16() {
            200 => {
                if serde_json::from_str::<IgnoredAny>(&body).is_err() {
                    return Err(SyncFailure::NotJson);
                }
                if let Some(wait) = used_up(&headers, self.pause.now()) {
                    let limit = Limit { kind: LimitKind::Primary, wait };
                    self.gate.lock().await.reached[resource] = Some(limit);
                }
                let etag = headers.get(ETAG).and_then(|etag| etag.to_str().ok()).map(str::to_owned);
                Ok(Answer::Page(Page { body, etag, next: link::next(&headers) }))
            }
            304 if is_conditional => {
                self.unchanged.set(self.unchanged.get() + 1);
                Ok(Answer::Unchanged)
            }
            401 if self.settings.token.is_some() => Err(SyncFailure::Unauthorized),
            401 => Err(SyncFailure::TokenNeeded),
            403 => Ok(Answer::Refused),
            status @ (404 | 409 | 410 | 422 | 451) => Ok(Answer::Absent(status)),
            status @ 500..=599 => Err(SyncFailure::ServerFault(status)),
            status => Err(SyncFailure::Unexpected(status)),
        }
    }
}

/// Where an answer points to.
fn moved(url: &Url, raw: &Raw) -> Option<Url> {
    let is_move = matches!(raw.status.as_u16(), 301 | 302 | 307 | 308);
    let location = raw.headers.get(LOCATION).filter(|_| is_move)?.to_str().ok()?;
    url.join(location).ok()
}

fn fault(error: &reqwest::Error) -> SyncFailure {
    if error.is_timeout() {
        SyncFailure::TimedOut
    } else if error.is_connect() {
        SyncFailure::Unreachable
    } else {
        SyncFailure::Dropped
    }
}
