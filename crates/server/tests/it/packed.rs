//! Compression of responses.

use std::io::{Read, Write};
use std::net::TcpStream;

use flate2::read::GzDecoder;

use crate::client::{Running, start, until};

/// The response to a request with these header lines: the head, and the body's bytes.
fn fetched(server: &Running, path: &str, line: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(server.address).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{line}\r\n", server.address);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase(), answer[end + 4..].to_vec())
}

#[test]
fn texts_are_packed_for_whoever_takes_that() {
    let server = start(None);
    let mut browser = server.browser();
    let table = browser.open("carcassonne", &[("agent.0", "random"), ("agent.1", "random")]);
    until("the end of the game", || browser.get(&table).is_over());
    let replay = table.replacen("/t/", "/r/", 1);
    let style = browser.get("/").body.split_once("rel=\"stylesheet\" href=\"").unwrap().1.to_owned();
    let style = style.split('"').next().unwrap().to_owned();
    for (path, at_least) in [
        (table.clone(), 4),
        (replay.clone(), 4),
        (format!("{replay}/moments?from=3"), 4),
        (format!("{replay}/at/9.svg"), 4),
        (format!("/api/v1{}/frame", table.replacen("/t/", "/tables/", 1)), 4),
        ("/rules/carcassonne".to_owned(), 2),
        (style, 2),
    ] {
        let (head, plain) = fetched(&server, &path, "");
        assert!(head.starts_with("http/1.1 200") && !head.contains("content-encoding"), "{path}: {head}");
        assert!(head.contains("vary: accept-encoding"), "{path}: {head}");
        for takes in ["gzip", "br;q=1, GZIP ; q=0.5"] {
            let (head, packed) = fetched(&server, &path, &format!("accept-encoding: {takes}\r\n"));
            assert!(head.contains("content-encoding: gzip"), "{path}: {head}");
            assert!(head.contains(&format!("content-length: {}", packed.len())), "{path}: {head}");
            let mut text = Vec::new();
            GzDecoder::new(&packed[..]).read_to_end(&mut text).unwrap();
            assert!(text == plain, "{path}");
            assert!(packed.len() * at_least < plain.len(), "{path}: {} of {}", packed.len(), plain.len());
        }
        for refuses in ["br", "gzip;q=0", "identity"] {
            let (head, body) = fetched(&server, &path, &format!("accept-encoding: {refuses}\r\n"));
            assert!(!head.contains("content-encoding") && body == plain, "{path}: {refuses}");
        }
    }
    // Short responses and PNGs stay uncompressed.
    for path in ["/healthz", &format!("{replay}/at/9.png")] {
        let (head, _) = fetched(&server, path, "accept-encoding: gzip\r\n");
        assert!(head.starts_with("http/1.1 200") && !head.contains("content-encoding"), "{path}: {head}");
    }
}
