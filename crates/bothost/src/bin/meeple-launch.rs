//! The launcher as a program of its own, for hosts that are not the `meeple` binary (and for tests).

fn main() -> std::process::ExitCode {
    meeple_bothost::launcher_main(std::env::args_os().skip(1))
}
