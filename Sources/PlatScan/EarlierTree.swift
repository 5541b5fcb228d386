import CPlatSystem
import PlatTree

/// An earlier scan, made ready to be asked.
///
/// A `FileTree` is some thirty arrays, each of which counts its references: so what workers ask of a
/// directory is put together here, in one row.
internal final class EarlierTree: Sendable {
  /// What was known of a directory.
  internal struct Row: Sendable {
    internal var details: DirectoryDetails
    /// The position of its file system.
    internal var fileSystem: Int32
    /// Whether its names may be taken over if it is unchanged.
    internal var isTrusted: Bool
    /// Whether all that it holds is looked at, at any level.
    internal var isFocused = false
    /// Its subdirectories, which follow each other.
    internal var firstChild: UInt32
    internal var childCount: UInt32

    internal var children: Range<Int> {
      Int(firstChild)..<Int(firstChild) + Int(childCount)
    }
  }

  /// What is known of the entries of a directory, of which only files occupy anything and none has
  /// several names.
  internal struct KnownFiles: Sendable {
    internal var entries: UInt32
    internal var files: UInt32
    /// What the entries occupy on disk, in bytes.
    internal var allocatedSize: UInt64
    /// When a file changed last at the latest, in seconds since 1970.
    internal var newestChange: Int64
    /// A size that no file exceeds, in bytes.
    internal var mostSize: UInt64
  }

  /// The path of the root.
  internal let rootPath: [UInt8]
  /// The file systems that the directories were on.
  internal let fileSystems: [FileSystem]

  /// The tree.
  internal let tree: FileTree
  /// The names of the directories in canonical order, each ended by NUL.
  internal let names: [UInt8]

  private let rows: [Row]
  private let nameStarts: [UInt32]
  /// What was left out of a directory by a pattern of the user's.
  private let exclusions: [DirectoryID: [Exclusion]]

  private let rules: [TrustRule]
  /// The start of the hash that chooses samples, by file system.
  private let seeds: [StableHash]
  private let changedInodes: Set<UInt64>
  private let hasFocus: Bool
  private let startedAt: Int64
  private let number: Int
  private let oldestObservation: Int64?
  private let oldestScanCount: Int?

  /// The directories by file system and inode number, made when the first one is looked for.
  private let inodes = Locked<[Inode: Int]?>(nil)

  private struct Inode: Hashable, Sendable {
    var fileSystem: Int32
    var number: UInt64
  }

  internal init(_ baseline: DirectoryScanner.Baseline) {
    let tree = baseline.tree
    self.tree = tree
    rootPath = Array(tree.name(of: tree.root))
    fileSystems = tree.fileSystems
    rules = fileSystems.map(TrustRule.init)
    seeds = fileSystems.map { fileSystem in
      var seed = StableHash()
      seed.combine(fileSystem.uuid.utf8)
      return seed
    }
    changedInodes = baseline.changedInodes
    hasFocus = baseline.focus != nil
    startedAt = baseline.startedAt
    number = baseline.number
    oldestObservation = baseline.oldestObservation
    oldestScanCount = baseline.oldestScanCount

    var rows = Self.rows(of: baseline, rules)
    // What could not be read may be readable by now.
    for issue in tree.issues { rows[issue.directory.index].isTrusted = false }
    var exclusions: [DirectoryID: [Exclusion]] = [:]
    for exclusion in tree.exclusions {
      // Mounts come and go without a trace in the directory, and files of patterns change.
      guard exclusion.reason == .pattern else {
        rows[exclusion.directory.index].isTrusted = false
        continue
      }
      exclusions[exclusion.directory, default: []].append(exclusion)
    }
    if let focus = baseline.focus {
      rows[focus.index].isFocused = true
      // Parents come first.
      for directory in tree.directories.dropFirst(focus.index + 1) {
        guard let parent = tree.parent(of: directory) else { continue }
        rows[directory.index].isFocused = rows[parent.index].isFocused
      }
    }
    self.rows = rows
    self.exclusions = exclusions

    var names: [UInt8] = []
    var nameStarts: [UInt32] = [0]
    // Room that is not touched takes no memory, so there can be much, and few copies.
    names.reserveCapacity(32 * rows.count)
    nameStarts.reserveCapacity(rows.count + 1)
    for directory in tree.directories {
      names.append(contentsOf: tree.name(of: directory))
      names.append(0)
      nameStarts.append(UInt32(names.count))
    }
    self.names = names
    self.nameStarts = nameStarts
  }

  private static func rows(
    of baseline: DirectoryScanner.Baseline,
    _ rules: [TrustRule]
  ) -> [Row] {
    let tree = baseline.tree
    // A change right after the times were read can leave them as they are: they are as coarse as the
    // tick of a clock, and some file systems keep whole seconds.
    let oldEnough = baseline.racyMargin.map { baseline.startedAt - $0 } ?? .max
    let unknown: DirectoryDetails.Flags = [.isUnreadable, .isPartial, .isGroup, .hasMountedFile]
    var rows = [Row](unsafeUninitializedCapacity: tree.directoryCount) { buffer, _ in
      // All of it will be filled: asked for page by page it would cost several times as much.
      let memory = UnsafeMutableRawBufferPointer(buffer)
      memory.baseAddress.map { plat_populate($0, memory.count) }
    }
    for directory in tree.directories {
      let details = tree.details(of: directory)
      let fileSystem = tree.fileSystemIndex(of: directory)
      let isOldEnough = max(details.modificationTime, details.changeTime) < oldEnough
      let isTrusted =
        switch rules[fileSystem] {
        case .never: false
        case .names: isOldEnough && details.flags.isDisjoint(with: unknown)
        case .everything: details.flags.isDisjoint(with: unknown)
        }
      let children = tree.subdirectories(of: directory)
      rows.append(
        Row(
          details: details,
          fileSystem: Int32(fileSystem),
          isTrusted: isTrusted,
          firstChild: UInt32(children.startIndex),
          childCount: UInt32(children.count)
        )
      )
    }
    return rows
  }
}

extension EarlierTree {
  /// Returns what was known of a directory.
  internal func row(of directory: DirectoryID) -> Row { rows[directory.index] }

  /// Returns the listing that a directory had.
  internal func listing(of directory: DirectoryID) -> Listing { tree.listing(of: directory) }

  /// Returns what is known of the files of a directory without its listing.
  internal func knownFiles(of directory: DirectoryID) -> KnownFiles? {
    let change = tree.fileChange(in: directory)
    guard let change = change ?? (tree.hasEntries(directory) ? nil : .min) else { return nil }
    let own = tree.ownTotals(of: directory)
    return KnownFiles(
      entries: UInt32(clamping: own.files + own.symbolicLinks + own.others),
      files: UInt32(clamping: own.files),
      allocatedSize: own.allocatedSize,
      newestChange: change,
      mostSize: max(own.allocatedSize, own.apparentSize)
    )
  }

  /// Where the name of the directory at a position starts in the names.
  internal func nameStart(at index: Int) -> Int { Int(nameStarts[index]) }

  /// Where the name of the directory at a position is in the names.
  internal func nameRange(at index: Int) -> Range<Int> {
    Int(nameStarts[index])..<Int(nameStarts[index + 1]) - 1
  }

  /// The name of the directory at a position.
  internal func name(at index: Int) -> ArraySlice<UInt8> { names[nameRange(at: index)] }

  /// Returns the patterns' exclusions of a directory.
  internal func exclusions(of directory: DirectoryID) -> [Exclusion] {
    exclusions.isEmpty ? [] : exclusions[directory] ?? []
  }

  /// Returns the position of a file system, if it is known and its directory times prove something.
  internal func position(of fileSystem: FileSystem) -> Int32? {
    guard TrustRule(fileSystem) != .never else { return nil }
    let index = fileSystems.firstIndex {
      $0.type == fileSystem.type && $0.uuid == fileSystem.uuid
    }
    return index.map(Int32.init)
  }

  /// Finds a directory by its inode number.
  internal func directory(inode: UInt64, onFileSystem position: Int32) -> DirectoryID? {
    let index = inodes.withLock { known -> Int? in
      let inodes = known ?? makeInodes()
      known = inodes
      return inodes[Inode(fileSystem: position, number: inode)]
    }
    return index.map { DirectoryID($0) }
  }

  private func makeInodes() -> [Inode: Int] {
    var found = [Inode: Int](minimumCapacity: rows.count)
    for (index, row) in rows.enumerated() {
      found[Inode(fileSystem: row.fileSystem, number: row.details.inode)] = index
    }
    return found
  }

  /// Returns which entries of an unchanged directory are to be looked at.
  internal func recheck(of row: Row, _ level: DirectoryScanner.Level) -> Recheck {
    if rules[Int(row.fileSystem)] == .everything { return .nothing }
    guard level == .fast, !row.isFocused else { return .everything }
    guard !changedInodes.contains(row.details.inode) else { return .files }
    var seed = seeds[Int(row.fileSystem)]
    seed.combine(row.details.inode)
    return .due(
      DueRule(
        hotSince: startedAt.secondsFromNanoseconds - DueRule.hotSeconds,
        looksAtLinks: hasFocus,
        seed: seed,
        sample: UInt64(number & (DueRule.sampleCount - 1))
      )
    )
  }

  /// Adds when the files that were not looked at were looked at last, at worst.
  internal func date(_ unverified: inout UnverifiedFiles) {
    guard unverified.files > 0 else { return }
    unverified.oldestObservation = oldestObservation
    unverified.oldestScanCount = oldestScanCount
  }
}
