//! MCP's Streamable HTTP, at one path: frames in POST bodies, answers as JSON or as a stream of events.
//!
//! POST → headers → body → `read_frame` → `Relay` → rmcp → `Relay` → an event log → the answer. rmcp runs the protocol and
//! sees no frame that was not read here first; its own HTTP server is not used, since it loses an answer whose connection
//! broke (rust-sdk#958), keeps abandoned sessions without a bound (#1244), lets one client that reads nothing block its
//! whole session, and gives ids back as it understood them.
//!
//! - Revision 2026-07-28 has no sessions: each request is a conversation of its own, and its end is the end of its
//!   connection. A client that goes away cancels what it asked for.
//! - Before it, `initialize` opens a session. There a broken connection cancels nothing: the client may come back for the
//!   answer with `Last-Event-ID`. What bounds a call then is its deadline, and the end of the session.

mod conversation;
mod event_log;
mod headers;
mod meta;
mod post;
mod reply;
mod session;
mod table;

pub use self::session::SessionLimits;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use axum::routing::any;
use contract_core::rmcp::RegistryServer;
use contract_core::{BoxFuture, Caller};
use http::{HeaderMap, Method, Request, StatusCode};
use rmcp::ServerHandler;
use tokio_util::sync::CancellationToken;

use self::conversation::Begin;
use self::headers::{Owner, Revision, accepts, last_event, revision, session_id};
use self::reply::Refused;
use self::table::Sessions;
use super::Refusal;
use super::body::Room;
use super::connection::Listens;

/// The longest body that is read.
pub const LONGEST_BODY: usize = 4 * 1024 * 1024;

/// What the bodies of all who have a credential may hold together, arriving and worked on each. Those without one share as
/// much again, so that strangers take none of it.
const ROOM: usize = 32 * 1024 * 1024;

/// Finds out who sends a request, by its `Authorization` header if it has one.
pub trait Identify: Send + Sync + 'static {
    /// Who that is.
    ///
    /// # Errors
    /// When there is a header and it stands for nobody, or that cannot be found out.
    fn identify(&self, authorization: Option<&str>) -> BoxFuture<Result<Caller, Unidentified>>;
}

/// Why nobody knows who sends a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unidentified {
    /// The credential stands for nobody, or no longer.
    WrongCredential,
    /// It cannot be found out now, since the store cannot be used; why, in one of the words of its errors.
    Unavailable(&'static str),
}

/// Who sent the request, among its extensions.
#[derive(Clone, Debug)]
struct Sender(Caller);

/// What the routes share.
struct Endpoint {
    begin: Box<Begin>,
    identify: Arc<dyn Identify>,
    sessions: Arc<Sessions>,
    room: Room,
    room_for_strangers: Room,
    ending: CancellationToken,
}

/// The server of a registry, which takes a request's sender for its caller.
pub fn known_by_sender(server: RegistryServer) -> RegistryServer {
    server.with_callers(|request| {
        request.extensions.get().map_or_else(Caller::anonymous, |Sender(caller)| caller.clone())
    })
}

/// The route `path`, where `server` is asked. Must be called inside the runtime; `ending` ends what never ends by itself.
pub fn routes(
    path: &str,
    server: impl ServerHandler + Clone,
    identify: Arc<dyn Identify>,
    limits: SessionLimits,
    ending: CancellationToken,
) -> Router {
    let sessions = Arc::new(Sessions::new(limits));
    tokio::spawn(ending.clone().run_until_cancelled_owned(Arc::clone(&sessions).sweep()));
    let (room, room_for_strangers) = (Room::new(ROOM), Room::new(ROOM));
    let endpoint = Endpoint { begin: conversation::with(server), identify, sessions, room, room_for_strangers, ending };
    Router::new().route(path, any(answer)).with_state(Arc::new(endpoint))
}

/// How a guard in front of the routes says no.
pub fn refuse(refusal: &Refusal) -> Response {
    Refused::from(*refusal).into_response()
}

async fn answer(State(endpoint): State<Arc<Endpoint>>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let answered = match parts.method {
        Method::POST => post::answer(&endpoint, &parts.headers, body).await,
        Method::GET => get(&endpoint, &parts.headers).await,
        Method::DELETE => delete(&endpoint, &parts.headers).await,
        _ => Err(Refused::method()),
    };
    answered.unwrap_or_else(Refused::into_response)
}

/// The stream of what the server says unasked, or the rest of one that broke off.
async fn get(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Response, Refused> {
    if !accepts(headers, "text", "event-stream") {
        return Err(Refused::new(StatusCode::NOT_ACCEPTABLE, "`Accept` must have text/event-stream"));
    }
    let (session, owner) = existing_session(endpoint, headers).await?;
    let vouched = Vouched {
        identify: Arc::clone(&endpoint.identify),
        authorization: headers::authorization(headers)?.map(str::to_owned),
        owner,
    };
    let events = match last_event(headers)? {
        None => session.listen(),
        Some((stream, index)) => session.resume(stream, index),
    };
    let events = events.map_err(Refused::from)?.until(endpoint.ending.clone());
    let mut response = reply::events(events, endpoint.sessions.keep_alive(), Some(vouched));
    response.extensions_mut().insert(Listens);
    Ok(response)
}

/// Who listens, to be asked about again: a credential may be revoked while its holder is connected.
struct Vouched {
    identify: Arc<dyn Identify>,
    authorization: Option<String>,
    owner: Owner,
}

impl Vouched {
    /// Whether it is still the one who came.
    async fn is_known(&self) -> bool {
        let authorization = self.authorization.as_deref();
        let caller = self.identify.identify(authorization).await;
        caller.is_ok_and(|caller| Owner::of(&caller, authorization) == self.owner)
    }
}

async fn delete(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Response, Refused> {
    let (session, _) = existing_session(endpoint, headers).await?;
    endpoint.sessions.remove(session.id());
    Ok(reply::empty(StatusCode::NO_CONTENT))
}

/// The session that a request without a body is about, and whose it is.
async fn existing_session(endpoint: &Endpoint, headers: &HeaderMap) -> Result<(Arc<session::Session>, Owner), Refused> {
    let (_, owner) = post::who(endpoint, headers).await?;
    match revision(headers)? {
        Some(Revision::Unknown(_)) => Err(Refused::unknown_revision()),
        Some(Revision::WithoutSessions) => Err(Refused::method()),
        Some(Revision::WithSessions) | None => {
            let id = session_id(headers)?.ok_or_else(Refused::no_session)?;
            let session = endpoint.sessions.find(id, &owner).ok_or_else(Refused::unknown_session)?;
            Ok((session, owner))
        }
    }
}
