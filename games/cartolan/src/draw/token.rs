//! Adventurers, Agents, crosses.

use meeple_scene::{Color, Item, Path, Shape, Style, Transform, palette};

/// A ship in a player's colour, about 0.36 wide, centred on the origin.
pub(super) fn ship(color: Color, is_pirate: bool) -> Vec<Item> {
    let hull = Path::new()
        .move_to(-0.17, 0.05)
        .line_to(0.17, 0.05)
        .quad_to(0.15, 0.16, 0.07, 0.16)
        .line_to(-0.07, 0.16)
        .quad_to(-0.15, 0.16, -0.17, 0.05)
        .close();
    let sail = Path::new().move_to(0.02, -0.17).quad_to(0.16, -0.08, 0.13, 0.02).line_to(0.02, 0.02).close();
    let jib =
        Path::new().move_to(-0.02, -0.13).quad_to(-0.12, -0.06, -0.12, 0.02).line_to(-0.02, 0.02).close();
    let edge = if color.lightness() > 0.3 { palette::INK } else { palette::WHITE };
    let cloth = if is_pirate { palette::INK } else { palette::WHITE };
    let trim = if is_pirate { palette::WHITE } else { palette::INK };
    let mut items = vec![
        Item::new(Shape::Line { x1: 0.0, y1: 0.06, x2: 0.0, y2: -0.19 }, Style::stroke(palette::INK, 0.02)),
        Item::new(Shape::Path(sail), Style::fill(cloth).with_stroke(trim, 0.01)),
        Item::new(Shape::Path(jib), Style::fill(cloth).with_stroke(trim, 0.01)),
        Item::new(Shape::Path(hull), Style::fill(color).with_stroke(edge, 0.014)),
    ];
    if is_pirate {
        for (x1, x2) in [(0.045, 0.105), (0.105, 0.045)] {
            items.push(Item::new(
                Shape::Line { x1, y1: -0.075, x2, y2: -0.015 },
                Style::stroke(palette::WHITE, 0.018).rounded(),
            ));
        }
    }
    items
}

/// An Agent's house in a player's colour, about 0.22 wide, centred on the origin.
pub(super) fn house(color: Color, is_dispossessed: bool) -> Vec<Item> {
    let edge = if color.lightness() > 0.3 { palette::INK } else { palette::WHITE };
    let outline = vec![(-0.1, 0.1), (-0.1, -0.02), (0.0, -0.12), (0.1, -0.02), (0.1, 0.1)];
    let style = match is_dispossessed {
        true => Style::fill(palette::PAPER).with_stroke(color, 0.024),
        false => Style::fill(color).with_stroke(edge, 0.014),
    };
    let mut items = vec![Item::new(Shape::Polygon(outline), style)];
    if is_dispossessed {
        items.push(Item::new(
            Shape::Line { x1: -0.11, y1: 0.11, x2: 0.11, y2: -0.11 },
            Style::stroke(palette::DANGER, 0.022).rounded(),
        ));
    }
    items
}

/// A cross for an attack: filled if it succeeded, hollow if not.
pub(super) fn cross(color: Color, succeeded: bool, at: (f64, f64)) -> Item {
    let (arm, half) = (0.1, 0.032);
    let outline = vec![
        (-half, -arm),
        (half, -arm),
        (half, -half),
        (arm, -half),
        (arm, half),
        (half, half),
        (half, arm),
        (-half, arm),
        (-half, half),
        (-arm, half),
        (-arm, -half),
        (-half, -half),
    ];
    let style = match succeeded {
        true => Style::fill(color).with_stroke(palette::WHITE, 0.012),
        false => Style::fill(palette::WHITE).with_stroke(color, 0.02),
    };
    let transform = Transform::at(at.0, at.1).rotated(45.0);
    let mut item = Item::new(
        Shape::Group { transform, items: vec![Item::new(Shape::Polygon(outline), style)] },
        Style::default(),
    );
    let how = if succeeded { "an attack that succeeded" } else { "an attack in vain" };
    item.tooltip = Some(how.to_owned());
    item
}

/// A small number on a coin.
pub(super) fn coin(scene: &mut meeple_scene::Scene, (x, y): (f64, f64), wealth: u32) {
    let text = wealth.to_string();
    // Three digits and more stand out of the coin rather than shrink.
    scene.circle(x, y, 0.135).fill(palette::GOLD).stroke(palette::GOLD.darker(0.5), 0.012);
    scene.text(x, y, 0.19, text).bold().stroke(palette::GOLD, 0.03).centered();
}
