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
  private let known: Set<UInt64>
  private let stored: [Bool]

  /// Keeps what a memory knows; nothing if it is `nil`.
  public init(_ memory: LayoutMemory?) {
    known = memory.map { Set($0.cells.lazy.map(\.identity)) } ?? []
    stored = []
  }

  /// Keeps what was kept in an earlier selection of the same tree.
  public init(_ encoded: EncodedLayoutMemory) {
    known = []
    stored = encoded.keptAnswers
  }

  /// Returns whether the next node, given by its identity, is drawn.
  public mutating func keeps(_ identity: UInt64) -> Bool {
    let position = answers.count
    let answer = position < stored.count ? stored[position] : known.contains(identity)
    answers.append(answer)
    return answer
  }

  /// Returns whether a node was drawn in the layout that is remembered.
  public func knows(_ identity: UInt64) -> Bool { known.contains(identity) }
}
