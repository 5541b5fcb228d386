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
    let (snapshots, root) = try usingStore { () throws(StoreError) in
      (try store.allSnapshots(), try store.root())
    }
    let database = context.shown(store.path)
    if common.json {
      writeJSON(snapshots.intact, root: root, database: store.path, in: context)
    } else {
      context.print(table(of: snapshots.intact, in: context))
      if common.verbosity != .quiet {
        context.printError("snapshots of \(context.shown(root)) in \(database)")
      }
    }
    context.printErrors(snapshots.damaged) { snapshot in
      "\(database): snapshot \(snapshot.id) is damaged: \(snapshot.reason)"
    }
    return snapshots.damaged.isEmpty ? .success : .unwritable
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
              snapshot.writeAll(to: json)
            }
          }
        }
      }
    }
  }
}
