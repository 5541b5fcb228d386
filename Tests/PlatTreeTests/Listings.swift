import PlatTestSupport
import PlatTree

/// An entry with its name, as a test states it.
struct NamedEntry: Equatable {
  var name: [UInt8]
  var entry: ListingEntry

  init(_ name: [UInt8], _ entry: ListingEntry) {
    self.name = name
    self.entry = entry
  }

  init(_ name: String, _ entry: ListingEntry) { self.init(Array(name.utf8), entry) }
}

extension ListingEntry {
  /// Creates a file with the blocks that its size needs, unless others are given.
  static func file(
    size: UInt64 = 0,
    blocks: UInt64? = nil,
    inode: UInt64 = 1,
    linkCount: UInt32 = 1
  ) -> ListingEntry {
    var entry = ListingEntry()
    entry.size = size
    entry.blocks = blocks ?? (size / 4096 + (size % 4096 == 0 ? 0 : 1)) * 8
    entry.inode = inode
    entry.linkCount = linkCount
    return entry
  }

  /// Creates an entry with values at their limits as often as in between.
  static func random(using generator: inout SplitMix64) -> ListingEntry {
    func pick(_ limits: [UInt64]) -> UInt64 {
      generator.oneIn(2)
        ? limits[Int.random(in: limits.indices, using: &generator)] : generator.anyMagnitude()
    }
    func time() -> Int64 {
      let limits: [Int64] = [0, 1 << 62, -(1 << 62), .min, .max, 1_700_000_000]
      let number = Int64(bitPattern: generator.anyMagnitude())
      return generator.oneIn(2) ? limits[Int.random(in: 0..<6, using: &generator)] : number
    }
    let size = pick([0, 1, 4095, 4096, 4097, 1 << 63, .max])
    var entry = ListingEntry.file(size: size)
    if generator.oneIn(2) { entry.blocks = pick([0, 1, 8, 1 << 55, 1 << 56, .max]) }
    entry.kind = [.file, .symbolicLink, .other][Int.random(in: 0..<3, using: &generator)]
    entry.modificationTime = time()
    entry.changeTime = generator.oneIn(2) ? entry.modificationTime : time()
    entry.inode = pick([0, 1, .max, 1 << 63])
    entry.linkCount = [0, 1, 1, 2, .max][Int.random(in: 0..<5, using: &generator)]
    entry.mode = UInt16.random(in: 0...0o7777, using: &generator)
    entry.owner = UInt32.random(in: 0..<40, using: &generator)
    entry.group = [0, 1, .max][Int.random(in: 0..<3, using: &generator)]
    entry.isUnreadable = generator.oneIn(8)
    return entry
  }
}

/// Packs entries in the order they are given.
func encode(_ entries: [NamedEntry]) -> (bytes: [UInt8], summary: ListingSummary) {
  var encoder = ListingEncoder()
  var bytes: [UInt8] = []
  let summary = encode(entries, with: &encoder, into: &bytes)
  return (bytes, summary)
}

/// Packs entries with an encoder that was used before, and appends the listing.
func encode(
  _ entries: [NamedEntry],
  with encoder: inout ListingEncoder,
  into bytes: inout [UInt8]
) -> ListingSummary {
  var names: [UInt8] = []
  for named in entries {
    names.append(contentsOf: named.name)
    encoder.append(named.entry, name: names.count - named.name.count..<names.count)
  }
  return encoder.encode(names: names.span, into: &bytes)
}

extension Listing {
  /// All entries, with their names.
  var namedEntries: [NamedEntry] {
    var entries: [NamedEntry] = []
    var cursor = makeCursor()
    while cursor.advance() { entries.append(NamedEntry(cursor.name, cursor.entry)) }
    return entries
  }
}

/// Names of random lengths, all different, many of which start alike.
func randomNames(_ count: Int, longest: Int, using generator: inout SplitMix64) -> [[UInt8]] {
  var names: Set<[UInt8]> = []
  let base = (0..<longest).map { _ in UInt8.random(in: 1...255, using: &generator) }
  while names.count < count {
    let shared = Int.random(in: 0..<longest, using: &generator)
    let added = Int.random(in: 1...(longest - shared), using: &generator)
    let rest = (0..<added).map { _ in UInt8.random(in: 1...255, using: &generator) }
    names.insert(base[..<shared] + rest)
  }
  var sorted = names.sorted { $0.lexicographicallyPrecedes($1) }
  sorted.shuffle(using: &generator)
  return sorted
}
