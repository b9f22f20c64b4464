//! Parts that pages share: frame, forms and assets.

pub mod assets;
pub mod controls;
pub mod form;
pub mod frame;
