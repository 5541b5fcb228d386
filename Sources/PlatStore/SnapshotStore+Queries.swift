public import PlatTree

/// Answers from a snapshot without loading it. Each row that an answer is made of is checked.
extension SnapshotStore {
  /// Returns a directory of a snapshot.
  ///
  /// - Parameters:
  ///   - path: Its absolute path; doubled and trailing slashes do no harm. `nil` is the root.
  ///   - snapshot: The number of the snapshot; `nil` for the newest.
  /// - Returns: The directory, with its totals.
  /// - Throws: ``StoreError/noDirectory(path:directory:)`` if the snapshot has no such directory.
  /// - Complexity: O(depth)
  public func directory(
    atPath path: [UInt8]? = nil,
    in snapshot: Int? = nil
  ) throws(StoreError) -> StoredDirectory {
    let info = try self.snapshot(snapshot)
    let reader = try SnapshotReader(info.id, on: requireConnection())
    var directory = try reader.root()
    guard directory.totals == info.totals else {
      throw reader.damaged("its root does not fit its totals")
    }
    guard let path else { return directory }
    let components = path.split(separator: UInt8(ascii: "/"))
    let start = directory.path.split(separator: UInt8(ascii: "/"))
    let missing = StoreError.noDirectory(
      path: shownPath,
      directory: String(decoding: path, as: UTF8.self)
    )
    guard components.starts(with: start, by: ==) else { throw missing }
    for name in components.dropFirst(start.count) {
      guard let child = try reader.subdirectory(of: directory.number, named: name) else {
        throw missing
      }
      directory = directory.appending(child)
    }
    return directory
  }

  /// Returns the entries of a directory: subdirectories, then the others, each in order of the names.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entries of the directory.
  public func entries(of directory: StoredDirectory) throws(StoreError) -> [StoredEntry] {
    let reader = try SnapshotReader(directory.snapshot, on: requireConnection())
    var entries = try reader.subdirectories(of: directory)
      .map { StoredEntry($0.row, name: $0.name) }
    entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
    let elsewhere = directory.row.ordinalsCountedElsewhere
    let listing = try reader.listing(
      of: directory.number,
      directory.row,
      content: directory.content
    )
    var cursor = listing.makeCursor()
    entries.reserveCapacity(entries.count + cursor.count)
    while cursor.advance() {
      entries.append(
        StoredEntry(cursor, isCountedElsewhere: elsewhere.contains(cursor.ordinal))
      )
    }
    return entries
  }

  /// Returns the largest directories below a directory, each with everything below it, the largest
  /// first; of equal ones the first in canonical order, as `FileTree.largestDirectories`.
  ///
  /// - Parameters:
  ///   - count: The most directories to return.
  ///   - directory: The directory to look below; it is not among the results.
  ///   - depth: How many levels below it to look; `nil` for all.
  ///   - measure: Which size to compare.
  /// - Returns: At most `count` directories.
  /// - Throws: ``StoreError`` if the file cannot be read, or a row that is needed is damaged.
  /// - Complexity: O(*c* log *c*), where *c* is the number of subdirectories of the directories
  ///   returned: no other directory is read.
  public func largestDirectories(
    _ count: Int,
    below directory: StoredDirectory,
    depth: Int? = nil,
    by measure: SizeMeasure
  ) throws(StoreError) -> [StoredDirectory] {
    let reader = try SnapshotReader(directory.snapshot, on: requireConnection())
    var queue = BestFirst<StoredDirectory>(.levels)
    func push(_ parent: StoredDirectory, _ place: [[UInt8]], _ room: Int) throws(StoreError) {
      let column: DirectoryRow.Field = measure == .allocated ? .alloc : .size
      let children = try reader.subdirectories(of: parent)
      for child in children.largest(room, by: { $0.row[column] }).prefix(room) {
        queue.insert(parent.appending(child), size: child.row[column], place + [child.name])
      }
    }
    var found: [StoredDirectory] = []
    guard count > 0, depth != 0 else { return found }
    try push(directory, [], count)
    while let next = queue.popFirst() {
      found.append(next.value)
      guard found.count < count else { break }
      if let depth, next.place.count >= depth { continue }
      try push(next.value, next.place, count - found.count)
    }
    return found
  }

  /// Returns the largest files in and below a directory, the largest first; a hard link counts at the
  /// name it is charged to; of equal files the first in order of the directories' paths, as
  /// `FileTree.largestFiles`.
  ///
  /// - Parameters:
  ///   - count: The most files to return.
  ///   - directory: The directory to look in and below.
  ///   - measure: Which size to compare.
  /// - Returns: At most `count` files.
  /// - Throws: ``StoreError`` if the file cannot be read, or a row that is needed is damaged.
  /// - Complexity: O(*c* log *c*), where *c* is the number of entries of the directories that hold
  ///   the files or are above them: no other directory is read.
  public func largestFiles(
    _ count: Int,
    below directory: StoredDirectory,
    by measure: SizeMeasure
  ) throws(StoreError) -> [StoredFile] {
    let reader = try SnapshotReader(directory.snapshot, on: requireConnection())
    var queue = BestFirst<Candidate>(.paths)
    var found: [StoredFile] = []
    guard count > 0 else { return found }
    queue.insert(.subtree(directory), size: directory.row.largestFile(measure), [])
    while found.count < count, let next = queue.popFirst() {
      switch next.value {
      case .subtree(let parent):
        let room = count - found.count
        let children = try reader.subdirectories(of: parent)
        // Each has a file as large as that: of equal ones no more are needed than files.
        for child in children.largest(room, by: { $0.row.largestFile(measure) }).prefix(room) {
          queue.insert(
            .subtree(parent.appending(child)),
            size: child.row.largestFile(measure),
            next.place + [child.name]
          )
        }
        // A file is no larger than all of the listing.
        let own = measure == .allocated ? parent.row[.ownAlloc] : parent.row[.ownSize]
        queue.insert(.listing(parent), size: min(own, next.size), next.place, step: 1)
      case .listing(let parent):
        let room = count - found.count
        for file in try reader.largestFiles(room, of: parent, by: measure) {
          let size = Int64(clamping: file.entry.size(measure))
          queue.insert(.file(file), size: size, next.place, step: 2)
        }
      case .file(let file): found.append(file)
      }
    }
    return found
  }

  /// What the search for files may look at next.
  private enum Candidate {
    case subtree(StoredDirectory)
    case listing(StoredDirectory)
    case file(StoredFile)
  }
}

extension StoredDirectory {
  /// Returns a subdirectory with its path.
  fileprivate func appending(_ child: SnapshotReader.Child) -> StoredDirectory {
    var path = path
    path.appendComponent(child.name[...])
    return StoredDirectory(
      snapshot: snapshot,
      path: path,
      number: child.number,
      row: child.row,
      content: child.content
    )
  }
}

extension SnapshotReader {
  /// Returns the largest files of a directory that are charged there, in order of the names; of equal
  /// ones the first.
  fileprivate func largestFiles(
    _ count: Int,
    of directory: StoredDirectory,
    by measure: SizeMeasure
  ) throws(StoreError) -> [StoredFile] {
    let elsewhere = directory.row.ordinalsCountedElsewhere
    let listing = try listing(of: directory.number, directory.row, content: directory.content)
    var cursor = listing.makeCursor()
    var largest = LargestOrdinals(count)
    while cursor.advanceWithoutName() {
      guard cursor.entry.kind == .file, !elsewhere.contains(cursor.ordinal) else { continue }
      largest.insert(cursor.ordinal, size: cursor.entry.size(measure))
    }
    var ordinals = largest.ascending[...]
    var files: [StoredFile] = []
    cursor = listing.makeCursor()
    while let next = ordinals.first, cursor.advance() {
      guard cursor.ordinal == next else { continue }
      ordinals.removeFirst()
      var path = directory.path
      path.appendComponent(cursor.name[...])
      files.append(StoredFile(path: path, entry: cursor.entry))
    }
    return files
  }
}

/// The ordinals of the largest entries of a listing.
private struct LargestOrdinals {
  private let limit: Int
  private var kept: [(ordinal: Int, size: UInt64)] = []
  /// The size that an entry has to exceed, once there are enough.
  private var bar: UInt64?

  init(_ limit: Int) { self.limit = limit }

  /// Takes an entry, which comes after those taken before.
  mutating func insert(_ ordinal: Int, size: UInt64) {
    if let bar, size <= bar { return }
    kept.append((ordinal, size))
    // Sorting now and then costs less than a place for each.
    if kept.count / 2 > limit, kept.count > 1024 { cut() }
  }

  /// The ordinals kept, in order.
  var ascending: [Int] {
    var copy = self
    copy.cut()
    return copy.kept.map(\.ordinal).sorted()
  }

  private mutating func cut() {
    kept.sort { $0.size != $1.size ? $0.size > $1.size : $0.ordinal < $1.ordinal }
    guard kept.count >= limit else { return }
    kept.removeLast(kept.count - limit)
    bar = kept.last?.size
  }
}

extension [SnapshotReader.Child] {
  /// Returns the largest subdirectories by size and then by name, and all that are as large as the
  /// last of them: which of those comes first may depend on what they hold.
  fileprivate func largest(_ count: Int, by size: (Element) -> Int64) -> ArraySlice<Element> {
    let sorted = sorted {
      size($0) != size($1)
        ? size($0) > size($1) : $0.name.lexicographicallyPrecedes($1.name)
    }
    guard count < sorted.count else { return sorted[...] }
    let least = size(sorted[count - 1])
    return sorted.prefix { size($0) >= least }
  }
}
