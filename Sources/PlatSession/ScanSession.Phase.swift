public import PlatScan
public import PlatTree

extension ScanSession {
  /// What a session is doing, and what it has to show.
  public enum Phase: Equatable, Sendable {
    /// Nothing goes on and there is nothing to show: nothing was opened, or its scan was cancelled.
    case idle
    /// The first scan of the target is in progress; what it has found so far is there if it is
    /// wanted: see ``ScanSession/showsPartialTrees``.
    case scanning(ScanProgress, PartialScan? = nil)
    /// The scan is complete.
    case loaded(ShownScan)
    /// A scan is in progress, and until it is complete an older one is shown.
    case refreshing(ShownScan, ScanProgress)
    /// The scan ended without a result; an older one may be shown. Never because of a cancellation.
    case failed(ScanError, ShownScan?)
  }

  /// What became of the newest complete scan in the store.
  public enum Storage: Hashable, Sendable {
    /// There is no store, or nothing was given to it yet.
    case none
    /// The scan is being saved.
    case saving
    /// The scan was saved as the snapshot with this number.
    case saved(snapshot: Int)
    /// The store could not be read, or the scan not be saved.
    case failed(reason: String)
  }
}

extension ScanSession.Phase {
  /// The complete scan to show, if there is one.
  public var shown: ShownScan? {
    switch self {
    case .idle, .scanning: nil
    case .loaded(let shown), .refreshing(let shown, _): shown
    case .failed(_, let shown): shown
    }
  }

  /// How far the scan in progress has come, or `nil` if there is none.
  public var progress: ScanProgress? {
    switch self {
    case .scanning(let progress, _), .refreshing(_, let progress): progress
    case .idle, .loaded, .failed: nil
    }
  }

  /// What the scan in progress has found so far, if that is shown.
  public var partial: PartialScan? {
    if case .scanning(_, let partial) = self { partial } else { nil }
  }

  /// The tree to show, complete or not.
  public var tree: FileTree? { shown?.tree ?? partial?.tree }

  /// The number that stands for the ``tree``.
  public var revision: Int? { shown?.revision ?? partial?.revision }

  /// Why there is no newer scan, if the last one failed; to scan again may help.
  public var failure: ScanError? {
    if case .failed(let error, _) = self { error } else { nil }
  }

  /// The phase once a scan is in progress.
  internal var beginning: Self {
    guard let shown else { return .scanning(ScanProgress()) }
    return .refreshing(shown, ScanProgress())
  }

  /// The phase once the scan in progress has come so far; no number gets less.
  internal func advanced(to progress: ScanProgress) -> Self {
    switch self {
    case .scanning(let before, let partial): .scanning(progress.notLess(than: before), partial)
    case .refreshing(let shown, let before): .refreshing(shown, progress.notLess(than: before))
    case .idle, .loaded, .failed: self
    }
  }

  /// The phase once the scan in progress has found a part of the tree; a complete one, however old,
  /// says more.
  internal func adding(_ partial: PartialScan) -> Self {
    if case .scanning(let progress, _) = self { .scanning(progress, partial) } else { self }
  }

  /// The phase once a stored scan has arrived; a scan that is shown already is newer.
  internal func adding(_ stored: ShownScan) -> Self {
    switch self {
    case .scanning(let progress, _): .refreshing(stored, progress)
    case .failed(let error, nil): .failed(error, stored)
    case .idle, .loaded, .refreshing, .failed: self
    }
  }

  /// The phase once the scan in progress has ended without a result; a cancellation leads back to
  /// what was shown before.
  internal func ended(by error: ScanError) -> Self {
    var stale = shown
    stale?.isStale = true
    guard case .cancelled = error else { return .failed(error, stale) }
    guard progress != nil else { return self }
    return stale.map(Self.loaded) ?? .idle
  }
}

extension ScanProgress {
  fileprivate func notLess(than before: ScanProgress) -> ScanProgress {
    var progress = self
    progress.entries = max(entries, before.entries)
    progress.directories = max(directories, before.directories)
    progress.allocatedSize = max(allocatedSize, before.allocatedSize)
    progress.issues = max(issues, before.issues)
    progress.elapsed = max(elapsed, before.elapsed)
    return progress
  }
}
