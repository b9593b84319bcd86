// A tool whose output has one field that can be changed in one place: the type that the macro is given. The second argument
// is how the handler makes that type of the number it measured.
macro_rules! pilot {
    ($score:ty, $made:expr) => {
        /// What the gate would say.
        #[contract_core::contract_type]
        pub(crate) struct DrillPredictOutput {
            /// Whether it would let the pull request through.
            pub(crate) conclusion: String,
            /// How ready the pull request is.
            pub(crate) readiness_score: $score,
        }

        /// Predict what the gate would say about a planned pull request.
        #[contract_core::loopover_tool(category = "review", auth = "token", locality = "remote", availability = "both")]
        pub(crate) fn drill_predict(
            /// Its title.
            #[arg(min_length = 1, example = "Fix the parser")]
            title: String,
        ) -> DrillPredictOutput {
            let measured: u32 = title.split_whitespace().map(|_| 7).sum();
            DrillPredictOutput { conclusion: "pass".to_owned(), readiness_score: $made(measured) }
        }
    };
}
