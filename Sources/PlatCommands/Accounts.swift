import Glibc

/// The users and groups of this machine.
internal enum Accounts {
  /// Returns the ID of a user by name or, if there is no such name, by number.
  internal static func user(_ name: [UInt8]) -> UInt32? {
    let found = getpwnam(cString(name))
    return found?.pointee.pw_uid ?? number(name)
  }

  /// Returns the ID of a group by name or, if there is no such name, by number.
  internal static func group(_ name: [UInt8]) -> UInt32? {
    let found = getgrnam(cString(name))
    return found?.pointee.gr_gid ?? number(name)
  }

  /// Returns the name of a user, or `nil` if this machine knows none.
  internal static func name(ofUser id: UInt32) -> [UInt8]? {
    guard let name = getpwuid(id)?.pointee.pw_name else { return nil }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  private static func cString(_ name: [UInt8]) -> [CChar] {
    name.map(CChar.init(bitPattern:)) + [0]
  }

  private static func number(_ name: [UInt8]) -> UInt32? {
    guard name.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(String(decoding: name, as: UTF8.self))
  }
}
