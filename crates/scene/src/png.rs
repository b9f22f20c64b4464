//! Scenes as PNG, with the embedded font.

use tiny_skia::{Color, Pixmap, Transform};

use crate::paint;
use crate::scene::Scene;
use crate::svg::size;

/// Maximum number of pixels of a picture: 100 million (400 MB while drawing).
pub const MAX_PIXELS: u64 = 100_000_000;

/// Reason why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum RenderError {
    /// The picture would have no pixels, or too many.
    #[error(
        "expected a picture of 1 to {MAX_PIXELS} pixels, found {width} x {height}\nhint: choose another width or scale"
    )]
    Size { width: f64, height: f64 },
    /// PNG encoding failed, with the encoder's message.
    #[error("cannot encode the picture as PNG: {reason}")]
    Encode { reason: String },
}

/// Draws a scene as PNG, `width_px` pixels wide, with the scene's aspect ratio.
///
/// The picture equals that of [`Scene::to_svg`] with default [`SvgOptions`](crate::SvgOptions). Text is set
/// in the embedded DejaVu Sans, independent of the machine's fonts: the same scene and width give the same
/// bytes. Letters are placed in the order of the text, without right-to-left layout or joining.
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
    let (width, height) = (size(scene.width), size(scene.height));
    let pixels = (f64::from(width_px), f64::from(width_px) * height / width);
    // At least one pixel high, however flat the scene is: only a scene without area is refused.
    let pixels = if height > 0.0 { (pixels.0, pixels.1.round().max(1.0)) } else { (pixels.0, 0.0) };
    let fits = width > 0.0 && pixels.0 >= 1.0 && pixels.1 >= 1.0 && pixels.0 * pixels.1 <= MAX_PIXELS as f64;
    let canvas = if fits { Pixmap::new(pixels.0 as u32, pixels.1 as u32) } else { None };
    let mut canvas = canvas.ok_or(RenderError::Size { width: pixels.0, height: pixels.1 })?;
    if let Some(crate::color::Color(red, green, blue)) = scene.background {
        canvas.fill(Color::from_rgba8(red, green, blue, 255));
    }
    let fit = Transform::from_scale((pixels.0 / width) as f32, (pixels.1 / height) as f32);
    paint::paint(&scene.items, &mut canvas, fit);
    let (width, height) = (canvas.width(), canvas.height());
    packed(&canvas.take_demultiplied(), width, height)
        .map_err(|error| RenderError::Encode { reason: error.to_string() })
}

/// Encodes RGBA pixels as PNG. Drawings have flat colours, and rows resemble those above them, so the filter
/// `Up` suffices. Trying all filters at a higher compression level takes 50 % longer and gives no smaller
/// file.
fn packed(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, ::png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(::png::ColorType::Rgba);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_filter(::png::Filter::Up);
    encoder.set_deflate_compression(::png::DeflateCompression::Level(2));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
