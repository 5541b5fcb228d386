import PlatTree

/// What a worker keeps from one directory to the next when it builds upon earlier scans.
internal struct RescanState: ~Copyable {
  internal var check = ListingCheck()
  /// The file system of the last directory.
  internal var fileSystem: RescanPlan.KnownFileSystem?
  /// The device that was described last.
  internal var describedDevice: UInt64?
  internal var calls = ScanCalls()
  /// The path of what is looked up from a directory that is open.
  internal var path = LookupPath()
  /// What was not looked at, by the tree of the plan.
  internal var unverified: [UnverifiedFiles]

  internal init(_ plan: RescanPlan) {
    unverified = plan.trees.map { _ in UnverifiedFiles() }
  }
}

/// What the subdirectories of a directory were in an earlier scan.
internal enum OldDirectories: Sendable {
  /// Nothing that is known.
  case none
  /// One for each, or nothing.
  case each([OldDirectory?])

  internal subscript(index: Int) -> OldDirectory? {
    switch self {
    case .none: nil
    case .each(let directories): directories[index]
    }
  }
}
