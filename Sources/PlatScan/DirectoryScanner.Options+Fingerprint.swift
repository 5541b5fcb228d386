import PlatTree

extension DirectoryScanner.Options {
  /// A text that differs if the options of two scans select other entries.
  ///
  /// It reaches the disk and is stable.
  public var fingerprint: String {
    var text = crossesFileSystems ? "" : "one-file-system\n"
    for pattern in exclusions {
      text += "exclude \(Base64.encode(pattern))\n"
    }
    if !ignorePatterns.isEmpty { text += "exclude-from \(Base64.encode(ignorePatterns))\n" }
    if honorsGitignore { text += "gitignore\n" }
    if skipsCaches { text += "exclude-caches\n" }
    return text
  }
}
