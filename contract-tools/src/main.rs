//! The `loopover` binary: everything it does is in the library, so that tests run the same code.

use std::process::ExitCode;

fn main() -> ExitCode {
    contract_tools::main()
}
