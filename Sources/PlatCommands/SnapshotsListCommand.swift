import PlatStore
import PlatTree

/// `plat snapshots list`: the snapshots of a directory.
package struct SnapshotsListCommand: Command {
  package static let name = "snapshots list"
  package static let abstract = "List the snapshots that are kept of a directory."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("plat snapshots list /srv", "the snapshots of /srv, the newest last")
  ]

  package var common = CommonOptions()
  package var directory: [UInt8]?

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be asked for") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, _) = try context.openSnapshots(of: directory)
    do throws(StoreError) {
      let snapshots = try store.snapshots()
      let root = try store.root()
      if common.json {
        writeJSON(snapshots, root: root, database: store.path, in: context)
      } else {
        context.print(table(of: snapshots, in: context))
        if common.verbosity != .quiet {
          let database = context.shown(store.path)
          context.printError("snapshots of \(context.shown(root)) in \(database)")
        }
      }
      return .success
    } catch {
      throw CommandFailure(error)
    }
  }

  private func table(of snapshots: [SnapshotInfo], in context: CommandContext) -> TextTable {
    var table = TextTable(
      .trailing("ID"),
      .leading("STARTED"),
      .leading("LEVEL"),
      .trailing("SIZE"),
      .trailing("ENTRIES"),
      .trailing("NOT READ"),
      .leading("LABEL")
    )
    for snapshot in snapshots {
      table.append(
        String(snapshot.id),
        CivilDate.timestamp(secondsSince1970: snapshot.scan.startedAt / 1_000_000_000),
        snapshot.scan.level,
        context.shown(size: snapshot.totals.size(common.apparent ? .apparent : .allocated)),
        NumberFormat.grouped(snapshot.entries),
        NumberFormat.grouped(snapshot.issueCount),
        (snapshot.isPinned ? "pinned " : "") + context.shown(Array((snapshot.label ?? "").utf8))
      )
    }
    return table
  }

  private func writeJSON(
    _ snapshots: [SnapshotInfo],
    root: [UInt8],
    database: [UInt8],
    in context: CommandContext
  ) {
    context.printJSON { json in
      json.object {
        json.member("schema", "plat/snapshots/list/1")
        json.name("root", root)
        json.name("database", database)
        json.array("snapshots") {
          for snapshot in snapshots {
            json.object {
              snapshot.write(to: json)
              json.time(
                "finished_at",
                secondsSince1970: snapshot.scan.finishedAt / 1_000_000_000
              )
              json.totals(snapshot.totals)
              json.member("issue_count", snapshot.issueCount)
              json.member("pinned", snapshot.isPinned)
              json.member("label", snapshot.label)
            }
          }
        }
      }
    }
  }
}
