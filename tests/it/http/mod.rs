//! Servers over HTTP, by a client that sees every byte: the rules of the protocol, of HTTP, and of what a stranger may do.

use std::process::Command;

use contract_tests::http_client::HttpServer;

/// Who is let in: names, web pages, credentials.
mod doors;
/// What a body may be, and what it is answered.
mod frames;
/// Many clients at once, and how long a call takes.
mod load;
/// Sessions: found, kept, resumed, ended.
mod sessions;
/// Clients that are slow, gone, many, or too eager; the end of the server.
mod strain;
/// The program's own server, over an invented repository.
mod product;
/// The routes beside the protocol's.
mod beside;

/// A server over tools that wait, report and talk; `limits` as `NAME=NUMBER`.
fn door_server(limits: &[&str]) -> HttpServer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_door-server"));
    command.arg("http").args(limits);
    HttpServer::start(command, 1)
}
