//! Networks as files, with what they are of: weights alone are a riddle a month later.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::adam::Adam;
use crate::error::LearnError;
use crate::goal::Goal;
use crate::mind::Mind;
use crate::network::Network;
use crate::people::People;
use crate::reservoir::Reservoir;

/// The key of what a file says about itself; there is one, so that the same network makes the same bytes.
const ABOUT: &str = "meeple";
/// What the names of a critic's numbers begin with.
const CRITIC: &str = "critic.";
/// The middle and scale of the output.
const OUTPUT: &str = "output";

/// What a network is of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The game's name.
    pub game: String,
    /// Of its rules.
    pub rules_version: u32,
    /// Of what goes in.
    pub encoding_version: u32,
    /// Seats at the table.
    pub seats: usize,
    /// What it foretells.
    pub goal: Goal,
    /// Numbers in, hidden ones or units, and 1.
    pub sizes: Vec<usize>,
    /// Rounds that it has learned from,
    pub round: u32,
    /// and their episodes.
    pub episodes: u64,
    /// The plan by which it has learned.
    pub plan: Value,
    /// What of people it has learned from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    /// SHA-256 of all numbers.
    pub checksum: String,
}

impl About {
    /// Whether what is of this can play what is wanted: the same rules, for as many seats, from the same numbers.
    ///
    /// # Errors
    /// What it is of instead.
    pub fn check(&self, what: &str, wanted: &Self) -> Result<(), LearnError> {
        let pairs = [
            ("game", self.game.clone(), wanted.game.clone()),
            ("rules version", self.rules_version.to_string(), wanted.rules_version.to_string()),
            ("encoding version", self.encoding_version.to_string(), wanted.encoding_version.to_string()),
            ("seats", self.seats.to_string(), wanted.seats.to_string()),
            ("numbers", self.sizes[0].to_string(), wanted.sizes[0].to_string()),
        ];
        let differs = pairs.into_iter().find(|(_, found, wanted)| found != wanted);
        differs.map_or(Ok(()), |(key, found, wanted)| {
            Err(LearnError::Network {
                what: what.to_owned(),
                expected: format!("{key} {wanted}"),
                found: format!("a network for {found}"),
                hint: "a network plays what it has learned; `meeple learn` trains another",
            })
        })
    }
}

/// A network with what it is of, and how far its training is, if that goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// What it is of.
    pub about: About,
    /// The network.
    pub network: Network,
    /// The units that it listens to, if it has any.
    pub reservoir: Option<Reservoir>,
    /// If it is a policy, what says how much is to be expected where it decides.
    pub critic: Option<Network>,
    /// How far its training is.
    pub pending: Option<Pending>,
}

/// What a training needs to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Pending {
    /// What its steps remember,
    pub adam: Adam,
    /// and those of its critic, if it has one.
    pub critic: Option<Adam>,
    /// What plays the round which is to be learned next.
    pub player: Mind,
}

impl Pending {
    /// Its numbers, by their names.
    fn numbers(&self) -> Vec<(&'static str, Vec<f32>)> {
        let Self { adam, critic, player } = self;
        let mut numbers = vec![
            ("mean", adam.mean.clone()),
            ("square", adam.square.clone()),
            ("left", adam.left.to_vec()),
            ("player", all_of(&player.network)),
        ];
        if let (Some(adam), Some(network)) = (critic, &player.critic) {
            numbers.extend([
                ("critic.mean", adam.mean.clone()),
                ("critic.square", adam.square.clone()),
                ("critic.left", adam.left.to_vec()),
                ("critic.player", all_of(network)),
            ]);
        }
        if let Some(units) = &player.reservoir {
            numbers.extend([("links", units.links.clone()), ("thresholds", units.thresholds.clone())]);
        }
        numbers
    }
}

impl Learned {
    /// As a file of safetensors: `layers.N.weight` has a row for every input of layer N, `layers.N.bias`, and `output`, the
    /// middle and scale of what comes out; a policy has the same of its critic as `critic.*`, a self-organising network `units.*` too, a
    /// training that may go on `pending.*`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut tensors: Vec<(String, Vec<usize>, Vec<u8>)> = Vec::new();
        let networks = [("", Some(&self.network)), (CRITIC, self.critic.as_ref())];
        for (of, network) in networks.into_iter().filter_map(|(of, network)| Some((of, network?))) {
            let mut begin = 0;
            for (layer, pair) in network.sizes().windows(2).enumerate() {
                let (weights, end) = (pair[0] * pair[1], (pair[0] + 1) * pair[1]);
                let numbers = &network.weights[begin..begin + end];
                tensors.push((
                    format!("{of}layers.{layer}.weight"),
                    pair.to_vec(),
                    bytes(&numbers[..weights]),
                ));
                tensors.push((format!("{of}layers.{layer}.bias"), vec![pair[1]], bytes(&numbers[weights..])));
                begin += end;
            }
            tensors.push((format!("{of}{OUTPUT}"), vec![2], bytes(&[network.middle, network.scale])));
        }
        if let Some(units) = &self.reservoir {
            let count = units.units();
            let setting = units.setting();
            for (name, shape, numbers) in [
                ("setting", vec![3], &setting[..]),
                ("reads", vec![2 * units.inputs, count], &units.reads),
                ("links", vec![count, count], &units.links),
                ("thresholds", vec![count], &units.thresholds),
            ] {
                tensors.push((format!("units.{name}"), shape, bytes(numbers)));
            }
        }
        for (name, numbers) in self.pending.iter().flat_map(Pending::numbers) {
            tensors.push((format!("pending.{name}"), vec![numbers.len()], bytes(&numbers)));
        }
        let about = About { checksum: self.checksum(), ..self.about.clone() };
        let about = serde_json::to_string(&about).expect("plain data");
        let views = tensors.iter().map(|(name, shape, bytes)| {
            let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
            (name.as_str(), view.expect("as many bytes as numbers of four"))
        });
        let about = HashMap::from([(ABOUT.to_owned(), about)]);
        safetensors::serialize(views, Some(about)).expect("names are distinct")
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote; `what` is its name in messages.
    ///
    /// # Errors
    /// If it is none, or damaged.
    pub fn from_bytes(bytes: &[u8], what: &str) -> Result<Self, LearnError> {
        let wrong = |expected: &str, found: String| LearnError::Network {
            what: what.to_owned(),
            expected: expected.to_owned(),
            found,
            hint: "`meeple learn` writes such files",
        };
        let readable =
            |error: safetensors::SafeTensorError| wrong("a file of safetensors", error.to_string());
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(readable)?;
        let about = header.metadata().as_ref().and_then(|about| about.get(ABOUT));
        let about = about.ok_or_else(|| wrong("what the network is of", "a file without it".to_owned()))?;
        let about: About = serde_json::from_str(about)
            .map_err(|error| wrong("what the network is of", error.to_string()))?;
        let file = SafeTensors::deserialize(bytes).map_err(readable)?;
        let numbers = |name: &str| -> Result<Vec<f32>, LearnError> {
            let tensor = file.tensor(name).map_err(readable)?;
            if tensor.dtype() != Dtype::F32 {
                return Err(wrong("numbers of 32 bits", format!("{name} of {:?}", tensor.dtype())));
            }
            Ok(tensor.data().as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect())
        };
        if about.sizes.iter().any(|size| *size == 0 || *size > 100_000) || about.sizes.len() > 20 {
            return Err(wrong("layers of 1 to 100,000 numbers", format!("{:?}", about.sizes)));
        }
        // The first layer of a self-organising network is its units.
        let organised = file.tensor("units.setting").is_ok();
        let sizes = about.sizes.get(usize::from(organised)..).unwrap_or_default().to_vec();
        let network = |of: &str| -> Result<Network, LearnError> {
            let mut weights = Vec::new();
            for layer in 1..sizes.len() {
                for part in ["weight", "bias"] {
                    weights.extend(numbers(&format!("{of}layers.{}.{part}", layer - 1))?);
                }
            }
            let output = numbers(&format!("{of}{OUTPUT}"))?;
            let [middle, scale] = output[..] else {
                return Err(wrong("2 numbers for the output", output.len().to_string()));
            };
            let network = Network::from_parts(sizes.clone(), weights, middle, scale);
            network
                .ok_or_else(|| wrong("finite weights, as many as its layers have", "other ones".to_owned()))
        };
        let is_policy = file.tensor(&format!("{CRITIC}{OUTPUT}")).is_ok();
        let critic = if is_policy { Some(network(CRITIC)?) } else { None };
        let network = network("")?;
        let units = |links: Vec<f32>, thresholds: Vec<f32>| -> Result<Option<Reservoir>, LearnError> {
            if !organised {
                return Ok(None);
            }
            let setting = <[f32; 3]>::try_from(numbers("units.setting")?).ok();
            let reads = numbers("units.reads")?;
            let units = setting
                .and_then(|setting| Reservoir::from_parts(about.sizes[0], setting, reads, links, thresholds))
                .filter(|units| units.units() == network.inputs());
            units.map(Some).ok_or_else(|| wrong("units that fit the network", "other ones".to_owned()))
        };
        let listened = |name: &str| if organised { numbers(name) } else { Ok(Vec::new()) };
        let reservoir = units(listened("units.links")?, listened("units.thresholds")?)?;
        let pending = match numbers("pending.left") {
            Err(_) => None,
            Ok(_) => {
                let fit = || wrong("slopes of all weights", "other ones".to_owned());
                let adam = |of: &str| -> Result<Adam, LearnError> {
                    let [mean, square, left] =
                        ["mean", "square", "left"].map(|name| numbers(&format!("pending.{of}{name}")));
                    let (mean, square, left) = (mean?, square?, <[f32; 2]>::try_from(left?));
                    let fits = mean.len() == network.weights() && square.len() == network.weights();
                    let left = left.ok().filter(|_| fits).ok_or_else(fit)?;
                    Ok(Adam { mean, square, left })
                };
                let player = |of: &str| -> Result<Network, LearnError> {
                    let mut player = numbers(&format!("pending.{of}player"))?;
                    let (scale, middle) = player.pop().zip(player.pop()).unwrap_or_default();
                    Network::from_parts(sizes.clone(), player, middle, scale).ok_or_else(fit)
                };
                let reservoir = units(listened("pending.links")?, listened("pending.thresholds")?)?;
                let expects = if is_policy { Some(player(CRITIC)?) } else { None };
                let player = Mind { network: player("")?, reservoir, critic: expects };
                let critic = if is_policy { Some(adam(CRITIC)?) } else { None };
                Some(Pending { adam: adam("")?, critic, player })
            }
        };
        let learned = Self { about, network, reservoir, critic, pending };
        if learned.checksum() != learned.about.checksum {
            return Err(wrong("numbers that fit the checksum", "others: the file is damaged".to_owned()));
        }
        Ok(learned)
    }

    /// The checksum of its numbers.
    fn checksum(&self) -> String {
        let mut hash = Sha256::new();
        let output = [self.network.middle, self.network.scale];
        let units = self.reservoir.iter().flat_map(|units| {
            [units.setting().to_vec(), units.reads.clone(), units.links.clone(), units.thresholds.clone()]
        });
        let pending = self.pending.iter().flat_map(Pending::numbers).map(|(_, numbers)| numbers);
        let network = [self.network.weights.clone(), output.to_vec()];
        let critic = self.critic.iter().map(all_of);
        for numbers in network.into_iter().chain(critic).chain(units).chain(pending) {
            hash.update(bytes(&numbers));
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What it plays by.
    pub fn into_mind(self) -> Mind {
        Mind { network: self.network, reservoir: self.reservoir, critic: self.critic }
    }

    /// Whether it can play: it must have learned these rules, for so many seats, from these numbers.
    ///
    /// # Errors
    /// What it is of instead.
    pub fn check(&self, what: &str, wanted: &About) -> Result<(), LearnError> {
        self.about.check(what, wanted)
    }
}

/// All numbers of a network.
fn all_of(network: &Network) -> Vec<f32> {
    let output = [network.middle, network.scale];
    network.weights.iter().chain(&output).copied().collect()
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
