//! Actions as people choose them, part by part.

use meeple_core::{ActionPart, View};

use crate::action::Action;
use crate::game::IncanGold;

pub(crate) fn parts(view: &View<'_, IncanGold>, action: &Action) -> Vec<ActionPart> {
    let gems = view.observation.backpack();
    let loot = format!("{gems} gem{}", if gems == 1 { "" } else { "s" });
    let label = match action {
        Action::Stay => "stay: one more card".to_owned(),
        Action::Leave => format!("leave with your backpack of {loot}"),
    };
    vec![ActionPart::new("Your decision", label)]
}
