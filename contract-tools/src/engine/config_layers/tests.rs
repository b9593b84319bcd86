//! The rules that the golden facts do not speak of.

use super::*;

fn file(layer: Layer, text: &str) -> LayerFile<'_> {
    LayerFile { layer, path: "file", text: Ok(text) }
}

#[track_caller]
fn check(layers: &[LayerFile<'_>], content: Option<&str>, warnings: usize) {
    let told = effective(layers).expect("there are layers");
    assert_eq!(told.content.as_deref(), content);
    assert_eq!(told.warnings.len(), warnings, "{:?}", told.warnings);
}

#[test]
fn without_layers_there_is_nothing() {
    assert_eq!(effective(&[]), None);
}

#[test]
fn a_file_without_a_text_is_left_out_and_never_shown() {
    let withheld = LayerFile { layer: Layer::Repo, path: "file", text: Err(NoText::TooLarge) };
    check(&[withheld], None, 1);
    check(&[file(Layer::Global, "a: 1"), withheld], Some("a: 1"), 1);
}

#[test]
fn numbers_stay_what_they_are() {
    let layers = [file(Layer::Global, "a: 1\nb: 1.5\nc: 0o17\nd: .nan"), file(Layer::Repo, "e: -0\nf: 1e3\nyes: on")];
    check(&layers, Some(r#"{"a":1,"b":1.5,"c":15,"d":null,"e":0,"f":1000,"yes":"on"}"#), 0);
}

#[test]
fn aliases_that_grow_leave_the_layer_out() {
    let level = |level: usize| format!("a{level}: &a{level} [{}]\n", format!("*a{}, ", level - 1).repeat(10));
    let bomb: String = std::iter::once("a0: &a0 [x]\n".to_owned()).chain((1..50).map(level)).collect();
    check(&[file(Layer::Global, "a: 1"), file(Layer::Repo, &bomb)], Some("a: 1"), 1);
}

#[test]
fn a_key_is_data_whatever_it_is_called() {
    let layers = [file(Layer::Global, "{}"), file(Layer::Repo, "{\"__proto__\": {\"a\": 1}}")];
    check(&layers, Some(r#"{"__proto__":{"a":1}}"#), 0);
}

#[test]
fn the_outcome_is_the_same_in_one_step_or_two() {
    let [low, middle, high] = [r#"{"a":{"b":1,"c":[1]}}"#, r#"{"a":null}"#, r#"{"a":{"d":2}}"#]
        .map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
    let stepwise = overlay(overlay(low, middle), high);
    assert_eq!(stepwise.to_string(), r#"{"a":{"d":2}}"#);
}
