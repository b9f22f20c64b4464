//! The parts of a drawing as pages show them, separately and in drawing order.

use meeple_scene::Scene;

/// Minimum size of text on a page, in CSS pixels.
const LEGIBLE: f64 = 12.0;

pub struct DrawingPanel {
    /// The drawing of the part alone. Its title is the name of the part.
    pub scene: Scene,
    pub place: PanelPlacement,
    /// CSS: aspect ratio (`--ratio`), share of the drawing's width (`--share`) and smallest legible width
    /// (`--least`).
    pub style: String,
}

/// Placement of a part of a drawing relative to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PanelPlacement {
    Board,
    Line,
    Next,
}

/// The parts of a drawing; the whole drawing if it has none.
pub fn panels(scene: &Scene) -> Vec<DrawingPanel> {
    let parts = scene.in_parts();
    // A part without text uses the largest scale among the others.
    let scale = |part: &Scene| part.smallest_text().map(|size| LEGIBLE / size);
    let largest = parts.iter().filter_map(scale).fold(0.0, f64::max);
    let panel = |(index, part): (usize, Scene)| {
        let style = format!(
            "--ratio:{:.4};--share:{:.4};--least:{}px",
            part.width / part.height.max(f64::MIN_POSITIVE),
            part.width / scene.width.max(f64::MIN_POSITIVE),
            (part.width * scale(&part).unwrap_or(largest)).ceil()
        );
        let place = match (index, starts_line(scene, index)) {
            (0, _) if scene.parts.first().is_some_and(|part| part.board.is_some()) => PanelPlacement::Board,
            (_, true) => PanelPlacement::Line,
            _ => PanelPlacement::Next,
        };
        DrawingPanel { scene: part, place, style }
    };
    parts.into_iter().enumerate().map(panel).collect()
}

/// Returns true if a part begins below the previous one and further to the left.
fn starts_line(scene: &Scene, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| scene.parts.get(before));
    before
        .zip(scene.parts.get(index))
        .is_some_and(|(before, part)| part.y + 1e-6 >= before.y + before.height && part.x + 1e-6 < before.x)
}
