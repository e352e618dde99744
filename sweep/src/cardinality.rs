//! About how many different states were seen, from their hashes, in 16 kilobytes.
//!
//! Each hash selects a register by some of its bits; a register keeps the longest run of zeros that the others began
//! with. Sweeps delete states, and cannot say which of those they store are new; this estimates how much is done twice. The
//! estimate is off by about one per cent; nothing but speed and memory depends on it.
//!
//! Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog", AofA 2007; for few states by the number of registers in use
//! (Whang, Vander-Zanden, Taylor, "A Linear-Time Probabilistic Counting Algorithm", TODS 1990).

use std::io;

use crate::checkpoint::{Reader, ResumeFault, Writer};
use crate::meter::{Account, Meter};

const REGISTER_BITS: u32 = 14;
const REGISTERS: usize = 1 << REGISTER_BITS;

/// Hashes are taken in when there are this many: one by one they would evict other data from the cache.
const PENDING: usize = 256;

/// An estimate of the number of different hashes.
pub(crate) struct CardinalityEstimate {
    pending: Vec<u64>,
    registers: Vec<u8>,
    /// The sum of 2^-r over all registers r.
    sum: f64,
    unused: usize,
    _account: Account,
}

impl CardinalityEstimate {
    pub(crate) fn new(meter: &Meter) -> Self {
        let (pending, registers) = (Vec::with_capacity(PENDING), vec![0; REGISTERS]);
        let mut account = meter.account();
        account.set(REGISTERS + PENDING * size_of::<u64>());
        CardinalityEstimate { pending, registers, sum: REGISTERS as f64, unused: REGISTERS, _account: account }
    }

    /// A state with this hash was seen.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64) {
        self.pending.push(hash);
        if self.pending.len() == PENDING {
            self.take_in();
        }
    }

    /// Writes it.
    pub(crate) fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        to.number(self.pending.len() as u64)?;
        self.pending.iter().try_for_each(|hash| to.number(*hash))?;
        to.number(self.sum.to_bits())?;
        to.put(&self.registers)
    }

    /// Reads what `save` wrote into an empty one.
    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> Result<(), ResumeFault> {
        for _ in 0..from.number()?.min(PENDING as u64 - 1) {
            self.pending.push(from.number()?);
        }
        self.sum = f64::from_bits(from.number()?);
        from.take(&mut self.registers)?;
        self.unused = self.registers.iter().filter(|&&run| run == 0).count();
        Ok(())
    }

    fn take_in(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.drain(..).for_each(|hash| self.register(hash));
        self.pending = pending;
    }

    fn register(&mut self, hash: u64) {
        // Other parts of the hash choose places in tables; here all of it takes part.
        let mixed = (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94D0_49BB_1331_11EB);
        let run = (mixed << REGISTER_BITS).leading_zeros().min(63 - REGISTER_BITS) as u8 + 1;
        let register = &mut self.registers[(mixed >> (64 - REGISTER_BITS)) as usize];
        if run > *register {
            self.unused -= usize::from(*register == 0);
            self.sum += power(run) - power(*register);
            *register = run;
        }
    }

    /// About how many different ones there were.
    pub(crate) fn estimate(&mut self) -> u64 {
        self.take_in();
        let registers = REGISTERS as f64;
        let raw = 0.7213 / (1.0 + 1.079 / registers) * registers * registers / self.sum;
        let few = raw < 2.5 * registers && self.unused > 0;
        (if few { registers * (registers / self.unused as f64).ln() } else { raw }).round() as u64
    }
}

fn power(run: u8) -> f64 {
    f64::from_bits((1023 - u64::from(run)) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash;

    #[test]
    fn the_estimate_is_near() {
        let mut distinct = CardinalityEstimate::new(&Meter::unlimited());
        assert_eq!(distinct.estimate(), 0);
        for n in 0..3_000_000u32 {
            distinct.add(hash(&[n / 2, 7]));
            let (seen, estimate) = (f64::from(n / 2 + 1), distinct.estimate() as f64);
            assert!((estimate - seen).abs() < 5.0 + seen * 0.04, "{seen} {estimate}");
        }
    }
}
