/// Decides which nodes a little too small to be drawn are drawn all the same, because they were
/// before.
///
/// Without it, what is near the threshold would come and go with every scan. A selection asks for
/// each node whose weight is below the threshold of its ``CullingRule`` but not below
/// ``CullingRule/keptShare`` of it, always in the same order; so the answers alone, one bit each,
/// repeat a selection of the same tree.
public struct KeptNodes: Sendable {
  /// The answers so far.
  public private(set) var answers: [Bool] = []
  private let known: IdentityTable
  private let stored: [Bool]

  /// Keeps what a memory knows; nothing if it is `nil`.
  public init(_ memory: LayoutMemory?) {
    let cells = memory?.cells ?? []
    var known = IdentityTable(capacity: cells.count)
    for cell in cells { known.add(cell.identity, 0) }
    self.known = known
    stored = []
  }

  /// Keeps what was kept in an earlier selection of the same tree.
  public init(_ encoded: EncodedLayoutMemory) {
    known = IdentityTable(capacity: 0)
    stored = encoded.keptAnswers
  }

  /// Returns whether the next node, given by its identity, is drawn.
  public mutating func keeps(_ identity: UInt64) -> Bool {
    let position = answers.count
    let answer = position < stored.count ? stored[position] : knows(identity)
    answers.append(answer)
    return answer
  }

  /// Returns whether a node was drawn in the layout that is remembered.
  public func knows(_ identity: UInt64) -> Bool { known[identity] != nil }
}
