//! Names of members, guests and competitors. They cannot imitate each other by similar letters.

use std::collections::{BTreeMap, BTreeSet};

use meeple_core::{PublicName, is_hidden};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;
use unicode_security::{GeneralSecurityProfile, MixedScript};

/// Upper bound on a member's name, in characters.
pub const MAX_MEMBER_LETTERS: usize = 24;
/// Upper bound on a guest's name, in characters.
const MAX_GUEST_LETTERS: usize = 30;
/// Upper bound on the typed text of a member's name, in bytes; for other names, in characters.
const MAX_TYPED_BYTES: usize = 240;
/// Signs in members' names besides letters and digits.
const MEMBER_SIGNS: &str = " -_.'";
/// Upper bound on combining marks per letter. Vietnamese needs two.
const MAX_MARKS: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NameError {
    /// Wrong length or characters of a member's name.
    #[error(
        "name: expected 1 to {MAX_MEMBER_LETTERS} letters, digits, spaces or one of - _ . ', found something else"
    )]
    Letters,
    #[error(
        "name: expected letters in current use, with at most {MAX_MARKS} marks each, found '{}'\nhint: special letters can look like others",
        .0.escape_debug()
    )]
    Unusual(char),
    #[error(
        "name: expected letters of one alphabet, found several\nhint: letters of different alphabets can look the same"
    )]
    Mixed,
}

/// A name that somebody chose. It is in Unicode's normal form NFKC, in one alphabet, and has only letters in
/// current use (UTS 39). Full-width and other compatibility forms become the plain letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenName(PublicName);

impl ChosenName {
    /// Parses a member's name, of letters, digits and few signs. Brackets are not among them.
    ///
    /// # Errors
    /// If no member may have this name.
    pub fn member(typed: &str) -> Result<Self, NameError> {
        let name = normal(typed).ok_or(NameError::Letters)?;
        let fits = |letter: char| {
            letter.is_alphanumeric() || is_combining_mark(letter) || MEMBER_SIGNS.contains(letter)
        };
        let begins = |letter: char| letter.is_alphanumeric() && !is_combining_mark(letter);
        let is_valid = name.chars().all(|letter| fits(letter) && !is_hidden(letter))
            && name.chars().any(begins)
            && !name.starts_with(is_combining_mark);
        if !is_valid {
            return Err(NameError::Letters);
        }
        Self::checked(name).map_err(|error| match error {
            NameError::Unusual(_) => NameError::Letters,
            other => other,
        })
    }

    /// Parses the name of a guest or a competitor, which may contain other signs. Hidden characters are
    /// dropped, and a long name is cut. The name may be empty.
    ///
    /// # Errors
    /// If it has letters of several alphabets, or unusual ones.
    pub fn any(typed: &str, max_letters: usize) -> Result<Self, NameError> {
        // One character may expand to many, so the text is cut before it gets its normal form.
        let seen = typed.chars().filter(|letter| !is_hidden(*letter)).take(MAX_TYPED_BYTES);
        let name = PublicName::from(seen.nfkc().collect::<String>());
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::checked(PublicName::from(name).shortened(max_letters).into())
    }

    /// Checks the letters of a name in normal form.
    fn checked(name: String) -> Result<Self, NameError> {
        let mut marks = 0;
        for letter in name.chars() {
            marks = if is_combining_mark(letter) { marks + 1 } else { 0 };
            let is_letter = letter.is_alphanumeric() || marks > 0;
            if marks > MAX_MARKS || is_letter && !letter.identifier_allowed() {
                return Err(NameError::Unusual(letter));
            }
        }
        if !name.as_str().is_single_script() {
            return Err(NameError::Mixed);
        }
        Ok(Self(PublicName::from(name)))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The lower-case form, which is stored for comparisons.
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

/// The stored forms that a typed name may have, most exact first; none if no member can have it. Names of
/// earlier releases may lack the normal form or mix alphabets.
pub fn stored_forms(typed: &str) -> Vec<String> {
    let fits =
        |letter: char| letter.is_alphanumeric() || is_combining_mark(letter) || MEMBER_SIGNS.contains(letter);
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

/// A guest's public name. On servers with members, every guest is marked `(guest)`, so that the mark does not
/// reveal members' names. Members cannot have this mark, because their names contain no brackets.
///
/// # Errors
/// If the letters of the name may imitate others.
pub fn guest_name(typed: Option<&str>, members: bool) -> Result<PublicName, NameError> {
    let ChosenName(name) = ChosenName::any(typed.unwrap_or_default(), MAX_GUEST_LETTERS)?;
    let name = if name.is_empty() { PublicName::from("Guest") } else { name };
    Ok(if members { PublicName::from(format!("{name} (guest)")) } else { name })
}

/// Unicode's skeletons (UTS 39) of the name and of its lower case. Names that look alike share a skeleton.
fn skeletons(name: &str) -> BTreeSet<String> {
    let shape = |text: &str| skeleton(text).collect::<String>().to_lowercase();
    let name: String = name.nfkc().collect();
    [shape(&name), shape(&name.to_lowercase())].into()
}

/// The names of members, by skeleton.
#[derive(Debug, Default)]
pub struct TakenNames {
    by_skeleton: BTreeMap<String, BTreeSet<String>>,
}

impl TakenNames {
    pub fn new(accounts: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut taken = Self::default();
        for (account, name) in accounts {
            taken.insert(&account, &name);
        }
        taken
    }

    /// Reserves a name for an account. Returns false if a name that looks alike is taken.
    pub fn take(&mut self, account: &str, name: &ChosenName) -> bool {
        let is_free = skeletons(name.as_str()).iter().all(|shape| !self.by_skeleton.contains_key(shape));
        if is_free {
            self.insert(account, name.as_str());
        }
        is_free
    }

    pub fn free(&mut self, account: &str) {
        self.by_skeleton.retain(|_, accounts| {
            accounts.remove(account);
            !accounts.is_empty()
        });
    }

    fn insert(&mut self, account: &str, name: &str) {
        for shape in skeletons(name) {
            self.by_skeleton.entry(shape).or_default().insert(account.to_owned());
        }
    }
}
