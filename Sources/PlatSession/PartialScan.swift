public import PlatTree

/// What a scan in progress has found so far, as a session shows it.
///
/// In the next one, and in the tree of the complete scan, no number is less.
public struct PartialScan: Sendable {
  /// The directories that were read, with all above them.
  public let tree: FileTree

  /// A number that stands for the tree: no other tree in this process has it.
  public let revision: Int
}

extension PartialScan: Equatable {
  /// Whether two values show the same tree.
  public static func == (first: PartialScan, second: PartialScan) -> Bool {
    first.revision == second.revision
  }
}
