import Glibc
import PlatStore
import PlatTree

/// `plat snapshots path`: where the snapshots of a directory are.
package struct SnapshotsPathCommand: Command {
  package static let name = "snapshots path"
  package static let abstract = "Print the path of the database with a directory's snapshots."
  package static let operands = "[DIR]"

  package static let examples = [
    CommandExample("sqlite3 \"$(plat snapshots path /srv)\"", "ask the database by SQL")
  ]

  package static let discussion = """
    If there are none yet, it is the path that the next scan of DIR makes. A path with bytes that a \
    terminal might take for something else is escaped; --null does without.
    """

  package static let options: [CommandOption<Self>] = [
    .flag("null", short: "0", help: "Write the bare path, ended by NUL.") { $0.endsWithNUL = true }
  ]

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var endsWithNUL = false

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be asked for") }
    directory = try operand.directoryPath()
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    let location = try context.storeLocation()
    let path = try lexicalPath(directory ?? [UInt8(ascii: ".")])
    var existing = location.existingDatabase(holding: path)
    var database = existing ?? location.database(forRoot: path)
    if existing == nil, let target = pathWithoutLinks(path) {
      existing = location.existingDatabase(holding: target)
      database = existing ?? location.database(forRoot: target)
    }
    if common.json {
      context.printJSON { json in
        json.object {
          json.member("schema", "plat/snapshots/path/1")
          json.name("database", database)
          json.member("exists", existing != nil)
        }
      }
    } else if endsWithNUL {
      context.output.write(database + [0])
    } else {
      context.print(context.shown(database))
    }
    return .success
  }
}
