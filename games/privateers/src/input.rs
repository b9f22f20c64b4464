//! Parsing of typed actions.

use crate::action::Action;
use crate::goods::Product;
use crate::ship::Class;
use crate::wind::Heading;

/// Parses the text forms of [`Action`], and shorter forms.
pub(crate) fn read(text: &str) -> Result<Action, String> {
    let lower = text.trim().to_lowercase();
    let mut words = lower.split_whitespace();
    let (verb, what, more) = (words.next().unwrap_or(""), words.next(), words.next());
    if more.is_some() {
        return lower.parse();
    }
    let product = || {
        let word = what.unwrap_or("");
        let mut fits = Product::ALL.iter().filter(|product| product.word().starts_with(word));
        match (fits.next(), fits.next()) {
            (Some(product), None) => Ok(*product),
            (Some(product), Some(_)) if product.word() == word => Ok(*product),
            (Some(_), Some(_)) if !word.is_empty() => {
                Err(format!("expected one product, found '{word}', which fits several"))
            }
            _ => Err(format!("expected one of {}, found '{word}'", Product::WORDS.join(", "))),
        }
    };
    match (verb, what) {
        ("." | "end" | "pass" | "done", None) => Ok(Action::EndTurn),
        ("n" | "north" | "up", None) => Ok(Action::Move(Heading::North)),
        ("w" | "west" | "left", None) => Ok(Action::Move(Heading::West)),
        ("s" | "south" | "down", None) => Ok(Action::Move(Heading::South)),
        ("e" | "east" | "right", None) => Ok(Action::Move(Heading::East)),
        ("m" | "move" | "sail", Some(heading)) => Heading::ALL
            .iter()
            .find(|known| known.word().starts_with(heading))
            .map(|heading| Action::Move(*heading))
            .ok_or_else(|| format!("expected one of {}, found '{heading}'", Heading::WORDS.join(", "))),
        ("b" | "buy", Some("galleon")) => Ok(Action::BuyShip(Class::Galleon)),
        ("b" | "buy", Some("frigate")) => Ok(Action::BuyShip(Class::Frigate)),
        ("b" | "buy", _) => product().map(Action::Buy),
        ("bb" | "buy-max", _) => product().map(Action::BuyMax),
        ("s" | "sell", _) => product().map(Action::Sell),
        ("ss" | "sell-all", _) => product().map(Action::SellAll),
        ("d" | "discard" | "throw", _) => product().map(Action::Discard),
        ("a" | "attack" | "fight", Some(seat)) => format!("attack {seat}").parse(),
        ("y" | "yes" | "respawn", None) => Ok(Action::Respawn),
        ("no" | "retire", None) => Ok(Action::Retire),
        ("", _) => Err("expected an action, found an empty line; end ends the turn".into()),
        _ => lower.parse(),
    }
}
