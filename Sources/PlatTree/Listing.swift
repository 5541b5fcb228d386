/// The entries of one directory that are not directories, packed into one byte string.
///
/// The bytes are the same wherever they are: as a scan makes them, in a ``FileTree``, and in a
/// stored snapshot. They hold everything that is known of an entry, so that equal listings mean
/// that nothing has changed.
public struct Listing: Sendable {
  /// The bytes that those of the listing are among.
  internal let storage: [UInt8]
  /// Where in `storage` the listing is.
  internal let range: Range<Int>

  /// Creates a view of a listing in a part of a byte string.
  internal init(_ storage: [UInt8], _ range: Range<Int>) {
    self.storage = storage
    self.range = range
  }

  /// Bytes that are no listing: a walk through them ends before it begins, as damaged.
  internal static let damagedBytes: [UInt8] = [0]

  /// Creates a listing without entries.
  public init() { self.init([], 0..<0) }

  /// Creates a listing from stored bytes, after checking every one of them.
  ///
  /// - Parameter bytes: What ``bytes`` gave before.
  /// - Throws: ``ListingError`` if the checksum or the content is wrong.
  /// - Complexity: O(*n*)
  public init(validating bytes: [UInt8]) throws(ListingError) {
    self.init(bytes, 0..<bytes.count)
    _ = try validate()
  }

  /// The bytes of the listing; none for a listing without entries.
  public var bytes: ArraySlice<UInt8> { storage[range] }

  /// The number of entries.
  public var count: Int { makeCursor().count }

  /// Returns a cursor before the first entry.
  public func makeCursor() -> ListingCursor { ListingCursor(storage, range) }

  /// Whether an entry has a link count other than 1.
  internal var hasManyLinks: Bool { !range.isEmpty && Self.hasManyLinks(storage, range) }

  /// Whether an entry of the listing in a part of some bytes has a link count other than 1.
  @inline(__always)
  internal static func hasManyLinks(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var reader = ByteReader(range.lowerBound, end: range.upperBound)
    _ = reader.varint(bytes)
    _ = reader.byte(bytes)
    return reader.byte(bytes) & ListingFormat.Flag.manyLinks != 0
  }

  /// The sizes and counts of the entries; of a damaged listing, of those before the damage.
  public var summary: ListingSummary {
    var summary = ListingSummary()
    var cursor = makeCursor()
    while cursor.advanceSizes() { summary.add(cursor.entry) }
    return summary
  }

  /// Adds up the entries, and finds out how old and how small all files are, without a look at names.
  ///
  /// - Returns: What is known of the entries together; `nil` if the sizes make no sense.
  /// - Complexity: O(*n*), where *n* is the number of entries.
  public func outline() -> ListingOutline? {
    var outline = ListingOutline(hasManyLinks: hasManyLinks)
    var cursor = makeCursor()
    while cursor.advanceSizesAndTimes() { outline.add(cursor.entry) }
    return cursor.isDamaged ? nil : outline
  }

  private func verifyChecksum() throws(ListingError) {
    let end = range.upperBound - ListingFormat.checksumLength
    guard end > range.lowerBound else { throw .malformed }
    let content = storage.span.extracting(range.lowerBound..<end)
    guard crc32c(content) == checksum else { throw .checksumMismatch }
  }

  /// The checksum that the bytes end with; 0 for a listing without entries.
  public var checksum: UInt32 {
    guard range.count >= ListingFormat.checksumLength else { return 0 }
    var stored: UInt32 = 0
    for index in 0..<4 { stored |= UInt32(storage[range.upperBound - 4 + index]) << (8 * index) }
    return stored
  }

  /// Checks the checksum, decodes every entry, and adds them up.
  ///
  /// - Returns: The sizes and counts of the listing.
  /// - Throws: ``ListingError`` if the checksum or the content is wrong.
  /// - Complexity: O(*n*)
  public func validate() throws(ListingError) -> ListingSummary {
    var summary = ListingSummary()
    guard !range.isEmpty else { return summary }
    try verifyChecksum()
    var cursor = makeCursor()
    var previous: [UInt8] = []
    while cursor.advance() {
      guard cursor.ordinal == 0 || previous.lexicographicallyPrecedes(cursor.name) else {
        throw .malformed
      }
      previous.replaceSubrange(previous.indices, with: cursor.name)
      summary.add(cursor.entry)
    }
    guard cursor.isAtEnd, cursor.count > 0 else { throw .malformed }
    return summary
  }
}

extension Listing: Equatable {
  /// Whether two listings have the same bytes, and so the same entries.
  public static func == (first: Listing, second: Listing) -> Bool { first.bytes == second.bytes }
}

/// A reason why bytes are not a listing.
public enum ListingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The checksum does not fit the bytes.
  case checksumMismatch
  /// The checksum fits, and the content makes no sense.
  case malformed

  /// The error as a person reads it.
  public var description: String {
    switch self {
    case .checksumMismatch: "the checksum of a directory's listing does not fit"
    case .malformed: "a directory's listing is malformed"
    }
  }
}
