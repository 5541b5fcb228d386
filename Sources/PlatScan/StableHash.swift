/// FNV-1a with 64 bits (Fowler, Noll, Vo and Eastlake, RFC 9923), the same in every process.
internal struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  internal mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  internal mutating func combine(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      state = (state ^ (number >> shift & 0xff)) &* 0x100_0000_01b3
    }
  }

  internal var value: UInt64 { state }

  /// The hash with each bit depending on every byte, as the finalizer of SplitMix64 makes it: the low
  /// bits of FNV depend on the low bits of the bytes alone.
  internal var mixed: UInt64 {
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
