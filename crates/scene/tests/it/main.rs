//! Tests of drawings and screens, from outside.

mod color;
mod measure;
#[cfg(feature = "png")]
mod png;
mod screen;
mod splices;
mod svg;
mod window;

use meeple_scene::{Anchor, Arc, Path, Scene, Style, Transform, palette};

/// One of every shape, with actions, tooltips, halo, dashes, groups and several lines of text.
fn demo() -> Scene {
    let mut scene = Scene::new(12.0, 8.0);
    scene.title = "Demo".into();
    scene.description = "One of every shape".into();
    scene.text(6.0, 0.7, 0.6, "Every shape of a scene").centered().bold();
    for index in 0..20 {
        let (x, color) = (0.7 + 0.555 * index as f64, palette::seat_color(index));
        scene.circle(x, 1.7, 0.24).fill(color).stroke(palette::INK, 0.03);
        scene.text(x, 1.7, 0.24, index.to_string()).centered().bold().fill(color.contrasting());
    }
    scene.rect(0.5, 2.5, 2.0, 1.5).fill(palette::SAND).stroke(palette::INK, 0.06).corner(0.2).action("rect");
    scene.text(1.5, 3.25, 0.5, "Two\nlines").centered();
    scene
        .circle(3.6, 3.25, 0.7)
        .outline(palette::SPOT, 0.1)
        .dashed()
        .rounded()
        .action("ring")
        .tooltip("ring & co");
    scene.line(4.8, 2.6, 6.2, 3.9).stroke(palette::DANGER, 0.15).rounded();
    scene
        .polygon([(7.0, 2.5), (8.2, 3.2), (7.4, 4.0), (6.6, 3.4)])
        .fill(palette::GRASS)
        .stroke(palette::INK, 0.04);
    scene
        .polyline([(8.6, 4.0), (9.0, 2.6), (9.4, 3.9), (9.8, 2.6), (10.2, 4.0)])
        .stroke(palette::EARTH, 0.08);
    let moon = Path::new()
        .move_to(11.2, 2.5)
        .arc_to(0.75, Arc::LongClockwise, 11.2, 4.0)
        .quad_to(10.8, 3.25, 11.2, 2.5)
        .close();
    scene.path(moon).fill(palette::GOLD);
    let wave = Path::new().move_to(0.5, 5.0).cubic_to((2.0, 4.0), (3.0, 6.0), (4.5, 5.0));
    scene.path(wave).style(Style::stroke(palette::WATER, 0.2).rounded());
    let mut tile = Scene::new(1.0, 1.0);
    tile.background = Some(palette::GRASS);
    tile.rect(0.4, 0.0, 0.2, 1.0).fill(palette::SAND);
    tile.text(0.2, 0.85, 0.3, "R").bold();
    for quarter in 0..4 {
        let spot = Transform::at(5.8 + 1.6 * f64::from(quarter), 5.3)
            .about(0.5, 0.5)
            .rotated(90.0 * f64::from(quarter));
        scene
            .place(spot, tile.clone())
            .action(format!("turn {quarter}"))
            .opacity(1.0 - 0.2 * f64::from(quarter));
    }
    scene.rect(0.5, 6.6, 11.0, 1.0).fill(palette::WATER);
    scene.text(0.7, 7.3, 0.5, "halo").fill(palette::INK).stroke(palette::WHITE, 0.12);
    scene.text(6.0, 7.3, 0.5, "middle ♥ ♠ → ⚅ ♞ ß Ж λ").anchor(Anchor::Middle);
    scene.text(11.3, 7.3, 0.5, "end").anchor(Anchor::End).bold();
    scene
}
