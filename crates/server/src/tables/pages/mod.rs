//! Pages of tables.

pub mod choices;
pub mod composer;
pub mod create;
pub mod draft;
pub mod home;
pub mod legend;
pub mod opinion;
pub mod pieces;
pub mod question;
pub mod table;
