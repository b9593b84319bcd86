//! Types are asked, never spelled: names that hide std's and our own change nothing.
use ::contract_core::loopover_tool;

mod hidden {
    #![allow(non_camel_case_types, dead_code)]
    pub struct Result;
    pub struct Option;
    pub struct Vec;
    pub struct Box;
    pub struct String;
    pub struct Some;
    pub struct Ok;
    pub trait Into {}
    pub trait Future {}
    pub type u32 = ();
    pub mod core {}
    pub mod std {}
    pub mod contract_core {}
}
use hidden::*;

/// Answer the question that was asked.
#[loopover_tool(category = "review", auth = "public", locality = "remote", availability = "both")]
async fn ask(
    /// A text.
    #[arg(default = "x", max_length = 3)]
    text: ::std::string::String,
    /// A number.
    number: ::std::option::Option<::core::primitive::u32>,
) -> ::std::result::Result<answer::Out, ::contract_core::ToolError> {
    ::std::result::Result::Ok(answer::Out { x: text.len() + number.map_or(0, |it| it as usize) })
}

mod answer {
    #[::contract_core::contract_type]
    pub struct Out {
        /// The answer.
        pub x: usize,
    }
}

fn main() {
    let _ = ask;
    assert_eq!(::contract_core::Registry::collect().unwrap().len(), 1);
}
