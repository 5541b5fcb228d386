/// What a fast scan did not look at, and what it found where it looked.
public struct UnverifiedFiles: Hashable, Sendable {
  /// The number of files whose sizes and times are those of an earlier scan.
  public var files = 0

  /// What these files occupy on disk, in bytes, by what is known of them.
  public var allocatedSize: UInt64 = 0

  /// When these files were looked at last, at worst, in nanoseconds since 1970; `nil` if there are
  /// none, or it is not known.
  public var oldestObservation: Int64?

  /// How many scans ago that was, at worst; `nil` as above.
  public var oldestScanCount: Int?

  /// The number of files like these that were looked at as a sample of one in sixteen.
  public var sampledFiles = 0

  /// How many files of the sample had changed.
  public var changedInSample = 0

  /// By how many bytes on disk the files of the sample had grown together.
  public var growthInSample: Int64 = 0

  /// Creates the report of a scan that looked at every file.
  public init() {}

  /// Adds what another part of a scan did not look at.
  public static func += (sum: inout Self, other: Self) {
    if other.files > 0 {
      let isFirst = sum.files == 0
      func worse<Value>(
        _ old: Value?,
        _ new: Value?,
        _ choose: (Value, Value) -> Value
      ) -> Value? {
        isFirst ? new : old.flatMap { old in new.map { choose(old, $0) } }
      }
      sum.oldestObservation = worse(sum.oldestObservation, other.oldestObservation, min)
      sum.oldestScanCount = worse(sum.oldestScanCount, other.oldestScanCount, max)
    }
    sum.leave(other.files, other.allocatedSize)
    sum.sampledFiles += other.sampledFiles
    sum.changedInSample += other.changedInSample
    sum.growthInSample &+= other.growthInSample
  }

  /// Adds files that are not looked at, of which it is not known when they were.
  internal mutating func leave(_ count: Int, _ size: UInt64) {
    files += count
    let (sum, overflow) = allocatedSize.addingReportingOverflow(size)
    allocatedSize = overflow ? .max : sum
  }
}
