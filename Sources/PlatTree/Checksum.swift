/// The CRC-32C (Castagnoli) checksum of bytes, as in RFC 3720, appendix B.4.
///
/// Sixteen bytes are taken at a time ("slicing": Kounavis and Berry, *A Systematic Approach to
/// Building High Performance, Software-based, CRC Generators*, 2005).
///
/// - Parameter bytes: The bytes to sum.
/// - Returns: The checksum; 0 for no bytes.
/// - Complexity: O(*n*)
public func crc32c(_ bytes: Span<UInt8>) -> UInt32 {
  let table = crcTables.span.extracting(0..<16 * 256)
  var crc = UInt32.max
  var start = 0
  while start &+ 16 <= bytes.count {
    let block = bytes.extracting(start..<start &+ 16)
    // What depends on the sum so far comes last: the rest need not wait for it.
    var next: UInt32 = 0
    for index in 4..<16 { next ^= table[(15 - index) << 8 | Int(block[index])] }
    for index in 0..<4 {
      let byte = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index)) ^ block[index]
      next ^= table[(15 - index) << 8 | Int(byte)]
    }
    crc = next
    start &+= 16
  }
  while start < bytes.count {
    crc = table[Int((crc ^ UInt32(bytes[start])) & 0xff)] ^ (crc >> 8)
    start += 1
  }
  return ~crc
}

/// Sixteen tables of 256: entry `k × 256 + b` is what byte `b` adds, `k` bytes before the end.
private let crcTables: [UInt32] = {
  let polynomial: UInt32 = 0x82f6_3b78  // Castagnoli's, bits reversed.
  var tables = [UInt32](repeating: 0, count: 16 * 256)
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
