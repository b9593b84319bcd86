//! A field of an output is changed and its handler is not: the error is at what the handler still makes.

include!("../../../drill/pilot.rs");

pilot!(String, |measured: u32| measured);

fn main() {
    let _ = drill_predict(String::new());
}
