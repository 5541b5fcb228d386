import PlatStore
import PlatTree

/// `plat snapshots pin`: keeps a snapshot when old ones are removed.
package struct SnapshotsPinCommand: Command {
  package static let name = "snapshots pin"
  package static let abstract = "Keep a snapshot when old ones are removed."
  package static let operands = SnapshotOperands.usage
  package static let discussion = SnapshotReference.explanation

  package static let examples = [
    CommandExample("plat snapshots pin latest /srv", "keep the newest snapshot of /srv for good")
  ]

  package var common = CommonOptions()
  package var target = SnapshotOperands()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    try target.accept(operand)
  }

  package func validate() throws(UsageError) { try target.validate() }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    try target.pin(true, in: context)
  }
}

/// `plat snapshots unpin`: takes the pin from a snapshot.
package struct SnapshotsUnpinCommand: Command {
  package static let name = "snapshots unpin"
  package static let abstract = "Let a pinned snapshot be removed like any other."
  package static let operands = SnapshotOperands.usage
  package static let discussion = SnapshotReference.explanation

  package static let examples = [
    CommandExample("plat snapshots unpin 7 /srv", "keep snapshot 7 of /srv no longer than others")
  ]

  package var common = CommonOptions()
  package var target = SnapshotOperands()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    try target.accept(operand)
  }

  package func validate() throws(UsageError) { try target.validate() }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    try target.pin(false, in: context)
  }
}

extension SnapshotOperands {
  fileprivate func pin(
    _ isPinned: Bool,
    in context: CommandContext
  ) throws(CommandFailure) -> ExitStatus {
    let (store, id) = try find(for: .writing, in: context)
    try usingStore { () throws(StoreError) in try store.pin(id, isPinned) }
    if context.options.json {
      context.printJSON { json in
        json.object {
          json.member("schema", "plat/snapshots/pin/1")
          json.member("id", id)
          json.member("pinned", isPinned)
        }
      }
    } else if context.options.verbosity != .quiet {
      context.print("snapshot \(id) is \(isPinned ? "pinned" : "no longer pinned")")
    }
    return .success
  }
}
