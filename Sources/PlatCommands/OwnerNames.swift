import Glibc
import PlatTree

extension FileTree {
  /// Returns the names of the users that files of the tree belong to, as far as this machine knows
  /// them.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entries.
  internal func ownerNames() -> [UInt32: String] {
    var owners: Set<UInt32> = []
    var last: UInt32?
    for directory in directories {
      var cursor = listing(of: directory).makeCursor()
      // Most files belong to who owns the one before.
      while cursor.advanceWithoutName() {
        let owner = cursor.entry.owner
        if owner == last { continue }
        owners.insert(owner)
        last = owner
      }
    }
    var names: [UInt32: String] = [:]
    for owner in owners {
      // Safety: the record is valid until the next call, and the name is copied before that.
      guard let name = getpwuid(owner)?.pointee.pw_name else { continue }
      names[owner] = String(cString: name)
    }
    return names
  }
}
