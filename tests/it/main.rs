//! x
mod wire_fuzz;
fn main() {}
