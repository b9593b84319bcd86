//! What looks like a secret, whatever it is called: tokens by their prefixes, private keys by their header.

const PREFIXES: [&str; 7] = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "sk-", "phc_"];

/// A token has at least this many letters and digits behind its prefix.
const SHORTEST: usize = 16;

/// The byte ranges that look like a secret.
pub fn secret_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for prefix in PREFIXES {
        for (start, _) in text.match_indices(prefix) {
            let begins_word = !text[..start].ends_with(|before: char| before.is_alphanumeric() || before == '_');
            let rest = &text[start + prefix.len()..];
            let is_body = |character: char| character.is_ascii_alphanumeric();
            let solid = rest.find(|character| !is_body(character)).unwrap_or(rest.len());
            if begins_word && solid >= SHORTEST {
                let more = |character: char| is_body(character) || character == '_' || character == '-';
                let length = rest.find(|character| !more(character)).unwrap_or(rest.len());
                found.push((start, start + prefix.len() + length));
            }
        }
    }
    found.extend(private_keys(text));
    found
}

/// From a private key's header to its footer, or to the end when that is missing.
fn private_keys(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.match_indices("-----BEGIN ").filter_map(|(start, begin)| {
        let rest = &text[start + begin.len()..];
        let header = rest.split("-----").next()?;
        if !header.ends_with("PRIVATE KEY") || header.len() > 40 {
            return None;
        }
        let footer = text[start..].find("-----END ").and_then(|end| {
            let end = start + end + "-----END ".len();
            text[end..].find("-----").map(|dashes| end + dashes + "-----".len())
        });
        Some((start, footer.unwrap_or(text.len())))
    })
}
