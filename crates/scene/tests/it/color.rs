use std::collections::BTreeSet;

use meeple_scene::{Color, palette};

#[test]
fn text_form_round_trips() {
    for text in ["#000000", "#0072b2", "#ffffff"] {
        assert_eq!(text.parse::<Color>().unwrap().to_string(), text);
    }
    assert_eq!("#A0b1C2".parse(), Ok(Color(0xa0, 0xb1, 0xc2)));
}

#[test]
fn other_text_is_refused() {
    for text in ["", "#", "#12345", "#1234567", "0072b2#", "#00g0b2", "#ééé", "red"] {
        let error = text.parse::<Color>().unwrap_err();
        assert!(error.to_string().contains("expected a colour as #rrggbb"), "{text}");
    }
}

#[test]
fn seats_have_different_colors() {
    let colors: BTreeSet<Color> = (0..256).map(palette::seat_color).collect();
    assert_eq!(colors.len(), 256);
    palette::seat_color(usize::MAX);
}

#[test]
fn first_seats_are_far_apart() {
    for a in 0..20 {
        for b in 0..a {
            let (Color(r, g, b_), Color(r2, g2, b2)) = (palette::seat_color(a), palette::seat_color(b));
            let distance =
                [(r, r2), (g, g2), (b_, b2)].map(|(x, y)| u32::from(x.abs_diff(y))).iter().sum::<u32>();
            assert!(distance > 60, "seats {a} and {b}: {distance}");
        }
    }
}

#[test]
fn mixing_and_contrast() {
    assert_eq!(Color(0, 0, 0).mix(Color(200, 100, 50), 0.5), Color(100, 50, 25));
    assert_eq!(Color(0, 0, 0).mix(Color(200, 100, 50), 7.0), Color(200, 100, 50));
    assert_eq!(Color(9, 9, 9).mix(Color(200, 100, 50), f64::NAN), Color(9, 9, 9));
    assert_eq!(Color(9, 9, 9).lighter(1.0), palette::WHITE);
    assert_eq!(palette::GOLD.contrasting(), palette::INK);
    assert_eq!(palette::INK.contrasting(), palette::WHITE);
}
