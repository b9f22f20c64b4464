//! The form for a new table.

use maud::{Markup, html};
use meeple_core::{AnyEntry, EntryError};

use crate::page::controls::{Values, complaint, presets, rules, seat_row};
use crate::page::form::{Fields, MAX_SEATS, SEAT_NOBODY, field};
use crate::page::frame::{page, reader};
use crate::tables::order::{SEAT_FRIEND, SEAT_ME, quick_seats};

/// The form with a preset's values, or with the entered values and their error.
pub fn create(
    entry: &dyn AnyEntry,
    preset: Option<&str>,
    entered: &Fields,
    wrong: Option<&str>,
) -> Result<Markup, EntryError> {
    let info = entry.info();
    let preset = info.preset_or_first(preset);
    let values = entry.variant(Some(preset), &[])?;
    let seats = (*info.seats.end()).min(MAX_SEATS);
    let quick = quick_seats(entry);
    let title = format!("New table: {}", info.name);
    Ok(page(
        &title,
        false,
        &html! {
            h1 { (title) }
            p { (info.summary) }
            (complaint(wrong))
            (presets(info, &format!("/new/{}", info.id), preset))
            form method="post" action={ "/new/" (info.id) } class="sheet" {
                input type="hidden" name="preset" value=(preset);
                @if reader().member.is_none() {
                    p {
                        label for="name" { "Your name" }
                        input id="name" name="name" maxlength="30" autocomplete="nickname" value=[field(entered, "name")];
                    }
                }
                fieldset {
                    legend { "Seats" }
                    @if !info.seats_advice.is_empty() { p class="small" { (info.seats_advice) } }
                    @for seat in 0..seats {
                        (seat_row(entry, seat, quick.get(seat).map_or(SEAT_NOBODY, String::as_str), entered, &PEOPLE))
                    }
                }
                (rules(entry, &values, entered, wrong, Values::One))
                p {
                    label for="time" { "Clock for people" }
                    input id="time" name="time" list="times" placeholder="no limit" value=[field(entered, "time")] aria-describedby="time.doc";
                    datalist id="times" { @for (value, words) in TIMES { option value=(value) { (words) } } }
                    span class="small" id="time.doc" { "30s: for each decision; 10m+5s: ten minutes for the game, and five seconds more with each decision. When your time is up, an agent decides for you." }
                }
                p {
                    label class="check" {
                        input type="checkbox" name="listed" value="on" checked[field(entered, "listed").is_some()];
                        " show it in the list of tables"
                    }
                }
                details {
                    summary { "Seed" }
                    p {
                        label for="seed" { "The same number gives the same game" }
                        input id="seed" name="seed" inputmode="numeric" value=[field(entered, "seed")];
                    }
                }
                p { button class="primary" type="submit" { "Open the table" } }
            }
        },
    ))
}

/// Suggested time controls.
const TIMES: [(&str, &str); 4] = [
    ("30s", "30 seconds for each decision"),
    ("2m", "two minutes for each decision"),
    ("5m+5s", "five minutes for the game, and five seconds more with each decision"),
    ("15m+10s", "a quarter of an hour, and ten seconds more with each decision"),
];

/// Choices of people for a seat.
const PEOPLE: [(&str, &str); 3] =
    [(SEAT_ME, "me"), (SEAT_FRIEND, "a friend, by a link"), (SEAT_NOBODY, "nobody")];
