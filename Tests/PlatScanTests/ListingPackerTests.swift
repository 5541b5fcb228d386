import CPlatSystem
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

struct ListingPackerTests {
  /// An entry as both packers are given it.
  struct Item {
    var name: [UInt8]
    var entry: ListingEntry
  }

  @Test(arguments: 0..<200)
  func `The bytes are those of the encoder`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var packer = ListingPacker()
    for count in [1, 2, 15, 16, 17, 31, 32, 33, 64, 100, 1500] where count < 1500 || seed < 8 {
      check(Item.directory(of: count, using: &generator), &packer)
    }
    check([], &packer)
  }

  @Test(arguments: [(1, 1), (8, 9), (40, 40), (255, 255), (1000, 70_000)])
  func `Long names and long common starts are packed whole`(start: Int, length: Int) {
    // A record of a directory has 16 bits for its length.
    let length = min(length, Int(UInt16.max) - 1)
    var packer = ListingPacker()
    let names = (1...40).map { number in
      [UInt8](repeating: 0xfe, count: start) + [UInt8(41 - number)]
        + [UInt8](repeating: 1, count: length - start)
    }
    check(names.map { Item(name: $0, entry: ListingEntry()) }, &packer)
    check((1...64).map { Item(name: [0x61] + Array(names[0].prefix($0)), entry: .init()) }, &packer)
  }

  @Test func `A directory of many owners keeps a table of them`() {
    var packer = ListingPacker()
    let items = (0..<2000).map { number in
      var entry = ListingEntry()
      (entry.owner, entry.mode) = (UInt32(number * 7 % 50), UInt16(number % 3))
      return Item(name: Array("file-\(number)".utf8), entry: entry)
    }
    check(items.shuffled(), &packer)
  }

  private func check(_ items: [Item], _ packer: inout ListingPacker) {
    var encoder = ListingEncoder()
    var (names, expected): ([UInt8], [UInt8]) = ([], [0x2a])
    for item in items {
      encoder.append(item.entry, name: names.count..<names.count + item.name.count)
      names.append(contentsOf: item.name)
    }
    let expectedSummary = encoder.encode(names: names.span, into: &expected)
    // What is behind a name must not matter.
    names.append(contentsOf: (0..<ListingPacker.slack).map { _ in UInt8.random(in: 0...255) })
    var packed: [UInt8] = [0x2a]
    let summary = names.withUnsafeBytes { buffer in
      var start = 0
      for item in items {
        guard let base = buffer.baseAddress else { break }
        packer.append(item.entry, in: base, at: start, length: item.name.count)
        start += item.name.count
      }
      return buffer.baseAddress.map { packer.pack(names: $0, into: &packed) }
    }
    #expect(packed == expected)
    #expect(summary == expectedSummary)
  }
}

extension ListingPackerTests.Item {
  /// Makes a directory of names and values that are alike as often as not.
  fileprivate static func directory(of count: Int, using generator: inout SplitMix64) -> [Self] {
    let base = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
      UInt8.random(in: 1...255, using: &generator)
    }
    let letters = UInt8.random(in: 1...4, using: &generator)
    let longest = Int.random(in: 1...40, using: &generator)
    let spread = Int.random(in: 0...3, using: &generator)
    return (0..<count).map { _ in
      let ending = (0..<Int.random(in: 1...longest, using: &generator)).map { _ in
        letters == 1
          ? UInt8.random(in: 1...255, using: &generator)
          : UInt8.random(in: 0x61...0x61 + letters, using: &generator)
      }
      let name = generator.oneIn(3) ? ending : base + ending
      return Self(name: name, entry: .random(spread: spread, using: &generator))
    }
  }
}

extension ListingEntry {
  /// Creates an entry; the larger `spread`, the more it differs from others.
  fileprivate static func random(spread: Int, using generator: inout SplitMix64) -> ListingEntry {
    func number(_ usual: UInt64) -> UInt64 {
      switch generator.oneIn(4) ? spread : Int.random(in: 0...1, using: &generator) * spread {
      case 0: usual
      case 1: usual &+ UInt64.random(in: 0...300, using: &generator)
      case 2: generator.anyMagnitude()
      default: [0, 127, 128, 1 << 28 - 1, 1 << 28, 1 << 63, .max][Int(generator.next() % 7)]
      }
    }
    var entry = ListingEntry()
    entry.kind = [.file, .file, .symbolicLink, .other][Int(number(0) % 4)]
    entry.size = number(5000)
    entry.blocks = generator.oneIn(2) ? entry.expectedBlocks : number(8)
    entry.modificationTime = Int64(bitPattern: number(1_700_000_000))
    entry.changeTime = Int64(bitPattern: number(1_700_000_100))
    entry.inode = number(1_000_000)
    entry.linkCount = UInt32(truncatingIfNeeded: number(1))
    entry.mode = UInt16(truncatingIfNeeded: number(0o644)) & 0o7777
    entry.owner = UInt32(truncatingIfNeeded: number(1000))
    entry.group = UInt32(truncatingIfNeeded: number(1000))
    entry.isUnreadable = spread > 0 && generator.oneIn(20)
    return entry
  }
}

struct ProcessorChecksumTests {
  @Test func `The processor's checksum is that of the program`() {
    var bytes: [UInt8] = []
    for length in 0..<100 {
      var sum: UInt32 = 0
      guard plat_crc32c(bytes, bytes.count, &sum) != 0 else { return }
      #expect(sum == crc32c(bytes.span))
      bytes.append(UInt8(truncatingIfNeeded: length * 151 + 7))
    }
  }
}
