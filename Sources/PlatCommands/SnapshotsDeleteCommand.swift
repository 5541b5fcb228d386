import PlatStore
import PlatTree

/// `plat snapshots delete`: removes a snapshot.
package struct SnapshotsDeleteCommand: Command {
  package static let name = "snapshots delete"
  package static let abstract = "Remove a snapshot, pinned or not."
  package static let operands = SnapshotOperands.usage

  package static let examples = [
    CommandExample("plat snapshots delete 7 /srv", "remove snapshot 7 of /srv"),
    CommandExample("plat snapshots delete latest~1", "the one before the newest"),
  ]

  package static let discussion = """
    The other snapshots stay exactly as they are. A snapshot shares most of what it holds with its \
    neighbours, and frees only what is its own.

    \(SnapshotReference.explanation)
    """

  package var common = CommonOptions()
  package var target = SnapshotOperands()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    try target.accept(operand)
  }

  package func validate() throws(UsageError) { try target.validate() }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, id) = try target.find(for: .writing, in: context)
    let removed = try usingStore { () throws(StoreError) in try store.delete(id) }
    if common.json {
      context.printJSON { json in
        json.object {
          json.member("schema", "plat/snapshots/delete/1")
          json.name("database", store.path)
          json.array("removed") { for id in removed.ids { json.element(id) } }
          json.member("freed_size", removed.freedSize)
        }
      }
    } else if common.verbosity != .quiet {
      context.print("removed snapshot \(id); freed \(context.shown(size: removed.freedSize ?? 0))")
    }
    return .success
  }
}
