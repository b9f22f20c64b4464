//! Drawings as pixels, for arrays.

use std::io::Cursor;

use meeple_scene::{Scene, to_png};

/// The pixels of a scene drawn `width` pixels wide: height, width, and RGB bytes, row by row.
///
/// # Errors
/// If the picture has no pixels or too many.
pub(crate) fn pixels(scene: &Scene, width: u32) -> Result<(u32, u32, Vec<u8>), String> {
    let packed = to_png(scene, width).map_err(|error| error.to_string())?;
    let wrong = |error: png::DecodingError| error.to_string();
    let mut reader = png::Decoder::new(Cursor::new(packed)).read_info().map_err(wrong)?;
    let mut rgba = vec![0; reader.output_buffer_size().ok_or("expected a picture that fits into memory")?];
    let frame = reader.next_frame(&mut rgba).map_err(wrong)?;
    let rgb = rgba[..frame.buffer_size()].chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    Ok((frame.height, frame.width, rgb.collect()))
}
