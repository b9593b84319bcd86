//! What each published crate contains, and that all three move together.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use contract_tests::workspace::root;

const CRATES: [&str; 3] = ["contract-core", "contract-derive", "contract-tools"];

/// The files of a package, apart from sources.
fn allowed(krate: &str) -> BTreeSet<&'static str> {
    let mut files = BTreeSet::from([
        ".cargo_vcs_info.json",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
    ]);
    match krate {
        "contract-core" => files.extend(["examples/quickstart.rs", "src/attribute.md", "src/contract_type.md"]),
        "contract-tools" => files.extend(["contract.json"]),
        _ => {}
    }
    files
}

#[test]
fn a_package_holds_its_sources_and_nothing_else() {
    for krate in CRATES {
        let output = Command::new(env!("CARGO"))
            .args(["package", "--list", "--offline", "--allow-dirty", "-p", krate])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{krate}: {}", String::from_utf8_lossy(&output.stderr));
        let listed = String::from_utf8(output.stdout).unwrap();
        let allowed = allowed(krate);
        let strange: Vec<&str> = listed
            .lines()
            .filter(|file| !is_source(file) && !allowed.contains(file))
            .filter(|file| !is_embedded(krate, file))
            .collect();
        assert!(strange.is_empty(), "{krate} would publish {strange:?}");
        let missing: Vec<&str> = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"]
            .into_iter()
            .filter(|needed| !listed.lines().any(|file| file == *needed))
            .collect();
        assert!(missing.is_empty(), "{krate} would be published without {missing:?}");
    }
}

fn is_source(file: &str) -> bool {
    file.starts_with("src/") && std::path::Path::new(file).extension().is_some_and(|extension| extension == "rs")
}

/// A file that the sources include: without it the package would not compile.
fn is_embedded(krate: &str, file: &str) -> bool {
    let Some(name) = file.rsplit('/').next() else { return false };
    let embeds = |path: &std::path::PathBuf| {
        fs::read_to_string(path).is_ok_and(|text| {
            text.lines()
                .any(|line| (line.contains("include_str!") || line.contains("include_bytes!")) && line.contains(name))
        })
    };
    file.starts_with("src/")
        && contract_tests::workspace::files(&root().join(krate).join("src"), ".rs").iter().any(embeds)
}

#[test]
fn the_crates_share_one_version_and_name_each_other_exactly() {
    let manifest = |path: &str| -> toml::Table { fs::read_to_string(root().join(path)).unwrap().parse().unwrap() };
    let workspace = manifest("Cargo.toml");
    let version = workspace["workspace"]["package"]["version"].as_str().unwrap();
    for krate in CRATES {
        let own = manifest(&format!("{krate}/Cargo.toml"));
        for key in ["version", "edition", "rust-version", "license", "authors", "readme", "keywords", "categories"] {
            let inherits = own["package"][key].get("workspace").and_then(toml::Value::as_bool);
            assert_eq!(inherits, Some(true), "{krate} does not inherit {key}");
        }
        let lints = own["lints"]["workspace"].as_bool();
        assert_eq!(lints, Some(true), "{krate} is not held to the workspace's lints");
        let pin = workspace["workspace"]["dependencies"][krate]["version"].as_str().unwrap();
        assert_eq!(pin, format!("={version}"), "{krate} is not pinned exactly");
    }
    let release = manifest("release-plz.toml");
    let packages = release["package"].as_array().unwrap();
    let linked: BTreeSet<&str> = packages
        .iter()
        .filter(|package| package.get("version_group").and_then(toml::Value::as_str) == Some("contract"))
        .map(|package| package["name"].as_str().unwrap())
        .collect();
    assert_eq!(linked, BTreeSet::from(CRATES), "the release configuration links other crates than are published");
}

/// What crates.io shows of a package, and what it refuses.
#[test]
fn what_a_package_says_of_itself_is_there() {
    let manifest = |path: &str| -> toml::Table { fs::read_to_string(root().join(path)).unwrap().parse().unwrap() };
    let workspace = manifest("Cargo.toml");
    let shared = workspace["workspace"]["package"].as_table().unwrap();
    let text = |key: &str| shared[key].as_str().unwrap();
    assert!(root().join(text("readme")).is_file());
    for license in text("license").split(" OR ") {
        let file = format!("LICENSE-{}", license.split('-').next().unwrap().to_uppercase());
        assert!(root().join(&file).is_file(), "{license} is promised, and there is no {file}");
    }
    let toolchain = manifest("rust-toolchain.toml");
    let channel = toolchain["toolchain"]["channel"].as_str().unwrap();
    assert!(channel.starts_with(text("rust-version")), "built with {channel} alone, so nothing older is promised");
    let keywords = shared["keywords"].as_array().unwrap();
    let is_keyword = |word: &str| {
        word.len() <= 20
            && word.starts_with(|first: char| first.is_ascii_alphanumeric())
            && word.chars().all(|other| other.is_ascii_alphanumeric() || "_-+".contains(other))
    };
    assert!(keywords.len() <= 5 && keywords.iter().all(|word| word.as_str().is_some_and(is_keyword)), "{keywords:?}");
    assert!(shared["categories"].as_array().unwrap().len() <= 5);
    let mut descriptions = BTreeSet::new();
    for krate in CRATES {
        let own = manifest(&format!("{krate}/Cargo.toml"));
        let description = own["package"]["description"].as_str().unwrap().to_owned();
        assert!(
            description.len() > 30 && descriptions.insert(description),
            "{krate} describes itself in its own words"
        );
        for address in ["repository", "homepage", "documentation"] {
            let shared =
                shared.get(address).map(|address| address.as_str().is_some_and(|it| it.starts_with("https://")));
            assert_ne!(shared, Some(false), "{address} is no address");
            assert_eq!(own["package"].get(address).is_some(), shared.is_some(), "{krate} has an {address} of its own");
        }
    }
}
