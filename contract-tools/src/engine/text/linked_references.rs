//! The issues that a pull request's body says it closes.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::containers::Containers;
use super::patterns::compile;
use super::units::cut_units;

/// How many different issues a body can refer to.
pub const MOST_REFERENCES: usize = 50;

/// No further than this is a body read.
const BODY_UNITS: usize = 20_000;

/// The largest number that is the same in every program that reads it.
const LARGEST: u64 = (1 << 53) - 1;

/// Which references are kept when there are too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptFirst {
    /// Those that stand first in the text.
    InText,
    /// `#1` before `owner/name#1` before addresses, and in the order of the text among their like.
    ByForm,
}

/// What was found in a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedReferences {
    /// Different numbers, at most [`MOST_REFERENCES`], in the order in which they were kept.
    pub numbers: Vec<u64>,
    /// Whether there were more.
    pub has_overflow: bool,
}

/// The issues of `repository` (`owner/name`) that follow a closing keyword in `body`.
pub fn linked_references(body: &str, repository: &str, kept: KeptFirst) -> LinkedReferences {
    let text = cut_units(body, BODY_UNITS);
    let is_cut = text.len() < body.len();
    let code = code_ranges(text);
    let mut forms: [Vec<u64>; 3] = Default::default();
    let mut in_text = Vec::new();
    for found in REFERENCE.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        // What touches the cut may go on behind it: `closes #1` could have been `closes #123`.
        if (is_cut && whole.end() == text.len()) || touches(&code, &whole.range()) {
            continue;
        }
        let names_repository = |owner: &str, name: &str| {
            found.name(owner).zip(found.name(name)).is_some_and(|(owner, name)| {
                repository.split_once('/').is_some_and(|(own_owner, own_name)| {
                    own_owner.eq_ignore_ascii_case(owner.as_str()) && own_name.eq_ignore_ascii_case(name.as_str())
                })
            })
        };
        let (form, digits) = match (found.name("bare"), found.name("qualified"), found.name("address")) {
            (Some(digits), _, _) => (0, digits),
            (_, Some(digits), _) if names_repository("owner", "name") => (1, digits),
            (_, _, Some(digits)) if names_repository("address_owner", "address_name") => (2, digits),
            _ => continue,
        };
        if let Some(number) = digits.as_str().parse().ok().filter(|number| (1..=LARGEST).contains(number)) {
            forms[form].push(number);
            in_text.push(number);
        }
    }
    let mut numbers = Vec::new();
    let mut has_overflow = false;
    let ordered = match kept {
        KeptFirst::InText => in_text,
        KeptFirst::ByForm => forms.concat(),
    };
    for number in ordered {
        if numbers.contains(&number) {
            continue;
        }
        if numbers.len() == MOST_REFERENCES {
            has_overflow = true;
            break;
        }
        numbers.push(number);
    }
    LinkedReferences { numbers, has_overflow }
}

static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    compile(concat!(
        r"(?i-u:\b(?:closed|closes|close|fixed|fixes|fix|resolved|resolves|resolve))[SPACE]+(?:",
        r"#(?<bare>[0-9]+)",
        r"|(?-u:(?<owner>[\w.-]+)/(?<name>[\w.-]+)#(?<qualified>[0-9]+))",
        r"|(?i-u:https?://(?:www\.)?github\.com/(?<address_owner>[\w.-]+)/(?<address_name>[\w.-]+)",
        r"/issues/(?<address>[0-9]+))",
        r")(?-u:\b)",
    ))
});

fn touches(code: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = code.partition_point(|span| span.end <= range.start);
    code.get(next).is_some_and(|span| span.start < range.end)
}

/// Where a text is code and says nothing: fenced blocks, and spans between equally many backticks of one line.
fn code_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut around = Containers::default();
    let mut fence: Option<(Fence, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}']) {
        let end = start + line.len();
        let (content, is_left) = around.continued_by(line);
        // A block ends with the list item or the quotation that it is in.
        if is_left && let Some((_, begin)) = fence.take() {
            ranges.push(begin..start);
        }
        match &fence {
            Some((open, begin)) if open.is_closed_by(content) => {
                ranges.push(*begin..end);
                fence = None;
            }
            Some(_) => {}
            None => match Fence::opened_by(around.opened_by(content)) {
                Some(open) => fence = Some((open, start)),
                None => spans_of_line(line, start, &mut ranges),
            },
        }
        start = end;
    }
    ranges.extend(fence.map(|(_, begin)| begin..text.len()));
    ranges
}

/// Three or more backticks or tildes at the beginning of a line.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The fence at the beginning of a line, and what follows it.
    fn read(line: &str) -> Option<(Self, &str)> {
        let text = line.trim_start_matches(' ');
        let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let rest = text.trim_start_matches(mark);
        let length = text.len() - rest.len();
        (length >= 3 && line.len() - text.len() <= 3).then_some((Self { mark, length }, rest))
    }

    fn opened_by(line: &str) -> Option<Self> {
        Self::read(line).filter(|(fence, rest)| fence.mark == '~' || !rest.contains('`')).map(|(fence, _)| fence)
    }

    fn is_closed_by(&self, line: &str) -> bool {
        Self::read(line).is_some_and(|(other, rest)| {
            other.mark == self.mark && other.length >= self.length && rest.trim().is_empty()
        })
    }
}

fn spans_of_line(line: &str, start: usize, ranges: &mut Vec<Range<usize>>) {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (place, _) in line.match_indices('`') {
        match runs.last_mut() {
            Some(run) if run.end == place => run.end += 1,
            _ => runs.push(place..place + 1),
        }
    }
    // A length that nothing closes is asked for once, so that a line of many different runs stays cheap.
    let mut unclosed = Vec::new();
    let mut next = 0;
    while let Some(open) = runs.get(next) {
        let closing = if unclosed.contains(&open.len()) {
            None
        } else {
            runs[next + 1..].iter().position(|run| run.len() == open.len())
        };
        match closing {
            Some(distance) => {
                next += 1 + distance;
                ranges.push(start + open.start..start + runs[next].end);
            }
            None => unclosed.push(open.len()),
        }
        next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(body: &str) -> Vec<u64> {
        linked_references(body, "acme/widgets", KeptFirst::InText).numbers
    }

    #[test]
    fn a_keyword_a_space_and_a_target() {
        assert_eq!(numbers("Closes #1, fixes\n\n#2 and auto-resolved\u{3000}#003."), [1, 2, 3]);
        for body in ["fixing #1", "closes:#1", "precloses #1", "closes #1_", "closes #0", "cloſes #1", "see #1"] {
            assert!(numbers(body).is_empty(), "{body}");
        }
    }

    #[test]
    fn a_named_repository_is_this_one() {
        assert_eq!(numbers("closes Acme/Widgets#1 closes http://www.GitHub.com/acme/WIDGETS/issues/2?x"), [1, 2]);
        for body in
            ["closes acme/widgets2#1", "closes x/acme/widgets#1", "closes https://github.com/acme/widgets/pull/1"]
        {
            assert!(numbers(body).is_empty(), "{body}");
        }
    }

    #[test]
    fn a_reference_that_is_cut_never_becomes_another() {
        for target in ["#123", "acme/widgets#123", "https://github.com/acme/widgets/issues/123"] {
            let reference = format!("closes {target}");
            for beyond in 1..=3 {
                let body = format!("closes #7 {}{reference}", " ".repeat(20_000 - 10 - reference.len() + beyond));
                assert_eq!(numbers(&body), [7], "{beyond} units of {target} beyond the cut");
            }
            let body = format!("{}{reference}", " ".repeat(20_000 - reference.len()));
            assert_eq!(numbers(&body), [123], "{target} at the end of a whole body");
        }
    }

    #[test]
    fn code_protects_a_reference() {
        for body in [
            "`closes #1`",
            "``closes #1``",
            "`` ` closes #1 ``",
            "closes `#1`",
            "```\ncloses #1\n```",
            "~~~ text\r\ncloses #1",
            "````\n```\ncloses #1\n````",
        ] {
            assert!(numbers(body).is_empty(), "{body}");
        }
        for body in [
            "`x` closes #1 `y`",
            "` closes #1",
            "`\ncloses #1\n`",
            "```\n```\ncloses #1",
            "``` a`b\ncloses #1",
            "`` closes #1 `",
        ] {
            assert_eq!(numbers(body), [1], "{body}");
        }
    }

    #[test]
    fn a_fence_may_begin_behind_the_mark_of_a_list_or_a_quotation() {
        for body in [
            "- ```\n  closes #9\n  ```\ncloses #1",
            "* ```rust\n  closes #9\n  ```\n\ncloses #1",
            "1. ~~~\n   closes #9\n   ~~~\ncloses #1",
            "- a\n  - ```\n    closes #9\n    ```\n- closes #1",
            "- a\n  - b\n    ```\n    closes #9\n    ```\ncloses #1",
            "10. a\n\n    ```\n    closes #9\n\n    ```\ncloses #1",
            "> ```\n> closes #9\n> ```\ncloses #1",
            "> - ```\n>   closes #9\n>   ```\n> closes #1",
            // The item or the quotation ends, and the block with it.
            "- ```\n  closes #9\ncloses #1",
            "> ```\n> closes #9\ncloses #1",
            "- ```\n  closes #9\n- closes #1",
            "-\t```\n\tcloses #9\n\t```\ncloses #1",
        ] {
            assert_eq!(numbers(body), [1], "{body}");
        }
        for body in ["- ```\n  closes #9\n  x", "- ```\n\n  closes #9", "-```\ncloses #1 closes #9\n"] {
            assert_eq!(numbers(body).contains(&9), body.starts_with("-`"), "{body}");
        }
    }

    #[test]
    fn a_number_past_the_exact_ones_is_no_reference() {
        assert_eq!(numbers("closes #9007199254740991"), [9_007_199_254_740_991]);
        assert!(numbers("closes #9007199254740992").is_empty());
        assert!(numbers(&format!("closes #{}", "9".repeat(500))).is_empty());
    }

    #[test]
    fn the_fifty_first_overflows() {
        let bare: String = (1..=49).map(|number| format!("closes #{number} ")).collect();
        let body = format!("closes acme/widgets#101 closes acme/widgets#102 {bare}closes #1");
        let in_text = linked_references(&body, "acme/widgets", KeptFirst::InText);
        assert!(in_text.has_overflow && in_text.numbers.len() == 50);
        assert!(in_text.numbers.contains(&102) && !in_text.numbers.contains(&49));
        let by_form = linked_references(&body, "acme/widgets", KeptFirst::ByForm);
        assert!(by_form.has_overflow && by_form.numbers.len() == 50);
        assert!(by_form.numbers.contains(&49) && !by_form.numbers.contains(&102));
        assert!(!linked_references(&bare, "acme/widgets", KeptFirst::ByForm).has_overflow);
    }

    #[test]
    fn adversarial_text_stays_linear() {
        for piece in ["`", "closes ", "closes a/", "``` ", "`\n", "~~~\n", "- ", "> - ```\n", "- - - - -\n\n\n\n"] {
            assert!(numbers(&piece.repeat(300_000)).is_empty(), "{piece}");
        }
    }
}
