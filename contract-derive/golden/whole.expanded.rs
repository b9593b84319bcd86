//! One type is the whole input. Async, with an error of the handler's own and every hint stated.
use contract_core::{ToolError, contract_type, loopover_tool};
#[derive(
    ::contract_core::serde::Serialize,
    ::contract_core::serde::Deserialize,
    ::contract_core::schemars::JsonSchema,
)]
#[serde(crate = "::contract_core::serde", rename_all = "camelCase")]
#[schemars(crate = "::contract_core::schemars")]
/// A greeting to send.
pub struct Greeting {
    /// Whom to greet.
    #[schemars(length(min = 1, max = 20), example = &"Ada")]
    pub to_whom: String,
}
#[derive(
    ::contract_core::serde::Serialize,
    ::contract_core::serde::Deserialize,
    ::contract_core::schemars::JsonSchema,
)]
#[serde(crate = "::contract_core::serde", rename_all = "camelCase")]
#[schemars(crate = "::contract_core::schemars")]
/// What was said.
pub struct Said {
    /// The words.
    pub words: String,
}
/// Nobody is called that.
pub struct NoName;
impl From<NoName> for ToolError {
    fn from(_: NoName) -> Self {
        Self::invalid_input("send a name with a letter in it")
    }
}
/// Greet somebody by name, in English.
pub async fn golden_whole(greeting: Greeting) -> Result<Said, NoName> {
    if !greeting.to_whom.contains(char::is_alphabetic) {
        return Err(NoName);
    }
    let words = std::future::ready(format!("Hello, {}", greeting.to_whom)).await;
    Ok(Said { words })
}
#[doc(hidden)]
#[allow(dead_code)]
pub enum GoldenWhole {}
#[allow(deprecated, unused_qualifications)]
const _: () = {
    use ::contract_core::__private as __contract;
    const _: () = __contract::Categories::DEFAULT.check("utility");
    const _: () = __contract::Auth::check("token");
    const _: () = __contract::Locality::check("remote");
    const _: () = __contract::Availability::check("cloud");
    const _: () = __contract::check_tool_name("golden_whole");
    const __CONTRACT_0: __contract::InputOps<Greeting> = __contract::InputOps::<
        Greeting,
    >::of();
    const __CONTRACT_IS_RESULT: bool = {
        #[allow(unused_imports)]
        use __contract::NotResult as _;
        __contract::Probe::<Result<Said, NoName>>::IS_RESULT
    };
    type __ContractOutput = <Result<
        Said,
        NoName,
    > as __contract::Returns<__CONTRACT_IS_RESULT>>::Output;
    type __ContractError = <Result<
        Said,
        NoName,
    > as __contract::Returns<__CONTRACT_IS_RESULT>>::Error;
    const __CONTRACT_OUTPUT: __contract::OutputOps<__ContractOutput> = __contract::OutputOps::<
        __ContractOutput,
    >::of();
    const __CONTRACT_ERROR: __contract::ErrorOps<__ContractError> = __contract::ErrorOps::<
        __ContractError,
    >::of();
    fn __contract_invoke(
        mut __contract_call: __contract::Call,
    ) -> __contract::BoxFuture<
        ::core::result::Result<__contract::Value, __contract::ToolError>,
    > {
        ::std::boxed::Box::pin(async move {
            let __contract_0 = (__CONTRACT_0.read)(__contract_call.arguments_mut())?;
            match __contract::Returns::<
                __CONTRACT_IS_RESULT,
            >::split(golden_whole(__contract_0).await) {
                ::core::result::Result::Ok(__contract_output) => {
                    (__CONTRACT_OUTPUT.write)(__contract_output)
                }
                ::core::result::Result::Err(__contract_error) => {
                    ::core::result::Result::Err(
                        (__CONTRACT_ERROR.into)(__contract_error),
                    )
                }
            }
        })
    }
    static __CONTRACT_ENTRY: __contract::ToolEntry = __contract::ToolEntry::new(__contract::EntryParts {
        name: "golden_whole",
        title: ::core::option::Option::Some("Greet"),
        description: "Greet somebody by name, in English.",
        category: "utility",
        auth: __contract::Auth::or_first("token"),
        locality: __contract::Locality::or_first("remote"),
        availability: __contract::Availability::or_first("cloud"),
        hints: __contract::Hints {
            read_only: false,
            destructive: false,
            idempotent: ::core::option::Option::Some(true),
            open_world: ::core::option::Option::Some(false),
        },
        deprecated: ::core::option::Option::Some("use golden_flat"),
        source: __contract::Source {
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: ::core::line!(),
        },
        input: __contract::InputSource::Whole {
            schema: __CONTRACT_0.schema,
            accepts: |__contract_arguments| ::core::result::Result::map(
                (__CONTRACT_0.read)(__contract_arguments),
                ::core::mem::drop,
            ),
        },
        output: __CONTRACT_OUTPUT.schema,
        needs: &[],
        examples: ::core::option::Option::None,
        invoke: __contract::Invoke::Async(__contract_invoke),
    });
    __contract::inventory::submit! {
        __contract::Submitted(& __CONTRACT_ENTRY)
    }
    #[automatically_derived]
    impl __contract::ContractTool for GoldenWhole {
        type Input = Greeting;
        type Output = __ContractOutput;
        const NAME: &'static ::core::primitive::str = "golden_whole";
        fn entry() -> &'static __contract::ToolEntry {
            &__CONTRACT_ENTRY
        }
    }
};
