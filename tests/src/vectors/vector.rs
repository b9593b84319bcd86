//! Vectors as they lie in their files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::difference::without_uncompared;

/// One golden fact.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Its name, nearly always unique in its file.
    pub case: String,
    /// What the original was given.
    pub input: Value,
    /// What it answered.
    pub expect: Value,
}

/// The vectors of every `.jsonl` file that lies directly in `directory`, by the file's name without its ending.
///
/// # Errors
/// When the directory or a file cannot be read, a line is no vector, or there is no vector at all.
pub fn read_directory(directory: &Path) -> Result<BTreeMap<String, Vec<Vector>>, String> {
    let at = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(at)? {
        let path = entry.map_err(at)?.path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, read_file(&path)?);
        }
    }
    if files.is_empty() {
        return Err(format!("{}: there is no .jsonl file", directory.display()));
    }
    Ok(files)
}

fn read_file(path: &Path) -> Result<Vec<Vector>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut vectors = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut vector: Vector =
            serde_json::from_str(line).map_err(|error| format!("{}, line {}: {error}", path.display(), index + 1))?;
        vector.expect = without_uncompared(vector.expect);
        vectors.push(vector);
    }
    if vectors.is_empty() {
        return Err(format!("{}: the file holds no vector", path.display()));
    }
    Ok(vectors)
}
