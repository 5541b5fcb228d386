/// How far a scan has come.
public struct ScanProgress: Hashable, Sendable {
  /// The number of entries seen so far, directories included.
  public var entries = 0

  /// The number of directories read so far.
  public var directories = 0

  /// What the entries seen so far occupy on disk, in bytes; a hard link counts each time.
  public var allocatedSize: UInt64 = 0

  /// The number of things that could not be read so far.
  public var issues = 0

  /// How long the scan has taken so far.
  public var elapsed = Duration.zero

  /// The path of a directory that is being read.
  public var path: [UInt8] = []

  /// Creates the progress of a scan that has not begun.
  public init() {}
}
