/// Reads directory trees from the file system.
///
/// A scanner holds only its options, so one value serves any number of scans at once.
///
/// ```swift
/// let result = try await DirectoryScanner().scan(["/srv"]) { print($0.entries) }
/// result.tree.totals(of: result.tree.root).allocatedSize
/// ```
public struct DirectoryScanner: Sendable {
  /// Choices that apply to every scan of a scanner.
  public struct Options: Hashable, Sendable {
    /// Whether file systems that are mounted below a root are scanned; `du -x` does not.
    public var crossesFileSystems = true

    /// Patterns of entries to leave out, as in fnmatch(3).
    ///
    /// A pattern without a slash matches a name at any depth; one with a slash matches the path from
    /// the root, and `*` does not match across a slash. A slash at the end means directories only.
    public var exclusions: [[UInt8]] = []

    /// More patterns of entries to leave out: the text of a file in the syntax of gitignore(5), with
    /// paths relative to the root.
    public var ignorePatterns: [UInt8] = []

    /// Whether what git ignores is left out, by the files that are found during the scan.
    ///
    /// These are `.gitignore` in any directory, in a repository or not, and `.git/info/exclude` of a
    /// repository; nothing above the root, and no setting of the user's or the system's. As with git,
    /// what is inside an ignored directory cannot be taken back, patterns end at the top of another
    /// repository, and a symbolic link is no `.gitignore`. A `.git` directory takes up space as
    /// everything else, so it is scanned: git's patterns say nothing of it. Files larger than 1 MiB,
    /// together with those above them, are not used, and are issues.
    public var honorsGitignore = false

    /// Whether what caches hold is left out, all but the tag.
    ///
    /// A cache is a directory with a regular file `CACHEDIR.TAG` that has the signature of the Cache
    /// Directory Tagging Specification at its start. The directory itself is counted.
    public var skipsCaches = false

    /// How many threads read directories, from 1; `nil` to choose.
    public var threadCount: Int?

    /// The least nice value of the threads of the scan, see setpriority(2); `nil` for that of the caller.
    ///
    /// A high one leaves the processors to other threads that want them, such as one that a person
    /// waits for.
    public var niceValue: Int?

    /// Creates the default options.
    public init() {}
  }

  /// The choices made for this scanner.
  public let options: Options

  /// Creates a scanner.
  ///
  /// - Parameter options: The choices to make.
  public init(options: Options = Options()) { self.options = options }

  /// Scans directories and returns one tree of them all.
  ///
  /// Every entry is listed once. A symbolic link is recorded and never followed, but for a root that
  /// is one. What can be reached in two ways is counted once. An entry that cannot be read is kept
  /// in `FileTree.issues`; one that vanishes is left out.
  ///
  /// With earlier scans of the roots to build upon, directories that are proved unchanged are not read.
  /// At the level ``Level/verified`` the tree is the one that a full scan would give. Baselines that
  /// the scanner cannot use are left alone: see ``canReuse(_:)``.
  ///
  /// The scan runs on threads of its own. Cancelling the calling task ends it within 100 ms; a thread
  /// that the kernel holds is left behind.
  ///
  /// - Parameters:
  ///   - roots: The paths to scan, absolute or relative to the working directory. A file is counted
  ///     as a tree of one entry. Several roots make one total: `FileTree.isGroup`.
  ///   - baselines: Earlier scans of the roots, at most one of each.
  ///   - level: How much the scan relies on them.
  ///   - partialTrees: Takes trees of what was found so far; `nil` for none.
  ///   - onProgress: Called from a thread of the scan with the counts so far, every 100 ms.
  /// - Returns: The tree, and when it was read.
  /// - Throws: ``ScanError`` if no root can be read, a pattern is wrong, or the task is cancelled.
  @concurrent
  public func scan(
    _ roots: [[UInt8]],
    reusing baselines: [Baseline] = [],
    level: Level = .verified,
    partialTrees: PartialTrees? = nil,
    onProgress: @escaping @Sendable (ScanProgress) -> Void = { _ in }
  ) async throws(ScanError) -> ScanResult {
    let plan = RescanPlan(baselines.filter(canReuse), level: level)
    let job = try ScanJob(roots, options: options, rescan: plan)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let body: @Sendable () -> Void = {
          continuation.resume(returning: job.outcome(partialTrees, onProgress))
        }
        if !startThread(niceValue: options.niceValue, body) { body() }
      }
    } onCancel: {
      job.cancel()
    }
    return try outcome.get()
  }

  /// Scans one directory and returns its tree; see
  /// ``scan(_:reusing:level:partialTrees:onProgress:)``.
  @concurrent
  public func scan(
    _ root: String,
    onProgress: @escaping @Sendable (ScanProgress) -> Void = { _ in }
  ) async throws(ScanError) -> ScanResult {
    try await scan([Array(root.utf8)], onProgress: onProgress)
  }
}

extension ScanJob {
  /// Runs the scan, and holds what it came to.
  fileprivate func outcome(
    _ partialTrees: PartialTrees?,
    _ onProgress: (ScanProgress) -> Void
  ) -> Result<ScanResult, ScanError> {
    do throws(ScanError) {
      return .success(try run(partialTrees: partialTrees, onProgress))
    } catch {
      return .failure(error)
    }
  }
}
