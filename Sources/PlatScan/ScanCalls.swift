/// How often a scan did what costs time: for tests that count.
package struct ScanCalls: Hashable, Sendable {
  /// The number of directories whose names were read.
  package var directoriesRead = 0
  /// The number of directories that were found unchanged.
  package var directoriesReused = 0
  /// The number of entries of unchanged directories whose status was read.
  package var entriesRechecked = 0

  internal init() {}

  /// Adds what another worker did.
  internal static func += (sum: inout Self, other: Self) {
    sum.directoriesRead += other.directoriesRead
    sum.directoriesReused += other.directoriesReused
    sum.entriesRechecked += other.entriesRechecked
  }
}
