import PlatTree

/// Numbers that stand for the paths of entries below the root of a tree.
///
/// They are hashes: FNV-1a over the name, mixed with the number of the directory. The same path has
/// the same number in every run and every snapshot, and as good as never that of another.
extension UInt64 {
  /// The number of the root.
  internal static let rootIdentity: UInt64 = 1

  /// Returns the number of an entry of the directory whose number this is.
  internal func child(_ name: some Sequence<UInt8>) -> UInt64 {
    var hash = Self.emptyNameHash
    for byte in name { hash = (hash ^ UInt64(byte)) &* Self.nameHashFactor }
    return child(ofNameHash: hash)
  }

  /// Returns the number of an entry of the directory whose number this is.
  internal func child(_ name: Span<UInt8>) -> UInt64 {
    var hash = Self.emptyNameHash
    for index in name.indices { hash = (hash ^ UInt64(name[index])) &* Self.nameHashFactor }
    return child(ofNameHash: hash)
  }

  private static let emptyNameHash: UInt64 = 0xcbf2_9ce4_8422_2325
  private static let nameHashFactor: UInt64 = 0x100_0000_01b3

  private func child(ofNameHash hash: UInt64) -> UInt64 {
    var mixed = (self ^ hash) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    // 0 is the number of no path.
    return (mixed ^ mixed >> 31) | 1
  }
}

extension FileTree {
  /// Returns the number of the path of a directory.
  internal func identity(of directory: DirectoryID) -> UInt64 {
    var names: [ArraySlice<UInt8>] = []
    var next = directory
    while let parent = parent(of: next) {
      names.append(name(of: next))
      next = parent
    }
    return names.reversed().reduce(.rootIdentity) { $0.child($1) }
  }
}
