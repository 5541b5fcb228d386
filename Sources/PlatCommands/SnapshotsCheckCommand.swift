import PlatStore
import PlatTree

/// `plat snapshots check`: verifies everything that is kept of a directory.
package struct SnapshotsCheckCommand: Command {
  package static let name = "snapshots check"
  package static let abstract = "Verify the checksums and totals of all snapshots."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample(
      "plat snapshots check /srv",
      "read all that is kept of /srv, and say what is wrong"
    )
  ]

  package static let discussion = """
    Nothing is changed. What is damaged is named, and does not hide what is intact; a damaged snapshot \
    can be removed by its number. The status is 4 if anything is wrong.
    """

  package var common = CommonOptions()
  package var directory: [UInt8]?

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be asked for") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let (store, _) = try context.openSnapshots(of: directory)
    let check = try usingStore { () throws(StoreError) in try store.check() }
    if common.json {
      write(check, database: store.path, in: context)
    } else {
      let path = context.shown(store.path)
      context.printErrors(check.problems) { problem in
        // What SQLite says may hold bytes of the file.
        let what = NameDisplay.terminalText(problem.what.utf8)
        return problem.snapshot.map { "\(path): snapshot \($0): \(what)" } ?? "\(path): \(what)"
      }
      if common.verbosity != .quiet { context.print(summary(check)) }
    }
    return check.problems.isEmpty ? .success : .unwritable
  }

  private func summary(_ check: StoreCheck) -> String {
    let listings = NumberFormat.counted(check.listings, "listing")
    let intact = NumberFormat.counted(check.intact.count, "snapshot")
    var words = "\(intact) and \(listings) checked"
    if !check.damaged.isEmpty {
      let damaged = check.damaged.map(String.init).joined(separator: ", ")
      words = "\(intact) intact, \(NumberFormat.grouped(check.damaged.count)) damaged (\(damaged))"
    } else if !check.problems.isEmpty {
      words += ": all can be read, but something else is wrong"
    } else {
      words += ": nothing is wrong"
    }
    return words
  }

  private func write(_ check: StoreCheck, database: [UInt8], in context: CommandContext) {
    context.printJSON { json in
      json.object {
        json.member("schema", "plat/snapshots/check/1")
        json.name("database", database)
        json.array("intact") { for id in check.intact { json.element(id) } }
        json.array("damaged") { for id in check.damaged { json.element(id) } }
        json.member("listings", check.listings)
        json.array("problems") {
          for problem in check.problems {
            json.object {
              json.member("snapshot", problem.snapshot)
              json.member("what", problem.what)
            }
          }
        }
      }
    }
  }
}
