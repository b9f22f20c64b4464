//! The server's host names: foreign ones may lead here (DNS rebinding).

use crate::client::{Running, options, start, start_with};

/// The status of a request with this host name.
fn status(server: &Running, path: &str, host: &str) -> u16 {
    server.browser().send_as(host, "GET", path, &[], "").status
}

#[test]
fn pages_of_other_names_are_refused() {
    let server = start(None);
    let port = server.address.port();
    for host in ["127.0.0.1", "localhost", "LOCALHOST.", "meeple.localhost", "[::1]", "192.168.7.9"] {
        for host in [host.to_owned(), format!("{host}:{port}"), format!("{host}:80")] {
            assert_eq!(status(&server, "/", &host), 200, "{host}");
        }
    }
    for host in
        ["evil.example", "evil.example:8017", "localhost.evil.example", "127.0.0.1.evil.example", "evil", "?"]
    {
        for path in ["/", "/metrics", "/api/v1/games", "/assets/none"] {
            assert_eq!(status(&server, path, host), 421, "{host} {path}");
        }
        // Health checks may use any name.
        assert_eq!(status(&server, "/healthz", host), 200);
    }
    let mut browser = server.browser();
    let page = browser.send_as("evil.example", "GET", "/", &[], "");
    assert!(page.body.contains("--host-name evil.example"), "{}", page.body);
    let answer = browser.send_as("evil.example", "GET", "/api/v1/games", &[], "");
    let answer: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(answer["hint"], "if it is one, start it with: meeple serve --host-name evil.example");
    // A page of such a name is foreign, too, although both headers agree.
    let headers = [("origin", "http://evil.example"), ("content-type", "application/x-www-form-urlencoded")];
    let posted = browser.send_as("evil.example", "POST", "/new/incan-gold", &headers, "agent.0=me");
    assert_eq!(posted.status, 421);
}

#[test]
fn names_of_its_own_are_a_setting() {
    let mut config = options(None);
    config.host_names = vec!["play.example".to_owned(), "Other.example:8443".to_owned()];
    let server = start_with(&config);
    for (host, expected) in
        [("play.example", 200), ("PLAY.EXAMPLE:80", 200), ("other.example", 200), ("a.play.example", 421)]
    {
        assert_eq!(status(&server, "/", host), expected, "{host}");
    }
    config.host_names = vec!["*".to_owned()];
    assert_eq!(status(&start_with(&config), "/", "anything.example"), 200);
}
