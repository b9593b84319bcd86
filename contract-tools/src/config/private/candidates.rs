//! Which files may hold a layer, the first of them that is there counts.

use crate::engine::config_layers::Layer;

const FILES: [&str; 3] = [".loopover.yml", ".loopover.yaml", ".loopover.json"];
const ENDINGS: [&str; 3] = ["yml", "yaml", "json"];
const SHARED: &str = "_shared";
const LONGEST_OWNER: usize = 39;

/// A repository as the folder's files name it: in small letters, of an alphabet that leads nowhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RepoFiles {
    owner: String,
    name: String,
}

impl RepoFiles {
    /// Nothing when the name is not `owner/repo` as GitHub allows it.
    pub(super) fn of(full_name: &str) -> Option<Self> {
        let full_name = full_name.to_lowercase();
        let (owner, name) = full_name.split_once('/')?;
        let fits_owner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let fits_name = |byte: u8| fits_owner(byte) || matches!(byte, b'.' | b'_');
        let is_owner = (1..=LONGEST_OWNER).contains(&owner.len())
            && owner.bytes().all(fits_owner)
            && !owner.starts_with('-')
            && !owner.ends_with('-');
        let is_name = !name.is_empty() && !matches!(name, "." | "..") && name.bytes().all(fits_name);
        (is_owner && is_name).then(|| Self { owner: owner.to_owned(), name: name.to_owned() })
    }
}

/// The candidates for a layer, relative to the folder.
///
/// Files that name the owner come first: a folder that is named after the repository alone serves every owner's.
pub(super) fn candidates(layer: Layer, repo: Option<&RepoFiles>) -> Vec<String> {
    let inside = |folder: &str| FILES.map(|file| format!("{folder}/{file}"));
    match (layer, repo) {
        (Layer::Global, _) => FILES.map(str::to_owned).to_vec(),
        (Layer::Shared, _) => inside(SHARED).to_vec(),
        (Layer::Repo, None) => Vec::new(),
        (Layer::Repo, Some(RepoFiles { owner, name })) => {
            let mut candidates = inside(&format!("{owner}__{name}")).to_vec();
            candidates.extend(ENDINGS.map(|ending| format!("{owner}__{name}.{ending}")));
            if name != SHARED {
                candidates.extend(inside(name));
            }
            candidates
        }
    }
}
