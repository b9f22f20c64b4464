//! Parts shared by the chart and the panel beside it.

use meeple_core::Seat;
use meeple_scene::{Anchor, Color, Item, Path, Scene, palette};

use crate::ship::Class;

pub(super) const PANEL: f64 = 500.0;

pub(super) const TITLE: Color = Color(36, 58, 78);
pub(super) const QUIET: Color = Color(96, 106, 116);
/// Background of a card.
pub(super) const CARD: Color = Color(255, 255, 255);

/// A ship at the origin: a hull with one, two or three masts, and the seat's number.
pub(super) fn ship(seat: Seat, class: Class, own: bool) -> Vec<Item> {
    let color = palette::seat_color(seat.index());
    let edge = if own { palette::GOLD } else { palette::WHITE };
    let (half, masts): (f64, &[f64]) = match class {
        Class::Schooner => (11.0, &[0.0]),
        Class::Galleon => (14.0, &[-5.5, 5.5]),
        Class::Frigate => (17.0, &[-9.0, 0.0, 9.0]),
    };
    let mut ship = Scene::new(2.0 * half, 24.0);
    for mast in masts {
        let sail = Path::new()
            .move_to(*mast - 4.6, -14.0)
            .quad_to(*mast + 8.0, -10.0, *mast - 4.6, -1.0)
            .quad_to(*mast - 1.5, -7.5, *mast - 4.6, -14.0)
            .close();
        ship.path(sail).fill(palette::WHITE).stroke(TITLE, 1.0);
    }
    let hull = Path::new()
        .move_to(-half, -1.0)
        .line_to(half, -1.0)
        .quad_to(half - 2.0, 10.0, half - 6.0, 10.0)
        .line_to(-half + 5.0, 10.0)
        .quad_to(-half + 1.0, 8.0, -half, -1.0)
        .close();
    ship.path(hull.clone()).outline(TITLE, 4.0);
    ship.path(hull).fill(color).stroke(edge, 1.6);
    ship.text(0.0, 9.6, 14.0, seat.to_string()).anchor(Anchor::Middle).bold().fill(color.contrasting());
    ship.items
}
