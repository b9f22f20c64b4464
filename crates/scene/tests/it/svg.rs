use meeple_scene::{Item, Path, Scene, Shape, Style, SvgOptions, Transform, palette};

const STILL: SvgOptions = SvgOptions { pixels_per_unit: 10.0, interactive: false };
const LIVE: SvgOptions = SvgOptions { pixels_per_unit: 10.0, interactive: true };

/// Compares the lines between the opening and the closing tag, for one item without a background.
#[track_caller]
fn check(draw: impl Fn(&mut Scene), expected: &str) {
    let mut scene = Scene::new(1.0, 1.0);
    scene.background = None;
    draw(&mut scene);
    let svg = scene.to_svg(&STILL);
    roxmltree::Document::parse(&svg).unwrap();
    let lines: Vec<&str> = svg.lines().collect();
    assert_eq!(lines[1..lines.len() - 1].join("\n"), expected);
}

#[test]
fn golden_picture() {
    let mut scene = Scene::new(4.0, 2.5);
    scene.title = "Tent".into();
    scene.description = "A tent & a <gem>".into();
    scene.rect(0.0, 0.5, 2.0, 1.0).fill(palette::SAND).stroke(palette::INK, 0.05).corner(0.1).action("stay");
    scene.circle(3.0, 1.0, 1.0 / 3.0).action("leave").tooltip("leave \"now\"");
    scene.text(1.0, 1.0, 0.5, "7").anchor(meeple_scene::Anchor::Middle).bold();
    let expected = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2.5" width="40" height="25" role="group" font-family="DejaVu Sans, Verdana, sans-serif">
<title>Tent</title>
<desc>A tent &amp; a &lt;gem&gt;</desc>
<style>.spot{cursor:pointer}.spot:hover,.spot:focus-visible{filter:brightness(1.12)}</style>
<rect width="4" height="2.5" fill="#faf8f3"/>
<g class="part" role="group" aria-label="board" data-view="0 0 4 2.5" data-text="0.5" data-board="0 0 1">
<rect x="0" y="0.5" width="2" height="1" rx="0.1" fill="#ecdcb4" stroke="#22262b" stroke-width="0.05" class="spot" data-action="stay" role="button" tabindex="0" aria-label="stay" pointer-events="all"/>
<circle cx="3" cy="1" r="0.333" fill="#22262b" class="spot" data-action="leave" role="button" tabindex="0" aria-label="leave &quot;now&quot;" pointer-events="all"><title>leave &quot;now&quot;</title></circle>
<text x="1" y="1" font-size="0.5" text-anchor="middle" font-weight="bold" fill="#22262b">7</text>
</g>
</svg>
"##;
    assert_eq!(scene.to_svg(&LIVE), expected);
}

#[test]
fn parts_are_groups_that_say_what_a_page_shows_of_them() {
    let mut scene = Scene::new(12.0, 8.0);
    scene.circle(0.1, 0.1, 0.1);
    scene.begin_board("map", [0.0, 0.0, 8.0, 8.0], Transform::at(4.0, 3.5).scaled(0.5));
    scene.look_at(2.0, 3.0);
    scene.group(Transform::at(4.0, 3.5).scaled(0.5), vec![]);
    scene.target("e4", [4.0, 4.0, 1.0, 1.0]);
    scene.begin_part("scores \"now\"", 8.0, 0.0, 4.0, 2.0);
    scene.text(8.5, 1.0, 0.5, "Ann: 3");
    scene.end_part();
    scene.circle(0.2, 0.2, 0.2);
    let live = scene.to_svg(&LIVE);
    let lines: Vec<&str> = live.lines().skip(3).collect();
    assert_eq!(
        lines.join("\n"),
        r##"<circle cx="0.1" cy="0.1" r="0.1" fill="#22262b"/>
<g class="part" role="group" aria-label="map" data-view="0 0 8 8" data-board="4 3.5 0.5" data-focus="2 3">
<g transform="translate(4 3.5) scale(0.5)">
</g>
<rect x="4" y="4" width="1" height="1" class="target" data-target="e4" fill="none" pointer-events="none"/>
</g>
<g class="part" role="group" aria-label="scores &quot;now&quot;" data-view="8 0 4 2" data-text="0.5">
<text x="8.5" y="1" font-size="0.5" fill="#22262b">Ann: 3</text>
</g>
<circle cx="0.2" cy="0.2" r="0.2" fill="#22262b"/>
</svg>"##
    );
    // A static picture has the same items, and nothing else.
    let still: Vec<String> = scene.to_svg(&STILL).lines().skip(2).map(str::to_owned).collect();
    let items = lines.iter().filter(|line| !line.contains("\"part\"") && !line.contains("target"));
    assert_eq!(items.count(), still.len() + 2, "but for the ends of two groups");
}

#[test]
fn spots_of_one_place_stand_in_a_group_that_names_it() {
    let mut scene = Scene::new(4.0, 4.0);
    let mut spot = Scene::new(1.0, 1.0);
    spot.circle(0.5, 0.5, 0.1).action("a1");
    scene.group(Transform::at(1.0, 1.0), spot.items).place("at column 1");
    let place = "<g transform=\"translate(1 1)\" class=\"place\" data-place=\"at column 1\"><title>at column 1</title>";
    assert!(scene.to_svg(&LIVE).contains(place), "{}", scene.to_svg(&LIVE));
    assert!(!scene.to_svg(&STILL).contains("class="));
}

#[test]
fn same_scene_same_bytes() {
    let scene = crate::demo();
    assert_eq!(scene.to_svg(&LIVE), crate::demo().to_svg(&LIVE));
    assert_eq!(scene.clone().to_svg(&LIVE), scene.to_svg(&LIVE));
    roxmltree::Document::parse(&scene.to_svg(&LIVE)).unwrap();
}

#[test]
fn a_still_picture_has_no_spots() {
    let svg = crate::demo().to_svg(&STILL);
    for mark in ["spot", "data-action", "button", "tabindex", "<style>"] {
        assert!(!svg.contains(mark), "{mark}");
    }
    assert!(svg.contains(r#"role="img""#));
}

#[test]
fn numbers_are_rounded_to_thousandths_whatever_their_size() {
    // The expected text, by the standard library's formatting.
    let expected = |value: f64| {
        let text = format!("{:.3}", (value.clamp(-1e9, 1e9) * 1000.0).round() / 1000.0);
        let short = text.trim_end_matches('0').trim_end_matches('.');
        if short == "-0" { "0".to_owned() } else { short.to_owned() }
    };
    let mut scene = Scene::new(1.0, 1.0);
    let mut values: Vec<f64> = (-3_000..3_000).map(|number| f64::from(number) * 0.0137).collect();
    values.extend(
        (0..13).flat_map(|power| [1.0, -1.0, 9.9996, -0.9995].map(|lead| lead * 10f64.powi(power - 3))),
    );
    values.extend([0.0004, -0.0004, 0.0005, 0.1, 999.9994, 999.9996, 1e9, 1e300, -1e300]);
    for value in &values {
        scene.circle(*value, 0.0, 1.0);
    }
    let svg = scene.to_svg(&STILL);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let circles = document.descendants().filter_map(|node| node.attribute("cx"));
    let written: Vec<&str> = circles.collect();
    assert_eq!(written, values.iter().map(|value| expected(*value)).collect::<Vec<_>>());
}

#[test]
fn numbers_are_short() {
    let circle = |x: f64, y: f64| {
        move |scene: &mut Scene| {
            scene.circle(x, y, 1.0);
        }
    };
    let expected = |x: &str, y: &str| format!(r##"<circle cx="{x}" cy="{y}" r="1" fill="#22262b"/>"##);
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (-0.0004, "0"),
        (0.0005, "0.001"),
        (-0.05, "-0.05"),
        (1.0 / 3.0, "0.333"),
        (1234.5, "1234.5"),
        (0.1 + 0.2, "0.3"),
        (f64::NAN, "0"),
        (f64::INFINITY, "0"),
        (1e300, "1000000000"),
        (f64::MIN, "-1000000000"),
    ] {
        check(circle(value, 2.0), &expected(text, "2"));
    }
}

#[test]
fn negative_sizes_become_nothing() {
    check(
        |s| {
            s.rect(1.0, 1.0, -1.0, f64::NAN);
        },
        r##"<rect x="1" y="1" width="0" height="0" fill="#22262b"/>"##,
    );
    let empty = Scene::new(-3.0, f64::INFINITY).to_svg(&STILL);
    assert!(empty.contains(r#"viewBox="0 0 0 0""#));
}

#[test]
fn every_text_survives_xml() {
    let mut nasty: String = (0..=0x9f_u32).filter_map(char::from_u32).collect();
    nasty.push_str("\u{2028}\u{fffe}\u{ffff}\u{10ffff}]]>--><!--&amp;中\u{fdd0}");
    let mut scene = Scene::new(1.0, 1.0);
    scene.title = nasty.clone();
    scene.description = nasty.clone();
    scene.text(0.0, 0.0, 1.0, nasty.clone()).action(nasty.clone()).tooltip(nasty.clone());
    let svg = scene.to_svg(&LIVE);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let forbidden = |c: char| (c < ' ' && !"\t\n\r".contains(c)) || c == '\u{fffe}' || c == '\u{ffff}';
    let expected = nasty.replace(forbidden, "\u{fffd}");
    let text = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
    assert_eq!(text.attribute("data-action"), Some(expected.as_str()));
    assert_eq!(text.attribute("aria-label"), Some(expected.as_str()));
    assert_eq!(
        document.descendants().find(|node| node.has_tag_name("desc")).unwrap().text(),
        Some(expected.as_str())
    );
}

#[test]
fn shapes_as_elements() {
    check(
        |s| {
            s.line(0.0, 1.0, 2.0, 3.0);
        },
        r##"<line x1="0" y1="1" x2="2" y2="3" stroke="#22262b" stroke-width="0.05"/>"##,
    );
    check(
        |s| {
            s.polygon([(0.0, 0.0), (1.5, 0.0)]);
        },
        r##"<polygon points="0,0 1.5,0" fill="#22262b"/>"##,
    );
    check(
        |s| {
            s.polyline([]).dashed().rounded().opacity(-1.0);
        },
        r##"<polyline points="" opacity="0" fill="none" stroke="#22262b" stroke-width="0.05" stroke-dasharray="0.15 0.125" stroke-linecap="round" stroke-linejoin="round"/>"##,
    );
    // A path must begin with a move.
    check(
        |s| {
            s.path(Path::new().line_to(1.0, 1.0).close());
        },
        r##"<path d="M0 0L1 1Z" fill="#22262b"/>"##,
    );
    check(
        |s| {
            s.path(Path::new());
        },
        r##"<path d="" fill="#22262b"/>"##,
    );
    check(
        |s| {
            s.group(Transform::at(1.0, 2.0).rotated(90.0).scaled(0.5), vec![]);
        },
        "<g transform=\"translate(1 2) rotate(90) scale(0.5)\">\n</g>",
    );
    check(
        |s| {
            s.group(Transform::at(1.5, 2.5).about(0.5, 0.0), vec![]);
        },
        "<g transform=\"translate(1.5 2.5) translate(-0.5 0)\">\n</g>",
    );
    check(
        |s| {
            s.push(Item::new(Shape::Circle { x: 0.0, y: 0.0, r: 1.0 }, Style::default()));
        },
        r##"<circle cx="0" cy="0" r="1" fill="none"/>"##,
    );
}

#[test]
fn lines_and_blanks_of_text_are_kept() {
    check(
        |s| {
            s.text(1.0, 2.0, 1.0, "a\n\nb<");
        },
        r##"<text x="1" y="2" font-size="1" fill="#22262b"><tspan x="1" dy="0em">a</tspan><tspan x="1" dy="2.4em">b&lt;</tspan></text>"##,
    );
    check(
        |s| {
            s.text(1.0, 2.0, 1.0, "a  b");
        },
        r##"<text x="1" y="2" font-size="1" xml:space="preserve" fill="#22262b">a  b</text>"##,
    );
}

#[test]
fn fitting_shrinks_only() {
    let size = |max_width: f64| {
        let mut scene = Scene::new(1.0, 1.0);
        let item = scene.text(0.0, 0.0, 1.0, "0000").fit(max_width).clone();
        let Shape::Text { size, .. } = item.shape else { unreachable!("a text was drawn") };
        size
    };
    assert_eq!(size(100.0), 1.0);
    assert!((meeple_scene::text_width("0000", size(1.0), false) - 1.0).abs() < 1e-9);
    assert_eq!(size(f64::NAN), 1.0);
}

#[test]
fn actions_are_listed_once_through_groups() {
    let mut inner = Scene::new(1.0, 1.0);
    inner.circle(0.0, 0.0, 1.0).action("b");
    let mut scene = Scene::new(1.0, 1.0);
    scene.circle(0.0, 0.0, 1.0).action("a");
    scene.place(Transform::at(0.0, 0.0), inner).action("c");
    scene.circle(0.0, 0.0, 1.0).action("a");
    assert_eq!(scene.actions(), ["a", "c", "b"]);
}

#[test]
fn a_placed_scene_lies_on_its_own_ground() {
    let mut inner = Scene::new(1.0, 2.0);
    inner.circle(0.0, 0.0, 1.0);
    inner.circle(0.0, 0.0, 2.0);
    check(
        |s| {
            s.place(Transform::at(3.0, 0.0), inner.clone());
        },
        "<g transform=\"translate(3 0)\">\n\
         <rect x=\"0\" y=\"0\" width=\"1\" height=\"2\" fill=\"#faf8f3\"/>\n\
         <circle cx=\"0\" cy=\"0\" r=\"1\" fill=\"#22262b\"/>\n\
         <circle cx=\"0\" cy=\"0\" r=\"2\" fill=\"#22262b\"/>\n\
         </g>",
    );
}

#[test]
fn targets_are_for_pages_only() {
    let mut scene = Scene::new(4.0, 4.0);
    scene.target("2,1 \"", [1.0, 2.0, 1.0, 1.0]);
    let live = scene.to_svg(&LIVE);
    let target = "<rect x=\"1\" y=\"2\" width=\"1\" height=\"1\" class=\"target\" data-target=\"2,1 &quot;\"";
    assert!(live.contains(target), "{live}");
    assert!(!scene.to_svg(&SvgOptions::default()).contains("target"));
}

#[test]
fn actions_are_explained_where_nothing_else_is_said() {
    let mut scene = Scene::new(4.0, 4.0);
    scene.circle(1.0, 1.0, 0.5).action("a1").tooltip("a1");
    scene.circle(1.0, 1.0, 0.5).action("a2").tooltip("said already");
    let mut inner = Scene::new(1.0, 1.0);
    inner.circle(0.5, 0.5, 0.5).action("a3");
    scene.place(meeple_scene::Transform::at(1.0, 1.0), inner);
    scene.explain_actions(|action| Some(format!("the words of {action}")));
    let live = scene.to_svg(&LIVE);
    for label in ["the words of a1", "said already", "the words of a3"] {
        assert!(live.contains(&format!("aria-label=\"{label}\"")), "{live}");
    }
}
