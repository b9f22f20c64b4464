//! Actions as people choose them, part by part.

use meeple_core::{ActionPart, View, Viewer};

use crate::action::Action;
use crate::game::Privateers;
use crate::goods::Product;
use crate::screen::seat_name;
use crate::state::Stage;

pub(crate) fn parts(view: &View<'_, Privateers>, action: &Action) -> Vec<ActionPart> {
    let obs = &view.observation;
    let one = |name, label: String| vec![ActionPart::new(name, label)];
    let units = |count: u16| format!("{count} unit{}", if count == 1 { "" } else { "s" });
    let trade = |name, verb: &str, product: Product, how: String| {
        vec![
            ActionPart::new(name, format!("{verb} {product}{}", price(view, product))),
            ActionPart::new("How much", how),
        ]
    };
    match *action {
        Action::EndTurn if obs.stage() == Stage::Loot => one("Fight", "go on".into()),
        Action::EndTurn => one("End", "end your turn".into()),
        Action::Move(heading) => {
            let cost = obs.costs()[heading.index()];
            let halves = if cost == 1 { "half point" } else { "half points" };
            one("Sail", format!("sail {heading} for {cost} {halves}"))
        }
        Action::Buy(product) => trade("Buy", "buy", product, "one unit".into()),
        Action::BuyMax(product) => {
            let most = units(obs.buyable(product));
            trade("Buy", "buy", product, format!("as much as money and room allow: {most}"))
        }
        Action::Sell(product) => trade("Sell", "sell", product, "one unit".into()),
        Action::SellAll(product) => {
            let most = units(obs.sellable(product));
            trade("Sell", "sell", product, format!("all that you have: {most}"))
        }
        Action::BuyShip(class) => one("Ship", format!("buy a {class} in place of your ship")),
        Action::Attack(seat) => {
            one("Attack", format!("attack the {} of {}", obs.class(seat), seat_name(view, seat)))
        }
        Action::Discard(product) => one("Overboard", format!("throw one unit of {product} overboard")),
        Action::Respawn => one("Your ship is lost", "come back with a fresh ship".into()),
        Action::Retire => one("Your ship is lost", "stay out for good".into()),
    }
}

fn price(view: &View<'_, Privateers>, product: Product) -> String {
    let Viewer::Seat(seat) = view.viewer else { return String::new() };
    let price = view.observation.port(seat).and_then(|port| view.observation.price(port, product));
    price.map_or(String::new(), |price| format!(" at {price}"))
}
