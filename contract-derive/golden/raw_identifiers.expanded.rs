//! Keywords as names: `r#` stays in Rust.
use contract_core::{contract_type, loopover_tool};
#[derive(
    ::contract_core::serde::Serialize,
    ::contract_core::serde::Deserialize,
    ::contract_core::schemars::JsonSchema,
)]
#[serde(crate = "::contract_core::serde", rename_all = "camelCase")]
#[schemars(crate = "::contract_core::schemars")]
/// What kind it was.
pub struct Kind {
    /// The kind.
    pub r#type: String,
}
/// Say which kind of thing was sent here.
#[allow(clippy::needless_pass_by_value)]
pub fn r#match(r#type: String) -> Kind {
    Kind { r#type }
}
#[doc(hidden)]
#[allow(dead_code)]
pub enum Match {}
#[allow(dead_code)]
/// What `match` takes.
pub struct MatchInput {
    /// The kind.
    pub r#type: String,
}
#[allow(deprecated, unused_qualifications)]
const _: () = {
    use ::contract_core::__private as __contract;
    const _: () = __contract::Categories::DEFAULT.check("utility");
    const _: () = __contract::Auth::check("public");
    const _: () = __contract::Locality::check("remote");
    const _: () = __contract::Availability::check("both");
    const _: () = __contract::check_tool_name("golden_match");
    const __CONTRACT_0: __contract::ArgOps<String> = __contract::ArgOps::<String>::of();
    const __CONTRACT_IS_RESULT: bool = {
        #[allow(unused_imports)]
        use __contract::NotResult as _;
        __contract::Probe::<Kind>::IS_RESULT
    };
    type __ContractOutput = <Kind as __contract::Returns<__CONTRACT_IS_RESULT>>::Output;
    type __ContractError = <Kind as __contract::Returns<__CONTRACT_IS_RESULT>>::Error;
    const __CONTRACT_OUTPUT: __contract::OutputOps<__ContractOutput> = __contract::OutputOps::<
        __ContractOutput,
    >::of();
    const __CONTRACT_ERROR: __contract::ErrorOps<__ContractError> = __contract::ErrorOps::<
        __ContractError,
    >::of();
    fn __contract_invoke(
        mut __contract_call: __contract::Call,
    ) -> ::core::result::Result<__contract::Value, __contract::ToolError> {
        let __contract_0 = (__CONTRACT_0
            .read)(
            __contract_call.arguments_mut(),
            "type",
            ::core::option::Option::None,
        )?;
        match __contract::Returns::<__CONTRACT_IS_RESULT>::split(r#match(__contract_0)) {
            ::core::result::Result::Ok(__contract_output) => {
                (__CONTRACT_OUTPUT.write)(__contract_output)
            }
            ::core::result::Result::Err(__contract_error) => {
                ::core::result::Result::Err((__CONTRACT_ERROR.into)(__contract_error))
            }
        }
    }
    static __CONTRACT_ENTRY: __contract::ToolEntry = __contract::ToolEntry::new(__contract::EntryParts {
        name: "golden_match",
        title: ::core::option::Option::None,
        description: "Say which kind of thing was sent here.",
        category: "utility",
        auth: __contract::Auth::or_first("public"),
        locality: __contract::Locality::or_first("remote"),
        availability: __contract::Availability::or_first("both"),
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
        input: __contract::InputSource::Flat(
            &[
                __contract::Property {
                    name: "type",
                    description: "The kind.",
                    schema: __CONTRACT_0.schema,
                    optional: __CONTRACT_0.optional,
                    accepts: |__contract_arguments| ::core::result::Result::map(
                        (__CONTRACT_0
                            .read)(
                            __contract_arguments,
                            "type",
                            ::core::option::Option::None,
                        ),
                        ::core::mem::drop,
                    ),
                    keywords: &[],
                    default: ::core::option::Option::None,
                    example: ::core::option::Option::Some(|| {
                        let __contract_example = "plan";
                        __contract::to_json(&__contract_example)
                    }),
                },
            ],
        ),
        output: __CONTRACT_OUTPUT.schema,
        needs: &[],
        examples: ::core::option::Option::None,
        invoke: __contract::Invoke::Blocking(__contract_invoke),
    });
    __contract::inventory::submit! {
        __contract::Submitted(& __CONTRACT_ENTRY)
    }
    #[automatically_derived]
    impl __contract::ContractTool for Match {
        type Input = MatchInput;
        type Output = __ContractOutput;
        const NAME: &'static ::core::primitive::str = "golden_match";
        fn entry() -> &'static __contract::ToolEntry {
            &__CONTRACT_ENTRY
        }
    }
    #[automatically_derived]
    impl __contract::serde::Serialize for MatchInput
    where
        for<'any> String: __contract::serde::Serialize,
    {
        fn serialize<S: __contract::serde::Serializer>(
            &self,
            __contract_serializer: S,
        ) -> ::core::result::Result<
            <S as __contract::serde::Serializer>::Ok,
            <S as __contract::serde::Serializer>::Error,
        > {
            let mut __contract_map = __contract::serde::Serializer::serialize_map(
                __contract_serializer,
                ::core::option::Option::Some(1usize),
            )?;
            __contract::serde::ser::SerializeMap::serialize_entry(
                &mut __contract_map,
                "type",
                &self.r#type,
            )?;
            __contract::serde::ser::SerializeMap::end(__contract_map)
        }
    }
};
