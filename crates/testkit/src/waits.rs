//! Waits for other threads and processes. Each wait has a bound, and names its subject when it fails.

use std::io::{BufRead, Read};
use std::process::{Child, ExitStatus, Output};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Upper bound on every wait: longer than any awaited event takes on the slowest machine.
pub const WAIT_LIMIT: Duration = Duration::from_secs(120);
/// Pause between two attempts, which leaves the processors to the awaited processes.
const INTERVAL: Duration = Duration::from_millis(1);

/// Waits until the condition holds.
///
/// # Panics
/// If it does not hold within [`WAIT_LIMIT`].
#[track_caller]
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    until_some(what, || holds().then_some(()));
}

/// Waits until `attempt` returns a value, and returns it.
///
/// # Panics
/// If `attempt` returns no value within [`WAIT_LIMIT`].
#[track_caller]
pub fn until_some<T>(what: &str, attempt: impl FnMut() -> Option<T>) -> T {
    some_within(WAIT_LIMIT, what, attempt)
}

/// Waits until the condition holds, while a process runs.
///
/// # Panics
/// If the process ends first, or the condition does not hold within [`WAIT_LIMIT`].
#[track_caller]
pub fn until_while_running(child: &mut Child, what: &str, mut holds: impl FnMut() -> bool) {
    until(what, || {
        if holds() {
            return true;
        }
        let ended = child.try_wait().expect("a child can be asked for its status");
        // The process may have fulfilled the condition just before its end.
        assert!(ended.is_none() || holds(), "waited for {what}, but the process ended: {ended:?}");
        ended.is_some()
    });
}

/// Waits for the end of a process.
///
/// # Panics
/// If it runs longer than [`WAIT_LIMIT`]; it is killed then.
#[track_caller]
pub fn end_of(child: &mut Child, what: &str) -> ExitStatus {
    end_within(WAIT_LIMIT, child, what)
}

/// Waits for the end of a process whose output is piped, and reads all of it.
///
/// # Panics
/// If it runs longer than [`WAIT_LIMIT`].
#[track_caller]
pub fn output_of(child: Child, what: &str) -> Output {
    blocking(what, move || child.wait_with_output().expect("a child can be waited for"))
}

/// Reads lines until one contains this text. Returns everything read, with that line at its end.
///
/// # Panics
/// If the source ends first, or the text does not come within [`WAIT_LIMIT`].
#[track_caller]
pub fn lines_until<R: BufRead + Send + 'static>(mut source: R, text: &str) -> (R, String) {
    let wanted = text.to_owned();
    let (source, read, came) = blocking(&format!("the text '{text}'"), move || {
        let mut read = String::new();
        let mut before = 0;
        loop {
            let more = source.read_line(&mut read).expect("lines of text");
            if more == 0 || read[before..].contains(&wanted) {
                return (source, read, more > 0);
            }
            before = read.len();
        }
    });
    assert!(came, "waited for the text '{text}', but the source ended:\n{read}");
    (source, read)
}

/// Reads text to its end.
///
/// # Panics
/// If it does not end within [`WAIT_LIMIT`].
#[track_caller]
pub fn rest_of(mut source: impl Read + Send + 'static, what: &str) -> String {
    blocking(&format!("the end of {what}"), move || {
        let mut text = String::new();
        source.read_to_string(&mut text).expect("text");
        text
    })
}

/// Waits for a call that blocks. The call has a thread of its own, which stays behind if it never returns.
///
/// # Panics
/// If it panics or does not return within [`WAIT_LIMIT`].
#[track_caller]
pub fn blocking<T: Send + 'static>(what: &str, call: impl FnOnce() -> T + Send + 'static) -> T {
    blocking_within(WAIT_LIMIT, what, call)
}

#[track_caller]
fn some_within<T>(limit: Duration, what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        // The time is taken first: a condition that came true just in time must count.
        let late = began.elapsed() >= limit;
        if let Some(found) = attempt() {
            return found;
        }
        assert!(!late, "waited {limit:?} for {what}");
        std::thread::sleep(INTERVAL);
    }
}

#[track_caller]
fn end_within(limit: Duration, child: &mut Child, what: &str) -> ExitStatus {
    let began = Instant::now();
    loop {
        let late = began.elapsed() >= limit;
        if let Some(status) = child.try_wait().expect("a child can be asked for its status") {
            return status;
        }
        if late {
            let _ = child.kill();
            let _ = child.wait();
            panic!("waited {limit:?} for the end of {what}");
        }
        std::thread::sleep(INTERVAL);
    }
}

#[track_caller]
fn blocking_within<T: Send + 'static>(
    limit: Duration,
    what: &str,
    call: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        // The receiver is gone only if the wait was given up.
        let _ = sender.send(call());
    });
    match receiver.recv_timeout(limit) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("waited {limit:?} for {what}"),
        Err(RecvTimeoutError::Disconnected) => panic!("a panic in the wait for {what}"),
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// The message of a panic.
    fn complaint(wait: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let caught = std::panic::catch_unwind(wait).expect_err("the wait is given up");
        caught.downcast_ref::<String>().expect("a message").clone()
    }

    fn sleeper() -> Child {
        let mut command = Command::new("sleep");
        command.arg("1000").stdout(Stdio::piped()).spawn().expect("sleep is on every machine")
    }

    #[test]
    fn waits_that_are_given_up_say_what_they_waited_for() {
        let short = Duration::from_millis(20);
        let shown = complaint(|| some_within(short, "rain", || None));
        assert_eq!(shown, "waited 20ms for rain");
        let shown = complaint(|| {
            end_within(short, &mut sleeper(), "a sleeper");
        });
        assert_eq!(shown, "waited 20ms for the end of a sleeper");
        let shown = complaint(|| blocking_within(short, "a closed door", std::thread::park));
        assert_eq!(shown, "waited 20ms for a closed door");
    }

    #[test]
    fn a_wait_for_a_process_that_has_ended_is_over() {
        let mut child = Command::new("true").spawn().expect("true is on every machine");
        let shown = complaint(std::panic::AssertUnwindSafe(|| {
            until_while_running(&mut child, "a file", || false);
        }));
        assert!(shown.starts_with("waited for a file, but the process ended: "), "{shown}");
        let shown = complaint(|| drop(lines_until(&b"one\ntwo\n"[..], "three")));
        assert_eq!(shown, "waited for the text 'three', but the source ended:\none\ntwo\n");
    }

    #[test]
    fn what_comes_ends_the_wait() {
        let mut left = 3;
        let found = until_some("three attempts", || {
            left -= 1;
            (left == 0).then_some("done")
        });
        assert_eq!(found, "done");
        let (rest, read) = lines_until(&b"one\ntwo\nthree\n"[..], "two");
        assert_eq!((read.as_str(), rest), ("one\ntwo\n", &b"three\n"[..]));
        assert_eq!(rest_of(rest, "three lines"), "three\n");
    }
}
