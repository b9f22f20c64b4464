//! The products and their price lists.

use meeple_core::choice;
use serde::{Serialize, Serializer};

pub const PRODUCTS: usize = 7;
/// Number of products that fill the hold only: all but cannons.
pub const GOODS: usize = 6;

choice! {
    pub enum Product {
        Lumber = "lumber",
        Sugar = "sugar",
        Tobacco = "tobacco",
        Rum = "rum",
        Textile = "textile",
        Spice = "spice",
        /// Cargo like other products, but a cannon can also be mounted.
        Cannon = "cannon",
    }
}

impl Product {
    /// The product with this index. Panics if there is none.
    #[inline]
    pub const fn new(index: usize) -> Self {
        Self::ALL[index]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Products(u8);

impl Products {
    #[inline]
    pub(crate) fn insert(&mut self, product: Product) {
        self.0 |= 1 << product.index();
    }

    /// The products for which `is_one` returns true. It is called with every index.
    #[inline]
    pub(crate) fn those(is_one: impl Fn(usize) -> bool) -> Self {
        Self((0..PRODUCTS).fold(0, |set, index| set | u8::from(is_one(index)) << index))
    }

    /// Set difference.
    #[inline]
    pub(crate) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as bits by product index.
    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// Returns true if the set has the product with this index.
    #[inline]
    pub const fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }
}

impl Serialize for Products {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Product::ALL.iter().filter(|product| self.contains(product.index())))
    }
}

/// Smallest, average and largest price of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PriceRange {
    /// Smallest price, that of exactly one port.
    pub min: u16,
    /// Average price; most prices are near it.
    pub avg: u16,
    /// Largest price, that of exactly one port.
    pub max: u16,
}

impl PriceRange {
    /// The range of these prices. They must be sorted and not empty.
    pub(crate) fn of(prices: &[u16]) -> Self {
        let sum: u64 = prices.iter().copied().map(u64::from).sum();
        let count = prices.len() as u64;
        Self { min: prices[0], avg: ((sum + count / 2) / count) as u16, max: prices[prices.len() - 1] }
    }

    /// The range with both arms scaled to `percent`, rounded towards the average; never below 1.
    pub fn spread(self, percent: u16) -> Self {
        let scale = |arm: u16| u16::try_from(u32::from(arm) * u32::from(percent) / 100).unwrap_or(u16::MAX);
        Self {
            min: self.avg.saturating_sub(scale(self.avg - self.min)).max(1),
            avg: self.avg,
            max: self.avg.saturating_add(scale(self.max - self.avg)),
        }
    }

    /// The prices of `ports` ports, from the smallest to the largest.
    ///
    /// Two ports get the ends, three also the average. From four on, the inner prices are equally spaced
    /// over the middle half of the range, rounded towards the average.
    ///
    /// # Panics
    /// If there are fewer than two ports.
    pub fn list(self, ports: usize) -> Vec<u16> {
        assert!(ports >= 2, "prices need at least two ports");
        let (min, avg, max) = (i64::from(self.min), i64::from(self.avg), i64::from(self.max));
        let mut prices = vec![self.min];
        if ports == 3 {
            prices.push(self.avg);
        } else if ports > 3 {
            let steps = ports as i64 - 3;
            for step in 0..=steps {
                // R2.3: t = u / (2 * steps) runs from -1/2 to 1/2.
                let u = 2 * step - steps;
                let price = if u < 0 {
                    avg - (-u * (avg - min)) / (2 * steps)
                } else {
                    avg + (u * (max - avg)) / (2 * steps)
                };
                prices.push(price as u16);
            }
        }
        prices.push(self.max);
        prices
    }
}
