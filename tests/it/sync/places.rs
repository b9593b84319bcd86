//! Where questions go, what moved and what is not there; what a command line may say.

use contract_tests::github::{Fault, GitHub, World};
use contract_tools::forge::{RepoName, Which};

use super::{NOW, Said, Scene, check_same, widgets};

fn renamed(world: &mut World) {
    "acme/gadgets".clone_into(&mut world.first().name);
    world.moved.insert("acme/widgets".to_owned(), "acme/gadgets".to_owned());
}

#[test]
fn a_repository_that_moved_is_followed_and_keeps_what_is_known() {
    let scene = Scene::of(World::widgets());
    scene.copy();
    scene.github.change(renamed);
    let said = scene.copy();
    assert_eq!(said.report["name"], "acme/gadgets");
    assert!(said.errors.contains("acme/widgets: this repository is called acme/gadgets now"), "{}", said.errors);
    let forge = scene.forge();
    let reader = forge.read().unwrap();
    for name in ["acme/widgets", "acme/gadgets"] {
        let repo = RepoName::parse(name).unwrap();
        assert_eq!(reader.repository(&repo).unwrap().unwrap().full_name, "acme/gadgets");
        assert_eq!(reader.issues(&repo, Which::Any, 100).unwrap().len(), 5, "{name}");
    }
    drop(reader);
    // By its new name from now on, whichever is asked for.
    scene.github.asked();
    scene.copy();
    assert!(scene.github.asked().iter().all(|asked| !asked.target.contains("acme/widgets")));
}

#[test]
fn a_new_repository_under_an_old_name_is_asked_for_by_its_new_one() {
    let scene = Scene::of(World::widgets());
    scene.github.change(renamed);
    let said = scene.copy();
    assert_eq!((&said.report["asked"], &said.report["name"]), (&"acme/widgets".into(), &"acme/gadgets".into()));
}

#[test]
fn the_token_follows_no_move_to_another_host() {
    let scene = Scene::of(World::widgets());
    let other = GitHub::start(World::widgets());
    for target in
        [format!("{}/repos/acme/widgets", other.url()), "https://api.example.org/repos/acme/widgets".to_owned()]
    {
        scene.github.fail("/repos/acme/widgets", Fault::Redirect(target));
        let said = scene.sync(&["acme/widgets"]);
        assert_eq!(said.code, Some(1));
        assert!(said.errors.contains("points to another host, where the token must not go"), "{}", said.errors);
    }
    assert_eq!(other.asked().len(), 0);
}

#[test]
fn a_circle_of_moves_ends() {
    let scene = Scene::of(World::widgets());
    for _ in 0..9 {
        scene.github.fail("/repos/acme/widgets", Fault::Redirect(format!("{}/repos/acme/widgets", scene.github.url())));
    }
    let said = scene.sync(&["acme/widgets"]);
    assert!(said.code == Some(1) && said.errors.contains("points on and on"), "{}", said.errors);
}

#[test]
fn a_repository_that_is_not_shown_any_more_stays_as_it_was() {
    let scene = Scene::of(World::widgets());
    scene.copy();
    let before = scene.records();
    scene.github.change(|world| world.repos.clear());
    let said = scene.sync(&["acme/widgets"]);
    assert_eq!((said.code, &said.report["status"]), (Some(1), &"error".into()));
    assert!(said.errors.contains("shows no such repository"), "{}", said.errors);
    check_same(&scene.records(), &before);
    let state = scene.forge().read().unwrap().sync_state(&widgets()).unwrap().unwrap();
    assert!(state.error_summary.is_some() && state.last_completed_at.is_some());
}

#[test]
fn a_name_that_nobody_has_leaves_no_trace_and_others_are_copied() {
    let scene = Scene::of(World::widgets());
    let said = scene.sync(&["acme/wodgets", "acme/widgets"]);
    assert_eq!(said.code, Some(1));
    let forge = scene.forge();
    let reader = forge.read().unwrap();
    assert!(reader.repository(&RepoName::parse("acme/wodgets").unwrap()).unwrap().is_none());
    assert_eq!(reader.issues(&widgets(), Which::Open, 100).unwrap().len(), 5);
}

#[test]
fn a_token_that_is_not_taken_ends_everything_at_once() {
    let scene = Scene::of(World::widgets());
    scene.github.fail("/repos/", Fault::Status(401));
    let said = scene.sync(&["acme/widgets", "other/one"]);
    assert_eq!((said.code, scene.github.asked().len()), (Some(1), 1));
    assert!(said.errors.contains("does not take the token in GITHUB_TOKEN"), "{}", said.errors);
}

#[test]
fn without_a_token_none_is_sent_and_it_is_said() {
    let scene = Scene::of(World::widgets());
    let mut command = scene.command_at(NOW, &["acme/widgets"]);
    command.env_remove("GITHUB_TOKEN");
    let said = Said::of(&command.output().unwrap());
    assert!(said.code == Some(0) && said.errors.contains("GITHUB_TOKEN is not set"), "{}", said.errors);
    assert!(scene.github.asked().iter().all(|asked| asked.authorization.is_none()));
}

#[test]
fn a_wrong_command_line_is_told_what_would_be_right() {
    let scene = Scene::of(World::widgets());
    for (arguments, expected) in [
        (["nonsense", "--closed", "1"], "names no repository; write `owner/name`"),
        (["a/b", "--since", "yesterday"], "--since: write a date like 2026-01-31"),
        (["a/b", "--since", "2027-01-01"], "--since: this is still to come"),
        (["a/b", "--jobs", "0"], "write a number from 1 to 16"),
        (["a/b", "--store", "postgres://hush:hush@h/d"], "cannot be used"),
    ] {
        let said = scene.sync(&arguments);
        assert_eq!(said.code, Some(2), "{}", said.errors);
        assert!(said.errors.contains(expected), "{}", said.errors);
    }
    assert_eq!(scene.github.asked().len(), 0);
    assert!(!scene.store().exists());
}
