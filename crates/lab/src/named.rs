use std::borrow::Cow;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// Named values, in order; an object in JSON. Most names are static and take no memory of their own: a sweep
/// keeps thousands of these.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Named<T>(pub Vec<(Name, T)>);

/// A name of a value.
pub type Name = Cow<'static, str>;

impl<T> Named<T> {
    /// True without values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A JSON value as text, at a tenth of the memory: a sweep keeps one for each of thousands of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonText(Box<str>);

impl JsonText {
    /// The text of a value.
    pub fn new(value: &Value) -> Self {
        Self(value.to_string().into())
    }

    /// Parses the text.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.0).expect("it was written from a value")
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

pub(crate) fn shared<T: Serialize, S: Serializer>(value: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    T::serialize(value, serializer)
}

/// Inserts numbers after the entry with this key.
pub(crate) fn insert_behind<const N: usize>(object: &mut Value, key: &str, numbers: [(&str, f64); N]) {
    let Value::Object(object) = object else { return };
    let place = object.keys().position(|own| own == key).map_or(0, |place| place + 1);
    for (place, (name, number)) in (place..).zip(numbers) {
        object.shift_insert(place, name.to_owned(), number.into());
    }
}
