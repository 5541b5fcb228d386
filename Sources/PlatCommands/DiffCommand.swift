import PlatScan
import PlatStore
import PlatTree

/// `plat diff`: what is different between two snapshots of a directory, or a snapshot and the disk.
package struct DiffCommand: Command {
  package static let name = "diff"
  package static let abstract = "Show what grew, shrank, came and went between two snapshots."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("plat diff /srv", "the newest snapshot and the one before it"),
    CommandExample("plat diff /srv --from 7d --depth 2", "where a week's growth went"),
    CommandExample("plat diff /srv --to now", "since the newest snapshot; stores nothing"),
    CommandExample("plat diff --from 3 --to 9 --json /srv | jq '.changes[]'", "for a program"),
  ]

  package static let discussion = """
    Without options the newest snapshot that holds DIR is compared with the one before it. --to now \
    compares with the disk: it scans DIR and writes nothing, so that it works on a full disk.

    Each line is an entry that was added, removed, moved or replaced (by another kind of entry), or has \
    grown or shrunk, with the change of its size and of the number of files. A directory that came, \
    went or moved is one line with all it holds. Something has moved if the same inode of the same \
    file system now has another path, and is otherwise as it was. Sizes are those of paths: a directory \
    grows by what is moved into it. The text leaves out directories whose change is that of one thing \
    in them; --json and --csv have them all.

    \(SnapshotReference.explanation)

    --json writes schema plat/diff/1: "from" and "to" (as "snapshot" of plat query; the "id" of now is \
    null), "directory" ("path", "before" and "after" with sizes and counts, and "apparent_change", \
    "allocated_change", "files_change"), "change_count", and "changes". Of each of these: "path", \
    "change" (a word as above), "kind" (file, directory, link, other), "apparent_size", \
    "allocated_size" and "files" afterwards, the three changes as above, and where they apply \
    "former_path", "former_kind", "hard_link" and "unreadable".

    The status is 0, or with --exit-code 6 if anything is different; 1 if --to now could not read some \
    entries; 3 if there is no such snapshot.
    """

  package static let options: [CommandOption<Self>] = [
    .value("from", .snapshot, help: "Compare SNAPSHOT (default: the one before --to).") {
      $0.from = $1
    },
    .value(
      "to",
      OptionValue("SNAPSHOT", OptionValue<SnapshotReference>.snapshot.expectation + ", or 'now'") {
        End($0)
      },
      help: "Compare with SNAPSHOT (default: latest), or with the disk now."
    ) { $0.to = $1 },
    .value("sort", .choice, placeholder: "KEY", help: "Sort by growth, size or name.") {
      $0.sortKey = $1
    },
    .flag("reverse", help: "Turn the order round.") { $0.isReversed = true },
    .value("count", short: "n", .count(0...Int.max), help: "Show at most COUNT changes.") {
      $0.count = $1
    },
    .value(
      "depth",
      short: "d",
      .count(1...Int.max),
      help: "Look at COUNT levels; directories stand for what is further down."
    ) { $0.depth = $1 },
    .flag("exit-code", help: "End with status 6 if anything is different.") {
      $0.tellsDifference = true
    },
    .flag("null", short: "0", help: "Write bare paths, each ended by NUL.") {
      $0.format = .paths
    },
    .flag("csv", help: "Write comma-separated values (RFC 4180).") { $0.format = .csv },
  ]

  /// What a snapshot is compared with.
  package enum End: Hashable, Sendable {
    case snapshot(SnapshotReference)
    /// The disk.
    case now

    /// Reads `now`, or the name of a snapshot.
    package init?(_ word: Argument) {
      if word == "now" {
        self = .now
      } else {
        guard let reference = SnapshotReference(word) else { return nil }
        self = .snapshot(reference)
      }
    }
  }

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var from: SnapshotReference?
  package var to = End.snapshot(.latest(minus: 0))
  package var sortKey = DiffReport.SortKey.growth
  package var isReversed = false
  package var count: Int?
  package var depth = Int.max
  package var tellsDifference = false
  package var format = DiffReport.Format.table

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be compared") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, path) = try context.openSnapshots(of: directory)
    let report: DiffReport
    var isComplete = true
    switch to {
    case .snapshot(let reference):
      let after = try reference.find(in: store)
      let before = try from?.find(in: store) ?? predecessor(of: after, in: store)
      report = try usingStore { () throws(StoreError) in
        DiffReport(
          try store.difference(from: before.id, to: after.id, atPath: path, by: measure),
          from: before,
          to: after,
          path: try store.directory(atPath: path, in: after.id).path
        )
      }
    case .now:
      let before = try (from ?? .latest(minus: 0)).find(in: store)
      let comparison = LiveComparison(store: store, snapshot: before, path: path)
      switch try await comparison.run(by: measure, in: context) {
      case .ended(let status): return status
      case .finished(let found, let hasIssues):
        report = found
        isComplete = !hasIssues
      }
    }
    try write(report, in: context)
    if tellsDifference, !report.diff.changes.isEmpty { return .difference }
    return isComplete ? .success : .incomplete
  }

  private var measure: SizeMeasure { common.apparent ? .apparent : .allocated }

  private func write(_ report: DiffReport, in context: CommandContext) throws {
    var report = report
    report.sortKey = sortKey
    report.isReversed = isReversed
    report.count = count
    report.depth = depth
    try report.write(common.json ? .json : format, in: context)
  }

  /// The newest snapshot that is older than another.
  private func predecessor(
    of snapshot: SnapshotInfo,
    in store: SnapshotStore
  ) throws(CommandFailure) -> SnapshotInfo {
    let snapshots = try usingStore { () throws(StoreError) in try store.snapshots() }
    if let found = snapshots.last(where: { $0.id < snapshot.id }) { return found }
    throw CommandFailure(
      .missing,
      "\(NameDisplay.terminalText(store.path)): no snapshot before \(snapshot.id)",
      hint: "'plat scan' makes another one, and '--to now' compares with the disk."
    )
  }
}
