internal import PlatTree

/// The values of a directory in a snapshot, as a row of `dirv` and one of `content` hold them.
internal struct DirectoryRow {
  /// The integer columns of both rows.
  ///
  /// Their order reaches the disk by way of the checksums, and is stable.
  internal enum Field: Int, CaseIterable {
    case size, alloc, files, dirs, links, others
    case ownSize, ownAlloc, selfAlloc, maxSize, maxAlloc
    case newest, issues
    case mtime, ctime, inode, fileSystem, attributes, flags
    case listingChecksum, notes
  }

  private var values: [21 of Int64] = .init(repeating: 0)

  /// The ordinals of names that are counted elsewhere, as ``encode(ordinals:)`` packs them.
  internal var elsewhere: [UInt8] = []

  /// When a file of the listing changed last, in seconds since the directory did, as
  /// ``fileChange`` reads it; `nil` where only the listing tells, as in all rows of version 1.
  internal var newestFile: Int64?

  /// The checksum that is stored, which is no part of what the row says.
  ///
  /// It is that of ``hash(directory:parent:name:)`` unless something is damaged.
  internal var checksum: Int64 = 0

  /// Creates a row of zeros.
  internal init() {}

  /// The value of a column.
  internal subscript(field: Field) -> Int64 {
    @inline(__always) get { values[field.rawValue] }
    @inline(__always) set { values[field.rawValue] = newValue }
  }

  /// What concerns the directory alone, which is in `content`; all else of ``Field`` is in `dirv`.
  private static let ownFields: [Field] = [
    .ownSize, .ownAlloc, .selfAlloc, .mtime, .ctime, .inode, .fileSystem, .attributes, .flags,
    .listingChecksum, .notes,
  ]

  /// Returns whether two rows say the same.
  internal func isEqual(to other: DirectoryRow) -> Bool {
    values.indices.allSatisfy { values[$0] == other.values[$0] } && elsewhere == other.elsewhere
      && newestFile == other.newestFile
  }

  /// Returns whether two rows say the same of the directory alone, but for its listing.
  internal func hasSameOwnValues(as other: DirectoryRow) -> Bool {
    Self.ownFields.allSatisfy { self[$0] == other[$0] } && elsewhere == other.elsewhere
      && newestFile == other.newestFile
  }

  /// Returns the hash of the row as that of a directory.
  ///
  /// - Parameters:
  ///   - directory: The number of the directory in the store.
  ///   - parent: The number of the directory that holds it.
  ///   - name: The bytes of its name.
  /// - Returns: The hash, whose short form is the column `checksum`.
  internal func hash(
    directory: Int64,
    parent: Int64,
    name: UnsafeRawBufferPointer
  ) -> RowHash {
    var hash = RowHash()
    hash.combine(directory)
    hash.combine(parent)
    let values = values.span
    for index in values.indices { hash.combine(values[index]) }
    hash.combine(name)
    if elsewhere.isEmpty { hash.combine(0) } else { hash.combine(elsewhere[...]) }
    if let newestFile { hash.combine(newestFile) }
    return hash
  }

  /// Returns what is wrong with the row of a directory, if anything.
  ///
  /// A checksum that fits may have been made to fit: numbers and names that no directory has are refused
  /// all the same, so that numbers can be added up, and names looked up, as they are.
  ///
  /// - Parameters:
  ///   - hash: What ``hash(directory:parent:name:)`` gives for the others.
  ///   - number: The number of the directory in the store.
  ///   - parent: The number of the directory that holds it; 0 for the root.
  ///   - name: The bytes of its name; of the root, of its path.
  /// - Returns: A phrase, or `nil` if nothing is wrong.
  internal func flaw(
    _ hash: RowHash,
    ofDirectory number: Int64,
    in parent: Int64,
    named name: [UInt8]
  ) -> String? {
    if hash.short != checksum { return "the checksum of directory \(number) does not fit" }
    let counts = self[.files] | self[.dirs] | self[.links] | self[.others] | self[.issues]
    // The directories of a scan have 32 bits for a count, and the top of several is never stored.
    let isGroup = self[.flags] & Int64(DirectoryDetails.Flags.isGroup.rawValue) != 0
    let isPossible =
      UInt32(exactly: counts) != nil && !isGroup
      && (parent == 0 ? Self.isPath(name) : Self.isName(name))
    return isPossible ? nil : "directory \(number) is none that there can be"
  }

  private static func isPath(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "/") && !bytes.contains(0)
  }

  private static func isName(_ bytes: [UInt8]) -> Bool {
    let isHere = bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    return !isHere && !bytes.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}

// MARK: Meaning

extension DirectoryRow {
  /// The sizes and counts of the directory and everything below it.
  internal var totals: Totals {
    var totals = Totals()
    totals.apparentSize = UInt64(clamping: self[.size])
    totals.allocatedSize = UInt64(clamping: self[.alloc])
    totals.files = Int(self[.files])
    totals.directories = Int(self[.dirs])
    totals.symbolicLinks = Int(self[.links])
    totals.others = Int(self[.others])
    return totals
  }

  /// What is known of the directory itself, but its device, mode and owner.
  internal var details: DirectoryDetails {
    var details = DirectoryDetails()
    details.allocatedSize = UInt64(bitPattern: self[.selfAlloc])
    details.inode = UInt64(bitPattern: self[.inode])
    details.modificationTime = self[.mtime]
    details.changeTime = self[.ctime]
    details.flags = DirectoryDetails.Flags(rawValue: UInt8(truncatingIfNeeded: self[.flags]))
    return details
  }

  /// When a file of the listing changed last at the latest, in seconds since 1970; `nil` where only the
  /// listing tells.
  internal var fileChange: Int64? {
    get { newestFile.map { $0 &+ self[.ctime].secondsFromNanoseconds } }
    set {
      // It is mostly a small number, which takes a byte.
      newestFile = newValue.map { $0 == .min ? 0 : $0 &- self[.ctime].secondsFromNanoseconds }
    }
  }

  /// The size of the largest file of the subtree.
  internal func largestFile(_ measure: SizeMeasure) -> Int64 {
    measure == .allocated ? self[.maxAlloc] : self[.maxSize]
  }

  /// Packs ascending ordinals: the first, then differences, each as an unsigned LEB128 number.
  internal static func encode(ordinals: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    var last = 0
    for ordinal in ordinals {
      bytes.appendNumber(UInt64(ordinal - last))
      last = ordinal
    }
    return bytes
  }

  /// The ordinals of the names that are counted elsewhere.
  internal var ordinalsCountedElsewhere: Set<Int> {
    var ordinals: Set<Int> = []
    var (last, value, shift) = (0, 0, 0)
    for byte in elsewhere {
      value |= Int(byte & 0x7f) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      last &+= value
      ordinals.insert(last)
      (value, shift) = (0, 0)
    }
    return ordinals
  }
}
