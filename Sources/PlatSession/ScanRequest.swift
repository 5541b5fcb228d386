public import PlatScan

/// What a session asks a scanner to do, and what it wants to hear of it.
///
/// What comes after the scan was cancelled is ignored.
public struct ScanRequest: Sendable {
  /// What to scan.
  public let target: ScanTarget

  /// Returns the newest complete scan of the target that is known, as a base to start from.
  ///
  /// Waits for the answer of the store. `nil` if there is none, or the task is cancelled.
  public let previous: @Sendable () async -> ScanResult?

  /// Takes trees of what was found so far, as often as the scanner likes, from one thread.
  public let partialTrees: PartialTrees

  /// Takes the counts so far, as often as the scanner likes, from one thread.
  public let onProgress: @Sendable (ScanProgress) -> Void
}
