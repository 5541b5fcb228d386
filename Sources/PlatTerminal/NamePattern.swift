/// What a person types to find names: a part of the name, or a pattern with `*`, `?` and `[…]`.
///
/// Names are bytes. ASCII letters match in either case; everything else matches itself.
internal struct NamePattern: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case byte(UInt8)
    case anyByte
    case anyRun
    case set([ClosedRange<UInt8>], isNegated: Bool)
  }

  private let pieces: [Piece]
  private let isPart: Bool

  /// Creates a pattern; an empty one matches everything.
  internal init(_ text: String) {
    let bytes = Array(text.utf8)
    var pieces: [Piece] = []
    var isPart = true
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "*"):
        isPart = false
        if pieces.last != .anyRun { pieces.append(.anyRun) }
      case UInt8(ascii: "?"):
        isPart = false
        pieces.append(.anyByte)
      case UInt8(ascii: "["):
        if let (set, end) = Self.set(bytes, from: index) {
          isPart = false
          pieces.append(set)
          index = end
        } else {
          pieces.append(.byte(bytes[index]))
        }
      case UInt8(ascii: "\\") where index + 1 < bytes.count:
        index += 1
        pieces.append(.byte(lowercased(bytes[index])))
      default: pieces.append(.byte(lowercased(bytes[index])))
      }
      index += 1
    }
    self.pieces = pieces
    self.isPart = isPart
  }

  /// Reads a set such as `[a-z]`, and returns it with the place of its end.
  private static func set(_ bytes: [UInt8], from start: Int) -> (Piece, Int)? {
    var index = start + 1
    var isNegated = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "!") || bytes[index] == UInt8(ascii: "^") {
      isNegated = true
      index += 1
    }
    var ranges: [ClosedRange<UInt8>] = []
    let first = index
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "]"), index > first {
        return (.set(ranges, isNegated: isNegated), index)
      }
      let low = lowercased(bytes[index])
      if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "-"),
        bytes[index + 2] != UInt8(ascii: "]")
      {
        let high = lowercased(bytes[index + 2])
        if low <= high { ranges.append(low...high) }
        index += 3
      } else {
        ranges.append(low...low)
        index += 1
      }
    }
    return nil
  }

  /// Returns whether a name matches: all of it, or a part if the pattern is plain text.
  internal func matches(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    isPart ? range(in: name) != nil : matchesWhole(name)
  }

  /// Returns where plain text is in a name, as offsets; `nil` if it is not there, or for a pattern.
  internal func range(in name: some RandomAccessCollection<UInt8>) -> Range<Int>? {
    guard isPart, name.count >= pieces.count else { return nil }
    for start in 0...name.count - pieces.count {
      var offset = 0
      while offset < pieces.count,
        pieces[offset]
          == .byte(lowercased(name[name.index(name.startIndex, offsetBy: start + offset)]))
      {
        offset += 1
      }
      if offset == pieces.count { return start..<start + offset }
    }
    return nil
  }

  private func matchesWhole(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    var piece = 0
    var index = name.startIndex
    // The last run seen: what follows it is tried one byte later after each failure.
    var retry: (piece: Int, index: Int)?
    var position = 0
    while position < name.count {
      if piece < pieces.count, pieces[piece] == .anyRun {
        retry = (piece, position)
        piece += 1
      } else if piece < pieces.count, Self.accepts(pieces[piece], name[index]) {
        piece += 1
        position += 1
        index = name.index(after: index)
      } else if let last = retry {
        retry = (last.piece, last.index + 1)
        piece = last.piece + 1
        position = last.index + 1
        index = name.index(name.startIndex, offsetBy: position)
      } else {
        return false
      }
    }
    return pieces[piece...].allSatisfy { $0 == .anyRun }
  }

  private static func accepts(_ piece: Piece, _ byte: UInt8) -> Bool {
    switch piece {
    case .byte(let expected): return expected == lowercased(byte)
    case .anyByte: return true
    case .anyRun: return false
    case .set(let ranges, let isNegated):
      return ranges.contains { $0.contains(lowercased(byte)) } != isNegated
    }
  }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
