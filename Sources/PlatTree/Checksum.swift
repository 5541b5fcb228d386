/// The CRC-32C (Castagnoli) checksum of bytes, as in RFC 3720, appendix B.4.
///
/// Eight bytes are taken at a time ("slicing by 8": Kounavis and Berry, *A Systematic Approach to
/// Building High Performance, Software-based, CRC Generators*, 2005).
///
/// - Parameter bytes: The bytes to sum.
/// - Returns: The checksum; 0 for no bytes.
/// - Complexity: O(*n*)
public func crc32c(_ bytes: Span<UInt8>) -> UInt32 {
  let table = crcTables.span
  var crc = UInt32.max
  var start = 0
  while start + 8 <= bytes.count {
    let block = bytes.extracting(start..<start + 8)
    crc ^=
      UInt32(block[0]) | UInt32(block[1]) << 8 | UInt32(block[2]) << 16 | UInt32(block[3]) << 24
    let near = table[7 << 8 | Int(crc & 0xff)] ^ table[6 << 8 | Int(crc >> 8 & 0xff)]
    let next = table[5 << 8 | Int(crc >> 16 & 0xff)] ^ table[4 << 8 | Int(crc >> 24)]
    let third = table[3 << 8 | Int(block[4])] ^ table[2 << 8 | Int(block[5])]
    let last = table[1 << 8 | Int(block[6])] ^ table[Int(block[7])]
    crc = near ^ next ^ third ^ last
    start += 8
  }
  while start < bytes.count {
    crc = table[Int((crc ^ UInt32(bytes[start])) & 0xff)] ^ (crc >> 8)
    start += 1
  }
  return ~crc
}

/// Eight tables of 256: entry `k × 256 + b` is what byte `b` adds, `k` bytes before the end.
private let crcTables: [UInt32] = {
  let polynomial: UInt32 = 0x82f6_3b78  // Castagnoli's, bits reversed.
  var tables = [UInt32](repeating: 0, count: 8 * 256)
  for byte in 0..<256 {
    var crc = UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ polynomial : crc >> 1 }
    tables[byte] = crc
  }
  for index in 256..<tables.count {
    let before = tables[index - 256]
    tables[index] = tables[Int(before & 0xff)] ^ before >> 8
  }
  return tables
}()
