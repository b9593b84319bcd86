//! What the documents point to is there: files, headings, and the parts of the source tree in the code map.

use std::fs;
use std::path::Path;

use contract_tests::workspace::{files, root};

use super::documents;

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ')).collect::<String>().replace(' ', "-")
}

/// The places that a document links to, without those on the web.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://"))
}

#[test]
fn every_link_leads_somewhere() {
    let root = root();
    let mut all = documents();
    let reference = files(&root.join("docs/reference"), ".md").into_iter().chain([root.join("CHANGELOG.md")]);
    all.extend(
        reference
            .map(|path| (path.strip_prefix(&root).unwrap().display().to_string(), fs::read_to_string(path).unwrap())),
    );
    let mut seen = 0;
    for (name, text) in all {
        for link in links(&text) {
            seen += 1;
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let place = match file {
                "" => root.join(&name),
                _ => root.join(&name).parent().unwrap().join(file),
            };
            assert!(place.exists(), "{name} links to {link}, which is not there");
            if !heading.is_empty() {
                let there = fs::read_to_string(&place).unwrap();
                let mut headings = there.lines().filter(|line| line.starts_with('#'));
                let is_there = headings.any(|line| anchor(line.trim_start_matches('#')) == heading);
                assert!(is_there, "{name} links to {link}, and there is no such heading");
            }
        }
    }
    assert!(seen > 50, "only {seen} links were found");
}

#[test]
fn every_part_stands_in_the_code_map() {
    let root = root();
    let map = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let words: Vec<&str> = map.split('`').skip(1).step_by(2).collect();
    for krate in ["contract-core", "contract-tools"] {
        for entry in fs::read_dir(root.join(krate).join("src")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_text = Path::new(name).extension().is_some_and(|extension| extension == "md");
            let part = if path.is_dir() { format!("{name}/") } else { name.to_owned() };
            let is_entry = matches!(name, "lib.rs" | "main.rs") || is_text;
            assert!(is_entry || words.contains(&part.as_str()), "{krate}/src/{part} is not in ARCHITECTURE.md");
        }
    }
}
