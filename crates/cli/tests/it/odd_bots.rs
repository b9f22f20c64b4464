//! A folder of strangers' bots: an unsuitable bot harms no other.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::meeple;

/// A bot that stays at every question.
const SHELL: &str = r#"#!/bin/sh
while read -r line; do
  g=${line#*\"g\":}; g=${g%%[,\}]*}
  n=${line#*\"n\":}; n=${n%%,*}
  case "$line" in
    *'"t":"hello"'*) echo '{"t":"hello","v":1,"name":"shell"}' ;;
    *'"t":"start"'*) echo "{\"t\":\"ready\",\"g\":$g}" ;;
    *'"t":"turn"'*) echo "{\"t\":\"move\",\"g\":$g,\"n\":$n,\"a\":0}" ;;
    *'"t":"bye"'*) exit 0 ;;
  esac
done
"#;

fn write(path: &Path) {
    fs::write(path, SHELL).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn odd_bots_lose_nobody_but_themselves() {
    let above = tempfile::tempdir().unwrap();
    let bots = above.path().join("bots");
    fs::create_dir(&bots).unwrap();
    fs::write(above.path().join("secret"), "42").unwrap();
    write(&bots.join("good"));
    write(&bots.join("n".repeat(255)));
    write(&bots.join("two\nlines"));
    write(&bots.join(OsStr::from_bytes(b"\xff\x1b[2J")));
    let fifo = |path: &Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    fifo(&bots.join("z.py"));
    symlink("../secret", bots.join("y.py")).unwrap();
    for (name, odd) in [
        ("folder-with-fifo", "pipe\u{1b}[2J"),
        ("folder-with-link", "values"),
        ("folder-too-large", "sparse"),
    ] {
        fs::create_dir(bots.join(name)).unwrap();
        write(&bots.join(name).join("main"));
        let path = bots.join(name).join(odd);
        match odd {
            "values" => symlink("../../secret", path).unwrap(),
            "sparse" => fs::File::create(path).unwrap().set_len(1 << 40).unwrap(),
            _ => fifo(&path),
        }
    }
    let mut command =
        meeple("rank bots --game incan-gold --with turn:7 -n 2 --resamples 100 --sandbox none -q --json");
    let output =
        command.current_dir(above.path()).timeout(std::time::Duration::from_secs(120)).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    for expected in [
        "nnn does not play: expected a name of 1 to 60 letters",
        "lines does not play: expected a name of 1 to 60 letters",
        r"\xff\u{1b}[2J does not play: its name is not UTF-8",
        "z.py does not play: bot 'bots/z.py' cannot be run: it is a FIFO",
        "y.py does not play: it is a link that leads out of the folder",
        r"folder-with-fifo does not play: bot 'folder-with-fifo': its files cannot be copied: 'pipe\u{1b}[2J' is a FIFO",
        "'values' is a link that leads out of the bot's folder",
        "found more with 'sparse' (1099511627776 bytes)",
    ] {
        assert!(errors.contains(expected), "expected {expected}, found {errors}");
    }
    assert!(errors.lines().all(|line| !line.contains(char::is_control)), "{errors:?}");
    let table: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let (played, others) = (table["standings"].to_string(), table["not_played"].to_string());
    assert!(played.contains("\"good\"") && !played.contains("folder"), "{table:#}");
    assert!(others.contains("folder-with-fifo") && others.contains("it is a FIFO"), "{table:#}");
}
