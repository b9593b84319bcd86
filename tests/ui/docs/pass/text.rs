//! The doc comment, word for word: paragraphs, lists, code, quotes.
use contract_core::{Registry, contract_type, loopover_tool};

#[contract_type]
struct Out {
    /// The answer.
    x: u32,
}

/// List the plans of a miner, "newest" first.
///
/// - one line per plan;
///   a plan has `steps`
///
///     indented code
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn lines() -> Out {
    Out { x: 1 }
}

/** List the plans of a miner.
 *
 *  - one line per plan
 */
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
fn block() -> Out {
    Out { x: 1 }
}

/// List the plans of a miner.
///
#[doc = concat!("- made of ", "parts")]
#[cfg_attr(all(), doc = "- on this platform")]
#[cfg_attr(any(), doc = "- on no platform")]
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
#[cfg_attr(all(), doc = "- below the attribute")]
fn assembled() -> Out {
    Out { x: 1 }
}

fn main() {
    let _ = (lines, block, assembled);
    let registry = Registry::collect().unwrap();
    let text = |name| registry.get(name).unwrap().description();
    assert_eq!(
        text("lines"),
        "List the plans of a miner, \"newest\" first.\n\n- one line per plan;\n  a plan has `steps`\n\n    indented code"
    );
    assert_eq!(text("block"), "List the plans of a miner.\n\n - one line per plan");
    assert_eq!(
        text("assembled"),
        "List the plans of a miner.\n\n- made of parts\n- on this platform\n- below the attribute"
    );
}
