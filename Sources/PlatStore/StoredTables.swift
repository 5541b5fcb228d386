internal import PlatTree

/// The file systems of a store, by their numbers.
internal struct FileSystemTable {
  /// The file system with each number.
  internal private(set) var values: [Int64: FileSystem] = [:]
  /// What each adds to the digest of a snapshot.
  internal private(set) var hashes: [Int64: UInt64] = [:]

  internal init(_ connection: Connection) throws(StoreError) {
    let statement = try Statement("SELECT id, type, uuid, device FROM fs", on: connection)
    while try statement.step() {
      let value = FileSystem(
        device: UInt64(bitPattern: statement.int64(at: 3)),
        type: statement.string(at: 1),
        uuid: statement.string(at: 2)
      )
      set(value, statement.int64(at: 0))
    }
  }

  private mutating func set(_ value: FileSystem, _ number: Int64) {
    values[number] = value
    var hash = RowHash()
    hash.combine(value.type)
    hash.combine(value.uuid)
    // The device number of a file system that has a UUID may change with every boot.
    if value.uuid.isEmpty { hash.combine(Int64(bitPattern: value.device)) }
    hashes[number] = hash.value
  }

  /// Returns the numbers of file systems, in their order; new ones are added.
  internal mutating func numbers(
    of fileSystems: [FileSystem],
    on connection: Connection
  ) throws(StoreError) -> [Int64] {
    let change = try Statement(
      "INSERT OR REPLACE INTO fs(id, type, uuid, device) VALUES(?, ?, ?, ?)",
      on: connection
    )
    var numbers: [Int64] = []
    for fileSystem in fileSystems {
      let known = values.first { entry in
        let value = entry.value
        return value.type == fileSystem.type && value.uuid == fileSystem.uuid
          && (!value.uuid.isEmpty || value.device == fileSystem.device)
          && !numbers.contains(entry.key)
      }
      let number = known?.key ?? (values.keys.max() ?? 0) + 1
      numbers.append(number)
      guard known?.value != fileSystem else { continue }
      change.bind(number, at: 1)
      try change.bind(fileSystem.type, at: 2)
      try change.bind(fileSystem.uuid, at: 3)
      change.bind(Int64(bitPattern: fileSystem.device), at: 4)
      try change.run()
      set(fileSystem, number)
    }
    return numbers
  }
}

/// The modes and owners of the directories of a store, by their numbers.
internal struct AttributeTable {
  /// A mode and its owners.
  internal struct Attributes: Hashable {
    internal var mode: UInt16
    internal var owner: UInt32
    internal var group: UInt32
  }

  /// The row with each number.
  internal private(set) var values: [Int64: Attributes] = [:]
  /// What each adds to the digest of a snapshot.
  internal private(set) var hashes: [Int64: UInt64] = [:]
  private var numbers: [Attributes: Int64] = [:]
  private var last: (value: Attributes, number: Int64)?

  internal init(_ connection: Connection) throws(StoreError) {
    let statement = try Statement("SELECT id, mode, uid, gid FROM attr", on: connection)
    while try statement.step() {
      let value = Attributes(
        mode: UInt16(truncatingIfNeeded: statement.int64(at: 1)),
        owner: UInt32(truncatingIfNeeded: statement.int64(at: 2)),
        group: UInt32(truncatingIfNeeded: statement.int64(at: 3))
      )
      set(value, statement.int64(at: 0))
    }
  }

  private mutating func set(_ value: Attributes, _ number: Int64) {
    values[number] = value
    numbers[value] = number
    var hash = RowHash()
    hash.combine(Int64(value.mode))
    hash.combine(Int64(value.owner))
    hash.combine(Int64(value.group))
    hashes[number] = hash.value
  }

  /// Returns the number of a directory's mode and owners; new ones are added.
  internal mutating func number(
    of details: DirectoryDetails,
    on connection: Connection
  ) throws(StoreError) -> Int64 {
    let value = Attributes(mode: details.mode, owner: details.owner, group: details.group)
    if let last, last.value == value { return last.number }
    let number = numbers[value] ?? Int64(values.count) + 1
    if numbers[value] == nil {
      try connection.execute(
        """
        INSERT INTO attr(id, mode, uid, gid) \
        VALUES(\(number), \(value.mode), \(value.owner), \(value.group))
        """
      )
      set(value, number)
    }
    last = (value, number)
    return number
  }
}

/// What could not be read in a directory, and what was left out.
internal struct DirectoryNotes {
  internal var issues: [Issue] = []
  internal var exclusions: [Exclusion] = []

  /// A hash of the notes, which stands in the row of the directory; 0 if there are none.
  internal var hash: Int64 {
    guard !issues.isEmpty || !exclusions.isEmpty else { return 0 }
    var hash = RowHash()
    for issue in issues {
      hash.combine(issue.name == nil ? 0 : 1)
      hash.combine((issue.name ?? [])[...])
      hash.combine(issue.call)
      hash.combine(Int64(issue.code))
    }
    for exclusion in exclusions {
      hash.combine(exclusion.name[...])
      hash.combine(Int64(exclusion.kind.rawValue))
      hash.combine(Int64(exclusion.reason.rawValue))
    }
    return max(hash.short, 1)
  }

  /// Returns the notes of a tree, by the position of their directory.
  internal static func grouped(_ tree: FileTree) -> [Int: DirectoryNotes] {
    var notes: [Int: DirectoryNotes] = [:]
    for issue in tree.issues {
      notes[issue.directory.index, default: DirectoryNotes()].issues.append(issue)
    }
    for exclusion in tree.exclusions {
      notes[exclusion.directory.index, default: DirectoryNotes()].exclusions.append(exclusion)
    }
    return notes
  }
}
