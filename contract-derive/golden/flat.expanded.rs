//! Bare parameters: each is one property; a state is injected beside them. Sync, so the handler may block.
use contract_core::{State, ToolError, contract_type, loopover_tool};
/// What the server keeps.
pub struct Shelf(pub Vec<String>);
#[derive(
    ::contract_core::serde::Serialize,
    ::contract_core::serde::Deserialize,
    ::contract_core::schemars::JsonSchema,
)]
#[serde(crate = "::contract_core::serde", rename_all = "camelCase")]
#[schemars(crate = "::contract_core::schemars")]
/// What was found.
pub struct Found {
    /// The titles that match.
    pub titles: Vec<String>,
}
/// Find books on the shelf by a part of their title.
///
/// - whatever its case
#[allow(clippy::needless_pass_by_value)]
pub fn golden_flat(
    shelf: State<Shelf>,
    title: String,
    max_titles: u32,
) -> Result<Found, ToolError> {
    let wanted = title.to_lowercase();
    let matching = shelf.0.iter().filter(|title| title.to_lowercase().contains(&wanted));
    let titles: Vec<String> = matching.take(max_titles as usize).cloned().collect();
    if titles.is_empty() {
        return Err(
            ToolError::not_found("no such book; try a shorter part of its title"),
        );
    }
    Ok(Found { titles })
}
#[doc(hidden)]
#[allow(dead_code)]
pub enum GoldenFlat {}
#[allow(dead_code)]
/// What `golden_flat` takes.
pub struct GoldenFlatInput {
    /// A part of the title.
    pub title: String,
    /// How many titles to return at most.
    pub max_titles: u32,
}
#[allow(deprecated, unused_qualifications)]
const _: () = {
    use ::contract_core::__private as __contract;
    const _: () = __contract::Categories::DEFAULT.check("discovery");
    const _: () = __contract::Auth::check("public");
    const _: () = __contract::Locality::check("remote");
    const _: () = __contract::Availability::check("both");
    const _: () = __contract::check_tool_name("golden_flat");
    const __CONTRACT_0: __contract::InjectOps<State<Shelf>> = __contract::InjectOps::<
        State<Shelf>,
    >::of();
    const __CONTRACT_1: __contract::ArgOps<String> = __contract::ArgOps::<String>::of();
    const __CONTRACT_2: __contract::ArgOps<u32> = __contract::ArgOps::<u32>::of();
    const __CONTRACT_IS_RESULT: bool = {
        #[allow(unused_imports)]
        use __contract::NotResult as _;
        __contract::Probe::<Result<Found, ToolError>>::IS_RESULT
    };
    type __ContractOutput = <Result<
        Found,
        ToolError,
    > as __contract::Returns<__CONTRACT_IS_RESULT>>::Output;
    type __ContractError = <Result<
        Found,
        ToolError,
    > as __contract::Returns<__CONTRACT_IS_RESULT>>::Error;
    const __CONTRACT_OUTPUT: __contract::OutputOps<__ContractOutput> = __contract::OutputOps::<
        __ContractOutput,
    >::of();
    const __CONTRACT_ERROR: __contract::ErrorOps<__ContractError> = __contract::ErrorOps::<
        __ContractError,
    >::of();
    fn __contract_default_2() -> u32 {
        10
    }
    fn __contract_invoke(
        mut __contract_call: __contract::Call,
    ) -> ::core::result::Result<__contract::Value, __contract::ToolError> {
        let __contract_0 = (__CONTRACT_0.read)(&__contract_call)?;
        let __contract_1 = (__CONTRACT_1
            .read)(
            __contract_call.arguments_mut(),
            "title",
            ::core::option::Option::None,
        )?;
        let __contract_2 = (__CONTRACT_2
            .read)(
            __contract_call.arguments_mut(),
            "maxTitles",
            ::core::option::Option::Some(__contract_default_2),
        )?;
        match __contract::Returns::<
            __CONTRACT_IS_RESULT,
        >::split(golden_flat(__contract_0, __contract_1, __contract_2)) {
            ::core::result::Result::Ok(__contract_output) => {
                (__CONTRACT_OUTPUT.write)(__contract_output)
            }
            ::core::result::Result::Err(__contract_error) => {
                ::core::result::Result::Err((__CONTRACT_ERROR.into)(__contract_error))
            }
        }
    }
    static __CONTRACT_ENTRY: __contract::ToolEntry = __contract::ToolEntry::new(__contract::EntryParts {
        name: "golden_flat",
        title: ::core::option::Option::None,
        description: "Find books on the shelf by a part of their title.\n\n- whatever its case",
        category: "discovery",
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
                    name: "title",
                    description: "A part of the title.",
                    schema: __CONTRACT_1.schema,
                    optional: __CONTRACT_1.optional,
                    accepts: |__contract_arguments| ::core::result::Result::map(
                        (__CONTRACT_1
                            .read)(
                            __contract_arguments,
                            "title",
                            ::core::option::Option::None,
                        ),
                        ::core::mem::drop,
                    ),
                    keywords: &[
                        __contract::Keyword::MinLength(1),
                        __contract::Keyword::MaxLength(80),
                    ],
                    default: ::core::option::Option::None,
                    example: ::core::option::Option::Some(|| {
                        let __contract_example = "rust";
                        __contract::to_json(&__contract_example)
                    }),
                },
                __contract::Property {
                    name: "maxTitles",
                    description: "How many titles to return at most.",
                    schema: __CONTRACT_2.schema,
                    optional: __CONTRACT_2.optional,
                    accepts: |__contract_arguments| ::core::result::Result::map(
                        (__CONTRACT_2
                            .read)(
                            __contract_arguments,
                            "maxTitles",
                            ::core::option::Option::Some(__contract_default_2),
                        ),
                        ::core::mem::drop,
                    ),
                    keywords: &[
                        __contract::Keyword::Minimum(1),
                        __contract::Keyword::Maximum(50),
                    ],
                    default: ::core::option::Option::Some(|| (__contract::DefaultOps::<
                        u32,
                    >::of()
                        .json)(__contract_default_2)),
                    example: ::core::option::Option::Some(|| {
                        let __contract_example = 3;
                        __contract::to_json(&__contract_example)
                    }),
                },
            ],
        ),
        output: __CONTRACT_OUTPUT.schema,
        needs: &[__CONTRACT_0.needs],
        examples: ::core::option::Option::None,
        invoke: __contract::Invoke::Blocking(__contract_invoke),
    });
    __contract::inventory::submit! {
        __contract::Submitted(& __CONTRACT_ENTRY)
    }
    #[automatically_derived]
    impl __contract::ContractTool for GoldenFlat {
        type Input = GoldenFlatInput;
        type Output = __ContractOutput;
        const NAME: &'static ::core::primitive::str = "golden_flat";
        fn entry() -> &'static __contract::ToolEntry {
            &__CONTRACT_ENTRY
        }
    }
    #[automatically_derived]
    impl __contract::serde::Serialize for GoldenFlatInput
    where
        for<'any> String: __contract::serde::Serialize,
        for<'any> u32: __contract::serde::Serialize,
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
                ::core::option::Option::Some(2usize),
            )?;
            __contract::serde::ser::SerializeMap::serialize_entry(
                &mut __contract_map,
                "title",
                &self.title,
            )?;
            __contract::serde::ser::SerializeMap::serialize_entry(
                &mut __contract_map,
                "maxTitles",
                &self.max_titles,
            )?;
            __contract::serde::ser::SerializeMap::end(__contract_map)
        }
    }
};
