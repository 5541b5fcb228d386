/// What an entry has to be for somebody who looks for it.
///
/// A criterion with several values is met by any of them, and an entry has to meet all criteria. One
/// that is empty or `nil` is met by every entry.
public struct EntryCriteria: Sendable {
  /// A pattern for paths: from the directory that is looked through, or absolute.
  public struct Path: Sendable {
    /// The pattern.
    public var pattern: NamePattern
    /// Whether it is for absolute paths.
    public var isAbsolute: Bool

    /// Creates a criterion.
    public init(_ pattern: NamePattern, isAbsolute: Bool) {
      self.pattern = pattern
      self.isAbsolute = isAbsolute
    }
  }

  /// Patterns for the name.
  public var names: [NamePattern] = []
  /// Patterns for the path.
  public var paths: [Path] = []
  /// The size in bytes that the entry is larger than.
  public var larger: UInt64?
  /// The size in bytes that the entry is smaller than.
  public var smaller: UInt64?
  /// The second since 1970 that the entry was modified after.
  public var newer: Int64?
  /// The second since 1970 that the entry was modified before.
  public var older: Int64?
  /// Types of files.
  public var types: [FileType] = []
  /// User IDs of owners.
  public var owners: Set<UInt32> = []
  /// Group IDs.
  public var groups: Set<UInt32> = []
  /// Kinds of entries.
  public var kinds: Set<EntryKind> = []

  /// Creates criteria that every entry meets.
  public init() {}

  /// Whether every entry meets the criteria.
  public var isEmpty: Bool {
    names.isEmpty && paths.isEmpty && larger == nil && smaller == nil && newer == nil
      && older == nil && types.isEmpty && owners.isEmpty && groups.isEmpty && kinds.isEmpty
  }
}

extension EntryCriteria {
  /// Returns whether an entry meets all criteria.
  ///
  /// An entry that could not be examined has no size, time or owner that is known, and meets no
  /// criterion about them.
  ///
  /// - Parameters:
  ///   - entry: The entry, from a walk that began at a directory.
  ///   - size: The size that counts, in bytes.
  /// - Returns: Whether it meets them.
  public func matches(_ entry: WalkedEntry, size: UInt64) -> Bool {
    // What costs least comes first.
    if !kinds.isEmpty, !kinds.contains(entry.kind) { return false }
    if needsExamination, entry.isUnreadable, entry.kind != .directory { return false }
    if let larger, size <= larger { return false }
    if let smaller, size >= smaller { return false }
    if let newer, entry.modificationTime <= newer { return false }
    if let older, entry.modificationTime >= older { return false }
    if !owners.isEmpty, !owners.contains(entry.owner) { return false }
    if !groups.isEmpty, !groups.contains(entry.group) { return false }
    if !names.isEmpty, !matchesName(entry) { return false }
    if !types.isEmpty, !matchesType(entry) { return false }
    return paths.isEmpty || matchesPath(entry)
  }

  /// Whether a name is needed before anything else is: a pattern for names is all there is.
  internal var beginsWithName: Bool {
    !names.isEmpty && !needsExamination && kinds.isEmpty
  }

  /// Returns whether an entry that is no directory may meet the criteria, by all but its name.
  @inline(__always)
  internal func mayMatch(_ entry: ListingEntry, by measure: SizeMeasure) -> Bool {
    if !kinds.isEmpty, !kinds.contains(entry.kind) { return false }
    guard needsExamination else { return true }
    if entry.isUnreadable { return false }
    if larger != nil || smaller != nil {
      let size = entry.size(measure)
      if let larger, size <= larger { return false }
      if let smaller, size >= smaller { return false }
    }
    if let newer, entry.modificationTime <= newer { return false }
    if let older, entry.modificationTime >= older { return false }
    if !owners.isEmpty, !owners.contains(entry.owner) { return false }
    return groups.isEmpty || groups.contains(entry.group)
  }

  /// Returns whether an entry with a name may meet the criteria.
  @inline(__always)
  internal func mayMatch(name: Span<UInt8>) -> Bool {
    if names.isEmpty { return true }
    for pattern in names where pattern.matches(name) { return true }
    return false
  }

  // Loops, for a closure would copy the entry each time.

  private func matchesName(_ entry: WalkedEntry) -> Bool {
    for pattern in names where pattern.matches(entry.name) { return true }
    return false
  }

  private func matchesType(_ entry: WalkedEntry) -> Bool {
    for type in types where type.matches(entry) { return true }
    return false
  }

  private var needsExamination: Bool {
    larger != nil || smaller != nil || newer != nil || older != nil || !owners.isEmpty
      || !groups.isEmpty
  }

  private func matchesPath(_ entry: WalkedEntry) -> Bool {
    let path = entry.path
    let relative = entry.relative(path)
    for criterion in paths
    where criterion.pattern.matches(criterion.isAbsolute ? path : relative) {
      return true
    }
    return false
  }
}
