import Glibc
import PlatStore
import PlatTree

/// `plat snapshots show`: what is known of a snapshot.
package struct SnapshotsShowCommand: Command {
  package static let name = "snapshots show"
  package static let abstract = "Show what is known of a snapshot."
  package static let operands = SnapshotOperands.usage
  package static let discussion = SnapshotReference.explanation

  package static let examples = [
    CommandExample("plat snapshots show latest /srv", "the newest snapshot of /srv")
  ]

  package var common = CommonOptions()
  package var target = SnapshotOperands()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    try target.accept(operand)
  }

  package func validate() throws(UsageError) { try target.validate() }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, id) = try target.find(for: .reading, in: context)
    let (root, snapshot) = try usingStore { () throws(StoreError) in
      (try store.root(), try store.snapshot(id))
    }
    if common.json {
      context.printJSON { json in
        json.object {
          json.member("schema", "plat/snapshots/show/1")
          json.name("root", root)
          json.name("database", store.path)
          snapshot.writeAll(to: json)
        }
      }
    } else {
      var table = TextTable(.leading(), .leading())
      for (title, words) in lines(snapshot, root: root, database: store.path, in: context) {
        table.append(title, words)
      }
      context.print(table)
    }
    return .success
  }

  private func lines(
    _ snapshot: SnapshotInfo,
    root: [UInt8],
    database: [UInt8],
    in context: CommandContext
  ) -> [(String, String)] {
    let totals = snapshot.totals
    let age = DurationFormat.age(of: snapshot.startedSecond, at: Int64(time(nil)))
    let started = CivilDate.timestamp(secondsSince1970: snapshot.startedSecond)
    var lines = [
      ("snapshot", "\(snapshot.id)" + (snapshot.isPinned ? ", pinned" : "")),
      ("of", context.shown(root)),
      ("in", context.shown(database)),
      ("started", started + (age == "now" ? "" : ", \(age) ago")),
      ("level", snapshot.scan.level + (snapshot.scan.isComplete ? "" : ", incomplete")),
      ("on disk", context.shown(size: totals.allocatedSize)),
      ("length", context.shown(size: totals.apparentSize)),
      (
        "entries",
        [
          NumberFormat.counted(totals.files, "file"),
          NumberFormat.counted(totals.directories, "directory", plural: "directories"),
          NumberFormat.counted(totals.symbolicLinks, "symbolic link"),
          NumberFormat.counted(totals.others, "other"),
        ].joined(separator: ", ")
      ),
      ("not read", NumberFormat.counted(snapshot.issueCount, "entry", plural: "entries")),
    ]
    if snapshot.scan.unverifiedFiles > 0 {
      lines.append(("not checked", unverified(snapshot.scan, in: context)))
    }
    if let total = snapshot.scan.totalSpace, let free = snapshot.scan.freeSpace {
      let words = "\(context.shown(size: free)) of \(context.shown(size: total))"
      lines.append(("free then", words))
    }
    if let label = snapshot.label { lines.append(("label", context.shown(Array(label.utf8)))) }
    return lines
  }

  private func unverified(_ scan: ScanDescription, in context: CommandContext) -> String {
    let size = context.shown(size: scan.unverifiedSize)
    var words = "\(NumberFormat.counted(scan.unverifiedFiles, "file")) (\(size))"
    if let scans = scan.oldestUnverified {
      words += ", each for at most \(NumberFormat.counted(scans, "scan"))"
    }
    return words
  }
}

extension SnapshotInfo {
  /// Writes everything that is known of the snapshot as members.
  internal func writeAll(to json: JSONWriter) {
    write(to: json)
    json.time("finished_at", secondsSince1970: scan.finishedAt.secondsFromNanoseconds)
    json.totals(totals)
    json.member("issue_count", issueCount)
    json.member("unverified_size", scan.unverifiedSize)
    json.member("oldest_unverified", scan.oldestUnverified)
    json.member("sampled_files", scan.sampledFiles)
    json.member("sampled_changes", scan.sampledChanges)
    json.member("sampled_growth", scan.sampledGrowth)
    json.member("total_space", scan.totalSpace)
    json.member("free_space", scan.freeSpace)
    json.member("pinned", isPinned)
    json.member("label", label)
  }
}
