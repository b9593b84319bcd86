//! One test for each rule of reading a manifest, and for each fault that must not come back.

use crate::engine::gate::GateMode;

use super::*;

#[test]
fn a_slip_in_one_line_leaves_the_others_standing() {
    let parsed =
        parse_manifest("gate: { linkedIssue: often, duplicates: ' Block ', size: 3 }\ntestExpectations: [unit]");
    assert_eq!(parsed.manifest.gate.linked_issue, None);
    assert_eq!(parsed.manifest.gate.duplicates, Some(GateMode::Block));
    assert_eq!(parsed.manifest.test_expectations, ["unit"]);
    assert_eq!(parsed.warnings.len(), 2);
}

#[test]
fn a_dropped_assertion_is_told() {
    let parsed = parse_manifest(
        "review:\n  pre_merge_checks:\n    - { name: n, title_contains: the score, enforce: true }\n    - { name: m, require_label: ok }",
    );
    assert_eq!(parsed.manifest.pre_merge_checks.len(), 1);
    assert!(parsed.warnings.iter().any(|warning| warning.contains("pre_merge_checks[0].title_contains")));
    assert!(parsed.warnings.iter().any(|warning| warning.contains("pre_merge_checks[0] is left out")));
}

#[test]
fn both_spellings_of_a_mode_count_and_gate_comes_first() {
    let manifest = |content| parse_manifest(content).manifest;
    assert_eq!(manifest("settings: { linkedIssueGateMode: block }").linked_issue_mode(), Some(GateMode::Block));
    assert_eq!(manifest("settings: { requireLinkedIssue: true }").linked_issue_mode(), Some(GateMode::Advisory));
    assert_eq!(manifest("settings: { requireLinkedIssue: false }").linked_issue_mode(), None);
    let both = manifest("gate: { duplicates: off }\nsettings: { duplicatePrGateMode: block, qualityGateMode: block }");
    assert_eq!(both.duplicates_mode(), Some(GateMode::Off));
    assert_eq!(both.readiness_mode(), Some(GateMode::Advisory));
    let score = manifest("settings: { qualityGateMinScore: 70.5, selfAuthoredLinkedIssueGateMode: block }");
    assert_eq!(score.readiness_min_score(), Some(71.0));
    assert_eq!(score.self_authored_linked_issue_mode(), Some(GateMode::Block));
}

#[test]
fn an_empty_list_of_guardrails_is_something_said() {
    let globs = |content| parse_manifest(content).manifest.hard_guardrail_globs;
    assert_eq!(globs("settings: { hardGuardrailGlobs: [] }"), Some(vec![]));
    assert_eq!(globs("settings: { hardGuardrailGlobs: ['', 4] }"), None);
    assert_eq!(globs("settings: { hardGuardrailGlobs: [a, ' a ', b] }"), Some(vec!["a".to_owned(), "b".to_owned()]));
}

#[test]
fn warnings_are_bounded() {
    let content: String = (0..10_000).map(|number| format!("k{number}: 1\n")).collect();
    assert_eq!(parse_manifest(&content).warnings.len(), 51);
}

#[test]
fn a_warning_quotes_no_value() {
    let parsed = parse_manifest("gate: { linkedIssue: 'seed phrase', pack: wallet }\nsecret-key: topsecret");
    assert!(!parsed.warnings.iter().any(|warning| warning.contains("seed") || warning.contains("topsecret")));
}

#[track_caller]
fn check_unknown(content: &str, expected: &[&str]) {
    let warnings = parse_manifest(&format!("linkedIssuePolicy: required\n{content}")).warnings;
    assert_eq!(warnings, expected, "{content}");
}

#[test]
fn an_unknown_key_is_told_by_its_name_and_what_was_meant() {
    check_unknown(
        "gat: 1\nzebra: 1",
        &["gat is left out: no such key is known; did you mean gate?", "zebra is left out: no such key is known"],
    );
    check_unknown(
        "gate: { linked_issue: block, size: { maxFile: 3 }, cla: { phrase: x }, slop: { any: 1 }, enabled: true }",
        &[
            "gate.linked_issue is left out: no such key is known; did you mean gate.linkedIssue?",
            "gate.size.maxFile is left out: no such key is known; did you mean gate.size.maxFiles?",
            "gate.cla.phrase is left out: no such key is known; did you mean gate.cla.consentPhrase?",
        ],
    );
    check_unknown(
        "review: { pre_merge_checks: [{ name: n, title_contains: x, when_path: [src/] }] }",
        &["review.pre_merge_checks[0].when_path is left out: no such key is known; did you mean \
             review.pre_merge_checks[0].when_paths?"],
    );
}

/// The live gate reads more there, so that only what is nearly a known key is a slip.
#[test]
fn what_only_the_live_gate_reads_is_no_slip() {
    check_unknown("settings: { theme: dark }\nreview: { tone: kind }\ngate: { aiReview: { provider: any } }", &[]);
    check_unknown(
        "settings: { hardGuardrailGlob: [a] }",
        &["settings.hardGuardrailGlob is left out: no such key is known; did you mean settings.hardGuardrailGlobs?"],
    );
}

#[test]
fn a_name_that_is_repeated_is_clean_short_and_no_secret() {
    let warnings = |key: &str| parse_manifest(&format!("\"{key}\": 1\nlinkedIssuePolicy: required")).warnings;
    let secret = format!("ghp_{}", "0123456789abcdef".repeat(3));
    assert!(!warnings(&secret).concat().contains("0123456789"), "{:?}", warnings(&secret));
    assert_eq!(warnings("wallet"), ["a key at the top of the file is left out: no such key is known"]);
    assert_eq!(warnings("a\u{202E}b"), ["ab is left out: no such key is known"]);
    assert!(warnings(&"x".repeat(10_000))[0].len() < 120);
    assert_eq!(warnings(" "), ["a key at the top of the file is left out: no such key is known"]);
}

/// Small changes to a good file, all by one seed.
#[test]
fn nothing_that_is_written_makes_reading_fail() {
    const GOOD: &str = "gate: &g { linkedIssue: block, size: { maxFiles: 3 } }\nsettings:\n  hardGuardrailGlobs: ['a/**']\n\
                        review:\n  pre_merge_checks:\n    - { name: n, title_contains: \"x\", when_paths: [src/] }\ncopy: *g\n";
    const PIECES: [&str; 16] = [
        "\t",
        "\n",
        ": ",
        "- ",
        "[",
        "}",
        "&g ",
        "*g",
        "'",
        "\"",
        "\u{0}",
        "🐛",
        "%YAML 1.1\n---\n",
        "!!int ",
        "|",
        "---\n",
    ];
    let mut state: u32 = 2_463_534_242;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % bound
    };
    for _ in 0..2_000 {
        let mut text = GOOD.to_owned();
        for _ in 0..=below(3) {
            let place = below(text.len());
            if text.is_char_boundary(place) {
                text.insert_str(place, PIECES[below(PIECES.len())]);
            }
        }
        let parsed = parse_manifest(&text);
        assert!(parsed.manifest != Manifest::default() || !parsed.warnings.is_empty(), "{text:?}");
    }
}

#[test]
fn adversarial_files_stay_cheap() {
    for piece in [
        "[", "{", "- ", "? ", "a: ", "&a ", "[],", "'", "#\n", "!t ", "a:\n", "{a: ", "-\n", "%a\n", "|\n", "k: 1\n",
        "- &a 1\n",
    ] {
        for start in ["", "[", "a: ["] {
            let text = format!("{start}{}", piece.repeat((MOST_BYTES - start.len()) / piece.len()));
            assert_eq!(parse_manifest(&text).manifest, Manifest::default(), "{start}{piece}");
        }
    }
}
