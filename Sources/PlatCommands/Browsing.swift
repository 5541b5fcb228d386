import Observation
import PlatRender
import PlatScan
import PlatSession
import PlatStore
import PlatTerminal
import PlatTree

/// One run of `plat browse`: a session, a screen that shows it, and what the screen asks for.
internal struct Browsing: Sendable {
  internal let command: BrowseCommand
  internal let context: CommandContext

  /// Shows the screen until it is left.
  ///
  /// - Throws: ``CommandFailure`` if there is no terminal.
  @MainActor
  internal func run() async throws -> BrowseSummary {
    let session = session()
    session.showsPartialTrees = true
    guard
      let screen = BrowseScreen(
        options: command.screenOptions(in: context),
        services: services(of: session)
      )
    else {
      throw CommandFailure(
        .usage,
        "browse needs a terminal on standard input",
        hint: "For a program, see plat query list --json, or use --plain."
      )
    }
    session.open(target(command.directory ?? [UInt8(ascii: ".")]))
    let observing = Task { await observe(session) { screen.show($0) } }
    Signals.process.receiveScreenSignals()
    let summary = await Signals.process.handling { signal in
      switch signal {
      case .end(.terminated): screen.end(.terminated)
      case .end(.hungUp): screen.end(.hungUp)
      case .end: screen.end(.interrupted)
      case .resize: screen.windowChanged()
      case .suspend: screen.suspend()
      case .resume: screen.resumed()
      case .state: break
      }
    } _: {
      await screen.run()
    }
    observing.cancel()
    await session.cancel()
    return summary
  }

  /// Reads commands line by line until there are no more.
  ///
  /// - Throws: ``CommandFailure`` if the process has no descriptors left.
  @MainActor
  internal func runPlain() async throws -> BrowseSummary {
    let session = session()
    guard
      let screen = PlainScreen(
        options: command.screenOptions(in: context),
        services: services(of: session)
      )
    else { throw CommandFailure(.unwritable, "browse cannot make a pipe") }
    session.open(target(command.directory ?? [UInt8(ascii: ".")]))
    let observing = Task { await observe(session) { screen.show($0) } }
    let output = context.output
    let summary = await screen.run(
      read: {
        // What was said has to be heard before the next line is waited for.
        guard (try? output.flush()) != nil else { return nil }
        return readLine()
      },
      write: { output.write($0) }
    )
    observing.cancel()
    await session.cancel()
    return summary
  }

  @MainActor
  private func session() -> ScanSession {
    let scans = SnapshotScans(context)
    return ScanSession(store: scans, scanner: scans.scan)
  }

  /// Tells the screen of every change of the session.
  @MainActor
  private func observe(_ session: ScanSession, _ show: (ShownState) -> Void) async {
    let scanner = DirectoryScanner(options: command.scanOptions)
    var (target, estimate): (ScanTarget.ID?, Int?) = (nil, nil)
    for await phase in Observations({ session.phase }) {
      guard let current = session.target else { continue }
      if current.id != target {
        target = current.id
        estimate = scanner.estimatedEntryCount(of: current.roots)
      }
      show(ShownState(phase, root: current.roots.first ?? [], expectedEntries: estimate))
    }
  }

  private func target(_ path: [UInt8]) -> ScanTarget {
    var options = command.scanOptions
    // A person waits for the screen, and at the end of the scan only for all of it.
    options.niceValue = Int(ThreadClaim.niceValue)
    return ScanTarget([absolutePath(path)], options: options)
  }

  /// Returns what a path that was typed stands for: `~/` is the home of the user.
  private func absolutePath(_ path: [UInt8]) -> [UInt8] {
    var path = path
    if path.starts(with: "~/".utf8), let home = context.environment[bytes: "HOME"] {
      path = home + path.dropFirst()
    }
    return (try? lexicalPath(path)) ?? path
  }

  /// Returns the names of the directories that a path that is being typed may end with.
  private func directories(for path: [UInt8], _ isCancelled: () -> Bool) -> [[UInt8]] {
    let start = (path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    return directoryNames(
      in: absolutePath(Array(path[..<start])),
      startingWith: path[start...],
      isCancelled: isCancelled
    )
  }

  @MainActor
  private func services(of session: ScanSession) -> BrowseServices {
    BrowseServices(
      refresh: { path in await refresh(session, path) },
      stop: { Task { @MainActor in await session.cancel() } },
      open: { path in Task { @MainActor in session.open(target(path)) } },
      directories: { path, isCancelled in directories(for: path, isCancelled) },
      remove: { removal, tree, onProgress, isStopped in
        EntryRemoval(removal, of: tree, in: context)
          .run(onProgress: onProgress, isStopped: isStopped)
      },
      snapshot: { step, root, time in await snapshot(step, of: root, from: time) },
      writeMap: { path, tree, directory in await writeMap(to: path, tree, directory) }
    )
  }

  /// Scans again, and returns what there is to show afterwards.
  @MainActor
  private func refresh(_ session: ScanSession, _ path: [UInt8]?) async -> ShownState {
    session.refresh(path.map { .directory($0) } ?? .everything)
    _ = try? await session.result()
    return ShownState(
      session.phase,
      root: session.target?.roots.first ?? [],
      expectedEntries: nil
    )
  }

  // MARK: Snapshots

  /// Loads the snapshot before or after a time, in seconds since 1970.
  @concurrent
  private func snapshot(
    _ step: Comparison.Step,
    of root: [UInt8],
    from time: Int64
  ) async -> Comparison.Loaded {
    do {
      guard let database = try context.storeLocation().existingDatabase(holding: root) else {
        return .none(reason: "There is no snapshot to compare with.")
      }
      let store = try SnapshotStore(database, for: .reading)
      let snapshots = try store.snapshots().map {
        (id: $0.id, time: $0.scan.finishedAt / 1_000_000_000)
      }
      let found =
        step == .newer
        ? snapshots.first { $0.time > time } : snapshots.last { $0.time < time }
      guard let found else {
        return .none(
          reason: step == .newer ? "There is no newer snapshot." : "There is no older snapshot."
        )
      }
      return .snapshot(tree: try store.load(found.id), takenAt: found.time)
    } catch {
      return .none(reason: "\(error)")
    }
  }

  // MARK: Pictures

  @concurrent
  private func writeMap(
    to path: [UInt8],
    _ tree: FileTree,
    _ directory: DirectoryID
  ) async -> String {
    let renderer = TreemapRenderer(options: RenderOptions())
    let isSVG = path.suffix(4).elementsEqual(".svg".utf8)
    guard isSVG || path.suffix(4).elementsEqual(".png".utf8) else {
      return "The name of a picture ends in .png or .svg."
    }
    do {
      let bytes =
        isSVG
        ? try renderer.svg(of: tree, from: directory) : try renderer.png(of: tree, from: directory)
      try AtomicFile.write(to: path, in: context) { $0.write(bytes) }
      return "Wrote \(context.shown(path))."
    } catch {
      return "\(error)"
    }
  }
}
