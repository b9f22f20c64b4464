//! Random streams, each derived from the root seed, the episode's index and a purpose. Draws therefore stay
//! the same if an agent, a thread or a machine changes.

use crate::seat::Seat;

/// Increment of SplitMix64's state: 2^64 divided by the golden ratio, rounded to an odd number.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Constant of [`Stream::quick_bits`]: half of its bits are set, in no regular pattern.
const FOLD: u64 = 0xa3b1_9535_4a39_b70d;

/// SplitMix64's output in this state (Steele, Lea, Flood 2014): a bijection of 64-bit words with full
/// avalanche.
#[inline]
const fn mix(word: u64) -> u64 {
    let z = word.wrapping_add(GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The seed of one episode, from which all its streams are derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct EpisodeSeed(u64);

impl EpisodeSeed {
    /// The seed of episode `index` in a run with this root seed.
    #[inline]
    pub const fn new(root: u64, index: u64) -> Self {
        Self(mix(mix(root) ^ index))
    }

    /// The raw 64 bits, as stored in replays.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The seed with these raw bits, as read from a replay.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The stream of the agent at `seat`, independent of all other streams.
    #[inline]
    pub fn agent(self, seat: Seat) -> Stream {
        Stream::from_seed(mix(self.0 ^ (0xa6e7 << 48 | seat.index() as u64)))
    }
}

/// Purpose of a chance draw. Each purpose has its own streams, so an additional tie break leaves the deals
/// unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Set-up and the order of hidden piles, such as decks, bags and start positions.
    Deal,
    /// Dice and other draws during play.
    Play,
    /// Tie breaks.
    Ties,
}

/// A probability, prepared for fast draws; see [`Stream::hits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds(u64);

impl Odds {
    /// Odds for this probability in 0..=1, with a precision of 53 bits.
    pub fn new(probability: f64) -> Self {
        Self((probability.clamp(0.0, 1.0) * (1u64 << 53) as f64).ceil() as u64)
    }
}

/// The chance streams of one episode.
#[derive(Clone, Debug)]
pub struct ChanceStreams {
    seed: EpisodeSeed,
    current: [Keyed; 3],
}

#[derive(Clone, Debug)]
struct Keyed {
    /// Key of the stream; [`NO_KEY`] before the first draw.
    key: u64,
    stream: Stream,
}

/// A value outside the 32-bit range of keys.
const NO_KEY: u64 = u64::MAX;

impl ChanceStreams {
    /// The chance streams of the episode with this seed.
    #[inline]
    pub fn new(seed: EpisodeSeed) -> Self {
        let unused = Keyed { key: NO_KEY, stream: Stream::from_seed(0) };
        Self { seed, current: [unused.clone(), unused.clone(), unused] }
    }

    /// Switches the streams to another episode. Nothing of the old one remains.
    #[inline]
    pub fn restart(&mut self, seed: EpisodeSeed) {
        self.seed = seed;
        for keyed in &mut self.current {
            keyed.key = NO_KEY;
        }
    }

    /// The stream for `purpose` and `key`.
    ///
    /// A key names a part of the game, such as a round, whose draws should not depend on earlier parts. Calls
    /// with the key of the last call continue its stream. A new key starts that key's stream **from its
    /// beginning**, so a game must not return to a key that it has left.
    #[inline]
    pub fn stream(&mut self, purpose: Purpose, key: u32) -> &mut Stream {
        if self.current[purpose as usize].key != u64::from(key) {
            self.current[purpose as usize] =
                Keyed { key: u64::from(key), stream: self.fresh_stream(purpose, key) };
        }
        &mut self.current[purpose as usize].stream
    }

    /// The stream for `purpose` and `key` from its beginning, for a caller that keeps it for a whole part of
    /// the game.
    #[inline]
    pub fn fresh_stream(&self, purpose: Purpose, key: u32) -> Stream {
        let word = (0xc4a2 + purpose as u64) << 48 | u64::from(key);
        Stream::from_seed(mix(self.seed.0 ^ word))
    }
}

/// A derived random stream: SplitMix64 (Steele, Lea, Flood 2014), started from root seed, episode and
/// purpose.
///
/// SplitMix64 passes the usual test batteries and costs nearly nothing to start. The cost of the start
/// matters, because an episode of a short game has more streams than draws per stream. The period is 2^64,
/// and streams are random stretches of one cycle. Two given streams of n draws each overlap with a
/// probability of about 2n / 2^64, which is negligible.
///
/// Bounded draws and shuffles are defined here, because those of a library may change with its version. The
/// generator is not cryptographic: one output reveals all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// The stream with this seed.
    #[inline]
    pub const fn from_seed(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The seed of a stream that continues this one, for storing the position.
    #[inline]
    pub const fn seed(&self) -> u64 {
        self.state
    }

    /// 64 uniform bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let bits = mix(self.state);
        self.state = self.state.wrapping_add(GAMMA);
        bits
    }

    /// 64 uniform bits at half the cost of [`Stream::bits`]: the two halves of one product, combined by XOR
    /// as in wyrand (Wang Yi 2020). The map from states is no bijection, and the lower bits are worse, so
    /// callers use the upper ones.
    #[inline]
    fn quick_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        let product = u128::from(self.state) * u128::from(self.state ^ FOLD);
        (product >> 64) as u64 ^ product as u64
    }

    /// Uniform in `0..bound` by multiply-shift (Lemire 2019) without the rejection step. The bias is below
    /// `bound / 2^64`, which is negligible. Always one draw of 64 bits.
    ///
    /// # Panics
    /// In debug builds if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "a draw needs at least one outcome");
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }

    /// Uniform index into a slice of this length; see [`Stream::below`].
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u32) as usize
    }

    /// A uniform member of a bit set. All members must lie below `span`, which is at most 64.
    ///
    /// Draws positions below `span` until one is a member. The first two positions come from one word of the
    /// stream. From equal streams, two sets that differ in a few members therefore nearly always yield the
    /// same sequence, except at those members. The bias of a position is below 2^-52.
    ///
    /// # Panics
    /// If the set is empty.
    #[inline]
    pub fn member(&mut self, set: u64, span: u32) -> u32 {
        debug_assert!((1..=64).contains(&span), "a set has 1 to 64 positions");
        let span = u64::from(span);
        let positions = self.positions(span);
        self.member_among(positions, set, span).expect("a draw needs at least one member")
    }

    /// Two uniform positions below `span` from one word, by multiply-shift. Given the first position, all
    /// remaining bits of the word but the last 6 are uniform.
    #[inline]
    fn positions(&mut self, span: u64) -> (u64, u64) {
        let first = u128::from(self.quick_bits()) * u128::from(span);
        let second = u128::from(first as u64) * u128::from(span);
        ((first >> 64) as u64, (second >> 64) as u64)
    }

    /// The first member among the two given positions and further draws; `None` if the set is empty.
    #[inline]
    fn member_among(&mut self, (first, second): (u64, u64), set: u64, span: u64) -> Option<u32> {
        let holds = |position: u64| set >> (position % 64) & 1 == 1;
        // A branch on the first position would be mispredicted every fifth time, so the selection has none.
        let position = std::hint::select_unpredictable(holds(first), first, second);
        if holds(position) {
            return Some(position as u32 % 64);
        }
        std::hint::cold_path();
        if set == 0 { None } else { Some(self.member_again(set, span)) }
    }

    /// Not inlined, because the loop would take registers from the caller.
    #[inline(never)]
    fn member_again(&mut self, set: u64, span: u64) -> u32 {
        debug_assert!(set << (64 - span) != 0, "no member lies below {span}");
        loop {
            let position = ((u128::from(self.quick_bits()) * u128::from(span)) >> 64) as u32 % 64;
            if set >> position & 1 == 1 {
                return position;
            }
        }
    }

    /// Uniform in [0, 1) with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with this probability in 0..=1. Always one draw of 64 bits.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// True with these odds. Costs half as much as [`Stream::chance`], and derives other bits from the same
    /// state. Always one draw.
    #[inline]
    pub fn hits(&mut self, odds: Odds) -> bool {
        self.quick_bits() >> 11 < odds.0
    }

    /// Returns true with probability 1/2.
    #[inline]
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// Shuffles a slice uniformly, by Fisher–Yates from the front: after `k` steps the first `k` items are a
    /// uniform ordered sample.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for done in 0..items.len() {
            let pick = done + self.index(items.len() - done);
            items.swap(done, pick);
        }
    }

    /// An index drawn with probability proportional to its weight; weights of 0 or less are never drawn.
    ///
    /// Returns `None` if no weight is positive.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
        let mut left = self.unit() * total;
        let mut last = None;
        for (index, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            last = Some(index);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }
}

/// The draws of [`Stream::member`] from a stream whose sets all have the same span. Each draw is prepared
/// before its set is known. The processor thus computes the draw while it recovers from mispredicted
/// branches.
#[derive(Clone, Debug)]
pub struct MemberDraws {
    stream: Stream,
    span: u64,
    next: (u64, u64),
}

impl MemberDraws {
    /// Draws that continue `stream`. `span` is in 1..=64.
    #[inline]
    pub fn new(mut stream: Stream, span: u32) -> Self {
        debug_assert!((1..=64).contains(&span), "a set has 1 to 64 positions");
        let span = u64::from(span);
        let next = stream.positions(span);
        Self { stream, span, next }
    }

    /// A uniform member of a bit set whose members all lie below the span. `None` if the set is empty; the
    /// draw is then kept for the next set.
    #[inline]
    pub fn draw(&mut self, set: u64) -> Option<u32> {
        let member = self.stream.member_among(self.next, set, self.span)?;
        self.next = self.stream.positions(self.span);
        Some(member)
    }
}
