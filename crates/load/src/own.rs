//! A server process under test, which can be measured, killed and restarted.

use std::fs::File;
use std::io::{BufRead, BufReader, Error, Result};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// Clock ticks per second in Linux's counts of processor time, on all current machines.
const TICKS: f64 = 100.0;

/// A command that starts a server: program and arguments. `--port`, `--tables` and `--data` are appended. The
/// server must print its URL as the first line.
#[derive(Clone, Debug)]
pub struct ServerCommand {
    pub program: PathBuf,
    pub words: Vec<String>,
}

/// A running server with a temporary data folder. Dropping this value kills the server and removes the
/// folder.
pub struct Own {
    command: ServerCommand,
    folder: TempDir,
    tables: usize,
    child: Child,
    pub address: SocketAddr,
}

impl Own {
    /// Starts a server that can keep `tables` tables in memory. If it does not start, the error quotes its
    /// stderr.
    pub fn start(command: ServerCommand, tables: usize) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let (child, address) = begin(&command, &folder, tables, 0)?;
        Ok(Self { command, folder, tables, child, address })
    }

    /// Kills the server without a chance to shut down (SIGKILL), and restarts it on the same port and data.
    pub fn kill_and_start(&mut self) -> Result<()> {
        self.end();
        (self.child, self.address) = begin(&self.command, &self.folder, self.tables, self.address.port())?;
        Ok(())
    }

    /// CPU time of the process so far; `None` where the system does not report it.
    pub fn cpu(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // Fields 14 and 15 are user and system time. Field 2, in parentheses, may contain spaces.
        let mut rest = text.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut ticks = || rest.next()?.parse::<f64>().ok();
        Some(Duration::from_secs_f64((ticks()? + ticks()?) / TICKS))
    }

    /// Current and peak resident memory in bytes; `None` where the system does not report it.
    pub fn memory(&self) -> (Option<u64>, Option<u64>) {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let kilobytes = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim_start_matches(':').split_whitespace().next()?.parse::<u64>().ok()
        };
        (kilobytes("VmRSS").map(|kb| kb * 1024), kilobytes("VmHWM").map(|kb| kb * 1024))
    }

    fn end(&mut self) {
        // Errors are ignored, because the process may have exited by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.end();
    }
}

fn begin(command: &ServerCommand, folder: &TempDir, tables: usize, port: u16) -> Result<(Child, SocketAddr)> {
    let messages = folder.path().join("messages.txt");
    let mut child = Command::new(&command.program)
        .args(&command.words)
        .args(["--port", &port.to_string(), "--tables", &tables.to_string(), "--data"])
        .arg(folder.path().join("tables.db"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(File::create(&messages)?)
        .spawn()?;
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut line)?;
    }
    let address =
        line.trim().strip_prefix("http://").and_then(|rest| rest.trim_end_matches('/').parse().ok());
    match address {
        Some(address) => Ok((child, address)),
        None => {
            drop(child.kill());
            drop(child.wait());
            let said = std::fs::read_to_string(&messages).unwrap_or_default();
            Err(Error::other(format!("the server did not start: {}", said.trim())))
        }
    }
}
