//! A server that is killed clears nothing up. The next one does, and touches nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use contract_tests::stdio_client::ALIVE;

use super::server::{Miner, Stream, kinds};

const SHARED: &str = "MINER_CODING_AGENT_PROVIDER";

/// A server whose sessions stand beside those of another one.
fn beside(plan: &str, directory: &Path) -> Miner {
    Miner::start(plan, &[], &[(SHARED, "agent-sdk"), ("TMPDIR", directory.to_str().unwrap())]).entered()
}

fn opened(miner: &Miner) -> Stream {
    let mut stream = miner.chat("hi");
    stream.head();
    assert_eq!(stream.event().unwrap()["text"], "one");
    stream
}

fn names(directory: &Path) -> BTreeSet<String> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn what_a_killed_server_left_is_cleared_by_the_next_one_and_nothing_else_is() {
    let killed = Miner::with("init; text one; echo kept >\"$TMPDIR/file\"; hang").entered();
    let directory = killed.place.join("tmp");
    let living = beside("init; text one; wait_for go; text two; result", &directory);
    let used = opened(&living);
    let in_use = names(&directory);
    assert_eq!(in_use.len(), 1);
    let _streams = [opened(&killed), opened(&killed)];
    killed.kill();
    let started = Instant::now();
    while !killed.running().is_empty() {
        assert!(started.elapsed() < ALIVE, "{:?} run", killed.running());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(names(&directory).len(), 3, "it left two");

    let precious = directory.join("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("file"), "").unwrap();
    symlink(&precious, directory.join("loopover-chat-link00")).unwrap();
    fs::write(directory.join("loopover-chat-file00"), "").unwrap();
    for (name, mode) in [("loopover-chat-other0", 0o700), ("loopover-chat-open00", 0o755), ("loopover-chats", 0o700)] {
        fs::create_dir(directory.join(name)).unwrap();
        fs::set_permissions(directory.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::write(directory.join("loopover-chat-other0/file"), "").unwrap();
    let mut expect = in_use;
    expect.extend(
        [
            "precious",
            "loopover-chat-link00",
            "loopover-chat-file00",
            "loopover-chat-other0",
            "loopover-chat-open00",
            "loopover-chats",
        ]
        .map(str::to_owned),
    );

    let next = beside("init; text one; result", &directory);
    assert_eq!(names(&directory), expect);
    assert!(precious.join("file").exists());
    // Whoever was at work beside it goes on, and clears up after itself as ever.
    living.touch("go");
    assert_eq!(kinds(&used.rest()), ["text", "done"]);
    assert_eq!(kinds(&next.events()), ["text", "done"]);
    let started = Instant::now();
    while names(&directory).len() > 6 {
        assert!(started.elapsed() < ALIVE, "{:?}", names(&directory));
        std::thread::sleep(Duration::from_millis(5));
    }
}
