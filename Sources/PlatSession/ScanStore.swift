public import PlatScan

/// Keeps complete scans for a session.
///
/// Neither method is called on the main actor. Either may fail: the session goes on without, and
/// says so in ``ScanSession/storage-swift.property``.
public protocol ScanStore: Sendable {
  /// Returns the newest complete scan of a target, or `nil` if there is none.
  ///
  /// The task is cancelled when the scan is no longer of use.
  ///
  /// - Parameter target: What was scanned.
  /// - Returns: The scan.
  /// - Throws: Any error, which a person reads in its description.
  @concurrent
  func newestScan(of target: ScanTarget) async throws -> ScanResult?

  /// Keeps a complete scan: whole, or not at all.
  ///
  /// If the task is cancelled before the scan is kept, it should not be.
  ///
  /// - Parameters:
  ///   - result: The scan.
  ///   - target: What was scanned.
  /// - Returns: The number of the snapshot.
  /// - Throws: Any error, which a person reads in its description.
  @concurrent
  func save(_ result: ScanResult, of target: ScanTarget) async throws -> Int
}
