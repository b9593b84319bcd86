//! Paths in the spelling in which patterns compare them.

/// A path with `/` between its parts, in lower case, without one leading `./` and without leading slashes.
pub fn normalized_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    path.trim_start_matches('/').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_one_place() {
        for (path, expected) in [
            ("./Src\\A", "src/a"),
            ("//a", "a"),
            ("././a", "./a"),
            ("/./a", "./a"),
            (".//a", "a"),
            ("./", ""),
            ("Ä", "ä"),
        ] {
            assert_eq!(normalized_path(path), expected, "{path}");
        }
    }
}
