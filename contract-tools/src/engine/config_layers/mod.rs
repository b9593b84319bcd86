//! Merges a deployment's layers of private configuration: what is shared, what is global, what is one repository's.
//!
//! A layer that cannot be used is left out with one warning and never spoils the others. Whoever reads the files takes
//! secrets out first: nothing is looked for here.

mod overlay;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use crate::document::{self, MOST_BYTES, Unusable};

pub use overlay::overlay;

/// The largest file of a layer, in bytes.
pub const LARGEST_LAYER: usize = MOST_BYTES;

/// The key whose mapping of the shared layer is told apart, and which stands last.
const REVIEW: &str = "review";

/// Which layer a file is; a later one goes over an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// What several deployments share.
    Shared,
    /// What holds for every repository of this deployment.
    Global,
    /// What holds for one repository.
    Repo,
}

/// Why a layer's file has no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoText {
    /// It is larger than [`LARGEST_LAYER`].
    TooLarge,
    /// It is not UTF-8.
    NotUtf8,
    /// It holds secrets that could not be told apart from the rest.
    Withheld,
}

/// One layer that is there.
#[derive(Debug, Clone, Copy)]
pub struct LayerFile<'a> {
    /// Which layer.
    pub layer: Layer,
    /// The file, relative to the configuration's folder.
    pub path: &'a str,
    /// Its text.
    pub text: Result<&'a str, NoText>,
}

/// What the layers say together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Effective {
    /// A layer's own text when it is the only one that can be used, else the merged layers as JSON.
    pub content: Option<String>,
    /// One for each layer that was left out.
    pub warnings: Vec<String>,
    /// The shared layer's file, if it configures reviews.
    pub shared_review: Option<String>,
}

/// What the layers say together, lowest first; nothing when there is none.
///
/// When no layer can be used, the highest one that has a text is shown as it is, so that somebody can see what is wrong.
pub fn effective(layers: &[LayerFile<'_>]) -> Option<Effective> {
    let highest = layers.last()?;
    let mut told = Effective::default();
    let mut usable: Vec<(&str, Map<String, Value>)> = Vec::new();
    for file in layers {
        match file.text.map_err(Problem::NoText).and_then(|text| Ok((text, mapping(text)?))) {
            Ok((text, mapping)) => {
                if file.layer == Layer::Shared && mapping.get(REVIEW).is_some_and(Value::is_object) {
                    told.shared_review = Some(file.path.to_owned());
                }
                usable.push((text, mapping));
            }
            Err(problem) => told.warnings.push(format!("{} {}; it is left out", file.path, problem.told())),
        }
    }
    told.content = match usable.as_slice() {
        [] => highest.text.ok().map(str::to_owned),
        [(text, _)] => Some((*text).to_owned()),
        _ => Some(merged(usable.into_iter().map(|(_, mapping)| mapping))),
    };
    Some(told)
}

fn merged(mappings: impl Iterator<Item = Map<String, Value>>) -> String {
    let mut merged = mappings.fold(Map::new(), overlay::overlay_members);
    // How a review is made stands last, wherever the layers have it.
    if let Some(review) = merged.shift_remove(REVIEW) {
        merged.insert(REVIEW.to_owned(), review);
    }
    Value::Object(merged).to_string()
}

/// Why a layer is left out.
enum Problem {
    NoText(NoText),
    Blank,
    Unusable(Unusable),
    Grows,
}

fn mapping(text: &str) -> Result<Map<String, Value>, Problem> {
    let mapping = document::read_any_size(text).map_err(Problem::Unusable)?.ok_or(Problem::Blank)?;
    mapping.to_json().ok_or(Problem::Grows)
}

impl Problem {
    fn told(&self) -> String {
        match self {
            Self::NoText(NoText::TooLarge) | Self::Unusable(Unusable::TooLarge) => {
                format!("is larger than {LARGEST_LAYER} bytes")
            }
            Self::NoText(NoText::NotUtf8) => "is not UTF-8".to_owned(),
            Self::NoText(NoText::Withheld) => {
                "holds secrets that cannot be told apart from the rest; make it YAML or JSON without errors".to_owned()
            }
            Self::Blank => "is empty".to_owned(),
            Self::Unusable(Unusable::Unreadable) => {
                "is neither YAML nor JSON with one meaning (one document, no key twice)".to_owned()
            }
            Self::Unusable(Unusable::NotAMapping) => "is no mapping of keys to values".to_owned(),
            Self::Grows => "grows too large when its aliases are written out".to_owned(),
        }
    }
}

impl NoText {
    /// What is wrong with the file, for the end of a sentence that begins with its path.
    pub fn told(self) -> String {
        Problem::NoText(self).told()
    }
}
