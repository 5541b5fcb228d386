import Glibc
package import PlatScan
import PlatStore
import PlatTree

/// `plat scan`: scans directories, reports where their space goes, and keeps a snapshot.
package struct ScanCommand: Command {
  package static let name = "scan"
  package static let abstract = "Scan directories, report where their space goes, keep a snapshot."
  package static let operands = "[DIR...]"

  package static let examples = [
    CommandExample("plat scan", "the working directory"),
    CommandExample("plat scan -x /", "one file system, as du -x does"),
    CommandExample("plat scan --exclude node_modules --exclude '*.o' ~/src", "all but these"),
    CommandExample("plat scan --gitignore --exclude-caches ~/src", "no build products"),
    CommandExample("plat scan --level fast /srv", "soon done, if the last scan is not long ago"),
    CommandExample("plat scan --json /srv | jq .allocated_size", "for a program"),
  ]

  package static let discussion = """
    Every inode counts once. Sizes are what files occupy on disk, as du counts; --apparent shows \
    lengths. Symbolic links are not followed, but for a DIR that is one. Several DIRs make one total, \
    and each has its own snapshot.

    What --exclude, --exclude-from, --gitignore or --exclude-caches leaves out is listed, and not \
    counted; a ! in a file takes back only what the same file, or one before it, leaves out. \
    --gitignore reads nothing above DIR and no settings of git, and counts .git.

    A scan builds upon the last snapshot of DIR with the same options. By default, --level verified, \
    it does not read directories that are proved unchanged, looks at every file again, and finds what \
    a full scan finds. With --level fast all names are right, and files that are small and have not \
    changed for a month are looked at in one of 16 scans; how many were not is told.

    If DIR is the root of a file system, the summary compares what was found with what df says is in \
    use, and tells what of the difference deleted files hold that are still open, and what lies hidden \
    below mount points.

    The status is 0 if everything was read, 1 if some entries were not, 3 if no DIR could be, and 6 \
    if --fail-over was exceeded.
    """

  package static let options: [CommandOption<Self>] = [
    .flag("one-file-system", short: "x", help: "Stay on the file systems of DIR.") {
      $0.scanOptions.crossesFileSystems = false
    },
    .value(
      "exclude",
      OptionValue<[UInt8]>("GLOB", "a pattern") { $0.bytes.isEmpty ? nil : $0.bytes },
      help:
        "Leave out entries that GLOB matches: a name at any depth, or with a / a path from DIR."
    ) { $0.scanOptions.exclusions.append($1) },
    .value(
      "exclude-from",
      .path(),
      help: "Leave out what the patterns in FILE match, in the syntax of gitignore, from DIR."
    ) { $0.scanOptions.ignorePatterns += try patterns(inFile: $1) },
    .flag("gitignore", help: "Leave out what git ignores, by the .gitignore files below DIR.") {
      $0.scanOptions.honorsGitignore = true
    },
    .flag("exclude-caches", help: "Leave out what directories with a CACHEDIR.TAG hold.") {
      $0.scanOptions.skipsCaches = true
    },
    .value("threads", .count(1...256), help: "Read with COUNT threads.") {
      $0.scanOptions.threadCount = $1
    },
    .value(
      "level",
      .choice,
      placeholder: "LEVEL",
      help: "Read everything (full), what may have changed (verified), or less (fast)."
    ) { $0.level = $1 },
    .flag("no-save", help: "Keep no snapshot.") { $0.savesSnapshot = false },
    .value("depth", short: "d", .count(0...Int.max), help: "Show COUNT levels of directories.") {
      $0.depth = $1
    },
    .value("top", short: "n", .count(0...Int.max), help: "Show the COUNT largest directories.") {
      $0.count = $1
    },
    .value("fail-over", .size, help: "End with status 6 if the total is larger than SIZE.") {
      $0.limit = $1
    },
  ]

  package var common = CommonOptions()
  package var roots: [[UInt8]] = []
  package var scanOptions = DirectoryScanner.Options()
  package var level = DirectoryScanner.Level.verified
  package var savesSnapshot = true
  package var depth: Int?
  package var count = 20
  package var limit: UInt64?

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    roots.append(try operand.directoryPath())
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let saving = savesSnapshot ? SnapshotSaving(context) : nil
    try saving?.checkDatabase()
    let roots = roots.isEmpty ? [[UInt8(ascii: ".")]] : roots
    let result: ScanResult
    let stored: [StoredTree]
    let run = ScanRun(
      roots: roots,
      options: scanOptions,
      expectedEntries: saving?.entriesBefore(roots),
      level: level
    )
    switch await run.run(in: context) {
    case .finished(let finished, let earlier): (result, stored) = (finished, earlier)
    case .failed(let error): throw CommandFailure(error)
    case .interrupted(let status): return status
    }
    // Before a snapshot takes space itself.
    let fileSystems = result.roots.compactMap { FileSystemUse(of: $0, in: result.tree) }
    let outcome = saving?.save(result, after: stored, options: scanOptions)
    report(result, fileSystems, outcome, in: context)
    if let failure = outcome?.failure { throw failure }
    if let limit, result.tree.totals(of: result.tree.root).size(measure) > limit {
      return .difference
    }
    return result.tree.issues.isEmpty ? .success : .incomplete
  }

  private var measure: SizeMeasure { common.apparent ? .apparent : .allocated }

  private func report(
    _ result: ScanResult,
    _ fileSystems: [FileSystemUse],
    _ saved: SnapshotSaving.Outcome?,
    in context: CommandContext
  ) {
    context.printIssues(of: result.tree)
    for warning in saved?.warnings ?? [] { context.printError(warning) }
    var report = ScanReport(
      result,
      measure: measure,
      count: count,
      depth: depth,
      snapshot: saved?.snapshots.first
    )
    report.fileSystems = fileSystems
    if common.json {
      report.printJSON(in: context)
    } else if common.verbosity != .quiet {
      report.print(in: context)
    }
  }
}

extension CommandFailure {
  /// Creates the failure of a scan that has no tree.
  internal init(_ error: ScanError) {
    switch error {
    case .pattern: self.init(.usage, error.description)
    case .system: self.init(.missing, error.description)
    case .cancelled: self.init(.interrupted, error.description)
    }
  }
}
