//! Input that strangers would write to make the rules work for long.

/// Different patterns of at most 300 letters, most of them repetitions of `piece`. Each wants an `a` before a `b`.
pub(super) fn patterns(piece: &str, count: usize) -> Vec<String> {
    let pattern = |number: usize| {
        let differing = (0..12).map(|bit| if number >> bit & 1 == 0 { "*a" } else { "**a" });
        format!("{}{}*b*", differing.collect::<String>(), piece.repeat(255 / piece.len()))
    };
    (0..count).map(pattern).collect()
}

/// Different paths of at most 400 letters, most of them repetitions of `piece`, that fit none of these patterns and have
/// every letter of theirs: it takes the whole path to see that the `b` came too early.
pub(super) fn paths(piece: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("b{}{number:03}", piece.repeat(390 / piece.len()))).collect()
}
