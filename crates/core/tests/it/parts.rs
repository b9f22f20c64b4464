//! Parts of actions known only by their text.

use meeple_core::ActionPart;

fn labels(text: &str) -> Vec<String> {
    ActionPart::of_text(text).into_iter().map(|part| part.label).collect()
}

#[test]
fn a_text_has_one_part_per_word() {
    assert_eq!(labels("stay"), ["stay"]);
    assert_eq!(labels("place D 3,-1"), ["place …", "D …", "3,-1"]);
    // "hire" ends where "hire agent" continues: they are two answers.
    assert_ne!(labels("hire")[0], labels("hire agent")[0]);
    assert_eq!(ActionPart::sentence(&ActionPart::of_text("place D 3,-1")), "place D 3,-1");
}

#[test]
fn no_label_is_empty() {
    assert_eq!(labels(""), ["nothing"]);
    assert_eq!(labels("a  b"), ["a  b"]);
}
