public import PlatTree

/// A codec for tests: the bytes backwards, each inverted.
private struct InvertingCodec: ListingCodec {
  static func pack(_ bytes: ArraySlice<UInt8>) -> [UInt8] { bytes.reversed().map { ~$0 } }

  func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt8]? { bytes.reversed().map { ~$0 } }
}

extension FileTree {
  /// Returns the tree as a store delivers it: its listings are packed, and their sums known.
  public func storedCopy() -> FileTree {
    var batch = Batch()
    batch.codec = InvertingCodec()
    var elsewhere: [Builder.CountedElsewhere] = []
    for directory in directories {
      if let parent = parent(of: directory) {
        batch.announce(
          parent: parent.index,
          first: directory.index,
          names: [name(of: directory)]
        )
      }
      var stored = Batch.Stored()
      stored.details = details(of: directory)
      // The position stands for the device, so that two file systems are never taken for one.
      stored.details.device = UInt64(fileSystemIndex(of: directory))
      stored.totals = totals(of: directory)
      stored.newestModification = newestModification(of: directory)
      stored.fileChange = hasEntries(directory) ? chargedSums(of: directory).fileChange : nil
      let start = batch.packed.count
      batch.packed += InvertingCodec.pack(listing(of: directory).bytes)
      batch.append(stored, number: directory.index, packed: start..<batch.packed.count)
      let ordinals = ordinalsCountedElsewhere(in: directory)
      guard !ordinals.isEmpty else { continue }
      elsewhere.append(Builder.CountedElsewhere(number: directory.index, ordinals: ordinals))
    }
    batch.issues = issues
    batch.exclusions = exclusions
    var builder = Builder(rootPath: Array(name(of: root)))
    builder.insert(batch)
    return builder.makeStoredTree(countedElsewhere: elsewhere, addingUp: false) {
      fileSystems[Int($0)]
    }.tree
  }
}
