//! Permutations of a few items, as chance outcomes.

use std::fmt;
use std::str::FromStr;

use crate::text::{TextWriter, WriteText, show};
use crate::wording::only;

/// A permutation of `0..length`, where `length` is at most `N`. Text: `2,0,1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Permutation<const N: usize> {
    length: u8,
    items: [u8; N],
}

impl<const N: usize> Permutation<N> {
    /// The numbers `0..length` in order.
    ///
    /// # Panics
    /// If `length` is above `N`.
    pub fn identity(length: usize) -> Self {
        assert!(length <= N, "a permutation of at most {N} numbers");
        let items = std::array::from_fn(|place| if place < length { place as u8 } else { 0 });
        Self { length: length as u8, items }
    }

    /// All permutations of `0..length`, in lexicographic order.
    ///
    /// # Panics
    /// If `length` is above `N`.
    pub fn all(length: usize) -> Vec<Self> {
        let mut all = vec![Self::identity(length)];
        for place in 0..length {
            let turned = |order: &Self| {
                let order = *order;
                (place..length).map(move |chosen| {
                    let mut next = order;
                    next.items[place..=chosen].rotate_right(1);
                    next
                })
            };
            all = all.iter().flat_map(turned).collect();
        }
        all
    }

    /// The numbers in permuted order: `[length]`.
    pub fn items(&self) -> &[u8] {
        &self.items[..usize::from(self.length)]
    }

    /// The numbers in permuted order, for swapping: `[length]`.
    pub fn items_mut(&mut self) -> &mut [u8] {
        &mut self.items[..usize::from(self.length)]
    }

    /// The numbers in permuted order, padded with zeros: `[N]`.
    pub const fn padded(&self) -> [u8; N] {
        self.items
    }
}

impl<const N: usize> fmt::Display for Permutation<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, f)
    }
}

impl<const N: usize> WriteText for Permutation<N> {
    fn write_text(&self, text: &mut TextWriter<'_>) {
        for (position, item) in self.items().iter().enumerate() {
            text.push(if position == 0 { "" } else { "," });
            item.write_text(text);
        }
    }
}

impl<const N: usize> FromStr for Permutation<N> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The empty permutation has the empty text.
        let words = text.split(',').filter(|_| !text.is_empty());
        let numbers: Option<Vec<u8>> = words.map(|number| number.parse().ok()).collect();
        let order = numbers.filter(|numbers| numbers.len() <= N).and_then(|numbers| {
            let mut order = Self::identity(numbers.len());
            let is_each_once = order.items().iter().all(|number| numbers.contains(number));
            order.items_mut().copy_from_slice(&numbers);
            only(order, text).ok().filter(|_| is_each_once)
        });
        order.ok_or_else(|| {
            format!("expected the numbers from 0 on, each once, separated by commas, found '{text}'")
        })
    }
}
