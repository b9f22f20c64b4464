//! Tests of the text of a Python file, for [`BotAdapter::recognises`](crate::BotAdapter::recognises).

/// Returns true if a Python file defines this name at top level: by a function, a class, a variable or an
/// import.
pub fn defines(text: &str, name: &str) -> bool {
    let is_definition = |line: &str| {
        ["def ", "class "]
            .iter()
            .any(|keyword| line.strip_prefix(keyword).is_some_and(|rest| starts_with_word(rest, name)))
            || starts_with_word(line, name) && line.contains('=')
    };
    text.lines().any(is_definition) || imports(text, name)
}

/// Returns true if a Python file has an import at top level that mentions this name, as a module or as an
/// imported name.
pub fn imports(text: &str, name: &str) -> bool {
    let is_import = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
    text.lines().filter(is_import).any(|line| line.split(|c: char| !is_word(c)).any(|word| word == name))
}

/// Returns true if a text begins with this word, as a whole word.
pub fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
