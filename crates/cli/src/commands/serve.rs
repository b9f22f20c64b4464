//! `meeple serve`: the web server.

use meeple_server::{Limits, Log, LogForm, Options, Reception, Server};

use crate::args::{LogArg, ServeArgs};
use crate::terminal;

/// Number of agents that think in parallel: one less than the cores, at least 1, to keep pages responsive.
fn minds() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1))
}

pub fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let log = match args.log {
        LogArg::Off => Log::off(),
        LogArg::Text => Log::to_stderr(LogForm::Text),
        LogArg::Json => Log::to_stderr(LogForm::Json),
    };
    let options = Options {
        host: args.host,
        port: args.port,
        data: (!args.forget).then(|| args.data.clone()),
        most_tables: args.tables.get(),
        most_upload_bytes: u64::from(args.uploads) << 20,
        minds: minds(),
        competitions: args.competitions.clone(),
        operator: args.operator,
        keep_days: args.keep,
        accounts: args.accounts,
        host_names: args.host_name.clone(),
        limits: Limits { trusted: args.trust_proxy.clone(), exempt: args.exempt.clone() },
        reception: Reception::default(),
        log,
    };
    meeple_server::raise_open_files();
    let server = Server::bind(&options)?;
    let address = server.address();
    if !address.ip().is_loopback() {
        terminal::warn(
            "other machines can reach this server without encryption; for strangers, put a TLS proxy in \
             front of it, and name its host with --host-name",
        );
    }
    match &options.data {
        Some(path) => terminal::tell(format_args!("meeple: tables are kept in {}", path.display())),
        None => terminal::tell("meeple: tables are kept in memory, and lost when the server ends"),
    }
    if let Some(link) = server.operator_link() {
        terminal::tell(format_args!("meeple: the operator's page (keep this link secret): {link}"));
    }
    terminal::tell("meeple: Ctrl-C ends it");
    let stopper = server.stopper();
    ctrlc::set_handler(move || stopper.stop())?;
    terminal::print(&format!("http://{address}/\n"))?;
    server.run()?;
    terminal::tell("meeple: the server has ended");
    Ok(())
}
