//! Meeples and towers.

use meeple_scene::{Anchor, Color, Item, Path, Shape, Style, Transform, palette};

use super::shape::Point;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pose {
    Standing,
    Lying,
}

/// A numbered meeple, centred, of height `size`.
pub(super) fn meeple(seat: usize, at: Point, size: f64, pose: Pose) -> Item {
    // The seat's number helps colour-blind players. It stays upright on a lying meeple.
    let mut label = Item::plain(Shape::Text {
        x: 0.0,
        y: 0.08,
        size: 0.56,
        anchor: Anchor::Middle,
        bold: true,
        text: seat.to_string(),
    });
    label.fill(palette::seat_color(seat).contrasting()).centered();
    figure(seat, at, size, pose, Some(label))
}

/// A meeple without a number, where its owner is clear from the context.
pub(super) fn plain_meeple(seat: usize, at: Point, size: f64) -> Item {
    figure(seat, at, size, Pose::Standing, None)
}

fn figure(seat: usize, at: Point, size: f64, pose: Pose, label: Option<Item>) -> Item {
    let color = palette::seat_color(seat);
    let body = Path::new()
        .move_to(-0.14, -0.1)
        .quad_to(-0.46, 0.0, -0.44, 0.14)
        .line_to(-0.2, 0.13)
        .line_to(-0.36, 0.5)
        .line_to(-0.06, 0.5)
        .line_to(0.0, 0.32)
        .line_to(0.06, 0.5)
        .line_to(0.36, 0.5)
        .line_to(0.2, 0.13)
        .line_to(0.44, 0.14)
        .quad_to(0.46, 0.0, 0.14, -0.1)
        .close();
    let rim = Color::hex("#1b1d20");
    let outline = |shape: Shape| Item::new(shape, Style::fill(rim).with_stroke(rim, 0.16).rounded());
    let head = Shape::Circle { x: 0.0, y: -0.27, r: 0.21 };
    let mut items = vec![outline(Shape::Path(body.clone())), outline(head.clone())];
    items.push(Item::new(Shape::Path(body), Style::fill(color)));
    items.push(Item::new(head, Style::fill(color)));
    if pose == Pose::Lying {
        let lying = Shape::Group { transform: Transform::at(0.0, 0.0).rotated(90.0), items };
        items = vec![Item::new(lying, Style::default())];
    }
    items.extend(label);
    Item::new(Shape::Group { transform: Transform::at(at.0, at.1).scaled(size), items }, Style::default())
}

pub(super) fn tower(at: Point, height: u8, guard: Option<usize>) -> Item {
    let (x, y) = at;
    let mut items = Vec::new();
    let stone = Color::hex("#8c7f74");
    let rim = Color::hex("#3b342e");
    // At most four floors are drawn; the number shows the height of higher towers.
    let floors = height.min(4);
    for floor in 0..floors {
        let top = y + 0.07 - 0.085 * f64::from(floor + 1);
        items.push(Item::new(
            Shape::Rect { x: x - 0.1, y: top, w: 0.2, h: 0.085, radius: 0.0 },
            Style::fill(stone.lighter(0.12 * f64::from(floor))).with_stroke(rim, 0.014),
        ));
    }
    if height > 0 {
        let top = y + 0.07 - 0.085 * f64::from(floors);
        for step in [-0.1, -0.025, 0.05] {
            items.push(Item::new(
                Shape::Rect { x: x + step, y: top - 0.04, w: 0.05, h: 0.045, radius: 0.0 },
                Style::fill(stone.lighter(0.3)).with_stroke(rim, 0.012),
            ));
        }
        let mut label = Item::plain(Shape::Text {
            x,
            y: y + 0.07 - 0.0425 * f64::from(floors),
            size: 0.2,
            anchor: Anchor::Middle,
            bold: true,
            text: height.to_string(),
        });
        label.fill(palette::WHITE).stroke(rim, 0.035).centered();
        items.push(label);
        if let Some(seat) = guard {
            items.push(meeple(seat, (x, top - 0.19), 0.35, Pose::Standing));
        }
    }
    Item::new(Shape::Group { transform: Transform::default(), items }, Style::default())
}
