//! Legends: the meanings of shapes and colours.

use crate::scene::Scene;

/// One entry of a legend: a small picture and its meaning in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The picture, without a background.
    pub picture: Scene,
    /// Meaning, in a few words.
    pub text: String,
}

impl Key {
    /// A key with a picture, which `draw` draws on a scene of 1 x 1.
    ///
    /// ```
    /// use meeple_scene::{Key, palette};
    /// let port = Key::new("a port", |scene| {
    ///     scene.rect(0.1, 0.2, 0.8, 0.6).fill(palette::GOLD);
    /// });
    /// assert_eq!((port.text.as_str(), port.picture.items.len()), ("a port", 1));
    /// ```
    pub fn new(text: impl Into<String>, draw: impl FnOnce(&mut Scene)) -> Key {
        let mut picture = Scene::new(1.0, 1.0);
        picture.background = None;
        draw(&mut picture);
        Key { picture, text: text.into() }
    }
}
