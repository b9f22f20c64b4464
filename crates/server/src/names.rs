//! Names of people: valid names of members, names that look alike, and the mark of guests.

use std::collections::{BTreeMap, BTreeSet};

use meeple_core::PublicName;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;
use unicode_security::{GeneralSecurityProfile, MixedScript};

/// Upper bound on a member's name, in letters.
pub const MAX_MEMBER_LETTERS: usize = 24;
/// Upper bound on a guest's name, in letters.
const MAX_GUEST_LETTERS: usize = 30;
/// Upper bound on the text that is parsed as a member's name, in bytes.
const MAX_TYPED_BYTES: usize = 240;
/// Upper bound on combining marks of one letter. Vietnamese needs two.
const MAX_MARKS: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NameError {
    /// It is empty, too long, or has other characters.
    #[error(
        "name: expected 1 to {MAX_MEMBER_LETTERS} letters, digits, spaces or one of - _ . ', found something else"
    )]
    Letters,
    #[error(
        "name: expected letters of one alphabet, found several\nhint: letters of different alphabets can look the same"
    )]
    Mixed,
}

/// A member's name: in Unicode's normal form NFKC, in one alphabet, of letters in current use (UTS 39).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberName(PublicName);

impl MemberName {
    /// Parses a typed name. Full-width and other compatibility forms become the plain letter.
    ///
    /// # Errors
    /// If no member may have this name.
    pub fn read(typed: &str) -> Result<Self, NameError> {
        let name = normal(typed).ok_or(NameError::Letters)?;
        let mut marks = 0;
        for letter in name.chars() {
            marks = if is_combining_mark(letter) { marks + 1 } else { 0 };
            let fits = match letter {
                ' ' | '-' | '_' | '.' | '\'' => true,
                letter => {
                    (letter.is_alphanumeric() || (1..=MAX_MARKS).contains(&marks))
                        && letter.identifier_allowed()
                }
            };
            if !fits {
                return Err(NameError::Letters);
            }
        }
        let begins = |letter: char| letter.is_alphanumeric() && !is_combining_mark(letter);
        if !name.chars().any(begins) || name.starts_with(is_combining_mark) {
            return Err(NameError::Letters);
        }
        if !name.as_str().is_single_script() {
            return Err(NameError::Mixed);
        }
        Ok(Self(PublicName::from(name)))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The stored form, for comparisons.
    pub fn folded(&self) -> String {
        self.0.to_lowercase()
    }
}

/// The normal form of a typed text; `None` if its length does not fit a member's name.
fn normal(typed: &str) -> Option<String> {
    if typed.len() > MAX_TYPED_BYTES {
        return None;
    }
    let name: String = typed.nfkc().collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    (1..=MAX_MEMBER_LETTERS).contains(&name.chars().count()).then_some(name)
}

/// The stored forms that a typed name may have, most exact first; empty if no member can have it. Names of
/// earlier releases may lack the normal form or mix alphabets.
pub fn stored_forms(typed: &str) -> Vec<String> {
    let fits =
        |letter: char| letter.is_alphanumeric() || is_combining_mark(letter) || " -_.'".contains(letter);
    let typed_as_is = Some(typed).filter(|typed| typed.len() <= MAX_TYPED_BYTES);
    let typed_as_is = typed_as_is.map(|typed| typed.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut forms: Vec<String> = [typed_as_is, normal(typed)]
        .into_iter()
        .flatten()
        .filter(|name| (1..=MAX_MEMBER_LETTERS).contains(&name.chars().count()) && name.chars().all(fits))
        .map(|name| name.to_lowercase())
        .collect();
    forms.dedup();
    forms
}

/// A guest's public name. Where members exist every guest is marked, so that the mark does not reveal which
/// names are members'. Members' names contain no brackets.
pub fn guest_name(typed: Option<&str>, members: bool) -> PublicName {
    let name = PublicName::from(typed.unwrap_or_default()).shortened(MAX_GUEST_LETTERS);
    let name = if name.is_empty() { PublicName::from("Guest") } else { name };
    if members { PublicName::from(format!("{name} (guest)")) } else { name }
}

/// Unicode's skeletons (UTS 39) of the name and of its lower case. Names that look alike share one.
fn shapes(name: &str) -> BTreeSet<String> {
    let shape = |text: &str| skeleton(text).collect::<String>().to_lowercase();
    let name: String = name.nfkc().collect();
    [shape(&name), shape(&name.to_lowercase())].into()
}

/// The names of members, by skeleton.
#[derive(Debug, Default)]
pub struct TakenNames {
    by_shape: BTreeMap<String, BTreeSet<String>>,
}

impl TakenNames {
    pub fn new(accounts: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut taken = Self::default();
        for (account, name) in accounts {
            taken.insert(&account, &name);
        }
        taken
    }

    /// Reserves a name for an account; false if a name that looks like it is taken.
    pub fn take(&mut self, account: &str, name: &MemberName) -> bool {
        let is_free = shapes(name.as_str()).iter().all(|shape| !self.by_shape.contains_key(shape));
        if is_free {
            self.insert(account, name.as_str());
        }
        is_free
    }

    pub fn free(&mut self, account: &str) {
        self.by_shape.retain(|_, accounts| {
            accounts.remove(account);
            !accounts.is_empty()
        });
    }

    fn insert(&mut self, account: &str, name: &str) {
        for shape in shapes(name) {
            self.by_shape.entry(shape).or_default().insert(account.to_owned());
        }
    }
}
