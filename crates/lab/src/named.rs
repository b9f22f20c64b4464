//! Values with names.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// Values with names, in order; an object in JSON.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T> Named<T> {
    /// Whether there are none.
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

/// Puts numbers behind the entry of an object with this key.
pub(crate) fn insert_behind<const N: usize>(object: &mut Value, key: &str, numbers: [(&str, f64); N]) {
    let Value::Object(object) = object else { return };
    let place = object.keys().position(|own| own == key).map_or(0, |place| place + 1);
    for (place, (name, number)) in (place..).zip(numbers) {
        object.shift_insert(place, name.to_owned(), number.into());
    }
}
