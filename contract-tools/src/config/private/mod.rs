//! Reads a deployment's private configuration: what is effective for a repository, and the files that it is made of.
//!
//! Only files below one folder are read, up to a bound, and nothing leaves with a secret in it: a value is taken out by the
//! name of its key and by its own shape before anything else looks at the text.

mod candidates;
mod folder;
mod redaction;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::engine::config_layers::{self, Layer, LayerFile, NoText};

use super::{Environment, set};
use candidates::{RepoFiles, candidates};
use folder::{Folder, Found};

/// The variable that names the folder.
pub const FOLDER_VARIABLE: &str = "LOOPOVER_REPO_CONFIG_DIR";

/// The folder with a deployment's private configuration, if it has one.
#[derive(Debug)]
pub struct PrivateConfig {
    folder: Option<Folder>,
}

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrivateAnswer {
    /// Whether there is such a configuration.
    pub found: bool,
    /// The file, relative to the folder; none for what several files say together.
    pub path: Option<String>,
    /// The text without its secrets; none when there is no file, or none that can be shown.
    pub content: Option<String>,
    /// What could not be used, each in a sentence without anything out of a file.
    pub warnings: Vec<String>,
    /// How many values were taken out of the files that were read.
    pub redactions: usize,
    /// The shared layer's file, if it is part of the answer and configures reviews.
    pub shared_review: Option<String>,
}

/// The files that may hold a layer, relative to the folder, the first that is there counts; none for a name that is none.
pub fn private_candidates(layer: Layer, full_name: &str) -> Vec<String> {
    candidates(layer, RepoFiles::of(full_name).as_ref())
}

/// A layer's file with its secrets taken out.
struct LayerText {
    layer: Layer,
    path: String,
    text: Result<String, NoText>,
    redactions: usize,
}

impl PrivateConfig {
    /// The folder that the environment names; an empty or blank name is as good as none.
    pub fn from_environment(environment: &Environment) -> Self {
        Self::new(set(environment, FOLDER_VARIABLE).map(|folder| PathBuf::from(folder.trim())))
    }

    /// This folder, or none.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder: folder.map(Folder::new) }
    }

    /// Whether there is a folder to look into.
    pub fn is_configured(&self) -> bool {
        self.folder.is_some()
    }

    /// The file that holds for every repository; nothing without a folder.
    pub fn global(&self) -> Option<PrivateAnswer> {
        let folder = self.folder.as_ref()?;
        Some(one(|warnings| find(folder, Layer::Global, None, warnings)))
    }

    /// The file of one repository; nothing without a folder. A name that is none has no file.
    pub fn repo(&self, full_name: &str) -> Option<PrivateAnswer> {
        let folder = self.folder.as_ref()?;
        let repo = RepoFiles::of(full_name);
        Some(one(|warnings| find(folder, Layer::Repo, repo.as_ref(), warnings)))
    }

    /// What holds for one repository, all layers together; nothing without a folder. Nothing holds for a name that is none.
    pub fn effective(&self, full_name: &str) -> Option<PrivateAnswer> {
        let folder = self.folder.as_ref()?;
        let Some(repo) = RepoFiles::of(full_name) else { return Some(PrivateAnswer::default()) };
        let mut warnings = Vec::new();
        let layers: Vec<LayerText> = [Layer::Shared, Layer::Global, Layer::Repo]
            .into_iter()
            .filter_map(|layer| find(folder, layer, Some(&repo), &mut warnings))
            .collect();
        let files: Vec<LayerFile<'_>> = layers.iter().map(LayerText::as_file).collect();
        let redactions = layers.iter().map(|file| file.redactions).sum();
        let told = config_layers::effective(&files);
        let found = told.is_some();
        let told = told.unwrap_or_default();
        warnings.extend(told.warnings);
        let (content, shared_review) = (told.content, told.shared_review);
        Some(PrivateAnswer { found, path: None, content, warnings, redactions, shared_review })
    }
}

impl LayerText {
    fn as_file(&self) -> LayerFile<'_> {
        let text = self.text.as_deref().map_err(|problem| *problem);
        LayerFile { layer: self.layer, path: &self.path, text }
    }
}

/// The answer of one file.
fn one(find: impl FnOnce(&mut Vec<String>) -> Option<LayerText>) -> PrivateAnswer {
    let mut warnings = Vec::new();
    let Some(LayerText { path, text, redactions, .. }) = find(&mut warnings) else {
        return PrivateAnswer { warnings, ..PrivateAnswer::default() };
    };
    let content = match text {
        Ok(text) => Some(text),
        Err(problem) => {
            warnings.push(format!("{path} {}; its content is not shown", problem.told()));
            None
        }
    };
    PrivateAnswer { found: true, path: Some(path), content, warnings, redactions, shared_review: None }
}

/// The first candidate that can be read.
fn find(folder: &Folder, layer: Layer, repo: Option<&RepoFiles>, warnings: &mut Vec<String>) -> Option<LayerText> {
    for path in candidates(layer, repo) {
        let problem = match folder.read(&path) {
            Found::Absent => continue,
            Found::File(text) => {
                let redacted = text.and_then(|text| redaction::redact(&text).ok_or(NoText::Withheld));
                let redactions = redacted.as_ref().map_or(0, |redacted| redacted.count);
                return Some(LayerText { layer, path, text: redacted.map(|redacted| redacted.text), redactions });
            }
            Found::LeadsOut => "is a link that leads out of the configuration's folder",
            Found::Denied => "may not be read by this program's user",
            Found::Unreadable => "cannot be read as a file",
        };
        warnings.push(format!("{path} {problem}; it counts as absent"));
    }
    None
}
