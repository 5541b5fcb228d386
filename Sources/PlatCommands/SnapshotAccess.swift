import Glibc
package import PlatStore
import PlatTree

extension CommandContext {
  /// Where snapshots are kept: as `--database` says, else as `PLAT_DATABASE`, else at the usual place.
  ///
  /// - Throws: ``CommandFailure`` if nothing says where the user's files are.
  package func storeLocation() throws(CommandFailure) -> StoreLocation {
    try usingStore { () throws(StoreError) in
      try StoreLocation(database: database) { environment[bytes: $0] }
    }
  }

  /// Opens the snapshots that hold a directory, without a look at the directory.
  ///
  /// Only where there are none the disk is asked where symbolic links on the way lead: a scan follows
  /// those of its root, and keeps its snapshots under the path without them.
  ///
  /// - Parameters:
  ///   - operand: The directory as the person named it; `nil` is the working directory, or the root of
  ///     the one file that the person named.
  ///   - access: What the snapshots are opened for.
  /// - Returns: The store, and the path of the directory in it; `nil` is the root.
  /// - Throws: ``CommandFailure`` if there is no snapshot of the directory, or it cannot be read.
  package func openSnapshots(
    of operand: [UInt8]?,
    for access: SnapshotStore.Access = .reading
  ) throws(CommandFailure) -> (store: SnapshotStore, path: [UInt8]?) {
    let location = try storeLocation()
    let path = try lexicalPath(operand ?? [UInt8(ascii: ".")])
    let found = try openSnapshots(at: path, in: location, for: access)
    if let found, found.isThere { return (found.store, path) }
    if let target = pathWithoutLinks(path), target != path,
      let found = try openSnapshots(at: target, in: location, for: access), found.isThere
    {
      return (found.store, target)
    }
    guard let found else { throw missingSnapshot(of: path, in: location) }
    return (found.store, operand == nil && !contains(found.root, path) ? nil : path)
  }

  /// Opens the snapshots that may hold a directory, and finds out whether the newest does.
  private func openSnapshots(
    at path: [UInt8],
    in location: StoreLocation,
    for access: SnapshotStore.Access
  ) throws(CommandFailure) -> (store: SnapshotStore, root: [UInt8], isThere: Bool)? {
    guard let database = location.existingDatabase(holding: path) else { return nil }
    return try usingStore { () throws(StoreError) in
      let store = try SnapshotStore(database, for: access)
      let root = try store.root()
      let isThere = root == path || (try? store.directory(atPath: path)) != nil
      return (store, root, isThere)
    }
  }

  private func missingSnapshot(of path: [UInt8], in location: StoreLocation) -> CommandFailure {
    let database = location.database(forRoot: path)
    if access(database.map(CChar.init(bitPattern:)) + [0], F_OK) != 0, errno == EACCES {
      let reason = String(cString: strerror(errno))
      return CommandFailure(.unwritable, "\(shown(database)): cannot look for it (\(reason))")
    }
    var status = stat()
    if stat(path.map(CChar.init(bitPattern:)) + [0], &status) == 0,
      status.st_mode & S_IFMT != S_IFDIR
    {
      return CommandFailure(.missing, "\(shown(path)): no directory, so there is no snapshot of it")
    }
    return CommandFailure(
      .missing,
      "\(shown(path)): no snapshot",
      hint: "Scan it first: plat scan \(shellWord(path))"
    )
  }

  /// Returns a path as one word of a command line that a person can copy.
  private func shellWord(_ path: [UInt8]) -> String {
    let word = shown(path)
    let isPlain = word.unicodeScalars.allSatisfy {
      !$0.isASCII || $0.properties.isAlphabetic
        || "0123456789/._-+,:=@%".unicodeScalars.contains($0)
    }
    // What is in dollar quotes already is one word.
    if isPlain || word != String(decoding: path, as: UTF8.self) { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }

  private func contains(_ root: [UInt8], _ path: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    return path.split(separator: slash).starts(with: root.split(separator: slash), by: ==)
  }
}

/// Calls `body`, and makes what goes wrong in a database the failure of a command.
internal func usingStore<Result>(
  _ body: () throws(StoreError) -> Result
) throws(CommandFailure) -> Result {
  do throws(StoreError) { return try body() } catch { throw CommandFailure(error) }
}

extension CommandFailure {
  /// Creates the failure of a database, with the status that fits.
  package init(_ error: StoreError) {
    let status: ExitStatus =
      switch error {
      case .notFound, .noSnapshot, .noDirectory: .missing
      default: .unwritable
      }
    self.init(status, error.description)
  }
}

/// Returns a path as an absolute one without dots and doubled slashes, by its words alone: what it
/// names need not exist.
///
/// - Throws: ``CommandFailure`` if the path is relative to a working directory that was removed. Its
///   words would name another directory then.
internal func lexicalPath(_ path: [UInt8]) throws(CommandFailure) -> [UInt8] {
  let slash = UInt8(ascii: "/")
  var absolute = path
  if path.first != slash {
    guard let directory = getcwd(nil, 0) else {
      throw CommandFailure(.missing, "the working directory: \(String(cString: strerror(errno)))")
    }
    defer { free(directory) }
    absolute = Array(UnsafeRawBufferPointer(start: directory, count: strlen(directory)))
    absolute.append(slash)
    absolute.append(contentsOf: path)
  }
  var names: [ArraySlice<UInt8>] = []
  for name in absolute.split(separator: slash) where !name.elementsEqual(".".utf8) {
    if name.elementsEqual("..".utf8) { _ = names.popLast() } else { names.append(name) }
  }
  return names.isEmpty ? [slash] : Array(names.map { [slash] + $0 }.joined())
}

/// Returns the path of something that exists, without symbolic links and dots, or `nil`.
internal func pathWithoutLinks(_ path: [UInt8]) -> [UInt8]? {
  guard let resolved = realpath(path.map(CChar.init(bitPattern:)) + [0], nil) else { return nil }
  defer { free(resolved) }
  return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
}

/// Returns a path relative to a directory that it is in, or as it is if it is in another one.
internal func relativePath(_ path: [UInt8], to directory: [UInt8]) -> [UInt8] {
  let slash = UInt8(ascii: "/")
  let base = directory.last == slash ? directory.dropLast() : directory[...]
  guard path.count > base.count + 1, path.starts(with: base), path[base.count] == slash else {
    return path
  }
  return Array(path[(base.count + 1)...])
}
