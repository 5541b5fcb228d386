import PlatTree
import Testing

struct ChecksumTests {
  struct Vector: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var checksum: UInt32
  }

  /// RFC 3720, appendix B.4; the digits are the usual check value of the polynomial.
  static let vectors = [
    Vector(testDescription: "no bytes", bytes: [], checksum: 0),
    Vector(
      testDescription: "32 zeros",
      bytes: Array(repeating: 0, count: 32),
      checksum: 0x8a91_36aa
    ),
    Vector(
      testDescription: "32 ones",
      bytes: Array(repeating: 0xff, count: 32),
      checksum: 0x62a8_ab43
    ),
    Vector(testDescription: "ascending", bytes: Array(0..<32), checksum: 0x46dd_794e),
    Vector(
      testDescription: "descending",
      bytes: Array((0..<32).reversed()),
      checksum: 0x113f_db5c
    ),
    Vector(
      testDescription: "an iSCSI read command",
      bytes: [
        0x01, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
        0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18, 0x28, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      ],
      checksum: 0xd996_3a56
    ),
    Vector(testDescription: "digits", bytes: Array("123456789".utf8), checksum: 0xe306_9283),
  ]

  @Test(arguments: vectors)
  func `The checksum is that of the standard`(vector: Vector) {
    #expect(crc32c(vector.bytes.span) == vector.checksum)
  }

  @Test func `Eight bytes at a time give what one bit at a time gives`() {
    var bytes: [UInt8] = []
    for length in 0..<70 {
      #expect(crc32c(bytes.span) == bitwise(bytes))
      bytes.append(UInt8(truncatingIfNeeded: length * 151 + 7))
    }
  }

  private func bitwise(_ bytes: [UInt8]) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0x82f6_3b78 : 0) }
    }
    return ~remainder
  }
}
