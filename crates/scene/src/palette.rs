//! The shared colours of all drawings, for one look across games.

use crate::color::Color;

/// Text and outlines on a light ground: a soft black.
pub const INK: Color = Color::hex("#22262b");
/// Text on a dark ground, highlights: pure white.
pub const WHITE: Color = Color::hex("#ffffff");
/// The background of a drawing: warm off-white.
pub const PAPER: Color = Color::hex("#faf8f3");
/// Grid lines and quiet outlines.
pub const LINE: Color = Color::hex("#c9c5bb");
/// Items that are present but out of play.
pub const MUTED: Color = Color::hex("#8b8f94");
/// Seas, rivers and lakes.
pub const WATER: Color = Color::hex("#a9cfe3");
/// Open land.
pub const GRASS: Color = Color::hex("#a8c686");
/// Beach, desert, bare board.
pub const SAND: Color = Color::hex("#ecdcb4");
/// Roads, paths, trunks.
pub const EARTH: Color = Color::hex("#b08a5a");
/// Walls, rocks, mountains.
pub const STONE: Color = Color::hex("#9a9a96");
/// Coins, treasure, selected things.
pub const GOLD: Color = Color::hex("#e0b022");
/// Danger, hazards, errors.
pub const DANGER: Color = Color::hex("#c8321f");
/// Spots that can be chosen now.
pub const SPOT: Color = Color::hex("#1f8fff");

impl Color {
    /// The colour for text on a surface of this colour: [`INK`] or [`WHITE`], whichever is easier to read.
    pub fn contrasting(self) -> Color {
        if self.lightness() > 0.55 { INK } else { WHITE }
    }
}

/// The colours of the first twenty seats. The first eight are the palette of Okabe and Ito (2008), safe for
/// colour-blind people, alternating dark and light. The others follow Tol's muted scheme.
const SEATS: [Color; 20] = [
    Color::hex("#0072b2"),
    Color::hex("#e69f00"),
    Color::hex("#009e73"),
    Color::hex("#d55e00"),
    Color::hex("#56b4e9"),
    Color::hex("#cc79a7"),
    Color::hex("#f0e442"),
    Color::hex("#000000"),
    Color::hex("#882255"),
    Color::hex("#999933"),
    Color::hex("#332288"),
    Color::hex("#8c8c8c"),
    Color::hex("#7fe0c0"),
    Color::hex("#8b4a1e"),
    Color::hex("#ff9d9a"),
    Color::hex("#117733"),
    Color::hex("#b9a0e8"),
    Color::hex("#d3c08a"),
    Color::hex("#b0122b"),
    Color::hex("#4a5b6c"),
];

/// The colour of a seat, counted from 0.
///
/// The first eight colours are safe for colour-blind people, and the first twenty are easy to distinguish.
/// Some games have hundreds of seats; beyond twenty, the golden section spreads the hues. The first 256
/// colours are distinct, but similar hues need a label.
pub fn seat_color(index: usize) -> Color {
    match SEATS.get(index) {
        Some(color) => *color,
        None => spread(index - SEATS.len()),
    }
}

/// The colour of this step beyond [`SEATS`]. Hues advance by the golden section, so they do not repeat, in
/// three bands of lightness.
fn spread(step: usize) -> Color {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    // Beyond a million the fraction would lose digits; no table has a million seats.
    let step = step % 1_000_000;
    let turn = (0.08 + step as f64 * GOLDEN).fract();
    let lightness = [0.42, 0.62, 0.28][step % 3];
    let saturation = [0.75, 0.55, 0.65][step % 3];
    hsl(turn, saturation, lightness)
}

/// Converts HSL to sRGB by the formula of CSS Color 4. All arguments are in 0..=1.
fn hsl(hue: f64, saturation: f64, lightness: f64) -> Color {
    let amplitude = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f64| {
        let k = (offset + hue * 12.0) % 12.0;
        let value = lightness - amplitude * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    Color(channel(0.0), channel(8.0), channel(4.0))
}
