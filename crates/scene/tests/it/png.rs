use meeple_scene::{Anchor, RenderError, Scene, palette, svg_to_png, text_width, to_png};

struct Picture {
    width: u32,
    height: u32,
    /// Red, green, blue, alpha of each pixel, row by row.
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

    /// Columns that have a dark pixel: first and last.
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

#[test]
fn any_svg_with_any_font_is_drawn() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40">
        <text x="5" y="30" font-size="20" font-family="No Such Font">abc</text></svg>"#;
    let picture = Picture::read(&svg_to_png(svg, 1.5).unwrap());
    assert_eq!((picture.width, picture.height), (150, 60));
    assert!(picture.dark_columns().is_some());
}

#[test]
fn images_are_not_fetched() {
    let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">
        <image href="/etc/passwd.svg" width="10" height="10"/></svg>"#;
    assert_eq!(Picture::read(&svg_to_png(svg, 1.0).unwrap()).dark_columns(), None);
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    let tiny = r#"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>"#;
    for svg in ["", "hello", "<svg/", "<html/>"] {
        assert!(matches!(svg_to_png(svg, 1.0), Err(RenderError::Svg { .. })), "{svg}");
    }
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
        assert!(matches!(svg_to_png(tiny, scale), Err(RenderError::Size { .. })), "{scale}");
    }
    assert!(matches!(to_png(&Scene::new(0.0, 1.0), 10), Err(RenderError::Svg { .. })));
    assert!(matches!(to_png(&Scene::new(1.0, 1.0), 0), Err(RenderError::Size { .. })));
    assert!(matches!(to_png(&Scene::new(1.0, 1.0), u32::MAX), Err(RenderError::Size { .. })));
    assert!(matches!(to_png(&Scene::new(1.0, 1e-3), u32::MAX), Err(RenderError::Size { .. })));
    let message = to_png(&Scene::new(1.0, 1.0), 0).unwrap_err().to_string();
    assert!(message.contains("found 0 x 1") && message.contains("\nhint:"), "{message}");
}
