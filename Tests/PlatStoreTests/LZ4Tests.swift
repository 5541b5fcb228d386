import Foundation
import PlatTree
import Testing

@testable import PlatStore

struct LZ4Tests {
  /// What another implementation made of bytes.
  struct Vector: CustomTestStringConvertible {
    var testDescription: String
    var dictionary: [UInt8]
    var content: [UInt8]
    var block: [UInt8]
  }

  static let vectors: [Vector] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/lz4/blocks.tsv").standardizedFileURL
    let lines = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return lines.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Vector(
        testDescription: String(fields[0]),
        dictionary: bytes(fields[1]),
        content: bytes(fields[2]),
        block: bytes(fields[3])
      )
    }
  }()

  private static func bytes(_ digits: Substring) -> [UInt8] {
    stride(from: 0, to: digits.utf8.count, by: 2).compactMap { offset in
      UInt8(String(digits.dropFirst(offset).prefix(2)), radix: 16)
    }
  }

  /// Unpacks a block.
  private func decode(_ block: [UInt8], _ dictionary: [UInt8]) -> [UInt8]? {
    LZ4Decoder(dictionary: dictionary).unpack(block[...])
  }

  /// Bytes as they are in listings: some at random, much from earlier or from the dictionary.
  private func content(
    _ count: Int,
    _ dictionary: [UInt8],
    using generator: inout SplitMix64
  ) -> [UInt8] {
    var content: [UInt8] = []
    while content.count < count {
      let length = Int.random(in: 1...40, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        content += (0..<length).map { _ in .random(in: 0...255, using: &generator) }
      case 1 where !dictionary.isEmpty:
        content += dictionary[Int.random(in: dictionary.indices, using: &generator)...]
          .prefix(length)
      case 2 where !content.isEmpty:
        content += content[Int.random(in: content.indices, using: &generator)...].prefix(length)
      default: content += repeatElement(.random(in: 0...3, using: &generator), count: length * 9)
      }
    }
    return Array(content.prefix(count))
  }

  @Test func `There are blocks of another implementation`() {
    #expect(Self.vectors.count == 12)
  }

  @Test(arguments: vectors)
  func `Blocks that another implementation made are read`(vector: Vector) {
    #expect(decode(vector.block, vector.dictionary) == vector.content)
  }

  @Test func `What is packed comes back`() {
    var generator = SplitMix64(seed: 1)
    var smaller = 0
    for size in Array(0...80) + [100, 500, 4_000, 70_000, 200_000] {
      for dictionarySize in [0, 3, 100, 4_096, LZ4Encoder.mostDictionary] {
        let dictionary = content(dictionarySize, [], using: &generator)
        var encoder = LZ4Encoder(dictionary: dictionary)
        // One encoder packs many, and must not refer to what it packed before.
        for _ in 0..<3 {
          let content = content(size, dictionary, using: &generator)
          guard let block = encoder.encode(content[...]).map(Array.init) else { continue }
          smaller += 1
          #expect(block.count < content.count)
          #expect(decode(block, dictionary) == content)
        }
      }
    }
    #expect(smaller > 800)
  }

  @Test(arguments: [0, 300, 4_096])
  func `A block does not depend on what was packed before`(dictionarySize: Int) {
    var generator = SplitMix64(seed: 6)
    let dictionary = content(dictionarySize, [], using: &generator)
    var encoder = LZ4Encoder(dictionary: dictionary)
    // Some are short beside the larger dictionary, and one is beyond the reach of copies.
    for size in [40, 200, 255, 256, 257, 5_000, 70_000, 40, 200] {
      let content = content(size, dictionary, using: &generator)
      let block = encoder.encode(content[...]).map(Array.init)
      var other = LZ4Encoder(dictionary: dictionary)
      #expect(other.encode(content[...]).map(Array.init) == block)
      #expect(encoder.encode(content[...]).map(Array.init) == block)
    }
  }

  @Test func `A listing that the dictionary has is a few bytes`() {
    var generator = SplitMix64(seed: 2)
    let dictionary = content(4_096, [], using: &generator)
    var encoder = LZ4Encoder(dictionary: dictionary)
    let block = encoder.encode(dictionary[1_000..<1_400])
    #expect((block?.count ?? .max) < 14)
  }

  @Test func `Bytes at random are left as they are`() {
    var generator = SplitMix64(seed: 3)
    let content = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var encoder = LZ4Encoder(dictionary: [])
    #expect(encoder.encode(content[...]) == nil)
  }

  @Test(.enabled(if: hasLZ4OfPython, "needs the module lz4 of Python"))
  func `Another implementation reads what is packed`() throws {
    var generator = SplitMix64(seed: 4)
    let dictionary = content(20_000, [], using: &generator)
    var encoder = LZ4Encoder(dictionary: dictionary)
    var lines = ""
    for size in [20, 64, 300, 5_000, 100_000] {
      for _ in 0..<5 {
        let content = content(size, dictionary, using: &generator)
        guard let block = encoder.encode(content[...]).map(Array.init) else { continue }
        lines += [block, dictionary, content].map { bytes in
          bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }.joined(separator: " ")
        lines += "\n"
      }
    }
    try withTemporaryFolder { folder in
      let file = folder.appendingPathComponent("blocks")
      try lines.write(to: file, atomically: false, encoding: .utf8)
      let script = """
        import lz4.block, sys
        for line in open(sys.argv[1]):
          block, dictionary, content = map(bytes.fromhex, line.split())
          size = len(content)
          assert lz4.block.decompress(block, uncompressed_size=size, dict=dictionary) == content
          print(size)
        """
      let printed = try #require(try output(of: "python3", ["-c", script, file.path]))
      #expect(printed.split(separator: "\n").count == lines.split(separator: "\n").count)
      #expect(!printed.isEmpty)
    }
  }

  @Test func `A damaged block gives other bytes or none, and never reads elsewhere`() {
    var generator = SplitMix64(seed: 5)
    let dictionary = content(300, [], using: &generator)
    var encoder = LZ4Encoder(dictionary: dictionary)
    var refused = 0
    for round in 0..<4_000 {
      let content = content(.random(in: 20...300, using: &generator), dictionary, using: &generator)
      guard var block = encoder.encode(content[...]).map(Array.init) else { continue }
      switch round % 3 {
      case 0: block = Array(block.prefix(.random(in: 0..<block.count, using: &generator)))
      case 1: block.append(.random(in: 0...255, using: &generator))
      default:
        for _ in 0...round % 4 {
          let place = Int.random(in: block.indices, using: &generator)
          block[place] =
            [0, 15, 240, 255, .random(in: 0...255, using: &generator)]
            .randomElement(using: &generator) ?? 0
        }
      }
      let decoded = decode(block, dictionary)
      if decoded == nil { refused += 1 }
      #expect((decoded?.count ?? 0) <= 255 * block.count)
    }
    #expect(refused > 1_000)
  }

  @Test(arguments: [
    [] as [UInt8], [0x10], [0xf0], [0xf0, 255], [0x00, 0, 0], [0x10, 65, 2, 0], [0x10, 65, 1],
    [0x1f, 65, 1, 0, 255], [0x01], [0x10, 65, 0, 0],
    [0x1f, 65, 1, 0] + Array(repeating: 255, count: 90),
  ])
  func `Blocks that end too early or point nowhere are refused`(block: [UInt8]) {
    #expect(decode(block, []) == nil)
  }

  private static let hasLZ4OfPython =
    (try? output(
      of: "python3",
      ["-c", "try: import lz4.block; print(1)\nexcept ImportError: pass"]
    ))
    == "1\n"
}
