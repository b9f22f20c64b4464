//! Pictures as PNG, with the font that comes along.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, fontdb};

use crate::{Scene, SvgOptions};

/// The largest picture that is drawn: 100 million pixels (400 MB while drawing).
pub const MAX_PIXELS: u64 = 100_000_000;

const FAMILY: &str = "DejaVu Sans";

/// Why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The text is not an SVG picture, or its size is empty.
    #[error("expected an SVG picture with a size, found an error: {reason}")]
    Svg {
        /// What the reader said.
        reason: String,
    },
    /// The picture would have no pixels, or too many.
    #[error(
        "expected a picture of 1 to {MAX_PIXELS} pixels, found {width} x {height}\nhint: choose another width or scale"
    )]
    Size {
        /// Width in pixels.
        width: f64,
        /// Height in pixels.
        height: f64,
    },
    /// The pixels could not be packed.
    #[error("expected to pack the picture as PNG, found an error: {reason}")]
    Encode {
        /// What the packer said.
        reason: String,
    },
}

/// Draws a scene as PNG, `width_px` pixels wide and as high as its shape asks for.
///
/// Text is set in the font that comes with this crate, whatever the machine has: the same scene and
/// width give the same bytes.
///
/// # Errors
/// [`RenderError`] if the scene has no area or the picture would be too large.
///
/// ```
/// let mut scene = meeple_scene::Scene::new(4.0, 3.0);
/// scene.text(0.5, 2.0, 1.0, "Hello");
/// let png = meeple_scene::to_png(&scene, 200)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), meeple_scene::RenderError>(())
/// ```
pub fn to_png(scene: &Scene, width_px: u32) -> Result<Vec<u8>, RenderError> {
    let tree = parse(&scene.to_svg(&SvgOptions::default()))?;
    let size = tree.size();
    let height = f64::from(width_px) * f64::from(size.height()) / f64::from(size.width());
    // At least one pixel high, however flat the scene: only a width of 0 is refused for being small.
    draw(&tree, f64::from(width_px), height.round().max(1.0))
}

/// Draws any SVG picture as PNG, `scale` times its natural size.
///
/// Every font family becomes DejaVu Sans, regular or bold. Images inside the picture, by link or by
/// data, are left out: nothing outside of `svg` is read.
///
/// # Errors
/// [`RenderError`] if `svg` is no SVG picture, or the scaled picture would have no pixels or too many.
pub fn svg_to_png(svg: &str, scale: f64) -> Result<Vec<u8>, RenderError> {
    let tree = parse(svg)?;
    let size = tree.size();
    let pixels = |length: f32| (f64::from(length) * scale).round();
    draw(&tree, pixels(size.width()), pixels(size.height()))
}

fn parse(svg: &str) -> Result<Tree, RenderError> {
    let options = Options {
        font_family: FAMILY.to_owned(),
        fontdb: fonts(),
        // The default would read files by name.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    Tree::from_str(svg, &options).map_err(|error| RenderError::Svg { reason: error.to_string() })
}

fn draw(tree: &Tree, width: f64, height: f64) -> Result<Vec<u8>, RenderError> {
    let fits = width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS as f64;
    let pixmap = if fits { Pixmap::new(width as u32, height as u32) } else { None };
    let mut pixmap = pixmap.ok_or(RenderError::Size { width, height })?;
    let size = tree.size();
    let fit = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(tree, fit, &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| RenderError::Encode { reason: error.to_string() })
}

/// The two fonts that come along, read once.
///
/// DejaVu Sans because it is free to embed (Bitstream Vera licence, changes in the public domain),
/// covers Latin, Greek, Cyrillic, arrows, suits, dice and chess men, and is what most Linux browsers
/// take for "sans-serif" anyway. Regular and Bold are 1.4 MB; the crate's other styles are not linked.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
            fonts.load_font_source(fontdb::Source::Binary(Arc::new(font)));
        }
        fonts.set_serif_family(FAMILY);
        fonts.set_sans_serif_family(FAMILY);
        fonts.set_monospace_family(FAMILY);
        fonts.set_cursive_family(FAMILY);
        fonts.set_fantasy_family(FAMILY);
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}
