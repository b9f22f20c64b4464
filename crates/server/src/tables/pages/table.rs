//! The page of a table. Its parts are rendered here, for the page and for the socket that updates them.

use maud::{Markup, PreEscaped, html};
use meeple_core::Composition;
use meeple_scene::Key;
use meeple_table::{Ask, Frame, Holder, Left, LogLine};
use serde::Serialize;

use crate::games::texts::with_clauses;
use crate::page::assets;
use crate::page::form::offered;
use crate::page::frame::{page, reader};
use crate::tables::hosted::{Advice, Hosted};
use crate::tables::pages::choices::{Choice, choices};
use crate::tables::pages::composer::composer;
use crate::tables::pages::legend::legend;
use crate::tables::pages::question::Question;
use crate::tables::pages::{draft, opinion};

/// Upper bound on listed seats.
const MAX_SHOWN: usize = 16;

/// The view of a browser at a table, and the seats it controls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrowserView {
    /// The seats that the browser controls, ascending.
    pub held: Vec<usize>,
    /// The seat whose view is shown; `None` for spectators.
    pub seat: Option<usize>,
    /// True if turns of several steps need confirmation.
    pub confirm: bool,
}

/// The parts of the page that are rendered again after a change, as HTML.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parts {
    /// The status line: whose turn it is.
    pub status: String,
    /// The open question, with controls to answer it.
    pub ask: String,
    /// The players.
    pub players: String,
}

impl Parts {
    pub fn of(hosted: &Hosted, frame: &Frame, view: &BrowserView) -> Self {
        Self {
            status: status(frame, view).into_string(),
            ask: ask(hosted, frame, view, PageExtras::default()).into_string(),
            players: players(hosted, frame, view).into_string(),
        }
    }
}

/// Optional parts of a response.
#[derive(Clone, Copy, Default)]
pub struct PageExtras<'a> {
    /// The error of the last action.
    pub wrong: Option<&'a str>,
    /// Advice, if requested.
    pub advice: Option<&'a Advice>,
    /// The key to the seat.
    pub key: Option<&'a str>,
    pub legend: &'a [Key],
    /// The structured action so far, if one was begun.
    pub composition: Option<&'a Composition>,
}

pub fn table(hosted: &Hosted, frame: &Frame, view: &BrowserView, extras: PageExtras<'_>) -> Markup {
    let info = hosted.entry.info();
    let id = &hosted.row.id;
    let preset = hosted.row.game.split_once('/').map_or("", |(_, preset)| preset);
    let viewer = view.seat.map_or("watch".to_owned(), |seat| seat.to_string());
    page(
        info.name,
        true,
        &html! {
            div id="table" data-table=(id) data-as=(viewer) data-version=(frame.version) data-revision=(frame.draft.as_ref().map_or(0, |draft| draft.revision)) data-log=(frame.log.len()) {
                div class="head" {
                    h1 { (info.name) " " small { (preset) } }
                    p id="status" role="status" aria-live="polite" { (status(frame, view)) }
                    p id="notice" role="alert" { @if let Some(wrong) = extras.wrong { (with_clauses(hosted.entry.info(), wrong)) } }
                    (viewers(hosted, view))
                }
                // This element is no landmark, because the board below and its parts are landmarks.
                div class="board" {
                    h2 id="board-title" class="unseen" tabindex="-1" { "Board" }
                    div class="zoom" hidden {
                        button type="button" data-zoom="out" aria-label="Smaller" { "−" }
                        button type="button" data-zoom="in" aria-label="Larger" { "+" }
                        button type="button" data-zoom="fit" aria-pressed="false" { "Fit" }
                    }
                    // A script shows the drawing's parts in panels. Only the panel of the board scrolls.
                    div id="board" class=[frame.draft.as_ref().map(|_| "drafted")] tabindex="0" role="region" aria-label="Board, scrolls" { (PreEscaped(&frame.drawing)) }
                }
                section class="moves" aria-labelledby="ask-title" {
                    h2 id="ask-title" tabindex="-1" { "Moves" }
                    p id="since" class="small" {}
                    @if let Some(advice) = extras.advice { (opinion::advice(advice, frame, view.seat)) }
                    div id="ask" { (ask(hosted, frame, view, extras)) }
                }
                div class="people" {
                    h2 { "Players" }
                    div id="players" { (players(hosted, frame, view)) }
                    // Changes do not update this part, so that they never reset an open form.
                    (leaving(hosted, frame, view))
                }
                section class="history" aria-labelledby="log-title" {
                    h2 id="log-title" tabindex="-1" { "Log" }
                    div class="log" role="log" aria-live="off" tabindex="0" aria-label="Log" { ol id="log" { (log(&frame.log)) } }
                }
                section class="more" {
                    (legend(extras.legend))
                    details { summary { "Board as text" } pre id="text" tabindex="0" role="region" aria-label="Board as text" { (frame.text) } }
                    @if let Some(key) = extras.key {
                        details {
                            summary { "Continue on another device" }
                            p { "Open " a href={ "/t/" (id) "/seat/" (key) } { "this link" } " there. Anybody who opens it can play for you." }
                        }
                    }
                    p class="links" {
                        a href={ "/t/" (id) "/at/last?as=" (viewer) } { "Step back through the game" }
                        a href={ "/guide/" (info.id) } { "How to play" }
                        a href={ "/rules/" (info.id) } { "Rules" }
                    }
                }
            }
            script src=(assets::SCRIPT.address()) defer {}
        },
    )
}

/// The page that asks to pass the device to another player, whose view differs.
pub fn hand_over(hosted: &Hosted, frame: &Frame, seat: usize) -> Markup {
    let name = holder_name(&frame.seats[seat].holder);
    page(
        "Hand over",
        false,
        &html! {
            h1 { "It is " (name) "'s turn" }
            p { "Give the device to " (name) ", who sees other things than you." }
            p { a class="button primary" href={ "/t/" (hosted.row.id) "?as=" (seat) } { "I am " (name) } }
        },
    )
}

pub fn join(hosted: &Hosted, seat: usize) -> Markup {
    let info = hosted.entry.info();
    page(
        "Join",
        false,
        &html! {
            h1 { "A seat at a table of " (info.name) }
            p { (info.summary) }
            form method="post" action={ "/t/" (hosted.row.id) "/join" } class="sheet" {
                input type="hidden" name="seat" value=(seat);
                @if reader().member.is_none() {
                    p { label for="name" { "Your name" } input id="name" name="name" maxlength="30" autocomplete="nickname"; }
                }
                p { button class="primary" type="submit" { "Sit down at seat " (seat) } }
            }
            p { a href={ "/t/" (hosted.row.id) "?as=watch" } { "Watch instead" } }
        },
    )
}

fn holder_name(holder: &Holder) -> String {
    holder.label().name.into()
}

fn status(frame: &Frame, view: &BrowserView) -> Markup {
    if let Some(ending) = &frame.ending {
        let winners: Vec<usize> = (0..ending.places.len()).filter(|seat| ending.places[*seat] == 1).collect();
        let names: Vec<String> = winners.iter().map(|seat| holder_name(&frame.seats[*seat].holder)).collect();
        return html! {
            "The game is over. "
            @match (winners.as_slice(), view.seat) {
                ([only], Some(me)) if *only == me => { "You have won." }
                ([_], _) => { (names[0]) " has won." }
                _ => { (names.join(", ")) " share the first place." }
            }
        };
    }
    if let Some(draft) = &frame.draft {
        return html! { "It is your turn. " (draft::status(draft)) };
    }
    if frame.ask.is_some() {
        return html! { "It is your turn." };
    }
    let owing = frame.seats.iter().enumerate().filter(|(_, seat)| seat.owes == Some(true));
    let names: Vec<String> =
        owing.map(|(seat, line)| format!("{} (seat {})", holder_name(&line.holder), seat)).collect();
    html! {
        @if names.is_empty() { "Waiting for the others." } @else { "Waiting for " (names.join(", ")) "." }
    }
}

fn viewers(hosted: &Hosted, view: &BrowserView) -> Markup {
    let id = &hosted.row.id;
    html! {
        @if !view.held.is_empty() && (view.held.len() > 1 || view.seat.is_none()) {
            nav class="viewers" aria-label="View as" {
                @for seat in &view.held {
                    a href={ "/t/" (id) "?as=" (seat) } aria-current=[(view.seat == Some(*seat)).then_some("true")] { "Seat " (seat) }
                }
                a href={ "/t/" (id) "?as=watch" } aria-current=[view.seat.is_none().then_some("true")] { "Spectator" }
            }
        }
    }
}

fn ask(hosted: &Hosted, frame: &Frame, view: &BrowserView, extras: PageExtras<'_>) -> Markup {
    let id = &hosted.row.id;
    let info = hosted.entry.info();
    html! {
        @match (&frame.ending, &frame.ask, view.seat) {
            (Some(ending), _, _) => {
                ol class="places" {
                    @let mut order: Vec<usize> = (0..ending.places.len()).collect();
                    @let () = order.sort_by_key(|seat| ending.places[*seat]);
                    @for seat in order.into_iter().take(16) {
                        li value=(ending.places[seat]) { (holder_name(&frame.seats[seat].holder)) ": " (ending.scores[seat]) " " (ending.unit) }
                    }
                }
                p class="small" { "Ended by: " (ending.end) "." }
                (rematch(hosted, frame, view))
                p class="links" {
                    a href={ "/r/" (id) } { "Watch the replay" }
                    a href={ "/t/" (id) "/replay.json" } { "Download the replay" }
                }
            }
            (None, None, Some(seat)) if frame.draft.is_some() => {
                @if let Some(draft) = &frame.draft { (draft::draft(id, seat, draft)) }
            }
            (None, Some(ask), Some(seat)) => {
                @let question = Question { seat, number: ask.number, steps: steps(frame, view) };
                @if let Some(draft) = &frame.draft { (draft::draft(id, seat, draft)) }
                @if let Some(composition) = extras.composition.or(ask.composition.as_ref()) {
                    (composer(id, question, composition))
                } @else {
                    form method="post" action={ "/t/" (id) "/act" } class="ask" {
                        (question.fields())
                        (answers(ask))
                    }
                }
                // A separate form, because Enter in a text field presses the first button of its form.
                form method="post" action={ "/t/" (id) "/act" } class="ask" {
                    (question.fields())
                    p class="typed" {
                        label for="typed" { "Or type a move" }
                        input id="typed" name="typed" autocomplete="off" autocapitalize="off" spellcheck="false"
                            aria-describedby="input-help" aria-invalid=[extras.wrong.map(|_| "true")];
                        button type="submit" { "Play move" }
                    }
                    details class="small" { summary { "What can be typed" } p id="input-help" { (info.input_help) } }
                }
                p class="links" {
                    @if !info.advisor.is_empty() {
                        a href={ "/t/" (id) "?as=" (seat) "&hint=1" } { "Hint: what would " (info.advisor) " do?" }
                    }
                }
                (draft::choice(id, seat, view.confirm))
            }
            (None, None, Some(_)) => { p { "Waiting for your turn." } }
            (None, _, None) => { p { "You are spectating. " @if frame.seats.iter().any(|seat| seat.holder == Holder::Open) { "An open seat can be joined." } } }
        }
    }
}

/// Forms to leave the table and to replace absent players, available until the game ends.
fn leaving(hosted: &Hosted, frame: &Frame, view: &BrowserView) -> Markup {
    let (id, info) = (&hosted.row.id, hosted.entry.info());
    let agents = offered(hosted.entry);
    let choice = |name: &str| {
        html! {
            select id=(name) name="agent" {
                @for agent in &agents { option selected[agent.name == info.advisor] { (agent.name) } }
            }
        }
    };
    let others: Vec<usize> = (0..frame.seats.len().min(MAX_SHOWN))
        .filter(|seat| !view.held.contains(seat) && !matches!(frame.seats[*seat].holder, Holder::Agent(_)))
        .collect();
    let Some(seat) = view.seat.filter(|_| frame.ending.is_none()) else { return html! {} };
    html! {
        details {
            summary { "Leave the table" }
            form method="post" action={ "/t/" (id) "/leave" } {
                input type="hidden" name="seat" value=(seat);
                label for="agent" { "Agent that plays on for you" }
                (choice("agent"))
                button type="submit" { "Leave" }
            }
        }
        @if !others.is_empty() {
            details {
                summary { "Replace an absent player" }
                p class="small" { "An agent can take an open seat, or the seat of a player whose turn it is and who has been away for two minutes." }
                form method="post" action={ "/t/" (id) "/replace" } {
                    input type="hidden" name="seat" value=(seat);
                    label for="absent" { "Player to replace" }
                    select id="absent" name="absent" {
                        @for seat in &others { option value=(seat) { "seat " (seat) ", " (holder_name(&frame.seats[*seat].holder)) } }
                    }
                    label for="stand-in" { "Agent that takes over" }
                    (choice("stand-in"))
                    button type="submit" { "Replace" }
                }
            }
        }
    }
}

/// A link to the rematch, or the form that opens it.
fn rematch(hosted: &Hosted, frame: &Frame, view: &BrowserView) -> Markup {
    let id = &hosted.row.id;
    let holders: Vec<&Holder> = frame.seats.iter().map(|line| &line.holder).collect();
    let left: Vec<String> = hosted.left_seats(&holders).iter().map(usize::to_string).collect();
    html! {
        @if hosted.next().is_some() {
            p { a class="button primary" href={ "/t/" (id) "/next" } {
                @if view.held.is_empty() { "Watch the rematch" } @else { "To the rematch" }
            } }
        } @else if !view.held.is_empty() {
            form method="post" action={ "/t/" (id) "/rematch" } {
                @if !left.is_empty() {
                    p class="check" {
                        input type="checkbox" id="agents" name="agents" value="on";
                        label for="agents" {
                            "Agents replace those who left (seat " (left.join(", ")) "); otherwise these \
                                                                                      seats are open"
                        }
                    }
                }
                button class="primary" type="submit" { "Rematch (rotate seats)" }
            }
        }
    }
}

/// The number of steps in the draft; `None` where choices take effect at once.
fn steps(frame: &Frame, view: &BrowserView) -> Option<usize> {
    let drafted = frame.draft.as_ref().map(|draft| draft.steps.len());
    // A draft continues even if confirmation was switched off meanwhile.
    drafted.or(view.confirm.then_some(0))
}

fn answers(ask: &Ask) -> Markup {
    if ask.actions.is_empty() {
        let button = |action: &str, words: &str| {
            html! {
                button type="submit" name="action" value=(action) { (words) }
            }
        };
        return html! {
            div class="choices" {
                @for suggestion in &ask.suggestions { (button(&suggestion.action, &suggestion.words)) }
                @if !ask.suggestions.iter().any(|suggestion| suggestion.action == ask.fallback) {
                    (button(&ask.fallback, &format!("Pass ({})", ask.fallback)))
                }
            }
        };
    }
    let choice = |(value, parts)| Choice { value, parts, target: None };
    let actions = ask.actions.iter().map(String::as_str).zip(ask.parts.iter().map(Vec::as_slice));
    choices("action", &actions.map(choice).collect::<Vec<_>>())
}

fn players(hosted: &Hosted, frame: &Frame, view: &BrowserView) -> Markup {
    let id = &hosted.row.id;
    // In large games only the first seats and the browser's own are listed.
    let shown = |seat: usize| seat < MAX_SHOWN || view.held.contains(&seat);
    let clocks = hosted.timing.as_ref().map(|timing| timing.shown(frame));
    let left = |seat: usize| clocks.as_ref()?.get(seat).copied().flatten();
    html! {
        ul class="players" {
            @for (seat, line) in frame.seats.iter().enumerate().filter(|(seat, _)| shown(*seat)) {
                li class=[(line.owes == Some(true)).then_some("owes")] {
                    svg class="swatch" viewBox="0 0 2 2" aria-hidden="true" { circle cx="1" cy="1" r="0.95" fill=(line.color) {} }
                    strong { (seat) } " " (holder_name(&line.holder))
                    @if view.held.contains(&seat) { " (you)" }
                    @if line.owes == Some(true) { span class="small" { " to move" } }
                    @if let Some(left) = left(seat) { " " (clock(left)) }
                    @if line.holder == Holder::Open {
                        " " a class="button" href={ "/t/" (id) "/join/" (seat) } { "Sit down" span class="unseen" { " at seat " (seat) } }
                        @if !view.held.is_empty() {
                            // A script turns it into a link that can be copied.
                            span class="invite" data-seat=(seat) { "Send your friend this link: " code { "/t/" (id) "/join/" (seat) } }
                        }
                    }
                }
            }
        }
        @if frame.seats.len() > MAX_SHOWN { p class="small" { "and " (frame.seats.len() - MAX_SHOWN) " more" } }
        @if let Some(timing) = &hosted.timing { p class="small" { "Time: " (timing.control().words()) "." } }
        @if frame.seats.iter().any(|line| line.owes.is_none()) { p class="small" { "Some decisions are secret, so the page may not show whose turn it is." } }
    }
}

/// A person's remaining time as minutes and seconds. A script counts it down.
fn clock(left: Left) -> Markup {
    let seconds = left.ms.div_ceil(1000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    html! { span class="clock" data-left=(left.ms) data-runs=[left.runs.then_some("")] { (minutes) ":" (format!("{seconds:02}")) } span class="small" { " left" } }
}

pub fn log(lines: &[LogLine]) -> Markup {
    html! { @for line in lines { li class=[line.detail.then_some("detail")] { (line.text) } } }
}
