//! What is taken out, and that nothing else changes.

use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    let redacted = redact(text).expect("secrets can be told apart");
    assert_eq!(redacted.text, expected, "{text}");
    assert_eq!(redacted.count > 0, text != expected, "{redacted:?}");
    let again = redact(expected).expect("the same again");
    assert_eq!(again.text, expected, "what is shown stays as it is");
}

#[test]
fn a_text_without_secrets_stays_as_it_is_written() {
    for text in [
        "",
        "\u{FEFF}# a comment\ngate: {enabled: true}   # tail\nlist:\n- 'x' \n",
        "{\"a\": [1, 2.50], \"b\": \"ü#x\"}",
        "a: |\n  some # text\n  more\nb: >-\n  folded\n",
        "a: [1\n",
        "apiKey:\nsecret: null\nrequireToken: true\nmaxTokens: 4000\n",
        "a: 1\n---\na: 2\n",
    ] {
        check(text, text);
    }
}

#[test]
fn values_of_secret_names_are_taken_out_in_every_style() {
    check("apiKey: hush\nb: 1\n", "apiKey: \"[redacted]\"\nb: 1\n");
    check(
        "x: {apiKey: hush, wallet: w, privateKey: p}\n",
        "x: {apiKey: \"[redacted]\", wallet: \"[redacted]\", privateKey: \"[redacted]\"}\n",
    );
    check("{\"a\":{\"token\":\"hush\"},\"b\":1}", "{\"a\":{\"token\":\"[redacted]\"},\"b\":1}");
    check("token: 'hush' # why\nb: 1\n", "token: \"[redacted]\" # why\nb: 1\n");
    check("password: 123456\n", "password: \"[redacted]\"\n");
    check("secrets:\n- one\n- {a: two}\nb: 1\n", "secrets:\n- \"[redacted]\"\n- {a: \"[redacted]\"}\nb: 1\n");
    check("secret: |\n  line one\n  line two\nb: 1\n", "secret: \"[redacted]\"\nb: 1\n");
    check("b:\n  secret: >-\n    line one\n\n    line two\n  c: 1\n", "b:\n  secret: \"[redacted]\"\n  c: 1\n");
    check(
        "a > b: |1+ # c > |\n\n x\nsecret: | # > |\n  x\n\n\nb: 1\n",
        "a > b: |1+ # c > |\n\n x\nsecret: \"[redacted]\"\nb: 1\n",
    );
    check("a:\n  secret: |\n  b: 1\n", "a:\n  secret: |\n  b: 1\n");
    check("a: |+ # apiKey: hush\n  x\n", "a: |+ # apiKey: [redacted]\n  x\n");
    check("secret:\n  plain over\n  two lines\nb: 1\n", "secret:\n  \"[redacted]\"\nb: 1\n");
    check("\"api\\u004bey\": hush\n", "\"api\\u004bey\": \"[redacted]\"\n");
    check("? apiKey\n: hush\n", "? apiKey\n: \"[redacted]\"\n");
    check("apiKey: !!str hush\n", "apiKey: !!str \"[redacted]\"\n");
    check(
        "- name: API_KEY\n  value: hush\n- name: MODE\n  value: strict\n",
        "- name: API_KEY\n  value: \"[redacted]\"\n- name: MODE\n  value: strict\n",
    );
}

#[test]
fn an_alias_does_not_carry_a_secret_out() {
    check("x: &k hush\napiKey: *k\n", "x: &k \"[redacted]\"\napiKey: *k\n");
    check("x: &k {a: hush}\nsecrets: [*k]\n", "x: &k {a: \"[redacted]\"}\nsecrets: [*k]\n");
    check("apiKey: &k hush\nx: *k\n", "apiKey: &k \"[redacted]\"\nx: *k\n");
}

#[test]
fn shapes_are_found_under_harmless_names() {
    check("run: curl ghp_0123456789abcdefXYZ\n", "run: \"curl [redacted]\"\n");
    check("db: postgres://me:hush@host/db\n", "db: \"postgres://[redacted]@host/db\"\n");
    check("a: [ghp_0123456789abcdefXYZ, b]\n", "a: [\"[redacted]\", b]\n");
    check("env: |\n  MODE=x\n  API_KEY=hush\nb: 1\n", "env: \"MODE=x\\nAPI_KEY=[redacted]\\n\"\nb: 1\n");
    check("a: 1 # ghp_0123456789abcdefXYZ\n", "a: 1 # [redacted]\n");
    check("# apiKey: hush\na: 1\n", "# apiKey: [redacted]\na: 1\n");
}

#[test]
fn keys_that_stand_twice_and_several_documents_are_cut_too() {
    check(
        "apiKey: a\napiKey: b\n---\ntoken: c\n",
        "apiKey: \"[redacted]\"\napiKey: \"[redacted]\"\n---\ntoken: \"[redacted]\"\n",
    );
}

#[test]
fn a_text_that_cannot_be_read_is_cut_by_lines() {
    check("a: [1\napiKey: hush\nb: 2\n", "a: [1\napiKey: [redacted]\nb: 2\n");
    check("{\"apiKey\":\n\"hush\",\n\"b\": [}", "{\"apiKey\": [redacted]\n\"b\": [}");
    check("x: [\nsecret: |\n  one\n  two\nb: 2\n", "x: [\nsecret: [redacted]\nb: 2\n");
    check("x: [\nsecret: \"one\ntwo\"\nb: 2\n", "x: [\nsecret: [redacted]\nb: 2\n");
    check("x: [\n- name: API_KEY\n  value: hush\n", "x: [\n- name: API_KEY\n  value: [redacted]\n");
    check("a: [\n-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\nb\n", "a: [\n[redacted]\nb\n");
}

#[test]
fn no_text_is_shown_with_its_secret_whatever_stands_around_it() {
    const SECRET: &str = "hushhushhush";
    let before = [
        "",
        "a: 1\n",
        "{",
        "- ",
        "a: [",
        "'",
        "\"",
        "# x\n",
        "a: &b\n",
        "? ",
        "\t",
        "%YAML 1.2\n---\n",
        "---\n",
        "a: |\n  b\n",
    ];
    let keys = [
        "apiKey: ",
        "\"token\": ",
        "password: |\n     ",
        "'secret':\n     ",
        "secret: >\n\n      ",
        "hotkey: !x ",
        "dsn: &a ",
    ];
    let after = ["", "\n", "}", "]", "'", "\"", "\nb: [", ", b: 1", ": ", " # c\n", "\n---\nx", "\n\tx", "\n...\n"];
    for before in before {
        for key in keys {
            for after in after {
                let text = format!("{before}{key}{SECRET}{after}");
                let shown = redact(&text).map(|redacted| redacted.text).unwrap_or_default();
                assert!(!shown.contains(SECRET), "{text:?} is shown as {shown:?}");
            }
        }
    }
}
