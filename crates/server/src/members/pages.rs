//! Pages of members: the forms to log in and register, and the member's own page.

use maud::{Markup, html};

use crate::games::list::game_name;
use crate::members::accounts::{Member, Session};
use crate::members::browser::browser;
use crate::members::store::OwnTable;
use crate::page::controls::complaint;
use crate::page::frame::page;

/// The forms to log in and to register, each with its error.
pub fn login(wrong: Option<&str>, wrong_newcomer: Option<&str>) -> Markup {
    page(
        "Log in",
        false,
        &html! {
            h1 { "Log in" }
            p class="lead" { "Members have their name at every table, and their seats on every device. You \
                              can play everything without an account." }
            (complaint(wrong))
            form method="post" action="/login" class="sheet" {
                p { label for="name" { "Name" } input id="name" name="name" maxlength="60" autocomplete="username" required; }
                p { label for="password" { "Password" } input id="password" name="password" type="password" maxlength="400" autocomplete="current-password" required; }
                p { button class="primary" type="submit" { "Log in" } }
            }
            h2 id="new" { "Create an account" }
            (complaint(wrong_newcomer))
            form method="post" action="/register" class="sheet" {
                p { label for="new-name" { "Name, which everybody sees" } input id="new-name" name="name" maxlength="60" autocomplete="username" required; }
                p {
                    label for="new-password" { "Password, at least 8 letters" }
                    input id="new-password" name="password" type="password" maxlength="400" autocomplete="new-password" required aria-describedby="no-mail";
                    span class="small" id="no-mail" { "Nobody can send you a new one: this server knows no address of yours." }
                }
                p { button type="submit" { "Create an account" } }
            }
        },
    )
}

fn days(since: i64, now: i64) -> String {
    match (now - since) / 86_400 {
        ..=0 => "since today".to_owned(),
        1 => "for a day".to_owned(),
        days => format!("for {days} days"),
    }
}

fn tables(own: &[OwnTable], over: bool, none: &str) -> Markup {
    let some: Vec<&OwnTable> = own.iter().filter(|own| own.over == over).collect();
    html! {
        @if some.is_empty() { p { (none) } } @else {
            ul class="tables" {
                @for OwnTable { id, game, seats, .. } in some {
                    li {
                        a href={ "/t/" (id) } { (game_name(game)) " " code { (id) } }
                        " seat " (seats.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
                        @if over { " " a href={ "/r/" (id) } { "Replay" span class="unseen" { " of " (id) } } }
                    }
                }
            }
        }
    }
}

pub fn own(member: &Member, own: &[OwnTable], browsers: &[Session], now: i64, wrong: Option<&str>) -> Markup {
    page(
        &member.name,
        false,
        &html! {
            h1 { (member.name) }
            (complaint(wrong))
            form method="post" action="/logout" { button type="submit" { "Log out" } }
            h2 id="playing" { "My games" }
            (tables(own, false, "You have no games in progress."))
            h2 id="over" { "Finished games" }
            (tables(own, true, "None yet."))
            h2 { "Where you are logged in" }
            ul class="desk" {
                @for session in browsers {
                    @let here = session.hash == member.session;
                    @let name = browser(&session.browser);
                    li {
                        span {
                            @if here { strong { "This browser" } ", " }
                            (name) ", " (days(session.began, now))
                        }
                        @if !here {
                            form method="post" action={ "/me/browsers/" (session.id) "/end" } { button type="submit" { "Log out" span class="unseen" { ": " (name) } } }
                        }
                    }
                }
            }
            @if browsers.len() > 1 {
                form method="post" action="/me/browsers/end" { button type="submit" { "Log out all others" } }
            }
            h2 { "Change password" }
            form method="post" action="/me/password" class="sheet" {
                input type="hidden" name="username" autocomplete="username" value=(member.name);
                p { label for="old" { "Current password" } input id="old" name="password" type="password" maxlength="400" autocomplete="current-password" required; }
                p { label for="new" { "New password, at least 8 letters" } input id="new" name="new" type="password" maxlength="400" autocomplete="new-password" required; }
                p { button type="submit" { "Change password and log out all other browsers" } }
            }
            details {
                summary { "Delete account" }
                form method="post" action="/me/delete" class="sheet" {
                    p { "Agents play on at your tables. Your name and password are deleted; in the records of games that you have played the name stays." }
                    p { label for="last" { "Password" } input id="last" name="password" type="password" maxlength="400" autocomplete="current-password" required; }
                    p { button type="submit" { "Delete my account" } }
                }
            }
        },
    )
}
