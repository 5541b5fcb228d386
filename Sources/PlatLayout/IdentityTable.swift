/// Finds numbers by identities, by hashing with open addressing.
///
/// Identities are hashes already. The hash of the standard dictionary would dominate the time for
/// reading the memory of a picture with a hundred thousand rectangles.
internal struct IdentityTable: Sendable {
  private var keys: [UInt64]
  private var values: [Int32]
  private let mask: Int

  /// Creates an empty table.
  ///
  /// - Parameter capacity: How many identities will be added at most.
  internal init(capacity: Int) {
    var slots = 16
    while slots < 2 * capacity { slots *= 2 }
    mask = slots - 1
    keys = Array(repeating: 0, count: slots)
    // A slot with a negative value is free.
    values = Array(repeating: -1, count: slots)
  }

  /// Adds an identity; nothing changes if it is there already.
  ///
  /// - Precondition: There is room, and `value` is not negative.
  internal mutating func add(_ identity: UInt64, _ value: Int) {
    let slot = slot(of: identity)
    guard values[slot] < 0 else { return }
    keys[slot] = identity
    values[slot] = Int32(truncatingIfNeeded: value)
  }

  /// The number of an identity, or `nil` if it was not added.
  internal subscript(identity: UInt64) -> Int? {
    let value = values[slot(of: identity)]
    return value < 0 ? nil : Int(value)
  }

  /// Returns where an identity is, or the free slot where it would be.
  private func slot(of identity: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: (identity &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while values[slot] >= 0, keys[slot] != identity { slot = (slot + 1) & mask }
    return slot
  }
}
