//! A network with faults: a proxy between clients and a server that cuts, holds or swallows data.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

/// The handling of bytes in one direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    Open,
    /// Bytes wait until they may pass again, and are lost if the connection is cut before. Nothing further is
    /// read from their sender.
    Held,
    /// Bytes are lost, as with a machine that has vanished silently.
    Swallowed,
}

#[derive(Clone, Copy)]
struct Flows {
    to_server: Flow,
    to_client: Flow,
}

struct Shared {
    flows: Mutex<Flows>,
    changed: Condvar,
    ends: Mutex<Vec<TcpStream>>,
}

/// The network, which ends with its test.
pub struct Proxy {
    /// The address for clients.
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

impl Proxy {
    /// A good network before this server.
    pub fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            flows: Mutex::new(Flows { to_server: Flow::Open, to_client: Flow::Open }),
            changed: Condvar::new(),
            ends: Mutex::default(),
        });
        let proxy = Self { address, shared: Arc::clone(&shared) };
        // It ends with the process of the tests.
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(upstream) = TcpStream::connect(server) else { continue };
                let ends = [&client, &upstream].map(|end| end.try_clone().unwrap());
                shared.ends.lock().unwrap().extend(ends);
                let pairs = [(&client, &upstream, true), (&upstream, &client, false)];
                for (from, to, to_server) in pairs {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let shared = Arc::clone(&shared);
                    std::thread::spawn(move || pump(from, to, to_server, &shared));
                }
            }
        });
        proxy
    }

    /// Sets the handling in both directions.
    pub fn set(&self, to_server: Flow, to_client: Flow) {
        *self.shared.flows.lock().unwrap() = Flows { to_server, to_client };
        self.shared.changed.notify_all();
    }

    /// Breaks all connections; new ones find a good network.
    pub fn cut(&self) {
        for end in self.shared.ends.lock().unwrap().drain(..) {
            // It may be closed already.
            drop(end.shutdown(Shutdown::Both));
        }
        self.set(Flow::Open, Flow::Open);
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, to_server: bool, shared: &Shared) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(count) = from.read(&mut bytes) {
        let flow = |flows: &Flows| if to_server { flows.to_server } else { flows.to_client };
        let flows = shared.flows.lock().unwrap();
        let flows = shared.changed.wait_while(flows, |flows| flow(flows) == Flow::Held).unwrap();
        let swallowed = flow(&flows) == Flow::Swallowed;
        drop(flows);
        if count == 0 || !swallowed && to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Both));
    drop(from.shutdown(Shutdown::Both));
}
