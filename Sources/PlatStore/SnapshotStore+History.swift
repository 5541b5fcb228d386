public import PlatTree

/// A directory in one snapshot of a series.
public struct HistoryEntry: Hashable, Sendable {
  /// The snapshot.
  public var snapshot: SnapshotInfo
  /// The sizes and counts of the directory and everything below it; `nil` if it was not there.
  public var totals: Totals?
}

extension SnapshotStore {
  /// Returns a directory in all snapshots, the oldest first.
  ///
  /// - Parameter path: The absolute path of the directory; `nil` is the root.
  /// - Returns: An entry for each snapshot, and the path as the store has it.
  /// - Throws: ``StoreError/noDirectory(path:directory:)`` if no snapshot has the directory;
  ///   ``StoreError`` if the file cannot be read, or a row of the directory is damaged.
  /// - Complexity: O(*s* + *d*), where *s* is the number of snapshots and *d* the depth.
  public func history(
    atPath path: [UInt8]? = nil
  ) throws(StoreError) -> (path: [UInt8], entries: [HistoryEntry]) {
    let connection = try requireConnection()
    return try connection.transaction("BEGIN") { () throws(StoreError) in
      let place = try self.place(ofPath: path, on: connection)
      let versions = try self.versions(of: place, on: connection)
      var next = versions[...]
      var entries: [HistoryEntry] = []
      for snapshot in try snapshots() {
        while let version = next.first, version.until.map({ $0 <= snapshot.id }) ?? false {
          next.removeFirst()
        }
        let version = next.first.flatMap { $0.since <= snapshot.id ? $0 : nil }
        entries.append(HistoryEntry(snapshot: snapshot, totals: version?.totals))
        guard place.parent != 0 || version?.totals == snapshot.totals else {
          throw .damaged(
            path: shownPath,
            snapshot: snapshot.id,
            reason: "its root does not fit its totals"
          )
        }
      }
      guard entries.contains(where: { $0.totals != nil }) else {
        throw .noDirectory(
          path: shownPath,
          directory: String(decoding: place.path, as: UTF8.self)
        )
      }
      return (place.path, entries)
    }
  }

  /// Where a directory is in the table of names, whether any snapshot has it or not.
  private struct Place {
    var number: Int64
    var parent: Int64
    var name: [UInt8]
    var path: [UInt8]
  }

  /// What a row says of a directory, and in which snapshots it does.
  private struct Version {
    var since: Int
    var until: Int?
    var totals: Totals
  }

  private func place(
    ofPath path: [UInt8]?,
    on connection: Connection
  ) throws(StoreError) -> Place {
    guard let root = try connection.root() else { throw .noSnapshot(path: shownPath, id: nil) }
    var place = Place(number: root.id, parent: 0, name: root.path, path: root.path)
    guard let path else { return place }
    let missing = StoreError.noDirectory(
      path: shownPath,
      directory: String(decoding: path, as: UTF8.self)
    )
    let components = path.split(separator: UInt8(ascii: "/"))
    let start = root.path.split(separator: UInt8(ascii: "/"))
    guard components.starts(with: start, by: ==) else { throw missing }
    let statement = try Statement(
      "SELECT id FROM dir WHERE parent = ?1 AND name = ?2 AND raw = ?3",
      on: connection
    )
    for name in components.dropFirst(start.count) {
      let isText = isUTF8(name)
      statement.bind(place.number, at: 1)
      if isText {
        try statement.bind(text: name, at: 2)
      } else {
        try statement.bind(String(decoding: name, as: UTF8.self), at: 2)
      }
      try statement.bind(blob: isText ? [] : name, at: 3)
      guard try statement.step() else { throw missing }
      place.parent = place.number
      place.number = statement.int64(at: 0)
      place.name = Array(name)
      place.path.appendComponent(name)
      statement.reset()
    }
    return place
  }

  private func versions(
    of place: Place,
    on connection: Connection
  ) throws(StoreError) -> [Version] {
    let statement = try Statement(
      """
      SELECT since, until, \(DirectoryRow.columns(on: connection)) FROM \(DirectoryRow.tables)
      WHERE dir = ?1 ORDER BY since
      """,
      on: connection
    )
    statement.bind(place.number, at: 1)
    var versions: [Version] = []
    while try statement.step() {
      let row = DirectoryRow(statement, at: 2)
      let hash = place.name.withUnsafeBytes { name in
        row.hash(directory: place.number, parent: place.parent, name: name)
      }
      let flaw = row.flaw(hash, ofDirectory: place.number, in: place.parent, named: place.name)
      if let flaw {
        throw .damaged(path: shownPath, snapshot: nil, reason: flaw)
      }
      versions.append(
        Version(
          since: Int(statement.int64(at: 0)),
          until: statement.isNull(at: 1) ? nil : Int(statement.int64(at: 1)),
          totals: row.totals
        )
      )
    }
    return versions
  }
}
