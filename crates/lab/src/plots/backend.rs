//! Backend of the plotting library that draws into a scene.

use std::convert::Infallible;

use meeple_scene::{Anchor, Color, HALF_CAPITAL, Item, Scene, Shape, Style, Transform, text_width};
use plotters::prelude::DrawingBackend;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind, FontStyle, FontTransform,
};

/// Plotting backend on a scene with one board unit per pixel.
pub(super) struct SceneBackend<'a>(pub &'a mut Scene);

/// Radius of the hover area of a tooltip, in pixels.
const TOOLTIP_RADIUS: f64 = 8.0;

type Done = Result<(), DrawingErrorKind<Infallible>>;

impl SceneBackend<'_> {
    fn shape(&mut self, shape: Shape, style: &impl BackendStyle, is_filled: bool) -> Done {
        let color = style.color();
        let paint = if is_filled {
            Style::fill(rgb(color))
        } else {
            Style::stroke(rgb(color), f64::from(style.stroke_width()))
        };
        if color.alpha > 0.0 {
            self.0.push(Item::new(shape, paint.opacity(color.alpha)));
        }
        Ok(())
    }
}

fn rgb(color: BackendColor) -> Color {
    let (red, green, blue) = color.rgb;
    Color(red, green, blue)
}

fn number((x, y): BackendCoord) -> (f64, f64) {
    (f64::from(x), f64::from(y))
}

fn is_bold(style: &impl BackendTextStyle) -> bool {
    matches!(style.style(), FontStyle::Bold)
}

impl DrawingBackend for SceneBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.0.width as u32, self.0.height as u32)
    }

    fn ensure_prepared(&mut self) -> Done {
        Ok(())
    }

    fn present(&mut self) -> Done {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, color: BackendColor) -> Done {
        self.draw_rect(at, (at.0 + 1, at.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Done {
        let ((x1, y1), (x2, y2)) = (number(from), number(to));
        self.shape(Shape::Line { x1, y1, x2, y2 }, style, false)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        lower_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Done {
        let ((left, top), (right, bottom)) = (number(upper_left), number(lower_right));
        let (w, h) = (right - left, bottom - top);
        self.shape(Shape::Rect { x: left, y: top, w, h, radius: 0.0 }, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Done {
        self.shape(Shape::Polyline(path.into_iter().map(number).collect()), style, false)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Done {
        let ((x, y), r) = (number(center), f64::from(radius));
        self.shape(Shape::Circle { x, y, r }, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Done {
        self.shape(Shape::Polygon(corners.into_iter().map(number).collect()), style, true)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Done {
        let color = style.color();
        if text.is_empty() {
            return Ok(());
        }
        // Transparent text is the tooltip of a point.
        if color.alpha <= 0.0 {
            let (x, y) = number(at);
            let place = Shape::Circle { x, y, r: TOOLTIP_RADIUS };
            self.0.push(Item::new(place, Style::fill(rgb(color)).opacity(0.0))).tooltip(text);
            return Ok(());
        }
        let size = style.size();
        let anchor = match style.anchor().h_pos {
            HPos::Left => Anchor::Start,
            HPos::Center => Anchor::Middle,
            HPos::Right => Anchor::End,
        };
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76,
            VPos::Center => HALF_CAPITAL,
            VPos::Bottom => -0.27,
        };
        let degrees = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
        };
        let (x, y) = number(at);
        let text =
            Shape::Text { x, y: y + down * size, size, anchor, bold: is_bold(style), text: text.to_owned() };
        let item = Item::new(text, Style::fill(rgb(color)).opacity(color.alpha));
        if degrees == 0.0 {
            self.0.push(item);
        } else {
            self.0.group(Transform::at(x, y).about(x, y).rotated(degrees), vec![item]);
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let width = text_width(text, style.size(), is_bold(style));
        Ok((width.ceil() as u32, style.size().ceil() as u32))
    }
}
