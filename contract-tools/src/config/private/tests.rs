//! What is read, from where, and what is said about what is not.

use std::fs;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

fn folder(files: &[(&str, &[u8])]) -> (TempDir, PrivateConfig) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("root");
    fs::create_dir(&root).expect("a folder");
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let config = PrivateConfig::new(Some(root));
    (folder, config)
}

#[test]
fn without_a_folder_nothing_is_configured() {
    for value in ["", " \t"] {
        let environment = Environment::from([(FOLDER_VARIABLE.to_owned(), value.to_owned())]);
        let config = PrivateConfig::from_environment(&environment);
        assert!(!config.is_configured());
        assert_eq!((config.global(), config.repo("a/b"), config.effective("a/b")), (None, None, None));
    }
}

#[test]
fn a_folder_that_is_not_there_is_an_empty_one() {
    let config = PrivateConfig::new(Some(PathBuf::from("/nowhere/at/all")));
    assert_eq!(config.global(), Some(PrivateAnswer::default()));
}

#[test]
fn the_form_that_names_the_owner_comes_first() {
    let (_kept, config) = folder(&[("b/.loopover.yml", b"a: 1"), ("o__b.json", b"{}"), (".loopover.yml", b"g: 1")]);
    assert_eq!(config.repo("O/B").and_then(|answer| answer.path).as_deref(), Some("o__b.json"));
    assert_eq!(config.repo("other/b").and_then(|answer| answer.path).as_deref(), Some("b/.loopover.yml"));
    assert_eq!(config.repo("../b").map(|answer| answer.found), Some(false));
}

#[test]
fn a_large_file_and_one_that_is_no_text_are_found_but_not_shown() {
    let large = [b"a: 1\n#".as_slice(), &vec![b'x'; 131_072]].concat();
    for text in [large.as_slice(), b"a: \xff"] {
        let (_kept, config) = folder(&[("o__b.yml", text), (".loopover.yml", b"g: 1")]);
        let answer = config.repo("o/b").expect("a folder");
        assert!(answer.found && answer.content.is_none() && answer.warnings.len() == 1, "{answer:?}");
        let answer = config.effective("o/b").expect("a folder");
        assert_eq!(answer.content.as_deref(), Some("g: 1"));
        assert!(answer.warnings[0].starts_with("o__b.yml "), "{answer:?}");
    }
}

#[test]
fn a_link_that_leads_out_is_refused_and_the_next_candidate_counts() {
    let (kept, config) = folder(&[("o__b/.loopover.yaml", b"inside: 1"), ("..data/g", b"linked: 1")]);
    let root = kept.path().join("root");
    fs::write(kept.path().join("outside.yml"), "outside: 1").expect("a file");
    symlink("../../outside.yml", root.join("o__b/.loopover.yml")).expect("a link");
    symlink(kept.path().join("outside.yml"), root.join("c__d.yml")).expect("a link");
    symlink("..data/g", root.join(".loopover.yml")).expect("a link");
    let answer = config.repo("o/b").expect("a folder");
    assert_eq!(answer.content.as_deref(), Some("inside: 1"));
    assert!(answer.warnings[0].contains("leads out"), "{answer:?}");
    let answer = config.repo("c/d").expect("a folder");
    assert!(!answer.found && answer.warnings.len() == 1, "{answer:?}");
    let answer = config.global().expect("a folder");
    assert_eq!(answer.content.as_deref(), Some("linked: 1"), "a link that stays inside is followed");
}

#[test]
fn what_is_no_file_counts_as_absent_at_once() {
    let (kept, config) = folder(&[(".loopover.yml/x", b""), (".loopover.json", b"{}")]);
    let pipe = kept.path().join("root/.loopover.yaml");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().expect("mkfifo runs").success());
    let answer = config.global().expect("a folder");
    assert_eq!((answer.path.as_deref(), answer.warnings.len()), (Some(".loopover.json"), 2));
}

#[test]
fn secrets_are_taken_out_before_layers_are_merged() {
    let (_kept, config) = folder(&[
        (".loopover.yml", b"x: &k hush\nbot: {token: *k}\n"),
        ("o__b.yml", b"bot: {name: b}\nnote: ghp_0123456789abcdefXYZ\n"),
    ]);
    let answer = config.effective("o/b").expect("a folder");
    let expected = r#"{"x":"[redacted]","bot":{"token":"[redacted]","name":"b"},"note":"[redacted]"}"#;
    assert_eq!(answer.content.as_deref(), Some(expected));
    assert_eq!(answer.redactions, 2);
    assert_eq!(
        config.global().and_then(|answer| answer.content).as_deref(),
        Some("x: &k \"[redacted]\"\nbot: {token: *k}\n")
    );
}

#[test]
fn growing_by_its_marks_does_not_make_a_file_too_large() {
    let line = "- {pwd: x}\n";
    let text = format!("a:\n{}", line.repeat(11_900));
    assert!(text.len() < 131_072 && text.len() + 11_900 * 8 > 131_072);
    let (_kept, config) = folder(&[("o__b.yml", text.as_bytes()), (".loopover.yml", b"g: 1")]);
    let answer = config.effective("o/b").expect("a folder");
    assert!(answer.warnings.is_empty() && answer.redactions == 11_900, "{:?}", answer.warnings);
}
