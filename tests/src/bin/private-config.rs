//! Prints what the reader of private configuration answers: `private-config FOLDER [owner/repo]`, so that a test can run it
//! as somebody else.

use std::path::PathBuf;
use std::process::ExitCode;

use contract_tools::config::{PrivateAnswer, PrivateConfig};
use serde_json::json;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let config = PrivateConfig::new(arguments.next().map(PathBuf::from));
    let repo = arguments.next().and_then(|repo| repo.into_string().ok()).unwrap_or_default();
    let shown = |answer: Option<PrivateAnswer>| {
        answer.map(|answer| json!({ "found": answer.found, "path": answer.path, "content": answer.content, "warnings": answer.warnings }))
    };
    let answers = json!({
        "global": shown(config.global()),
        "repo": shown(config.repo(&repo)),
        "effective": shown(config.effective(&repo)),
    });
    #[expect(clippy::print_stdout, reason = "what it prints is what it is for")]
    {
        println!("{answers}");
    }
    ExitCode::SUCCESS
}
