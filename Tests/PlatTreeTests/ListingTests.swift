import PlatTestSupport
import PlatTree
import Testing

struct ListingTests {
  /// Three entries that use every part of the format.
  static let worked: [NamedEntry] = {
    func entry(_ change: (inout ListingEntry) -> Void) -> ListingEntry {
      var entry = ListingEntry()
      (entry.changeTime, entry.mode, entry.owner, entry.group) = (1001, 0o644, 1000, 1000)
      change(&entry)
      return entry
    }
    return [
      NamedEntry(
        "a.txt",
        entry { ($0.size, $0.blocks, $0.modificationTime, $0.inode) = (5, 8, 1000, 10) }
      ),
      NamedEntry(
        "a.xml",
        entry {
          ($0.size, $0.blocks, $0.modificationTime, $0.inode) = (300, 16, 998, 12)
          ($0.linkCount, $0.mode) = (2, 0o600)
        }
      ),
      NamedEntry(
        "pipe",
        entry { ($0.kind, $0.modificationTime, $0.inode) = (.other, 998, 9) }
      ),
    ]
  }()

  static let workedBytes: [UInt8] =
    [
      3,  // Entries.
      4,  // The change times are all equal.
      0x2e,  // All flags, or-ed.
      4, 1, 4, 1, 3, 16,  // The lengths of the columns.
      0x00, 0x2c, 0x22,  // Flags: a file; blocks, links, attributes; other, attributes.
      5, 0xac, 0x02, 0,  // Sizes.
      16,  // Blocks of the second.
      0xd0, 0x0f, 3, 0,  // Modification times: 1000, −2, 0.
      2,  // Change times: 1 after the first modification time.
      20, 4, 5,  // Inodes: 10, +2, −3.
      0, 0xa4, 0x03, 0xe8, 0x07, 0xe8, 0x07,  // Row 0 is new: mode, owner, group.
      2, 1, 0x80, 0x03, 0xe8, 0x07, 0xe8, 0x07,  // Two links; row 1 is new.
      0,  // Row 0 again.
    ]
    + [0x05] + Array("a.txt".utf8)
    + [0x43] + Array("xml".utf8)  // Two bytes of the name before, three new ones.
    + [0x04] + Array("pipe".utf8)

  @Test func `The bytes of a listing are those of the worked example`() {
    let (bytes, summary) = encode(Self.worked.shuffled())
    #expect(bytes.dropLast(4) == Self.workedBytes[...])
    #expect(bytes.suffix(4) == [0x4e, 0xde, 0x28, 0x88])
    #expect(summary.allocatedSize == 24 * 512)
    #expect(summary.apparentSize == 305)
    #expect((summary.files, summary.symbolicLinks, summary.others) == (2, 0, 1))
    #expect(summary.newestModification == 1000)
  }

  @Test func `The worked example is read back`() throws {
    let (bytes, _) = encode(Self.worked)
    #expect(try Listing(validating: bytes).namedEntries == Self.worked)
  }

  @Test func `No entries are no bytes`() throws {
    let (bytes, summary) = encode([])
    #expect(bytes.isEmpty)
    #expect(summary == ListingSummary())
    let listing = try Listing(validating: [])
    #expect(listing.count == 0)
    #expect(listing.namedEntries.isEmpty)
  }

  /// Every choice of up to three of six entries under three names of which one starts another.
  @Test func `Every small listing is read back`() throws {
    var variants = [ListingEntry.file(), .file(size: 4096), .file(size: 1, blocks: 0)]
    variants += [.file(linkCount: 2), .file(size: 7, inode: 0), .file(blocks: .max, linkCount: 0)]
    variants[1].kind = .symbolicLink
    (variants[2].owner, variants[2].modificationTime) = (7, -1)
    (variants[4].kind, variants[4].changeTime) = (.other, 5)
    variants[5].isUnreadable = true
    let names = [[0x61], [0x61, 0x62], [0xff]].map { $0.map(UInt8.init) }
    let choices = variants.count + 1
    for code in 0..<choices * choices * choices {
      let digits = [code % choices, code / choices % choices, code / choices / choices]
      let entries = zip(names, digits).compactMap { name, digit in
        digit == 0 ? nil : NamedEntry(name, variants[digit - 1])
      }
      let (bytes, summary) = encode(entries.reversed())
      let listing = try Listing(validating: bytes)
      #expect(listing.namedEntries == entries)
      #expect(try listing.validate() == summary)
    }
  }

  @Test(arguments: 0..<40)
  func `Entries with values at their limits are read back`(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let count = [1, 2, 17, 300][seed % 4]
    let names = randomNames(count, longest: seed % 3 == 0 ? 1000 : 60, using: &generator)
    let isUniform = seed % 5 == 0
    let template = ListingEntry.random(using: &generator)
    let entries = names.map {
      NamedEntry($0, isUniform ? template : .random(using: &generator))
    }
    let (bytes, summary) = encode(entries)
    let listing = try Listing(validating: bytes)
    #expect(listing.count == count)
    #expect(listing.namedEntries == entries.sorted { $0.name.lexicographicallyPrecedes($1.name) })
    var sum = ListingSummary()
    for named in entries { sum.add(named.entry) }
    #expect(summary == sum)
    #expect(try listing.validate() == sum)
  }

  @Test(arguments: 0..<40)
  func `An outline tells what all entries together are`(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(500 + seed))
    let names = randomNames([0, 1, 5, 60][seed % 4], longest: 20, using: &generator)
    let entries = names.map { NamedEntry($0, .random(using: &generator)) }
    let (bytes, summary) = encode(entries)
    let outline = try #require(try Listing(validating: bytes).outline())
    let files = entries.map(\.entry).filter { $0.kind == .file }
    let sizes = files.map(\.allocatedSize)
    #expect(outline.summary == summary)
    #expect(outline.hasManyLinks == entries.contains { $0.entry.linkCount != 1 })
    #expect(
      outline.allocatedSizeOfFiles
        == sizes.reduce(0) { $0 > .max - $1 ? .max : $0 + $1 }
    )
    #expect(
      outline.newestChange
        == files.flatMap { [$0.modificationTime, $0.changeTime] }.max() ?? .min
    )
    #expect(outline.largestSize == (files.map(\.size) + sizes).max() ?? 0)
  }

  @Test func `A walk without names meets the same entries`() {
    var generator = SplitMix64(seed: 11)
    let names = randomNames(200, longest: 40, using: &generator)
    let (bytes, _) = encode(names.map { NamedEntry($0, .random(using: &generator)) })
    let listing = try? Listing(validating: bytes)
    var cursor = listing?.makeCursor()
    var entries: [ListingEntry] = []
    while cursor?.advanceWithoutName() == true, let entry = cursor?.entry { entries.append(entry) }
    #expect(entries.count == 200)
    #expect(entries == listing?.namedEntries.map(\.entry))
  }

  @Test func `Names that are read now and then are those of a walk with names`() throws {
    let names = ["a", "ab", "abc", "b", "bcd", "bce", "c"]
    let entries = names.map { NamedEntry($0, ListingEntry()) }
    let first = try Listing(validating: encode(entries).0)
    let second = try Listing(validating: encode(Self.worked).0)
    for step in 1...3 {
      var cursor = second.makeCursor()
      _ = cursor.advance()
      for (listing, expected) in [(first, names), (second, ["a.txt", "a.xml", "pipe"])] {
        cursor.restart(in: listing)
        while cursor.advanceWithoutName() {
          guard cursor.ordinal % step == 0 else { continue }
          let isRead = cursor.readName()
          #expect(isRead)
          #expect(String(decoding: cursor.name, as: UTF8.self) == expected[cursor.ordinal])
        }
        #expect(cursor.ordinal == expected.count - 1)
      }
    }
  }

  @Test(arguments: [1, 2, 7, 50, 299])
  func `A name is the same however many were passed over`(step: Int) throws {
    var generator = SplitMix64(seed: 31)
    // A hundred names, each of which goes on where the one before ends, and others.
    let chain = (1...100).map { [UInt8](repeating: UInt8(ascii: "n"), count: $0) }
    let others = randomNames(200, longest: 300, using: &generator).filter { !chain.contains($0) }
    let (bytes, _) = encode((chain + others).map { NamedEntry($0, ListingEntry()) })
    let listing = try Listing(validating: bytes)
    let names = listing.namedEntries.map(\.name)
    #expect(names.count == chain.count + others.count)
    for first in 0..<min(step, 5) {
      var cursor = listing.makeCursor()
      while cursor.advanceWithoutName() {
        guard cursor.ordinal % step == first else { continue }
        let isRead = cursor.readName()
        #expect(isRead)
        #expect(cursor.name == names[cursor.ordinal])
      }
      #expect(cursor.ordinal == names.count - 1)
    }
  }

  @Test func `Of entries with one name the first is kept`() throws {
    let entries = [
      NamedEntry("b", .file(size: 1)), NamedEntry("a", .file(size: 2)),
      NamedEntry("b", .file(size: 3)), NamedEntry("a", .file(size: 4)),
    ]
    let (bytes, summary) = encode(entries)
    #expect(try Listing(validating: bytes).namedEntries == [entries[1], entries[0]])
    #expect(summary.files == 2)
    #expect(summary.apparentSize == 3)
  }

  @Test func `An encoder that was used before gives the same bytes`() {
    var generator = SplitMix64(seed: 12)
    var encoder = ListingEncoder()
    for count in [3, 5000, 1, 40, 0, 700] {
      let names = randomNames(count, longest: 30, using: &generator)
      let entries = names.map { NamedEntry($0, .random(using: &generator)) }
      var bytes: [UInt8] = [1, 2, 3]
      let summary = encode(entries, with: &encoder, into: &bytes)
      let fresh = encode(entries)
      #expect(bytes == [1, 2, 3] + fresh.bytes)
      #expect(summary == fresh.summary)
      #expect(encoder.count == 0)
    }
  }

  @Test func `Sizes that do not fit stay at the largest number`() {
    var entry = ListingEntry.file(size: .max, blocks: 1 << 56)
    #expect(entry.allocatedSize == .max)
    #expect(entry.apparentSize == .max)
    var summary = ListingSummary()
    summary.add(entry)
    summary.add(entry)
    #expect(summary.allocatedSize == .max)
    #expect(summary.apparentSize == .max)
    entry.blocks = (1 << 55) - 1
    #expect(entry.allocatedSize == UInt64.max - 511)
  }
}
