//! Adventurers, Agents, crosses.

use meeple_scene::{Color, Item, Path, Scene, Shape, Style, Transform, palette};

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
    let mut ship = Scene::new(0.36, 0.36);
    ship.line(0.0, 0.06, 0.0, -0.19).stroke(palette::INK, 0.02);
    ship.path(sail).fill(cloth).stroke(trim, 0.01);
    ship.path(jib).fill(cloth).stroke(trim, 0.01);
    ship.path(hull).fill(color).stroke(edge, 0.014);
    if is_pirate {
        for (x1, x2) in [(0.045, 0.105), (0.105, 0.045)] {
            ship.line(x1, -0.075, x2, -0.015).stroke(palette::WHITE, 0.018).rounded();
        }
    }
    ship.items
}

/// An Agent's house in a player's colour, about 0.22 wide, centred on the origin.
pub(super) fn house(color: Color, is_dispossessed: bool) -> Vec<Item> {
    let edge = if color.lightness() > 0.3 { palette::INK } else { palette::WHITE };
    let mut house = Scene::new(0.22, 0.22);
    let walls = house.polygon([(-0.1, 0.1), (-0.1, -0.02), (0.0, -0.12), (0.1, -0.02), (0.1, 0.1)]);
    if is_dispossessed {
        walls.fill(palette::PAPER).stroke(color, 0.024);
        house.line(-0.11, 0.11, 0.11, -0.11).stroke(palette::DANGER, 0.022).rounded();
    } else {
        walls.fill(color).stroke(edge, 0.014);
    }
    house.items
}

/// A cross for an attack: filled for a success, hollow for a failure.
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

/// Draws a small coin that shows an amount of wealth.
pub(super) fn coin(scene: &mut Scene, (x, y): (f64, f64), wealth: u32) {
    let text = wealth.to_string();
    // Numbers of three digits overflow the coin and keep their size.
    scene.circle(x, y, 0.135).fill(palette::GOLD).stroke(palette::GOLD.darker(0.5), 0.012);
    scene.text(x, y, 0.19, text).bold().stroke(palette::GOLD, 0.03).centered();
}
