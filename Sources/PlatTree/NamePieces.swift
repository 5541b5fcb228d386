/// Which bytes of a listing the name in hand is made of, after the last name that was copied.
///
/// Each name keeps the start of the one before. Of many names that nobody asks for, most bytes are
/// replaced before they are of any use, so that it is cheaper to copy what is left in the end.
internal struct NamePieces {
  private struct Piece {
    /// Where in the name the piece starts; it ends where the next one starts.
    var place = 0
    /// Where its bytes are.
    var source = 0
  }

  private var pieces = [32 of Piece](repeating: Piece())
  private var count = 0
  /// The length of the name.
  internal private(set) var length: Int

  /// Creates no pieces after a name that was copied.
  internal init(length: Int) { self.length = length }

  /// Whether the name has to be copied before the next piece is added.
  internal var areFull: Bool { count == pieces.count }

  /// Keeps the start of the name, and sets what follows.
  @inline(__always)
  internal mutating func replace(from shared: Int, with suffix: Range<Int>) {
    while count > 0, pieces[count - 1].place >= shared { count -= 1 }
    pieces[count] = Piece(place: shared, source: suffix.lowerBound)
    count += 1
    length = shared + suffix.count
  }

  /// Makes the name of the one that was copied last, and forgets the pieces.
  internal mutating func move(to name: inout [UInt8], from bytes: [UInt8]) {
    if count == 0 { return }
    name.removeLast(name.count - pieces[0].place)
    for index in 0..<count {
      let piece = pieces[index]
      let end = index + 1 < count ? pieces[index + 1].place : length
      name.append(contentsOf: bytes[piece.source..<piece.source + end - piece.place])
    }
    count = 0
  }
}
