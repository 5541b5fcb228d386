/// Unpacks the listings that a tree holds as they were stored.
public protocol ListingCodec: Sendable {
  /// Unpacks a listing.
  ///
  /// Called from any thread. The bytes were found to be those that were stored, so that they make sense
  /// unless whoever stored them was wrong.
  ///
  /// - Parameter bytes: The packed listing.
  /// - Returns: The bytes of the listing, or `nil` if the packed ones make no sense.
  func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt8]?
}
