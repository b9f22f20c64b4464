//! `meeple learn export`: a network for programs in other languages.

use anyhow::bail;
use meeple_learn::to_onnx;

use super::players::read_network;
use crate::args::ExportArgs;
use crate::replay_file::write_atomically;
use crate::terminal;

pub fn run(args: &ExportArgs) -> anyhow::Result<()> {
    let learned = read_network(&args.network)?;
    if learned.reservoir.is_some() {
        bail!(
            "{}: expected a feed-forward network, found a recurrent one\nhint: it plays as net:{0}, \
             wherever agents do",
            args.network.display()
        );
    }
    if learned.critic.is_some() {
        bail!(
            "{}: expected a value network, found a policy\nhint: it plays as net:{0}; policies of other \
             programs score ids of actions, and this one scores positions",
            args.network.display()
        );
    }
    write_atomically(&args.out, &to_onnx(&learned))?;
    terminal::tell(format_args!("meeple: wrote {}", args.out.display()));
    Ok(())
}
