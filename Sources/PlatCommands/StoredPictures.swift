import PlatRender
import PlatStore
import PlatTree

/// How snapshots are arranged in pictures, which is kept beside them.
///
/// It is a help and no part of a snapshot: where it cannot be read or written, pictures only jump
/// from one snapshot to the next.
internal struct StoredPictures {
  private let store: SnapshotStore

  // All pictures are arranged like one of the usual size, which is what stands for them here.
  private static let width = 1600
  private static let height = 1000
  private static let options = "nested"

  internal init(_ store: SnapshotStore) { self.store = store }

  /// Arranges a snapshot that was just written like the one before.
  ///
  /// - Parameters:
  ///   - tree: The tree of the snapshot.
  ///   - snapshot: Its number.
  ///   - same: The number of the snapshot before if it is of the very same tree; `nil` otherwise.
  /// - Returns: The arrangement, kept or not, as ``PictureMemory/bytes``; `nil` if the one that is kept
  ///   stands for this snapshot, too, and was not read.
  @discardableResult
  internal func add(_ tree: FileTree, snapshot: Int, sameAs same: Int? = nil) -> [UInt8]? {
    if let same, let last = try? number(upTo: snapshot - 1), last <= same { return nil }
    let last = try? stored(upTo: snapshot - 1)
    let data = PictureMemory(of: tree, after: last.flatMap(previous)).bytes
    // It stands for all snapshots up to the next that has another.
    if let last, last.data == data { return data }
    do throws(StoreError) {
      // What the next scan needs is needed of the newest snapshot only. The room that the one before
      // gives up is that of the new one.
      if var last {
        last.data = PictureMemory.shortened(last.data)
        try set(last)
      }
      try set(LayoutMemory(snapshot: snapshot, data: data))
    } catch {
      // The snapshot is stored all the same.
    }
    return data
  }

  /// Returns how a snapshot is arranged, or `nil` if that is not known.
  internal func memory(of tree: FileTree, snapshot: Int) -> PictureMemory? {
    guard let stored = try? stored(upTo: snapshot) else { return nil }
    return PictureMemory(stored.data, of: tree)
  }

  private func set(_ memory: LayoutMemory) throws(StoreError) {
    try store.setLayoutMemory(
      memory,
      width: Self.width,
      height: Self.height,
      options: Self.options
    )
  }

  private func stored(upTo snapshot: Int) throws(StoreError) -> LayoutMemory? {
    try store.layoutMemory(
      width: Self.width,
      height: Self.height,
      options: Self.options,
      upTo: snapshot
    )
  }

  /// The number of the snapshot whose arrangement stands for another.
  private func number(upTo snapshot: Int) throws(StoreError) -> Int? {
    try store.snapshotOfLayoutMemory(
      width: Self.width,
      height: Self.height,
      options: Self.options,
      upTo: snapshot
    )
  }

  /// Reads the arrangement of an earlier snapshot.
  private func previous(_ stored: LayoutMemory) -> PictureMemory? {
    if let memory = PictureMemory(stored.data, of: nil) { return memory }
    // The newest snapshot was deleted, so the one before has to be looked at.
    return PictureMemory(stored.data, of: try? store.load(stored.snapshot))
  }
}
