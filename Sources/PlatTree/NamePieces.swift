/// Which bytes of a listing the name in hand is made of, after the last name that was copied.
///
/// Each name keeps the start of the one before. Of many names that nobody asks for, most bytes are
/// replaced before they are of any use, so that it is cheaper to note where they are, and to look from the
/// last name back for what is left of each.
internal struct NamePieces {
  /// The bytes of a name that were not in the name before.
  private struct Piece {
    /// Where in the name the bytes start.
    var place = 0
    /// Where the bytes are.
    var source = 0
  }

  private var pieces = [32 of Piece](repeating: Piece())
  private var count = 0
  /// Where in the name the last piece starts; -1 if there is none.
  private var lastPlace = -1
  /// The length of the name.
  internal private(set) var length: Int

  /// Creates no pieces after a name that was copied.
  internal init(length: Int) { self.length = length }

  /// Whether the name has to be copied before the next piece is added.
  @inline(__always)
  internal var areFull: Bool { count == pieces.count }

  /// Keeps the start of the name, and sets what follows.
  @inline(__always)
  internal mutating func replace(from shared: Int, with suffix: Range<Int>) {
    // Nothing is left of a piece that starts there, or later.
    if shared <= lastPlace { count &-= 1 }
    lastPlace = shared
    pieces[count] = Piece(place: shared, source: suffix.lowerBound)
    count &+= 1
    length = shared &+ suffix.count
  }

  /// Makes the name of the one that was copied last, and forgets the pieces.
  internal mutating func move(to name: inout [UInt8], from bytes: [UInt8]) {
    let missing = length - name.count
    if missing > 0 {
      name.append(contentsOf: repeatElement(0, count: missing))
    } else if missing < 0 {
      name.removeLast(-missing)
    }
    let source = bytes.span
    var target = name.mutableSpan
    // The bytes from here on are there.
    var end = length
    while count > 0, end > 0 {
      count -= 1
      let piece = pieces[count]
      if piece.place >= end { continue }
      let added = source.extracting(piece.source..<piece.source + end - piece.place)
      for index in added.indices { target[piece.place + index] = added[index] }
      end = piece.place
    }
    count = 0
    lastPlace = -1
  }
}
