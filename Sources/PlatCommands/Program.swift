import CPlatSystem
import Glibc

/// The program: finds the command, runs it, and turns what happened into messages and a status.
package enum Program {
  /// The version of `plat`.
  package static let version = "0.1.0"

  /// Runs the command line of this process, and ends the process.
  ///
  /// SIGPIPE is ignored, so that a closed pipe is an error of `write` like others: the stream keeps it,
  /// the command can put its house in order, and the process ends quietly with status 141. The default
  /// action would kill it amid whatever another thread is doing. SIGXFSZ is for the same reason: a limit
  /// on the size of files is a full disk.
  package static func main() async -> Never {
    occupyStandardDescriptors()
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let context = CommandContext.ofProcess(commands: .standard)
    if let lack = lackOfOpenFiles() ?? lackOfThreads() {
      context.printError(lack)
      exit(ExitStatus.unwritable.rawValue)
    }
    Signals.process.receive()
    _ = plat_limit_malloc()
    let status = await run(Argument.ofProcess(), in: context)
    exit(finish(context, status).rawValue)
  }

  /// How many open files are enough for everything that is not optional.
  private static let leastOpenFiles: rlim_t = 16

  /// Returns what to say if this process may have too few files open, and that cannot be changed.
  ///
  /// Dispatch opens files of its own while threads are at work, and traps if it cannot.
  private static func lackOfOpenFiles() -> String? {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < leastOpenFiles else { return nil }
    limit.rlim_cur = min(leastOpenFiles, limit.rlim_max)
    if setrlimit(resource, &limit) == 0, limit.rlim_cur == leastOpenFiles { return nil }
    return "only \(limit.rlim_cur) files may be open at once "
      + "(\(leastOpenFiles) are needed: ulimit -n)"
  }

  /// How many threads are enough, beside the first one.
  private static let leastThreads = 5

  /// Returns what to say if too few threads can be had, by starting as many.
  ///
  /// Dispatch waits without end for a thread that cannot be had, and nothing runs meanwhile, not even
  /// what a signal asks for.
  private static func lackOfThreads() -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    var threads: [pthread_t] = []
    var failure: Int32 = 0
    while threads.count < leastThreads, failure == 0 {
      var thread = pthread_t()
      failure = pthread_create(
        &thread,
        nil,
        { @Sendable end in
          // Until the other end is closed.
          var byte: UInt8 = 0
          _ = read(Int32(truncatingIfNeeded: Int(bitPattern: end)), &byte, 1)
          return nil
        },
        UnsafeMutableRawPointer(bitPattern: Int(ends[0]))
      )
      if failure == 0 { threads.append(thread) }
    }
    close(ends[1])
    for thread in threads { pthread_join(thread, nil) }
    close(ends[0])
    guard failure != 0 else { return nil }
    return "only \(threads.count) more threads can be started "
      + "(\(leastThreads) are needed: ulimit -u, ulimit -v)"
  }

  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - words: The command line without the name of the program.
  ///   - context: Takes the output. It is not flushed.
  /// - Returns: The status of the command, or that of the error that ended it.
  package static func run(_ words: [Argument], in context: CommandContext) async -> ExitStatus {
    do {
      switch try context.commands.resolve(words) {
      case .command(let command, let words):
        return try await run(command, words, in: context)
      case .help(let name):
        context.output.write(context.commands.help(for: name, width: context.width))
        return .success
      case .overview:
        context.output.write(HelpText.overview(of: context.commands, width: context.width))
        return .success
      case .version:
        return printVersion(in: context)
      }
    } catch {
      return report(error, helpFor: "", in: context)
    }
  }

  private static func run<C: Command>(
    _ type: C.Type,
    _ words: [Argument],
    in context: CommandContext
  ) async throws -> ExitStatus {
    do {
      let command = try C(parsing: words)
      switch command.common.request {
      case .help:
        context.output.write(context.commands.help(for: C.name, width: context.width))
        return .success
      case .version:
        return printVersion(in: context)
      case nil:
        var context = context
        context.options = command.common
        return try await command.run(in: context)
      }
    } catch {
      return report(error, helpFor: C.name, in: context)
    }
  }

  private static func printVersion(in context: CommandContext) -> ExitStatus {
    context.print("plat \(version)")
    return .success
  }

  /// Writes an error as a person needs it, and returns its status.
  private static func report(
    _ error: any Error,
    helpFor name: String,
    in context: CommandContext
  ) -> ExitStatus {
    switch error {
    case let error as UsageError:
      context.printError(error.description)
      let name = error.helpName.isEmpty ? name : error.helpName
      let help = name.isEmpty ? "plat --help" : "plat \(name) --help"
      context.errors.write("Try '\(help)'.\n")
      return .usage
    case let error as CommandFailure:
      context.printError(error.description)
      if let hint = error.hint { context.errors.write(hint + "\n") }
      return error.status
    case let error as OutputError:
      if !error.isClosedPipe { context.printError(error.description) }
      return error.status
    case is CancellationError:
      return .interrupted
    default:
      context.printError("\(error)")
      return .unwritable
    }
  }

  /// Writes out what is left of the result; if that fails, nothing else was worth saying.
  internal static func finish(_ context: CommandContext, _ status: ExitStatus) -> ExitStatus {
    do {
      try context.output.close()
      return status
    } catch {
      // An error that ended the command has been reported already.
      if status != error.status, !error.isClosedPipe { context.printError(error.description) }
      return error.status
    }
  }

  /// Makes sure that no file the program opens becomes standard input, output or error.
  ///
  /// A process can be started with those closed; the database would be next to take their numbers, and
  /// a message would be written into it. What is put there fails when it is used.
  package static func occupyStandardDescriptors() {
    for descriptor in CInt(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // open(2) takes the lowest number that is free: this one.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}

extension CommandList {
  /// The commands of `plat`.
  package static let standard = CommandList(
    abstract: "plat shows where the space on a disk goes.",
    examples: [
      CommandExample("plat scan /srv", "scan a directory and keep a snapshot"),
      CommandExample("plat render /srv -o srv.png", "draw the newest snapshot"),
      CommandExample("plat query top /srv", "ask the newest snapshot, at once"),
      CommandExample("plat diff /srv", "what has changed since the snapshot before"),
    ],
    commands: [
      ScanCommand.self,
      BrowseCommand.self,
      RenderCommand.self,
      QueryTopCommand.self,
      QueryListCommand.self,
      QueryFindCommand.self,
      QueryClassesCommand<TypeClasses>.self,
      QueryClassesCommand<AgeClasses>.self,
      QueryClassesCommand<OwnerClasses>.self,
      DiffCommand.self,
      HistoryCommand.self,
      SnapshotsListCommand.self,
      SnapshotsShowCommand.self,
      SnapshotsPinCommand.self,
      SnapshotsUnpinCommand.self,
      SnapshotsDeleteCommand.self,
      SnapshotsPruneCommand.self,
      SnapshotsCheckCommand.self,
      SnapshotsPathCommand.self,
      CompletionsCommand.self,
      HelpCommand.self,
    ],
    groups: [
      CommandList.Group("query", "Answer from a snapshot, without a look at the disk."),
      CommandList.Group("snapshots", "Manage the snapshots that are kept.", defaultVerb: "list"),
    ]
  )
}
