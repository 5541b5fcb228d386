import PlatTestSupport
import Testing

@testable import PlatTree

struct ListingDamageTests {
  static let listings: [[UInt8]] = (0..<4).map { seed in
    var generator = SplitMix64(seed: UInt64(100 + seed))
    let names = randomNames([1, 3, 12, 25][seed], longest: 50, using: &generator)
    return encode(names.map { NamedEntry($0, .random(using: &generator)) }).bytes
  }

  @Test(arguments: listings)
  func `Every changed bit is found`(bytes: [UInt8]) {
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        #expect(throws: ListingError.self) { try Listing(validating: damaged) }
        walk(damaged)
      }
    }
  }

  @Test(arguments: listings)
  func `Every listing that was cut short is found`(bytes: [UInt8]) {
    for length in 1..<bytes.count {
      #expect(throws: ListingError.self) { try Listing(validating: Array(bytes[..<length])) }
      #expect(throws: ListingError.self) { try Listing(validating: Array(bytes[length...])) }
      walk(Array(bytes[..<length]))
      walk(Array(bytes[length...]))
    }
  }

  /// With a checksum that fits, as a listing would have that another program made up.
  @Test(arguments: listings)
  func `Content that makes no sense is refused or harmless`(bytes: [UInt8]) {
    var generator = SplitMix64(seed: UInt64(bytes.count))
    var accepted = 0
    for _ in 0..<4000 {
      var forged = Array(bytes.dropLast(4))
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        mutate(&forged, using: &generator)
      }
      forged.appendChecksum()
      walk(forged)
      guard let listing = try? Listing(validating: forged) else { continue }
      accepted += 1
      let entries = listing.namedEntries
      #expect(entries.count == listing.count)
      for (entry, next) in zip(entries, entries.dropFirst()) {
        #expect(entry.name.lexicographicallyPrecedes(next.name))
      }
    }
    // Most single bytes are a size or a letter, so that both branches above are taken.
    #expect(accepted > 0)
    #expect(accepted < 4000)
  }

  @Test func `Random bytes are refused or harmless`() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<4000 {
      let count = Int.random(in: 1...80, using: &generator)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if generator.oneIn(2) { bytes[0] = UInt8.random(in: 0...3, using: &generator) }
      walk(bytes)
      bytes.appendChecksum()
      walk(bytes)
      _ = try? Listing(validating: bytes)
    }
  }

  struct Forgery: CustomTestStringConvertible {
    var testDescription: String
    var content: [UInt8]
  }

  static let forgeries = [
    Forgery(testDescription: "no entries, spelled out", content: [0, 7, 0, 0, 0, 0, 0, 0, 0]),
    Forgery(
      testDescription: "more entries than bytes",
      content: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 7, 0, 0, 0, 0, 0, 0, 0]
    ),
    Forgery(testDescription: "a number without end", content: Array(repeating: 0xff, count: 40)),
    Forgery(
      testDescription: "a directory",
      content: [1, 7, 3, 1, 0, 1, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x61]
    ),
    Forgery(
      testDescription: "a row of attributes that was not introduced",
      content: [1, 7, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0x61]
    ),
    Forgery(
      testDescription: "a name that shares more than there is",
      content: [1, 7, 0, 1, 0, 1, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x61]
    ),
    Forgery(
      testDescription: "a column that is not used up",
      content: [1, 7, 0, 2, 0, 1, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x61]
    ),
    Forgery(
      testDescription: "two names that are equal",
      content: [
        2, 7, 0, 2, 0, 1, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0x20,
      ]
    ),
  ]

  @Test(arguments: forgeries)
  func `A listing that breaks a rule is malformed`(forgery: Forgery) {
    var bytes = forgery.content
    bytes.appendChecksum()
    #expect(throws: ListingError.malformed) { try Listing(validating: bytes) }
    walk(bytes)
  }

  @Test func `A forgery that breaks no rule is read`() throws {
    var bytes: [UInt8] = [1, 7, 0, 1, 0, 1, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x61]
    bytes.appendChecksum()
    #expect(try Listing(validating: bytes).namedEntries.map(\.name) == [[0x61]])
  }

  /// Walks through bytes that nobody has checked: it must end, whatever it finds.
  private func walk(_ bytes: [UInt8]) {
    // Bytes around the listing, which a walk must not reach, are part of the string.
    let listing = Listing([9, 9] + bytes + [9, 9], 2..<2 + bytes.count)
    var cursor = listing.makeCursor()
    var steps = 0
    while cursor.advance() { steps += 1 }
    #expect(steps <= bytes.count)
    cursor = listing.makeCursor()
    while cursor.advanceWithoutName() { steps += 1 }
    #expect(steps <= 2 * bytes.count)
    _ = listing.hasManyLinks
  }

  private func mutate(_ bytes: inout [UInt8], using generator: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let position = Int.random(in: bytes.indices, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: bytes.remove(at: position)
    case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: position)
    case 2: bytes[position] = [0, 1, 0x7f, 0x80, 0xff][Int.random(in: 0..<5, using: &generator)]
    case 3: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    default:
      bytes[position] &+= UInt8(truncatingIfNeeded: Int.random(in: -2...2, using: &generator))
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendChecksum() {
    let checksum = crc32c(span)
    for shift in stride(from: 0, to: 32, by: 8) {
      append(UInt8(truncatingIfNeeded: checksum >> UInt32(shift)))
    }
  }
}
