//! A network that is as networks are.

use contract_tests::github::{Fault, World};

use super::{NOW, Scene, check_same};

#[test]
fn faults_that_pass_change_nothing_about_the_outcome() {
    let clean = Scene::of(World::widgets());
    clean.copy();
    for (part, fault) in [
        ("/issues?", Fault::Drop),
        ("/pulls?state=open", Fault::Status(502)),
        ("/files", Fault::CutOff),
        ("/check-runs", Fault::HalfJson),
        ("/labels", Fault::Status(500)),
    ] {
        let scene = Scene::of(World::widgets());
        scene.github.fail_after(part, 1, fault.clone());
        let said = scene.copy();
        assert_eq!(scene.github.faults_left(), 0, "{part} never failed");
        assert!(said.errors.contains("asking again in 1 s"), "{fault:?}: {}", said.errors);
        check_same(&scene.dump(), &clean.dump());
    }
}

#[test]
fn a_fault_that_stays_ends_the_copy_which_can_be_gone_on_with() {
    let scene = Scene::of(World::widgets());
    for _ in 0..5 {
        scene.github.fail("/reviews", Fault::Status(502));
    }
    let said = scene.sync(&["acme/widgets", "--jobs", "1"]);
    assert_eq!((said.code, &said.report["status"]), (Some(1), &"error".into()));
    assert!(said.errors.contains("acme/widgets: the API failed again and again with status 502"), "{}", said.errors);
    let state = scene.forge().read().unwrap().sync_state(&super::widgets()).unwrap().unwrap();
    assert!(state.error_summary.is_some_and(|summary| summary.contains("502")) && state.last_completed_at.is_none());
    scene.github.asked();
    let said = scene.copy();
    assert!(said.errors.contains("going on with the copy begun at"), "{}", said.errors);
    let asked = scene.github.asked();
    assert!(!asked.iter().any(|asked| asked.target.contains("widgets/issues?")), "listings are not walked again");
    let clean = Scene::of(World::widgets());
    clean.copy();
    check_same(&scene.records(), &clean.records());
}

#[test]
fn nobody_at_the_address_is_said_in_our_own_words() {
    let scene = Scene::of(World::widgets());
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let said = scene.sync_from(&format!("http://127.0.0.1:{port}"), NOW, &["acme/widgets", "other/one"]);
    assert_eq!(said.code, Some(1));
    assert!(said.errors.contains("acme/widgets: nobody answers at the API's address"), "{}", said.errors);
    assert!(!said.errors.contains("other/one"), "no other could do better: {}", said.errors);
}
