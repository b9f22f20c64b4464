//! Tests of a server on its own port, used by browsers and programs.
#![allow(clippy::disallowed_methods, reason = "tests have threads and files")]

mod api;
mod bad_input;
mod client;
mod clocks;
mod competitions;
mod drafts;
mod episodes;
mod faults;
mod fuzz;
mod games;
mod health;
mod hosts;
mod lab;
mod logs;
mod members;
mod names;
mod operator;
mod packed;
mod pages;
mod priority;
mod proof;
mod proxy;
mod rematch;
mod replays;
mod restart;
mod schema;
mod seats;
mod sockets;
mod strangers;
mod table_faults;
mod thinking;
mod twins;
mod upgrade;
