//! Games that were stored by older releases.

use meeple_games::find_game;
use serde_json::Value;

/// Servers store settings, and arenas whole variants. Missing later parameters mean the older rules.
#[test]
fn what_lacks_later_parameters_plays_by_the_rules_of_before() {
    for (game, preset, name, today, before) in [
        ("incan-gold", "boxed", "artifacts.removed", "path", "all"),
        ("carcassonne", "towers", "lone-pass", "off", "on"),
        ("cartolan", "regular", "city_order", "attacks_first", "purchases_first"),
    ] {
        let entry = find_game(game).unwrap();
        let text = |settings: &[(String, String)]| {
            let value = entry.variant(Some(preset), settings).unwrap()[name].clone();
            match value.as_bool() {
                Some(value) => (if value { "on" } else { "off" }).to_owned(),
                None => value.as_str().unwrap().to_owned(),
            }
        };
        let stored = entry.settings_to_store(&entry.variant(Some(preset), &[]).unwrap(), Vec::new());
        assert_eq!(text(&stored), today, "{game}");
        assert_eq!(entry.settings_of_stored(&stored, &Value::Null), stored, "{game}: nothing is missing");
        assert_eq!(text(&entry.settings_of_stored(&[], &Value::Null)), before, "{game}");
        let whole = entry.variant(Some(preset), &[]).unwrap();
        assert_eq!(text(&entry.settings_of_stored(&[], &whole)), today, "{game}: the stored value holds");
    }
}
