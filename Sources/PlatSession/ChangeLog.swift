internal import PlatTree

/// What changed from one tree that a session has shown to the next, for a few of them.
internal struct ChangeLog {
  /// The changes to a tree that is to be shown.
  internal struct Step: Sendable {
    /// The revision of the tree that the next one was compared with.
    internal var from: Int
    internal var changes: TreeChanges
  }

  private var steps: [Step] = []
  /// The revision that the last step leads to.
  private var revision: Int?

  /// A view that is further behind draws everything again.
  private static let limit = 4

  /// Takes note that another tree is shown.
  ///
  /// - Parameters:
  ///   - step: What changed, if that is known.
  ///   - revision: The revision of the tree that is shown now; `nil` for none.
  internal mutating func add(_ step: Step?, to revision: Int?) {
    if let step, revision != nil, step.from == self.revision {
      steps.append(step)
      if steps.count > Self.limit { steps.removeFirst() }
    } else {
      steps = []
    }
    self.revision = revision
  }

  /// Returns what changed since a revision, or `nil` if that is not known any more.
  internal func changes(since revision: Int) -> TreeChanges? {
    guard let start = steps.firstIndex(where: { $0.from == revision }) else { return nil }
    return steps[(start + 1)...].reduce(steps[start].changes) { $0.followed(by: $1.changes) }
  }
}
