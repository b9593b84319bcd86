//! An end in the middle, of every kind, at many places: what was copied stays, and the next copy ends where one without
//! that end would have.

use std::process::{Child, Stdio};

use contract_tests::github::{Fault, World};
use contract_tools::engine::records::SyncStatus;
use rustix::process::{Pid, Signal, kill_process};

use super::{NOW, Scene, check_same, widgets};

fn end(child: &Child, signal: Signal) {
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(id, signal).unwrap();
}

/// Starts a copy, ends it when so many questions were answered, and says how it ended.
fn interrupted(scene: &Scene, passes: usize, signal: Signal) -> (Option<i32>, String) {
    scene.github.fail_after("/", passes, Fault::Hold);
    let mut command = scene.command_at(NOW, &["acme/widgets", "--jobs", "2"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    scene.github.wait_until_held();
    end(&child, signal);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_killed_copy_is_gone_on_with_to_the_same_outcome() {
    let clean = Scene::of(World::widgets());
    let all = usize::try_from(clean.copy().report["answers"].as_u64().unwrap()).unwrap();
    let expected = clean.dump();
    // Every place would be many processes; these are in each part of the copy.
    for passes in (0..all).step_by(7) {
        let scene = Scene::of(World::widgets());
        let (code, _) = interrupted(&scene, passes, Signal::KILL);
        assert_eq!(code, None, "it was killed");
        scene.github.asked();
        let said = scene.copy();
        let asked = scene.github.asked().len();
        assert!(passes < 2 || said.errors.contains("going on"), "after {passes}: {}", said.errors);
        assert!(asked <= all + 1, "after {passes}: {asked} questions of {all}");
        check_same(&scene.dump(), &expected);
    }
}

#[test]
fn a_signal_is_noted_and_the_copy_gone_on_with() {
    for (signal, code) in contract_tests::signals::ending() {
        let scene = Scene::of(World::widgets());
        let (ended, errors) = interrupted(&scene, 12, signal);
        assert_eq!(ended, Some(code), "{errors}");
        assert!(errors.contains("acme/widgets: interrupted; run it again to go on from here"), "{errors}");
        let state = scene.forge().read().unwrap().sync_state(&widgets()).unwrap().unwrap();
        assert_eq!(state.status, SyncStatus::Partial);
        let clean = Scene::of(World::widgets());
        clean.copy();
        scene.copy();
        check_same(&scene.dump(), &clean.dump());
    }
}

#[test]
fn a_place_that_is_none_any_more_is_given_up_for_the_beginning() {
    let scene = Scene::of(World::widgets());
    scene.github.fail("/issues?state=open&sort=created&direction=asc&per_page=100&page=2", Fault::Hold);
    let mut command = scene.command_at(NOW, &["acme/widgets"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    scene.github.wait_until_held();
    end(&child, Signal::KILL);
    child.wait_with_output().unwrap();
    scene.github.fail("&page=2", Fault::Status(422));
    scene.copy();
    assert_eq!(scene.github.faults_left(), 0);
    let clean = Scene::of(World::widgets());
    clean.copy();
    check_same(&scene.dump(), &clean.dump());
}
