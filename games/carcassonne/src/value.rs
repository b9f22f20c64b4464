//! What features are worth: every score of the game comes from here.

use crate::variant::Variant;

/// Whether a feature is complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// It is: no open side, or all eight tiles around.
    Complete,
    /// It is not.
    Incomplete,
}

impl Variant {
    /// Points of a road on this many tiles.
    #[inline]
    pub fn road_value(&self, tiles: u32, progress: Progress) -> i32 {
        tiles as i32 * if progress == Progress::Complete { self.road } else { self.road_end }
    }

    /// Points of a city on this many tiles, with this many banners.
    #[inline]
    pub fn city_value(&self, tiles: u32, banners: u32, progress: Progress) -> i32 {
        let (tiles, banners) = (tiles as i32, banners as i32);
        match progress {
            // Ruling 9: the city of two tiles is no exception, unless the variant says so.
            Progress::Complete if tiles == 2 => (tiles + banners) * self.small_city,
            Progress::Complete => tiles * self.city + banners * self.banner,
            Progress::Incomplete => tiles * self.city_end + banners * self.banner_end,
        }
    }

    /// Points of a monastery with this many empty cells around it.
    #[inline]
    pub fn monastery_value(&self, empty: u32) -> i32 {
        if empty == 0 { self.monastery } else { (9 - empty as i32) * self.monastery_end }
    }

    /// Points of a field that touches this many complete cities.
    #[inline]
    pub fn farm_value(&self, cities: u32) -> i32 {
        cities as i32 * self.farm
    }
}
