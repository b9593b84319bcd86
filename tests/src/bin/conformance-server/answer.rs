//! What a tool of the fixture answers, and what it may know of the conversation it is in.

use contract_core::{Caller, ToolError, contract_type};
use rmcp::RoleServer;
use rmcp::model::RequestMetaObject;
use rmcp::service::Peer;
use serde_json::{Map, Value};

/// The conversation that a call is part of, in the place of an identity.
pub(crate) struct Talk {
    pub(crate) peer: Peer<RoleServer>,
    pub(crate) meta: RequestMetaObject,
    pub(crate) round: Round,
}

/// What came with a call that was asked something before.
#[derive(Clone, Default)]
pub(crate) struct Round {
    pub(crate) answers: Map<String, Value>,
    pub(crate) state: Option<String>,
}

/// The conversation of a call.
pub(crate) fn talk(caller: &Caller) -> Result<&Talk, ToolError> {
    caller.identity::<Talk>().ok_or_else(|| ToolError::not_configured("this tool needs a conversation with its client"))
}

/// A piece of content, as MCP has it.
#[contract_type]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Block {
    /// Words
    Text(Text),
    /// A picture
    Image(Medium),
    /// A sound
    Audio(Medium),
    /// A resource and what is in it
    Resource(Holder),
}

/// Words.
#[contract_type]
pub(crate) struct Text {
    /// The words
    pub(crate) text: String,
}

/// A picture or a sound.
#[contract_type]
pub(crate) struct Medium {
    /// Its bytes in Base64
    pub(crate) data: String,
    /// What it is
    pub(crate) mime_type: String,
}

/// The place of an embedded resource.
#[contract_type]
pub(crate) struct Holder {
    /// The resource
    pub(crate) resource: Embedded,
}

/// An embedded resource.
#[contract_type]
pub(crate) struct Embedded {
    /// Its address
    pub(crate) uri: String,
    /// What it is
    pub(crate) mime_type: String,
    /// What is in it
    pub(crate) text: String,
}

/// Something that the client is asked before there is an answer.
#[contract_type]
pub(crate) struct Question {
    /// What the client's answer goes by
    pub(crate) key: String,
    /// The method of the request
    pub(crate) method: String,
    /// Its parameters, as JSON
    pub(crate) params: String,
}

/// An error of the protocol.
#[contract_type]
pub(crate) struct Refusal {
    /// Its code
    pub(crate) code: i32,
    /// What it says
    pub(crate) message: String,
    /// What goes with it, as JSON
    pub(crate) data: String,
}

/// What a tool of the fixture comes to.
#[contract_type]
#[derive(Default)]
pub(crate) struct Answer {
    /// What is shown
    pub(crate) content: Vec<Block>,
    /// What has to be asked first; then nothing is shown yet
    pub(crate) questions: Vec<Question>,
    /// What the client is to send back with its answers; empty when there is nothing
    pub(crate) state: String,
    /// That the call is refused, once at most
    pub(crate) refused: Vec<Refusal>,
}

impl Answer {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Block::Text(Text { text: text.into() })], ..Self::default() }
    }

    pub(crate) fn ask(questions: impl IntoIterator<Item = Question>) -> Self {
        Self { questions: questions.into_iter().collect(), ..Self::default() }
    }

    pub(crate) fn with_state(mut self, state: impl Into<String>) -> Self {
        self.state = state.into();
        self
    }

    pub(crate) fn refuse(code: i32, message: &str, data: &Value) -> Self {
        let refusal = Refusal { code, message: message.to_owned(), data: data.to_string() };
        Self { refused: vec![refusal], ..Self::default() }
    }
}
