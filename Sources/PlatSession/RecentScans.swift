internal import PlatScan
internal import PlatTree

/// Complete scans of targets that were left, to be shown at once when they are opened again.
internal struct RecentScans {
  /// A target as it was left.
  internal struct Item {
    internal var target: ScanTarget.ID
    internal var shown: ShownScan
    /// Whether a scan was in progress, which is to be made up for.
    internal var isInterrupted: Bool
    internal var selected: ScanSession.Place?
    internal var zoomed: ScanSession.Place
    internal var view: ViewOptions

    fileprivate var entries: Int { shown.tree.totals(of: shown.tree.root).entries }
  }

  /// The most scans, and the most entries of them all: some 160 MB.
  private let limits: (scans: Int, entries: Int)

  /// The one that was left last comes last.
  private var items: [Item] = []

  internal init(scans: Int = 4, entries: Int = 4_000_000) { limits = (scans, entries) }

  /// Keeps a scan, and gives up the oldest ones if there are too many.
  internal mutating func keep(_ item: Item) {
    items.append(item)
    while items.count > limits.scans
      || items.reduce(0, { $0 + $1.entries }) > limits.entries
    {
      items.removeFirst()
    }
  }

  /// Takes out the scan of a target, if there is one.
  internal mutating func take(_ target: ScanTarget.ID) -> Item? {
    items.firstIndex { $0.target == target }.map { items.remove(at: $0) }
  }
}
