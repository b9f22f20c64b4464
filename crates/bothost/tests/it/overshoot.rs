//! Bots that take as much as they can between two looks at them. Each is ended, and gets no more where the
//! kernel keeps the limit.
//!
//! `cargo test -p meeple-bothost --test it overshoot -- --nocapture --test-threads 1` prints what they got.

use std::path::Path;
use std::process::Command;

use meeple_bothost::{BotSpec, Fault, FaultCode, Limits, Sandbox, SandboxLevel};
use meeple_games::adapters;

use crate::hostile::{fault_of_spec, limited, policy};
use crate::hosts::for_every_user;
use crate::support::{has, limits, repository};

/// The limits of the hogs. Their stderr counts what they took.
fn tight() -> Limits {
    Limits { stderr_tail_bytes: 1 << 20, ..limits() }
}

/// Compiles the bot that takes what its name says.
fn hog(folder: &Path, name: &str) -> BotSpec {
    let program = folder.join(name);
    let source = repository().join("crates/bothost/tests/bots/hog.c");
    let status = Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(source).status();
    assert!(status.unwrap().success());
    BotSpec::parse(program.to_str().unwrap(), adapters()).unwrap()
}

/// The end of a hog, and the number of MiB or processes that it took until then.
fn end_of(name: &str, sandbox: &Sandbox) -> (Fault, u64) {
    let folder = tempfile::tempdir().unwrap();
    // The watch looks at a hog near its limit all the time, which takes long on a busy machine.
    let mut patient = policy();
    patient.clock.wall_slack_ms = 110_000;
    let fault = fault_of_spec(&hog(folder.path(), name), sandbox, &tight(), &patient);
    let taken = fault.stderr_tail.bytes().filter(|byte| *byte == b'x').count() as u64;
    let user = nix::unistd::geteuid();
    println!("{name} at {} as user {user}: {} after {taken}", sandbox.level(), fault.code);
    (fault, taken)
}

/// Allowance beyond a limit that the kernel keeps: metadata of files.
const BEYOND_MIB: u64 = 1;

#[test]
fn memory_is_not_taken_between_looks() {
    if !has("cc") {
        return;
    }
    for_every_user("overshoot::memory_is_not_taken_between_looks", || {
        for name in ["memory-2", "memory-4-slow", "memory-48", "memory-48-slow"] {
            for sandbox in limited() {
                let (fault, _) = end_of(name, &sandbox);
                assert_eq!(fault.code, FaultCode::MemoryLimit, "{name} at {}: {fault:#?}", sandbox.level());
            }
        }
    });
}

#[test]
fn scratch_is_not_taken_between_looks() {
    if !has("cc") {
        return;
    }
    for_every_user("overshoot::scratch_is_not_taken_between_looks", || {
        for name in ["scratch-1", "scratch-4-slow", "scratch-48"] {
            for sandbox in limited() {
                let (fault, taken) = end_of(name, &sandbox);
                assert!(!fault.alive, "{name} at {}: {fault:#?}", sandbox.level());
                let most = tight().disk_mib + BEYOND_MIB;
                let is_kept = sandbox.level() == SandboxLevel::Strict || nix::unistd::geteuid().is_root();
                assert!(!is_kept || taken <= most, "{name} at {}: {taken} MiB of {most}", sandbox.level());
            }
        }
    });
}

#[test]
fn processes_are_not_made_between_looks() {
    if !has("cc") {
        return;
    }
    for_every_user("overshoot::processes_are_not_made_between_looks", || {
        for sandbox in limited() {
            let (fault, _) = end_of("processes-1", &sandbox);
            assert!(!fault.alive, "at {}: {fault:#?}", sandbox.level());
        }
    });
}
