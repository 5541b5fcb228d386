import PlatStore
import PlatTree

/// The operands of a verb that is about one snapshot: `ID [DIR]`.
package struct SnapshotOperands: Hashable, Sendable {
  /// How the usage line shows them.
  internal static let usage = "SNAPSHOT [DIR]"

  /// The snapshot.
  package var snapshot: SnapshotReference?
  /// The directory; `nil` is the working directory, or the root of the one file that was named.
  package var directory: [UInt8]?

  /// Creates operands that are still to come.
  package init() {}

  /// Takes the next word.
  internal mutating func accept(_ operand: Argument) throws(UsageError) {
    if snapshot == nil {
      guard let reference = SnapshotReference(operand) else {
        throw UsageError(
          "\(operand.quoted) is no snapshot: a number, latest, latest~1, a date or an age"
        )
      }
      snapshot = reference
    } else if directory == nil {
      directory = try operand.directoryPath()
    } else {
      throw UsageError("unexpected operand \(operand.quoted)")
    }
  }

  /// Fails if no snapshot was named.
  internal func validate() throws(UsageError) {
    guard snapshot != nil else { throw UsageError("SNAPSHOT is missing") }
  }

  /// Opens the store, and finds the number of the snapshot, which need not be intact.
  ///
  /// - Throws: ``CommandFailure`` if there is no such snapshot, or the database cannot be used.
  internal func find(
    for access: SnapshotStore.Access,
    in context: CommandContext
  ) throws(CommandFailure) -> (store: SnapshotStore, id: Int) {
    let (store, _) = try context.openSnapshots(of: directory, for: access)
    switch snapshot {
    case .number(let number): return (store, number)
    case let reference?: return (store, try reference.find(in: store).id)
    case nil: preconditionFailure("the command line was checked")
    }
  }
}
