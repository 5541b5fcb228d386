import Glibc

/// Where the snapshots of roots are kept: a folder with a file for each root, or one file.
public struct StoreLocation: Hashable, Sendable {
  /// The place that was chosen.
  private enum Place: Hashable, Sendable {
    /// A folder that is made, for its owner only, when it is needed.
    case madeFolder([UInt8])
    /// A folder that exists.
    case folder([UInt8])
    /// One file.
    case file([UInt8])
  }

  private let place: Place

  /// Chooses the place for snapshots.
  ///
  /// Without an explicit one it is `$XDG_STATE_HOME/plat/roots`, `/var/lib/plat/roots` for root, and
  /// `~/.local/state/plat/roots` for others. Relative paths in `XDG_STATE_HOME` are ignored, as the
  /// XDG Base Directory Specification says. Without `HOME` the password database is asked.
  ///
  /// - Parameters:
  ///   - database: An explicit file or folder; `nil` for the usual one. What ends in a slash is a
  ///     folder, also if there is none yet.
  ///   - userID: The effective user ID; `nil` is that of the process.
  ///   - environment: Returns the bytes of an environment variable, or `nil`.
  /// - Throws: ``StoreError/noPlace`` if nothing says where the user's files are.
  public init(
    database: [UInt8]? = nil,
    userID: UInt32? = nil,
    environment: (String) -> [UInt8]?
  ) throws(StoreError) {
    if let database, !database.isEmpty {
      if isDirectory(database) {
        place = .folder(database)
      } else {
        place = database.last == UInt8(ascii: "/") ? .madeFolder(database) : .file(database)
      }
      return
    }
    let userID = userID ?? geteuid()
    func absolute(_ variable: String) -> [UInt8]? {
      environment(variable).flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil }
    }
    var folder: [UInt8]
    if let state = absolute("XDG_STATE_HOME") {
      folder = state
    } else if userID == 0 {
      folder = Array("/var/lib".utf8)
    } else if let home = absolute("HOME") ?? homeDirectory(of: userID) {
      folder = home
      folder.appendPath(".local/state")
    } else {
      throw .noPlace
    }
    folder.appendPath("plat/roots")
    place = .madeFolder(folder)
  }

  /// Returns the path of the file with the snapshots of a root.
  ///
  /// - Parameter root: The absolute path of the root.
  /// - Returns: The path, whether there is such a file or not.
  public func database(forRoot root: [UInt8]) -> [UInt8] {
    switch place {
    case .file(let file): return file
    case .folder(let folder), .madeFolder(let folder):
      var path = folder
      path.appendPath(Self.fileName(forRoot: root))
      return path
    }
  }

  /// Returns the file that has snapshots of a directory: of the directory itself as a root, or else of
  /// the nearest root above it.
  ///
  /// - Parameter path: The absolute path of the directory.
  /// - Returns: The path of the file, or `nil` if no root that is kept holds the directory. One
  ///   explicit file is returned if it exists, whatever its root is.
  public func existingDatabase(holding path: [UInt8]) -> [UInt8]? {
    if case .file(let file) = place { return exists(file) ? file : nil }
    var components = path.split(separator: UInt8(ascii: "/"))
    while true {
      let root =
        components.isEmpty
        ? [UInt8(ascii: "/")] : Array(components.map { [UInt8(ascii: "/")] + $0 }.joined())
      let file = database(forRoot: root)
      if exists(file) { return file }
      guard components.popLast() != nil else { return nil }
    }
  }

  /// Makes the folder for snapshots, for its owner only, if it is the usual one, or one that ends in
  /// a slash, and missing.
  ///
  /// - Throws: ``StoreError`` if it cannot be made.
  public func makeFolder() throws(StoreError) {
    guard case .madeFolder(let folder) = place else { return }
    var missing: [[UInt8]] = []
    var next = folder
    while !isDirectory(next), next != parent(of: next) {
      missing.append(next)
      next = parent(of: next)
    }
    for path in missing.reversed() where withCString(path, { mkdir($0, 0o700) }) != 0 {
      // Another process may have been faster.
      guard errno == EEXIST else { throw systemError("mkdir", path) }
    }
  }

  /// Returns the name of the file for a root: a part for people, and a hash that tells roots apart.
  ///
  /// The hash is FNV-1a with 64 bits (Fowler, Noll, Vo and Eastlake, RFC 9923) of the path's bytes.
  internal static func fileName(forRoot root: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in root { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    let last = root.split(separator: UInt8(ascii: "/")).last ?? Array("root".utf8)[...]
    var name = ""
    for byte in last.prefix(40) {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || (48...57).contains(byte))
        || (!name.isEmpty && [UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte))
      name.unicodeScalars.append(isPlain ? scalar : "_")
    }
    return name + "-" + String(repeating: "0", count: 16 - digits.count) + digits + ".plat"
  }
}

extension [UInt8] {
  /// Appends a relative path, with a slash between the two where one is needed.
  fileprivate mutating func appendPath(_ path: String) {
    if last != UInt8(ascii: "/") { append(UInt8(ascii: "/")) }
    append(contentsOf: path.utf8)
  }
}

private func isDirectory(_ path: [UInt8]) -> Bool {
  var status = stat()
  return withCString(path) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
}

private func exists(_ path: [UInt8]) -> Bool {
  withCString(path) { access($0, F_OK) } == 0
}

/// Returns the home directory that the password database has for a user.
private func homeDirectory(of userID: UInt32) -> [UInt8]? {
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  var buffer = [CChar](repeating: 0, count: 1 << 14)
  // Pointers of the entry point into the buffer, so the path is copied while the buffer lives.
  return buffer.withUnsafeMutableBufferPointer { space in
    guard let start = space.baseAddress,
      getpwuid_r(userID, &entry, start, space.count, &found) == 0, found != nil,
      let home = entry.pw_dir
    else { return nil }
    let path = Array(UnsafeRawBufferPointer(start: home, count: strnlen(home, space.count)))
    return path.first == UInt8(ascii: "/") ? path : nil
  }
}
