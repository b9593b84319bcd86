//! No parameters: the input is an object without members.
use contract_core::{contract_type, loopover_tool};
#[derive(
    ::contract_core::serde::Serialize,
    ::contract_core::serde::Deserialize,
    ::contract_core::schemars::JsonSchema,
)]
#[serde(crate = "::contract_core::serde", rename_all = "camelCase")]
#[schemars(crate = "::contract_core::schemars")]
/// A sign of life.
pub struct Pong {
    /// Always true.
    pub alive: bool,
}
/// Say whether this server is alive at all.
pub async fn golden_empty() -> Pong {
    std::future::ready(Pong { alive: true }).await
}
#[doc(hidden)]
#[allow(dead_code)]
pub enum GoldenEmpty {}
#[allow(dead_code)]
/// What `golden_empty` takes.
pub struct GoldenEmptyInput {}
#[allow(deprecated, unused_qualifications)]
const _: () = {
    use ::contract_core::__private as __contract;
    const _: () = __contract::Categories::DEFAULT.check("utility");
    const _: () = __contract::Auth::check("public");
    const _: () = __contract::Locality::check("miner");
    const _: () = __contract::Availability::check("selfhost");
    const _: () = __contract::check_tool_name("golden_empty");
    const __CONTRACT_IS_RESULT: bool = {
        #[allow(unused_imports)]
        use __contract::NotResult as _;
        __contract::Probe::<Pong>::IS_RESULT
    };
    type __ContractOutput = <Pong as __contract::Returns<__CONTRACT_IS_RESULT>>::Output;
    type __ContractError = <Pong as __contract::Returns<__CONTRACT_IS_RESULT>>::Error;
    const __CONTRACT_OUTPUT: __contract::OutputOps<__ContractOutput> = __contract::OutputOps::<
        __ContractOutput,
    >::of();
    const __CONTRACT_ERROR: __contract::ErrorOps<__ContractError> = __contract::ErrorOps::<
        __ContractError,
    >::of();
    fn __contract_invoke(
        __contract_call: __contract::Call,
    ) -> __contract::BoxFuture<
        ::core::result::Result<__contract::Value, __contract::ToolError>,
    > {
        ::std::boxed::Box::pin(async move {
            match __contract::Returns::<
                __CONTRACT_IS_RESULT,
            >::split(golden_empty().await) {
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
        name: "golden_empty",
        title: ::core::option::Option::None,
        description: "Say whether this server is alive at all.",
        category: "utility",
        auth: __contract::Auth::or_first("public"),
        locality: __contract::Locality::or_first("miner"),
        availability: __contract::Availability::or_first("selfhost"),
        hints: __contract::Hints {
            read_only: true,
            destructive: false,
            idempotent: ::core::option::Option::None,
            open_world: ::core::option::Option::None,
        },
        deprecated: ::core::option::Option::None,
        source: __contract::Source {
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: ::core::line!(),
        },
        input: __contract::InputSource::Flat(&[]),
        output: __CONTRACT_OUTPUT.schema,
        needs: &[],
        examples: ::core::option::Option::None,
        invoke: __contract::Invoke::Async(__contract_invoke),
    });
    __contract::inventory::submit! {
        __contract::Submitted(& __CONTRACT_ENTRY)
    }
    #[automatically_derived]
    impl __contract::ContractTool for GoldenEmpty {
        type Input = GoldenEmptyInput;
        type Output = __ContractOutput;
        const NAME: &'static ::core::primitive::str = "golden_empty";
        fn entry() -> &'static __contract::ToolEntry {
            &__CONTRACT_ENTRY
        }
    }
    #[automatically_derived]
    impl __contract::serde::Serialize for GoldenEmptyInput {
        fn serialize<S: __contract::serde::Serializer>(
            &self,
            __contract_serializer: S,
        ) -> ::core::result::Result<
            <S as __contract::serde::Serializer>::Ok,
            <S as __contract::serde::Serializer>::Error,
        > {
            let __contract_map = __contract::serde::Serializer::serialize_map(
                __contract_serializer,
                ::core::option::Option::Some(0usize),
            )?;
            __contract::serde::ser::SerializeMap::end(__contract_map)
        }
    }
};
