/// The owners and modes that a listing has used so far.
///
/// A directory has one or two of them as a rule, so a search along the row beats hashing; a listing
/// of many owners falls back to a dictionary.
package struct AttributeTable: Sendable {
  package struct Row: Hashable, Sendable {
    package var mode: UInt16
    package var owner: UInt32
    package var group: UInt32

    package init(mode: UInt16, owner: UInt32, group: UInt32) {
      self.mode = mode
      self.owner = owner
      self.group = group
    }
  }

  private var rows: [Row] = []
  private var positions: [Row: Int] = [:]
  private static let searched = 16

  package init() {}

  /// Forgets the rows.
  package mutating func reset() {
    rows.removeAll(keepingCapacity: true)
    if !positions.isEmpty { positions = [:] }
  }

  /// Returns the number of a row, and whether it was added just now.
  package mutating func index(of row: Row) -> (index: Int, isNew: Bool) {
    for index in 0..<min(rows.count, Self.searched) where rows[index] == row {
      return (index, false)
    }
    if rows.count >= Self.searched {
      if let index = positions[row] { return (index, false) }
      positions[row] = rows.count
    }
    rows.append(row)
    return (rows.count - 1, true)
  }
}
