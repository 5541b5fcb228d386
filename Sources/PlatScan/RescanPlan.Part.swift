import PlatTree

extension RescanPlan {
  /// An earlier scan, made ready to be asked.
  internal struct Part: Sendable {
    internal let baseline: DirectoryScanner.Baseline
    /// What directory times prove, by the file systems of the tree.
    internal let rules: [TrustRule]
    /// The start of the hash that chooses samples, by the file systems of the tree.
    internal let seeds: [StableHash]
    /// The directories whose names may be taken over if they are unchanged.
    internal let isTrusted: [Bool]
    /// What was left out of a directory by a pattern of the user's.
    internal let exclusions: [DirectoryID: [Exclusion]]
    /// The directories by file system and inode number, made when the first one is looked for.
    internal let directories = Locked<[Inode: DirectoryID]?>(nil)
  }

  /// What a directory is known by.
  internal struct Inode: Hashable, Sendable {
    internal var fileSystem: Int
    internal var number: UInt64
  }
}

extension RescanPlan.Part {
  internal init(_ baseline: DirectoryScanner.Baseline) {
    let tree = baseline.tree
    self.baseline = baseline
    rules = tree.fileSystems.map(TrustRule.init)
    seeds = tree.fileSystems.map { fileSystem in
      var seed = StableHash()
      seed.combine(fileSystem.uuid.utf8)
      return seed
    }
    var isTrusted = Self.trustedByTimes(baseline, rules)
    // What could not be read may be readable by now.
    for issue in tree.issues { isTrusted[issue.directory.index] = false }
    var exclusions: [DirectoryID: [Exclusion]] = [:]
    for exclusion in tree.exclusions {
      // Mounts come and go without a trace in the directory, and files of patterns change.
      guard exclusion.reason == .pattern else {
        isTrusted[exclusion.directory.index] = false
        continue
      }
      exclusions[exclusion.directory, default: []].append(exclusion)
    }
    self.isTrusted = isTrusted
    self.exclusions = exclusions
  }

  private static func trustedByTimes(
    _ baseline: DirectoryScanner.Baseline,
    _ rules: [TrustRule]
  ) -> [Bool] {
    let tree = baseline.tree
    // A change right after the times were read can leave them as they are: they are as coarse as the
    // tick of a clock, and some file systems keep whole seconds.
    let oldEnough = baseline.racyMargin.map { baseline.startedAt - $0 } ?? .max
    return tree.directories.map { directory in
      let details = tree.details(of: directory)
      let unknown: DirectoryDetails.Flags = [
        .isUnreadable, .isPartial, .isGroup, .hasMountedFile,
      ]
      guard details.flags.isDisjoint(with: unknown) else { return false }
      switch rules[tree.fileSystemIndex(of: directory)] {
      case .never: return false
      case .everything: return true
      case .names: return max(details.modificationTime, details.changeTime) < oldEnough
      }
    }
  }
}
