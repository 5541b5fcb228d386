/// Adds up bytes by user.
///
/// Files that follow each other mostly belong to one user, and there are few users.
internal struct OwnerSums: Sendable {
  /// The users, in the order in which they were met.
  internal private(set) var owners: [UInt32] = []
  private var sizes: [UInt64] = []
  private var last = 0

  internal init() {}

  /// Adds bytes of a user.
  internal mutating func add(_ size: UInt64, of owner: UInt32) {
    if !owners.indices.contains(last) || owners[last] != owner {
      last = owners.firstIndex(of: owner) ?? owners.count
      if last == owners.count {
        owners.append(owner)
        sizes.append(0)
      }
    }
    sizes[last] = sizes[last].addingSaturated(size)
  }

  /// Forgets everything.
  internal mutating func removeAll() {
    owners.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
  }

  /// The users, the one with the most bytes first, equal ones by number.
  internal var ranking: [UInt32] {
    owners.indices
      .sorted { (sizes[$0], owners[$1]) > (sizes[$1], owners[$0]) }
      .map { owners[$0] }
  }
}
