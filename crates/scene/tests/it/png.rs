use meeple_scene::{
    Anchor, Arc, Item, Path, RenderError, Scene, Shape, Style, Transform, palette, text_width, to_png,
};

struct Picture {
    width: u32,
    height: u32,
    /// RGBA of each pixel, row by row.
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    fn read(bytes: &[u8]) -> Picture {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut buffer).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
        let pixels = buffer.chunks_exact(4).map(|pixel| pixel.try_into().unwrap()).collect();
        Picture { width: info.width, height: info.height, pixels }
    }

    /// The first and the last column with a dark pixel.
    fn dark_columns(&self) -> Option<(usize, usize)> {
        let dark = |pixel: &[u8; 4]| pixel[3] > 128 && pixel[..3].iter().all(|&channel| channel < 128);
        let columns = self.pixels.iter().enumerate().filter(|(_, pixel)| dark(pixel));
        let columns = columns.map(|(index, _)| index % self.width as usize);
        columns.fold(None, |range, x| match range {
            None => Some((x, x)),
            Some((first, last)) => Some((x.min(first), x.max(last))),
        })
    }
}

fn with_text(text: &str, bold: bool) -> Picture {
    let mut scene = Scene::new(20.0, 2.0);
    let item = scene.text(10.0, 1.5, 1.0, text).anchor(Anchor::Middle);
    if bold {
        item.bold();
    }
    Picture::read(&to_png(&scene, 1000).unwrap())
}

#[test]
fn a_picture_has_its_size_and_ground() {
    let mut scene = Scene::new(4.0, 3.0);
    scene.rect(0.0, 0.0, 2.0, 3.0).fill(palette::DANGER);
    let picture = Picture::read(&to_png(&scene, 200).unwrap());
    assert_eq!((picture.width, picture.height), (200, 150));
    assert_eq!(picture.pixels[0], [0xc8, 0x32, 0x1f, 255]);
    assert_eq!(picture.pixels[199], [0xfa, 0xf8, 0xf3, 255]);
}

#[test]
fn same_scene_same_bytes() {
    assert_eq!(to_png(&crate::demo(), 300), to_png(&crate::demo(), 300));
}

#[test]
fn text_is_drawn_and_as_wide_as_measured() {
    assert_eq!(with_text("", false).dark_columns(), None);
    for text in ["Hello, World!", "0123456789", "The quick brown fox jumps", "MMMMiiii....||||", "#@%&WAV"] {
        for bold in [false, true] {
            let (first, last) = with_text(text, bold).dark_columns().unwrap();
            let (drawn, measured) = ((last - first + 1) as f64 / 50.0, text_width(text, 1.0, bold));
            assert!(
                (drawn / measured - 1.0).abs() < 0.05,
                "{text} bold {bold}: {drawn}, measured {measured}"
            );
        }
    }
}

#[test]
fn a_soft_hyphen_is_not_seen() {
    assert_eq!(with_text("a\u{ad}b", false).pixels, with_text("ab", false).pixels);
}

#[test]
fn bold_is_a_font_of_its_own() {
    let (regular, bold) = (with_text("Meeple", false), with_text("Meeple", true));
    assert!(regular.pixels != bold.pixels);
}

#[test]
fn a_tooltip_does_not_change_the_picture() {
    let draw = |tooltip: &str| {
        let mut scene = Scene::new(4.0, 1.0);
        scene.text(0.0, 0.8, 1.0, "abc").tooltip(tooltip);
        to_png(&scene, 100)
    };
    assert_eq!(draw(""), draw("something else"));
}

/// The pixels of a drawing on white, 10 pixels a unit, from top left to bottom right.
fn painted(draw: impl FnOnce(&mut Scene)) -> Picture {
    let mut scene = Scene::new(10.0, 10.0);
    scene.background = Some(palette::WHITE);
    draw(&mut scene);
    Picture::read(&to_png(&scene, 100).unwrap())
}

fn painted_item(draw: impl FnOnce(&mut Scene) -> &mut Item) -> Picture {
    painted(|scene| {
        draw(scene);
    })
}

impl Picture {
    /// The shade at a place in board units, 10 pixels a unit: 0 is black, 255 white.
    fn shade(&self, x: f64, y: f64) -> u8 {
        let pixel = self.pixels[(10.0 * y) as usize * self.width as usize + (10.0 * x) as usize];
        assert!(pixel[0] == pixel[1] && pixel[1] == pixel[2], "grey at {x} {y}: {pixel:?}");
        pixel[0]
    }

    /// The area painted in black on white, in square units, 10 pixels a unit.
    fn area(&self) -> f64 {
        self.pixels.iter().map(|pixel| f64::from(255 - pixel[0]) / 255.0).sum::<f64>() / 100.0
    }

    #[track_caller]
    fn has_area(&self, expected: f64) {
        let area = self.area();
        assert!((area - expected).abs() < 0.02 * expected + 0.02, "{area}, expected {expected}");
    }
}

const BLACK: meeple_scene::Color = meeple_scene::Color(0, 0, 0);

#[test]
fn shapes_cover_what_they_say() {
    use std::f64::consts::PI;
    let black = || Style::fill(BLACK);
    painted_item(|s| s.rect(1.0, 1.0, 4.0, 3.0).style(black())).has_area(12.0);
    // The corners cover four quarters of a circle instead of four squares.
    painted_item(|s| s.rect(1.0, 1.0, 6.0, 5.0).style(black()).corner(2.0)).has_area(30.0 - (4.0 - PI) * 4.0);
    // Radii without room shrink: both ends become half an ellipse.
    painted_item(|s| s.rect(1.0, 1.0, 6.0, 2.0).style(black()).corner(9.0)).has_area(PI * 3.0);
    painted_item(|s| s.circle(5.0, 5.0, 3.0).style(black())).has_area(9.0 * PI);
    painted_item(|s| s.polygon([(1.0, 1.0), (7.0, 1.0), (1.0, 9.0)]).style(black())).has_area(24.0);
    painted_item(|s| s.line(1.0, 5.0, 9.0, 5.0).style(Style::stroke(BLACK, 0.5))).has_area(4.0);
    painted_item(|s| s.line(1.0, 5.0, 8.0, 5.0).style(Style::stroke(BLACK, 2.0).rounded()))
        .has_area(14.0 + PI);
    // Dashes are three widths long, and gaps two and a half.
    painted_item(|s| s.line(0.0, 5.0, 9.0, 5.0).style(Style::stroke(BLACK, 0.5).dashed())).has_area(2.625);
    painted_item(|s| s.circle(5.0, 5.0, 3.0).style(Style::stroke(BLACK, 1.0))).has_area(6.0 * PI);
    // A parabolic arch covers two thirds of its box.
    let arch = Path::new().move_to(1.0, 8.0).quad_to(5.0, -4.0, 9.0, 8.0).close();
    painted_item(|s| s.path(arch).style(black())).has_area(2.0 / 3.0 * 8.0 * 6.0);
    let wave = Path::new().move_to(1.0, 5.0).cubic_to((1.0, 1.0), (9.0, 1.0), (9.0, 5.0)).close();
    painted_item(|s| s.path(wave).style(black())).has_area(19.2);
    // SVG's nonzero rule: a hole needs the opposite direction.
    let frame = Path::new().move_to(1.0, 1.0).line_to(9.0, 1.0).line_to(9.0, 9.0).line_to(1.0, 9.0).close();
    let hole =
        |path: Path| path.move_to(3.0, 3.0).line_to(3.0, 7.0).line_to(7.0, 7.0).line_to(7.0, 3.0).close();
    painted_item(|s| s.path(hole(frame)).style(black())).has_area(48.0);
}

#[test]
fn arcs_are_the_four_parts_of_two_circles() {
    use std::f64::consts::PI;
    // Two points a quarter of a circle of radius 3 apart.
    let (from, to) = ((5.0, 2.0), (8.0, 5.0));
    let segment = 9.0 * (PI / 4.0 - 0.5);
    // The position of the arc's middle decides the side.
    for (arc, area, inside) in [
        (Arc::ShortClockwise, segment, (6.8, 3.2)),
        (Arc::LongCounterClockwise, 9.0 * PI - segment, (5.0, 5.0)),
        (Arc::ShortCounterClockwise, segment, (6.2, 3.8)),
        (Arc::LongClockwise, 9.0 * PI - segment, (8.0, 2.0)),
    ] {
        let path = Path::new().move_to(from.0, from.1).arc_to(3.0, arc, to.0, to.1).close();
        let mut scene = Scene::new(20.0, 20.0);
        scene.background = Some(palette::WHITE);
        // The offset leaves room for the larger circles.
        scene.group(Transform::at(5.0, 5.0), vec![Item::new(Shape::Path(path), Style::fill(BLACK))]);
        let picture = Picture::read(&to_png(&scene, 200).unwrap());
        picture.has_area(area);
        assert_eq!(picture.shade(inside.0 + 5.0, inside.1 + 5.0), 0, "{arc:?}");
    }
    // A radius that is too small is enlarged to half a circle; a zero radius gives a straight line.
    let half = |radius: f64| {
        let path = Path::new()
            .move_to(2.0, 5.0)
            .arc_to(radius, Arc::ShortClockwise, 8.0, 5.0)
            .line_to(5.0, 9.0)
            .close();
        painted_item(|s| s.path(path).style(Style::fill(BLACK)))
    };
    half(1.0).has_area(4.5 * PI + 12.0);
    half(0.0).has_area(12.0);
}

#[test]
fn groups_are_moved_turned_and_scaled() {
    let picture = painted(|scene| {
        let mut tile = Scene::new(2.0, 1.0);
        tile.background = None;
        tile.rect(0.0, 0.0, 1.0, 1.0).style(Style::fill(BLACK));
        scene.place(Transform::at(5.0, 5.0).about(1.0, 0.5).rotated(90.0).scaled(3.0), tile);
    });
    // After a quarter turn clockwise the left half is above.
    picture.has_area(9.0);
    assert_eq!((picture.shade(5.0, 3.5), picture.shade(5.0, 6.5)), (0, 255));
}

#[test]
fn a_translucent_item_is_one_thing() {
    let picture = painted(|scene| {
        scene.circle(3.0, 5.0, 2.0).style(Style::fill(BLACK).with_stroke(BLACK, 1.0)).opacity(0.4);
        let part = |x: f64| {
            let mut items = Scene::new(1.0, 1.0);
            items.rect(x, 3.0, 2.0, 4.0).style(Style::fill(BLACK));
            items.items.remove(0)
        };
        scene.group(Transform::default(), vec![part(6.0), part(7.0)]).opacity(0.4);
        scene.rect(0.0, 9.0, 10.0, 1.0).style(Style::fill(BLACK)).opacity(-3.0);
        scene.rect(0.0, 0.0, 10.0, 1.0).style(Style::fill(BLACK)).opacity(f64::NAN);
    });
    // Overlaps of outline and inside, or of two items of a group, are no darker.
    for (x, y) in [(3.0, 5.0), (4.7, 5.0), (5.2, 5.0), (6.5, 5.0), (7.5, 5.0), (8.5, 5.0)] {
        assert_eq!(picture.shade(x, y), 153, "{x} {y}");
    }
    assert_eq!((picture.shade(5.0, 9.5), picture.shade(5.0, 0.5)), (255, 0));
}

#[test]
fn a_halo_lies_behind_its_letters_and_lines_stand_below_each_other() {
    let ink = |halo: bool| {
        painted(|scene| {
            let text = scene.text(0.0, 4.0, 4.0, "I\n\nI").fill(BLACK);
            if halo {
                text.stroke(palette::WHITE, 1.0);
            }
        })
    };
    let rows = |picture: &Picture| {
        let dark = picture.pixels.iter().enumerate().filter(|(_, pixel)| pixel[0] < 128);
        let rows: std::collections::BTreeSet<usize> =
            dark.map(|(at, _)| at / picture.width as usize).collect();
        rows
    };
    assert_eq!(ink(true).pixels, ink(false).pixels);
    // Capital letters have 0.73 of the font size; the third line lies beyond the page.
    assert_eq!(rows(&ink(false)), (11..40).collect());
    let two = painted_item(|scene| scene.text(0.0, 3.0, 2.0, "I\n\nI").fill(BLACK));
    let expected: Vec<usize> = (16..30).chain(64..78).collect();
    let rows = rows(&two);
    assert!(expected.iter().all(|row| rows.contains(row)) && rows.len() <= expected.len() + 4, "{rows:?}");
}

#[test]
fn bad_numbers_and_odd_text_are_painted_somehow() {
    let bad = [f64::NAN, f64::INFINITY, 1e300, -1e300, 1e9, 1e7, -1e5, 9e4, 33_000.7, -1.0, 1e-9, 0.0];
    for a in bad {
        for b in bad {
            painted(|s| {
                s.rect(a, b, 1.0, b)
                    .style(Style::fill(BLACK).with_stroke(BLACK, a).dashed())
                    .corner(b)
                    .opacity(a);
                s.circle(1.0, a, b).stroke(BLACK, 0.1).opacity(0.5);
                s.line(a, b, b, 1.0).stroke(BLACK, b).dashed();
                s.polygon([(a, b), (1.0, 1.0)]).opacity(0.1);
                s.polyline([]);
                let path = Path::new()
                    .arc_to(a, Arc::LongClockwise, b, 1.0)
                    .quad_to(a, b, 1.0, a)
                    .close()
                    .line_to(b, b);
                s.path(path).stroke(BLACK, 1.0);
                s.text(a, b, a, "\0\t\u{1f600}\n\u{301}x").stroke(BLACK, b);
                let turned = Transform::at(a, b).about(b, a).rotated(a).scaled(b);
                let mut page = Scene::new(a, b);
                page.circle(0.0, 0.0, 1.0);
                s.place(turned, page).opacity(0.5);
            });
        }
    }
}

#[test]
fn what_reaches_too_far_is_left_out() {
    let wide = |w: f64| painted_item(|s| s.rect(0.0, 0.0, w, 5.0).style(Style::fill(BLACK))).area();
    assert_eq!((wide(90_000.0), wide(110_000.0)), (50.0, 0.0));
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    for (scene, width) in [
        (Scene::new(0.0, 1.0), 10),
        (Scene::new(1.0, 0.0), 10),
        (Scene::new(f64::NAN, 1.0), 10),
        (Scene::new(1.0, -1.0), 10),
        (Scene::new(1.0, 1.0), 0),
        (Scene::new(1.0, 1.0), u32::MAX),
        (Scene::new(1.0, 1e-3), u32::MAX),
        (Scene::new(1e-9, 1e9), 10),
    ] {
        assert!(matches!(to_png(&scene, width), Err(RenderError::Size { .. })), "{scene:?} {width}");
    }
    let message = to_png(&Scene::new(1.0, 1.0), 0).unwrap_err().to_string();
    assert!(message.contains("found 0 x 1") && message.contains("\nhint:"), "{message}");
}
