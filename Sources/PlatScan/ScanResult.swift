public import PlatTree

/// A complete scan.
public struct ScanResult: Sendable, Equatable {
  /// What was found.
  public var tree: FileTree

  /// The absolute paths of the roots, in the order they were given, without those inside others.
  public var roots: [[UInt8]]

  /// When the scan began, in nanoseconds since 1970.
  public var startedAt: Int64

  /// When the scan ended, in nanoseconds since 1970.
  public var finishedAt: Int64

  /// How long the scan took.
  public var elapsed: Duration

  /// How much the scan relied on earlier ones: full if there was none that it could rely on.
  public var level = DirectoryScanner.Level.full

  /// What was not looked at below each root, by its absolute path; roots that are missing were looked
  /// at whole, as all are but in a fast scan.
  public var unverifiedByRoot: [[UInt8]: UnverifiedFiles] = [:]

  /// What the scan did.
  package var calls = ScanCalls()

  /// What was not looked at below all roots.
  public var unverified: UnverifiedFiles {
    unverifiedByRoot.values.reduce(into: UnverifiedFiles()) { $0 += $1 }
  }

  /// Creates a result.
  public init(
    tree: FileTree,
    roots: [[UInt8]],
    startedAt: Int64,
    finishedAt: Int64,
    elapsed: Duration
  ) {
    self.tree = tree
    self.roots = roots
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.elapsed = elapsed
  }
}
