import Glibc
import PlatStore
import PlatTree

/// `plat snapshots prune`: removes old snapshots.
package struct SnapshotsPruneCommand: Command {
  package static let name = "snapshots prune"
  package static let abstract = "Remove old snapshots, and keep some of every time."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("plat snapshots prune --dry-run /srv", "say what would be removed"),
    CommandExample("plat snapshots prune -q /srv", "for a daily job"),
  ]

  package static let discussion = """
    Kept are all snapshots of the last 24 hours, and the last ones of each of 14 days, 8 weeks and 12 \
    months, counting only those that have any; and the newest, and all that are pinned. Days are those \
    of UTC, and weeks begin on Monday.
    """

  package static let options: [CommandOption<Self>] = [
    .flag("dry-run", help: "Remove nothing, and say what would be removed.") { $0.isDryRun = true }
  ]

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var isDryRun = false

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be asked for") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, _) = try context.openSnapshots(of: directory, for: isDryRun ? .reading : .writing)
    let (removed, kept) = try usingStore { () throws(StoreError) in
      let before = try store.allSnapshots().intact.map(\.id)
      let removed = try store.prune(now: currentSecond() * 1_000_000_000, dryRun: isDryRun)
      return (removed, before.filter { !removed.ids.contains($0) })
    }
    if common.json {
      context.printJSON { json in
        json.object {
          json.member("schema", "plat/snapshots/prune/1")
          json.name("database", store.path)
          json.member("dry_run", isDryRun)
          json.array("removed") { for id in removed.ids { json.element(id) } }
          json.array("kept") { for id in kept { json.element(id) } }
          json.member("freed_size", removed.freedSize)
        }
      }
    } else if common.verbosity != .quiet {
      context.print(summary(removed, kept: kept.count, in: context))
    }
    return .success
  }

  private func summary(
    _ removed: RemovedSnapshots,
    kept: Int,
    in context: CommandContext
  ) -> String {
    var words = isDryRun ? "would remove " : "removed "
    words += NumberFormat.counted(removed.ids.count, "snapshot")
    if !removed.ids.isEmpty {
      words += " (\(removed.ids.map(String.init).joined(separator: ", ")))"
    }
    words += isDryRun ? " and keep " : " and kept "
    words += NumberFormat.grouped(kept)
    if let freed = removed.freedSize { words += "; freed \(context.shown(size: freed))" }
    return words
  }
}
