import PlatTree

extension DirectoryScanner.Options {
  /// A text that differs if the options of two scans select other entries.
  ///
  /// It says what they are, reaches the disk, and is stable.
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

  /// Creates the options that select the same entries as those with a fingerprint.
  ///
  /// They are `nil` if the text says something that is not known.
  ///
  /// - Parameter fingerprint: What ``fingerprint`` gave.
  public init?(fingerprint: String) {
    self.init()
    for line in fingerprint.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let value = words.count > 1 ? Base64.decode(words[1]) : nil
      switch (words[0], value) {
      case ("one-file-system", nil): crossesFileSystems = false
      case ("exclude", let pattern?): exclusions.append(pattern)
      case ("exclude-from", let patterns?): ignorePatterns = patterns
      case ("gitignore", nil): honorsGitignore = true
      case ("exclude-caches", nil): skipsCaches = true
      default: return nil
      }
    }
  }
}
