//! Chats whose session is a function: what the seam promises to whatever stands behind it, and what is told when one is over.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use contract_core::Clock;
use contract_tools::chat::conversation::{Conversations, Patience};
use contract_tools::chat::failure::Failure;
use contract_tools::chat::http::ChatServer;
use contract_tools::chat::http::gate::Gate;
use contract_tools::chat::prompt::Prompt;
use contract_tools::chat::query::{ChatQuery, Ended, QueryEvent, QueryItem, QueryStream, Seat, Usage};
use contract_tools::chat::telemetry::{ChatOutcome, ChatRecord, ChatTelemetry};
use contract_tools::miner::MinerHome;
use contract_tools::miner::status::Provider;
use contract_tools::serve::http::body::Room;
use contract_tools::serve::http::listener::{self, Limits};
use futures_util::stream::{self, StreamExt as _};
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::server::{Stream, kinds, send, text};

/// A session that is a function of its prompt.
struct Played<F>(F);

impl<F: Fn(Prompt) -> QueryStream + Send + Sync + 'static> ChatQuery for Played<F> {
    fn start(&self, prompt: Prompt, seat: Seat) -> QueryStream {
        Box::pin((self.0)(prompt).inspect(move |_| _ = &seat))
    }
}

#[derive(Default)]
struct Heard(Mutex<Vec<ChatRecord>>);

impl ChatTelemetry for Heard {
    fn chat_is_over(&self, record: &ChatRecord) {
        self.0.lock().unwrap().push(record.clone());
    }
}

/// A server in this process.
struct Here {
    runtime: Option<Runtime>,
    address: String,
    cookie: String,
    heard: Arc<Heard>,
}

impl Here {
    fn new(provider: &str, query: impl Fn(Prompt) -> QueryStream + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let heard = Arc::<Heard>::default();
        let environment = [("MINER_CODING_AGENT_PROVIDER".into(), provider.into())].into();
        let server = ChatServer {
            home: Arc::new(MinerHome { environment, home: None, current: None }),
            clock: Clock::frozen(SystemTime::UNIX_EPOCH),
            tools: Arc::new(vec![("loopover_miner_ping".to_owned(), "A sign of life".to_owned())]),
            conversations: Conversations {
                query: Arc::new(Played(query)),
                telemetry: Arc::clone(&heard) as Arc<_>,
                patience: Patience { whole: Duration::from_secs(20), idle: Duration::from_secs(10) },
                ending: CancellationToken::new(),
            },
            seats: Arc::new(Semaphore::new(2)),
            room: Room::new(1 << 20),
            keep_alive: Duration::from_secs(15),
        };
        let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind(any)).unwrap();
        let address = listener.local_addr().unwrap();
        let gate = Arc::new(Gate::new(address).unwrap());
        let link = gate.link();
        runtime.spawn(listener::serve(listener, server.router(gate), Limits::default(), CancellationToken::new()));
        let (address, path) = (address.to_string(), &link[link.find("/__auth").unwrap()..]);
        let answer = send(&address, &format!("GET {path}"), &[("Host", &address)], b"").head();
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Self { runtime: Some(runtime), address, cookie, heard }
    }

    fn chat(&self) -> Stream {
        let origin = format!("http://{}", self.address);
        let headers = [
            ("Host", self.address.as_str()),
            ("Cookie", &self.cookie),
            ("Origin", &origin),
            ("Content-Type", "application/json"),
        ];
        let body = json!({ "messages": [{ "role": "user", "content": "hi" }] }).to_string();
        let mut stream = send(&self.address, "POST /api/chat", &headers, body.as_bytes());
        assert_eq!(stream.head().status, 200);
        stream
    }

    fn events(&self) -> Vec<Value> {
        self.chat().rest()
    }

    /// What was told, once anything was.
    fn told(&self) -> Vec<ChatRecord> {
        let started = std::time::Instant::now();
        loop {
            let heard = self.heard.0.lock().unwrap().clone();
            if !heard.is_empty() || started.elapsed() > contract_tests::stdio_client::ALIVE {
                return heard;
            }
            std::thread::yield_now();
        }
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn items(items: Vec<QueryItem>) -> QueryStream {
    Box::pin(stream::iter(items))
}

fn said(text: &str) -> QueryItem {
    QueryItem::Event(QueryEvent::Text(text.to_owned()))
}

fn done() -> QueryItem {
    let usage = Usage { input_tokens: 7, output_tokens: 5, cost: Some(0.5), turns: 2 };
    QueryItem::Ended(Ended { outcome: Ok(()), usage })
}

fn call() -> QueryItem {
    QueryItem::Event(QueryEvent::ToolCall { tool: "loopover_miner_ping".to_owned(), input: Map::new() })
}

#[test]
fn an_answer_with_and_without_tools_and_with_and_without_what_must_not_leave() {
    let prompts = Arc::<Mutex<Vec<Prompt>>>::default();
    let seen = Arc::clone(&prompts);
    let here = Here::new("agent-sdk", move |prompt| {
        seen.lock().unwrap().push(prompt);
        items(vec![QueryItem::Alive, said("plain "), said("text"), done(), said("late")])
    });
    let events = here.events();
    assert_eq!((text(&events).as_str(), kinds(&events)), ("plain text", vec!["text", "done"]));
    let prompts = prompts.lock().unwrap();
    assert_eq!(prompts.len(), 1);
    assert!(prompts[0].system.contains("loopover_miner_ping") && prompts[0].user.contains("\"hi\""));

    let result = QueryEvent::ToolResult { tool: "loopover_miner_ping".to_owned(), output: json!("a wallet. B") };
    let result = QueryItem::Event(result);
    let here =
        Here::new("agent-sdk", move |_| items(vec![call(), result.clone(), said("Your reward is 5. Fine"), done()]));
    let events = here.events();
    assert_eq!(kinds(&events), ["tool_call", "tool_result", "text", "done"]);
    assert_eq!(events[1]["output"], "a [redacted]. B");
    assert_eq!(text(&events), "Your [redacted]. Fine");
    let told = here.told();
    assert_eq!(told.len(), 1);
    let record = &told[0];
    assert_eq!((record.provider, record.model.as_str(), record.tool_calls), (Provider::AgentSdk, "agent-sdk", 1));
    assert_eq!(record.usage, Usage { input_tokens: 7, output_tokens: 5, cost: Some(0.5), turns: 2 });
    assert_eq!((record.outcome, record.outcome.as_str()), (ChatOutcome::Answered, "answered"));
    assert!(record.duration < Duration::from_secs(20));
}

#[test]
fn without_the_provider_the_session_is_not_begun_and_nothing_is_told() {
    for provider in ["", "claude-cli", "codex-cli", "noop"] {
        let begun = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&begun);
        let here = Here::new(provider, move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            items(vec![done()])
        });
        assert_eq!(kinds(&here.events()), ["error", "done"]);
        assert_eq!(begun.load(Ordering::SeqCst), 0, "{provider}");
        assert!(here.heard.0.lock().unwrap().is_empty());
    }
}

#[test]
fn a_session_that_fails_ends_or_breaks_down_is_one_error_and_done() {
    let failed = |failure| vec![said("half"), QueryItem::Ended(Ended::failed(failure))];
    for (played, code, outcome) in [
        (failed(Failure::Overloaded), "chat_grounding_failed", Failure::Overloaded),
        (failed(Failure::ToolsUnavailable), "chat_tools_unavailable", Failure::ToolsUnavailable),
        (vec![said("half")], "chat_grounding_failed", Failure::NoResult),
    ] {
        let here = Here::new("agent-sdk", move |_| items(played.clone()));
        let events = here.events();
        assert_eq!(kinds(&events), ["text", "error", "done"]);
        assert_eq!(events[1]["code"], code);
        let record = &here.told()[0];
        assert_eq!((record.outcome, record.outcome.as_str()), (ChatOutcome::Failed(outcome), code));
    }
    let here = Here::new("agent-sdk", |_| {
        Box::pin(stream::iter([said("half")]).chain(stream::poll_fn(|_| panic!("planted"))))
    });
    let events = here.events();
    assert_eq!(kinds(&events), ["text", "error", "done"]);
    assert!(!events[1].to_string().contains("planted"));
    // The seats are free again.
    for _ in 0..5 {
        here.events();
    }
}

#[test]
fn what_is_held_back_is_said_before_the_end_whatever_the_end() {
    let here = Here::new("agent-sdk", |_| items(vec![said("the wal"), done()]));
    assert_eq!(text(&here.events()), "the wal");
    let here =
        Here::new("agent-sdk", |_| items(vec![said("the wal"), QueryItem::Ended(Ended::failed(Failure::Other))]));
    let events = here.events();
    assert_eq!((text(&events).as_str(), kinds(&events)), ("the wal", vec!["text", "error", "done"]));
    let here =
        Here::new("agent-sdk", |_| items(vec![said("the wallet"), QueryItem::Ended(Ended::failed(Failure::Other))]));
    assert_eq!(text(&here.events()), "the [redacted]");
}

#[test]
fn a_reader_that_goes_drops_the_session() {
    struct Guard(Arc<AtomicUsize>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&dropped);
    let here = Here::new("agent-sdk", move |_| {
        let guard = Guard(Arc::clone(&counter));
        Box::pin(stream::iter([said("one")]).chain(stream::poll_fn(move |_| {
            let _held = &guard;
            std::task::Poll::Pending
        })))
    });
    let mut stream = here.chat();
    assert_eq!(stream.event().unwrap()["text"], "one");
    assert_eq!(dropped.load(Ordering::SeqCst), 0);
    drop(stream);
    let record = &here.told()[0];
    assert_eq!((record.outcome, record.outcome.as_str()), (ChatOutcome::Abandoned, "abandoned"));
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}
