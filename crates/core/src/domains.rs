//! Domains of parameters, as written in a declaration with [`params!`](crate::params!).

use crate::params::Domain;

/// The domain of whole numbers in `min..=max`.
pub const fn int(min: i64, max: i64) -> Domain {
    Domain::Int { min, max }
}

/// The domain of numbers in `min..=max`.
pub const fn real(min: f64, max: f64) -> Domain {
    Domain::Real { min, max }
}

/// The domain of `on` and `off`.
pub const fn switch() -> Domain {
    Domain::Switch
}

/// The domain of texts; `@FILE` stands for a file's content.
pub const fn text() -> Domain {
    Domain::Text
}

/// The domain of file names, including the empty one.
pub const fn file() -> Domain {
    Domain::File
}

/// The domain of these words and of file names.
pub const fn choice_or_file(words: &'static [&'static str]) -> Domain {
    Domain::ChoiceOrFile(words)
}

/// The domain of lists of `fewest..=most` whole numbers in `min..=max`.
pub const fn int_list(min: i64, max: i64, fewest: usize, most: usize) -> Domain {
    Domain::IntList { min, max, fewest, most }
}

/// The domain of these words; the field's type comes from [`choice!`](crate::choice!).
pub const fn choice(words: &'static [&'static str]) -> Domain {
    Domain::Choice(words)
}
