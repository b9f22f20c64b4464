//! The readiness check, while the server can store and when it cannot.
#![cfg(unix)]

use std::process::{Command, Stdio};

use crate::client::{Browser, start};
use crate::restart::{address_of, server_process_command};

#[test]
fn a_server_with_room_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(Some(&folder.path().join("tables.db")));
    let mut browser = server.browser();
    assert_eq!((browser.get("/readyz").status, browser.get("/healthz").status), (200, 200));
    assert_eq!(start(None).browser().get("/readyz").status, 200);
}

#[test]
fn a_server_whose_disk_is_full_is_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    // No file may exceed a megabyte (in blocks of 512 bytes). Writes beyond that are refused, as on a full
    // disk.
    let (program, arguments) = server_process_command();
    let mut child = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 2048; exec \"$@\"", "sh"])
        .arg(program)
        .args(arguments)
        .env(crate::restart::FILE, &file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut browser = Browser::new(address_of(&mut child));
    assert_eq!(browser.get("/readyz").status, 200);
    let fields = [("seat.0", "me"), ("seat.1", "friend"), ("seed", "1")];
    let refused =
        (0..5_000).map(|_| browser.post("/new/incan-gold", &fields)).find(|page| page.status != 303);
    let refused = refused.expect("a megabyte is full some time");
    assert!(refused.status == 503 && refused.body.contains("could not be stored"), "{}", refused.body);
    let page = browser.get("/readyz");
    assert!(page.status == 503 && page.body.contains("is the disk full?"), "{}: {}", page.status, page.body);
    // Existing data is still shown.
    assert_eq!((browser.get("/healthz").status, browser.get("/").status), (200, 200));
    child.kill().unwrap();
    child.wait().unwrap();
}
