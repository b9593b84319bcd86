//! Generated code stands in anybody's crate: under every lint there is, and beside names that hide std's.

/// Lints at their strictest. Whatever the expansion does wrong here does not compile. `missing_docs` is not among them: rustc
/// is silent about it in a test. The library `tests/renamed` has it, with a tool of each kind that everybody sees.
mod strict {
    #![deny(warnings, unreachable_pub, unused_qualifications, clippy::all, clippy::pedantic, clippy::nursery)]
    #![deny(elided_lifetimes_in_paths, unused_lifetimes, single_use_lifetimes, unused_results)]
    #![deny(clippy::allow_attributes, clippy::allow_attributes_without_reason, clippy::std_instead_of_core)]

    use contract_core::{Caller, ToolError, contract_type, loopover_tool};

    /// What is answered.
    #[contract_type]
    pub(super) struct Answer {
        /// How often.
        #[schemars(example = 3)]
        pub(super) count: u32,
    }

    /// Count the words of a text in any language.
    #[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
    pub(super) fn hygiene_strict_flat(
        #[inject] _caller: Caller,
        /// The text.
        #[arg(max_length = 100, example = "two words", default = "")]
        text: String,
        /// Whether to count lines instead.
        #[arg(example = false)]
        lines: Option<bool>,
    ) -> Result<Answer, ToolError> {
        let count = if lines == Some(true) { text.lines().count() } else { text.split_whitespace().count() };
        u32::try_from(count).map(|count| Answer { count }).map_err(|_| ToolError::invalid_input("send less text"))
    }

    /// Count the words of a text in any language.
    #[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both", destructive)]
    pub(super) async fn hygiene_strict_whole(#[input] answer: Answer) -> Answer {
        core::future::ready(answer).await
    }

    /// Nobody calls this one, and nobody is told so.
    #[loopover_tool(category = "utility", auth = "public", locality = "remote", availability = "both")]
    pub(super) const fn hygiene_strict_empty() -> Answer {
        Answer { count: 0 }
    }
}

/// Names that hide everything generated code could lean on.
mod shadowed {
    #![expect(non_camel_case_types, dead_code, reason = "the names are there to be in the way")]

    pub(super) struct Result;
    pub(super) struct Option;
    pub(super) struct Vec;
    pub(super) struct Box;
    pub(super) struct String;
    pub(super) struct Some;
    pub(super) struct None;
    pub(super) struct Ok;
    pub(super) struct Err;
    pub(super) trait Into {}
    pub(super) trait Send {}
    pub(super) trait Future {}
    pub(super) trait Serialize {}
    pub(super) type u32 = ();
    pub(super) type str = ();
    pub(super) mod core {}
    pub(super) mod std {}
    pub(super) mod serde {}

    // The derives behind `#[contract_type]` are serde's and schemars' own, and lean on `str`.
    use super::strict::Answer;

    /// Count something, whatever it is called.
    #[::contract_core::loopover_tool(
        category = "utility",
        auth = "public",
        locality = "remote",
        availability = "both",
        idempotent,
        deprecated = "use another one",
        title = "Count",
        examples = examples
    )]
    pub(super) async fn hygiene_shadowed(
        #[inject] _caller: ::contract_core::Caller,
        /// The text.
        #[arg(min_length = 1, default = "text", example = "text")]
        text: ::std::string::String,
        /// A number.
        #[arg(minimum = 1)]
        number: ::core::option::Option<::core::primitive::u32>,
    ) -> ::core::result::Result<Answer, ::contract_core::ToolError> {
        let _ = text;
        ::core::result::Result::Ok(Answer { count: number.unwrap_or_default() })
    }

    fn examples() -> [HygieneShadowedInput; 1] {
        [HygieneShadowedInput { text: "text".into(), number: ::core::option::Option::None }]
    }
}

#[test]
fn they_are_all_there() {
    let _ = (strict::hygiene_strict_flat, strict::hygiene_strict_whole, strict::hygiene_strict_empty);
    let _ = shadowed::hygiene_shadowed;
    let registry = contract_core::Registry::collect().expect("this program keeps the conventions");
    let names = ["hygiene_strict_flat", "hygiene_strict_whole", "hygiene_strict_empty", "hygiene_shadowed"];
    registry.require(names).expect("each is linked");
    let examples = registry.get("hygiene_shadowed").map(|tool| tool.stated_examples().to_vec()).unwrap_or_default();
    assert_eq!(examples, [serde_json::json!({ "text": "text", "number": null })]);
}
