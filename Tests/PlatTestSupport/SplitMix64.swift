/// A generator of random numbers with a seed, so that a failure can be repeated (Steele, Lea and
/// Flood, *Fast splittable pseudorandom number generators*, 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; equal seeds give equal numbers.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension SplitMix64 {
  /// Returns true once in `count` times on average.
  package mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// Returns a whole number of any magnitude: small ones are as likely as huge ones.
  package mutating func anyMagnitude() -> UInt64 {
    next() >> UInt64.random(in: 0...63, using: &self)
  }
}
