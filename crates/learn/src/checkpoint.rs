//! Checkpoints: model, properties and training state as a safetensors file.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::adam::Adam;
use crate::error::LearnError;
use crate::goal::Goal;
use crate::model::LearnedModel;
use crate::network::Network;
use crate::replays::HumanGames;
use crate::reservoir::Reservoir;

/// The only metadata key: several would have no fixed order, and so no fixed bytes.
const ABOUT: &str = "meeple";
const CRITIC: &str = "critic.";
/// The tensor of offset and scale.
const OUTPUT: &str = "output";

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointInfo {
    pub game: String,
    pub rules_version: u32,
    pub encoding_version: u32,
    pub seats: usize,
    pub goal: Goal,
    /// Layer sizes: input features, hidden layers or units, and 1.
    pub sizes: Vec<usize>,
    pub round: u32,
    /// Episodes of all rounds.
    pub episodes: u64,
    pub plan: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<HumanGames>,
    /// SHA-256 of all tensors.
    pub checksum: String,
}

impl CheckpointInfo {
    /// Checks that a model with these properties can play where `wanted` is required.
    ///
    /// # Errors
    /// The first property that differs.
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

#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    pub about: CheckpointInfo,
    /// The value network, policy network, or readout over units.
    pub network: Network,
    /// Units of a self-organising network.
    pub reservoir: Option<Reservoir>,
    /// The critic of a policy.
    pub critic: Option<Network>,
    /// `None` in a file that only plays.
    pub pending: Option<TrainingState>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TrainingState {
    pub adam: Adam,
    pub critic: Option<Adam>,
    /// The model that plays the next round: one round older than the trained one.
    pub player: LearnedModel,
}

impl TrainingState {
    fn tensors(&self) -> Vec<(&'static str, Vec<f32>)> {
        let Self { adam, critic, player } = self;
        let mut tensors = vec![
            ("mean", adam.first_moment.clone()),
            ("square", adam.second_moment.clone()),
            ("left", adam.beta_powers.to_vec()),
            ("player", all_of(&player.network)),
        ];
        if let (Some(adam), Some(network)) = (critic, &player.critic) {
            tensors.extend([
                ("critic.mean", adam.first_moment.clone()),
                ("critic.square", adam.second_moment.clone()),
                ("critic.left", adam.beta_powers.to_vec()),
                ("critic.player", all_of(network)),
            ]);
        }
        if let Some(units) = &player.reservoir {
            tensors.extend([("links", units.links.clone()), ("thresholds", units.thresholds.clone())]);
        }
        tensors
    }
}

impl Checkpoint {
    /// Writes a safetensors file.
    ///
    /// `layers.N.weight` is `[n_in, n_out]`, `layers.N.bias` is `[n_out]`, `output` is offset and scale. A
    /// policy's critic has the same tensors as `critic.*`; a self-organising network has `units.*`, and a
    /// training that may resume has `pending.*`.
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
            tensors.push((format!("{of}{OUTPUT}"), vec![2], bytes(&[network.offset, network.scale])));
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
        for (name, numbers) in self.pending.iter().flat_map(TrainingState::tensors) {
            tensors.push((format!("pending.{name}"), vec![numbers.len()], bytes(&numbers)));
        }
        let about = CheckpointInfo { checksum: self.checksum(), ..self.about.clone() };
        let about = serde_json::to_string(&about).expect("plain data");
        let views = tensors.iter().map(|(name, shape, bytes)| {
            let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
            (name.as_str(), view.expect("as many bytes as numbers of four"))
        });
        let about = HashMap::from([(ABOUT.to_owned(), about)]);
        safetensors::serialize(views, Some(about)).expect("names are distinct")
    }

    /// Reads a file of [`to_bytes`](Self::to_bytes); `what` is its name in messages.
    ///
    /// # Errors
    /// If it is no such file, or damaged.
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
        let about = about.ok_or_else(|| wrong("the metadata `meeple`", "a file without one".to_owned()))?;
        let about: CheckpointInfo =
            serde_json::from_str(about).map_err(|error| wrong("the metadata `meeple`", error.to_string()))?;
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
        // The readout of a self-organising network begins at its units, behind the input features.
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
            let [offset, scale] = output[..] else {
                return Err(wrong("2 numbers for the output", output.len().to_string()));
            };
            let network = Network::from_parts(sizes.clone(), weights, offset, scale);
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
        let unit_tensor = |name: &str| if organised { numbers(name) } else { Ok(Vec::new()) };
        let reservoir = units(unit_tensor("units.links")?, unit_tensor("units.thresholds")?)?;
        let pending = match numbers("pending.left") {
            Err(_) => None,
            Ok(_) => {
                let fit = || wrong("moments of all weights", "other ones".to_owned());
                let adam = |of: &str| -> Result<Adam, LearnError> {
                    let [first_moment, second_moment, beta_powers] =
                        ["mean", "square", "left"].map(|name| numbers(&format!("pending.{of}{name}")));
                    let (first_moment, second_moment) = (first_moment?, second_moment?);
                    let beta_powers = <[f32; 2]>::try_from(beta_powers?).ok();
                    let fits = [&first_moment, &second_moment]
                        .iter()
                        .all(|moment| moment.len() == network.weights());
                    let beta_powers = beta_powers.filter(|_| fits).ok_or_else(fit)?;
                    Ok(Adam { first_moment, second_moment, beta_powers })
                };
                let player = |of: &str| -> Result<Network, LearnError> {
                    let mut player = numbers(&format!("pending.{of}player"))?;
                    let (scale, offset) = player.pop().zip(player.pop()).unwrap_or_default();
                    Network::from_parts(sizes.clone(), player, offset, scale).ok_or_else(fit)
                };
                let reservoir = units(unit_tensor("pending.links")?, unit_tensor("pending.thresholds")?)?;
                let player_critic = if is_policy { Some(player(CRITIC)?) } else { None };
                let player = LearnedModel { network: player("")?, reservoir, critic: player_critic };
                let critic = if is_policy { Some(adam(CRITIC)?) } else { None };
                Some(TrainingState { adam: adam("")?, critic, player })
            }
        };
        let learned = Self { about, network, reservoir, critic, pending };
        if learned.checksum() != learned.about.checksum {
            return Err(wrong("numbers that fit the checksum", "others: the file is damaged".to_owned()));
        }
        Ok(learned)
    }

    fn checksum(&self) -> String {
        let mut hash = Sha256::new();
        let output = [self.network.offset, self.network.scale];
        let units = self.reservoir.iter().flat_map(|units| {
            [units.setting().to_vec(), units.reads.clone(), units.links.clone(), units.thresholds.clone()]
        });
        let pending = self.pending.iter().flat_map(TrainingState::tensors).map(|(_, numbers)| numbers);
        let network = [self.network.weights.clone(), output.to_vec()];
        let critic = self.critic.iter().map(all_of);
        for numbers in network.into_iter().chain(critic).chain(units).chain(pending) {
            hash.update(bytes(&numbers));
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn into_model(self) -> LearnedModel {
        LearnedModel { network: self.network, reservoir: self.reservoir, critic: self.critic }
    }

    /// Checks that the model can play where `wanted` is required.
    ///
    /// # Errors
    /// The first property that differs.
    pub fn check(&self, what: &str, wanted: &CheckpointInfo) -> Result<(), LearnError> {
        self.about.check(what, wanted)
    }
}

/// Weights, offset and scale.
fn all_of(network: &Network) -> Vec<f32> {
    let output = [network.offset, network.scale];
    network.weights.iter().chain(&output).copied().collect()
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
