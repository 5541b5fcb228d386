/// Sizes and counts of a subtree, added up.
///
/// Sizes are in bytes. A file with several hard links adds its sizes once in a tree, and a name to
/// ``files`` for each. A sum that passes 2⁶⁴ − 1 stays there.
public struct Totals: Hashable, Sendable {
  /// What the entries occupy on disk, directories included: `st_blocks` × 512, as `du` counts.
  public var allocatedSize: UInt64 = 0

  /// The lengths of files and symbolic links: `st_size`, as `du --apparent-size` counts.
  public var apparentSize: UInt64 = 0

  /// The number of names of regular files.
  public var files = 0

  /// The number of directories.
  public var directories = 0

  /// The number of symbolic links.
  public var symbolicLinks = 0

  /// The number of FIFOs, sockets and devices.
  public var others = 0

  /// Creates totals of nothing.
  public init() {}

  /// The number of entries of all kinds.
  @inlinable public var entries: Int { files + directories + symbolicLinks + others }

  /// Adds other totals to these.
  public static func += (totals: inout Totals, other: Totals) {
    totals.allocatedSize = totals.allocatedSize.addingSaturated(other.allocatedSize)
    totals.apparentSize = totals.apparentSize.addingSaturated(other.apparentSize)
    totals.files += other.files
    totals.directories += other.directories
    totals.symbolicLinks += other.symbolicLinks
    totals.others += other.others
  }

  /// The size of the given kind.
  @inlinable
  public func size(_ measure: SizeMeasure) -> UInt64 {
    switch measure {
    case .allocated: allocatedSize
    case .apparent: apparentSize
    }
  }
}

/// Which of an entry's two sizes is meant.
public enum SizeMeasure: Hashable, Sendable, CaseIterable {
  /// What the entry occupies on disk.
  case allocated
  /// The length of the entry's content.
  case apparent
}

extension UInt64 {
  /// Returns the sum, or 2⁶⁴ − 1 where it does not fit.
  @inlinable
  internal func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
