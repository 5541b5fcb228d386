/// The numbers of the listing format, which reach the disk and are stable.
///
/// A listing is, in this order, with every number an unsigned LEB128 varint unless said otherwise:
///
/// 1. the number of entries *n*;
/// 2. a byte of ``Uniform`` bits, which say what all entries have in common;
/// 3. a byte: the flags of all entries, or-ed;
/// 4. the lengths in bytes of the columns sizes, blocks, modification times, change times, inodes
///    and attributes;
/// 5. flags: a byte an entry, left out where all are equal: bits 0 and 1 are the ``EntryKind``, the
///    others are ``Flag``;
/// 6. sizes;
/// 7. block counts of the entries that have ``Flag/explicitBlocks``; the others have as many as
///    their size needs in 4 KiB pages;
/// 8. modification times: zigzag seconds, the first absolute, then the difference to the one before;
///    only the first where all are equal;
/// 9. change times: the first relative to the first modification time, then to the one before;
///    only the first where all are equal;
/// 10. inodes: zigzag differences to the one before, the first to 0;
/// 11. attributes: a link count where ``Flag/manyLinks``, and, for the first entry and where
///     ``Flag/newAttributes``, an index into a table that starts empty. An index equal to the size
///     of the table adds a row, which follows: mode, owner, group;
/// 12. names: a byte with the length shared with the name before (3 bits, 7: a varint of the rest
///     follows) and the length of what is new (5 bits, 31: the same), then the new bytes;
/// 13. the CRC-32C of all that, 4 bytes, little-endian.
///
/// Entries are sorted bytewise by name. Arithmetic on times and inodes wraps.
public enum ListingFormat {
  /// Bits of the second byte.
  public enum Uniform {
    /// The flags of all entries are equal.
    @inlinable public static var flags: UInt8 { 1 }
    /// All entries were modified in the same second.
    @inlinable public static var modificationTime: UInt8 { 2 }
    /// All entries were changed in the same second.
    @inlinable public static var changeTime: UInt8 { 4 }
  }

  /// Bits of an entry's flags.
  public enum Flag {
    /// The bits of the ``EntryKind``.
    @inlinable public static var kind: UInt8 { 3 }
    /// The block count is not what the size needs.
    @inlinable public static var explicitBlocks: UInt8 { 4 }
    /// The link count is not 1.
    @inlinable public static var manyLinks: UInt8 { 8 }
    /// Owner, group or mode are not those of the entry before.
    @inlinable public static var newAttributes: UInt8 { 32 }
    /// The entry could not be examined.
    @inlinable public static var unreadable: UInt8 { 64 }
  }

  /// The shared length of a name from which a varint says how much more it is.
  @inlinable public static var prefixEscape: Int { 7 }
  /// The length of what is new in a name from which a varint says how much more it is.
  @inlinable public static var suffixEscape: Int { 31 }

  /// The bytes of a listing without entries, but for its checksum: it is stored as no bytes at all.
  internal static let checksumLength = 4
}

/// Maps signed numbers to unsigned ones: 0, −1, 1, −2 and so on become 0, 1, 2, 3.
@inline(__always)
internal func zigzag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: value << 1 ^ value >> 63)
}

/// The inverse of `zigzag(_:)`.
@inline(__always)
internal func unzigzag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}
