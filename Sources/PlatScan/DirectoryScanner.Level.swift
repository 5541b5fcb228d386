extension DirectoryScanner {
  /// How much a scan relies on an earlier one.
  ///
  /// The raw values reach the disk and are stable.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// Everything is read.
    case full
    /// Directories that are proved unchanged are not read, and every entry is looked at again: the
    /// tree is the one of a full scan.
    case verified
    /// Of directories that are proved unchanged, names are exact, and only some of the files are
    /// looked at again: see ``ScanResult/unverified``.
    case fast
  }
}
