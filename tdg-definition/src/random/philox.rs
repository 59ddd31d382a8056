//! Philox4x64-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, *Parallel random
//! numbers: as easy as 1, 2, 3* (SC 2011), section 4.3.
//!
//! A block of four words is a bijective scrambling of a 256-bit counter under a 128-bit key: ten
//! rounds of two multiplications each. Word 0 of counters and keys is the least significant one.

const ROUNDS: u32 = 10;

const MULTIPLIER_0: u64 = 0xD2E7_470E_E14C_6C93;
const MULTIPLIER_1: u64 = 0xCA5A_8263_9512_1157;

/// Added to the key's words after each round: the golden ratio and √3 − 1, in units of 2⁻⁶⁴.
const KEY_STEP_0: u64 = 0x9E37_79B9_7F4A_7C15;
const KEY_STEP_1: u64 = 0xBB67_AE85_84CA_A73B;

/// Computes the block of four words for `counter` under `key`.
///
/// `numpy.random.Philox(counter=c, key=k).random_raw(4)` is the block of counter `c + 1`, because
/// numpy increments the counter first.
///
/// ```
/// use tdg_definition::random::philox;
///
/// assert_eq!(philox::block([0; 4], [0; 2])[0], 0x16554d9eca36314c);
/// ```
// Inlined, like `pair`.
#[inline(always)]
pub fn block(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let [mut a0, mut a1, mut a2, mut a3] = counter;
    let [mut k0, mut k1] = key;
    let mut round = 0;
    while round < ROUNDS {
        let p = product(MULTIPLIER_0, a0);
        let q = product(MULTIPLIER_1, a2);
        a0 = (q >> 64) as u64 ^ (a1 ^ k0);
        a1 = q as u64;
        a2 = (p >> 64) as u64 ^ (a3 ^ k1);
        a3 = p as u64;
        k0 = k0.wrapping_add(KEY_STEP_0);
        k1 = k1.wrapping_add(KEY_STEP_1);
        round += 1;
    }
    [a0, a1, a2, a3]
}

/// Computes the blocks of two counters, concatenated.
///
/// Returns the same words as two calls of [`block`], but faster: a round waits for its
/// multiplications, and two independent blocks fill each other's waiting time. (More wouldn't fit
/// into the registers.)
// Inlined, so that everything that depends only on the key and the upper words of the counter moves
// out of the caller's loop.
#[inline(always)]
pub fn pair(a: [u64; 4], b: [u64; 4], key: [u64; 2]) -> [u64; 8] {
    let [mut a0, mut a1, mut a2, mut a3] = a;
    let [mut b0, mut b1, mut b2, mut b3] = b;
    let [mut k0, mut k1] = key;
    let mut round = 0;
    while round < ROUNDS {
        let p = product(MULTIPLIER_0, a0);
        let q = product(MULTIPLIER_1, a2);
        let r = product(MULTIPLIER_0, b0);
        let s = product(MULTIPLIER_1, b2);
        a0 = (q >> 64) as u64 ^ (a1 ^ k0);
        a1 = q as u64;
        a2 = (p >> 64) as u64 ^ (a3 ^ k1);
        a3 = p as u64;
        b0 = (s >> 64) as u64 ^ (b1 ^ k0);
        b1 = s as u64;
        b2 = (r >> 64) as u64 ^ (b3 ^ k1);
        b3 = r as u64;
        k0 = k0.wrapping_add(KEY_STEP_0);
        k1 = k1.wrapping_add(KEY_STEP_1);
        round += 1;
    }
    [a0, a1, a2, a3, b0, b1, b2, b3]
}

/// Returns all 128 bits of a product, which can't overflow; saves the check in dev builds.
#[inline(always)]
fn product(a: u64, b: u64) -> u128 {
    (a as u128).wrapping_mul(b as u128)
}
