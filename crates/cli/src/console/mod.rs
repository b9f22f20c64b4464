//! Console of a person: full screen in a terminal, line by line elsewhere.

mod edit;
mod lists;
mod pager;
mod pages;
mod person;
pub mod raw;
mod table;
mod text;
mod window;

pub use pages::{PageTurning, Pages, ScreenPage};
pub use person::{Console, read_or_print};
pub use table::TableScreen;
pub use text::Text;
