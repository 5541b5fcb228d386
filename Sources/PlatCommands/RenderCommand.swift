package import PlatRender
import PlatScan
import PlatStore
import PlatTree

/// `plat render`: draws a treemap of a directory.
package struct RenderCommand: Command {
  package static let name = "render"
  package static let abstract = "Draw a treemap of a directory, from its newest snapshot."
  package static let operands = "[DIR] [-o FILE]"

  package static let examples = [
    CommandExample("plat render /usr -o usr.png", "a picture of 1600 by 1000 pixels"),
    CommandExample("plat render -o map.svg --theme light", "a vector picture for a page"),
    CommandExample(
      "plat render /usr -o map.html",
      "a page to explore in a browser, without network"
    ),
    CommandExample(
      "plat render /usr --path /usr/lib -o lib.pdf --theme print",
      "a part, for print"
    ),
    CommandExample("plat render /srv -o growth.png --since 30d", "what has grown in a month"),
    CommandExample(
      "plat render /srv -o changes.png --since 30d --area change",
      "the changes of a month, by their size"
    ),
  ]

  package static let discussion = """
    Without a snapshot of DIR, or with --scan, DIR is scanned first. The area of every file is in \
    proportion to its size; what is too small to be seen is drawn in groups. The same snapshot gives \
    the same picture, and those of later snapshots look like it where they can: files stay where they \
    were, unless --fresh arranges them anew. A page (html) zooms, searches and filters in any browser \
    without network; it has the 50,000 largest entries, and the others in groups. With -o - the result \
    goes to standard output. Without -o the terminal shows it: by the graphics of kitty, as sixels, or in \
    half blocks.

    By growth, orange is what has grown since an earlier snapshot, and blue what has shrunk: the \
    stronger, the larger the share of its size. What is new has an outline, and what was removed is \
    named below the picture. With --area change only what has changed is drawn, as large as its change.

    The status is 1 if some entries of the tree could not be read when it was scanned.

    \(SnapshotReference.explanation)
    """

  /// What is said where there is neither a file nor a terminal.
  private static let needsOutput = "option '-o' is needed: it names the picture"

  package static let options: [CommandOption<Self>] = [
    .value("output", short: "o", .path(), help: "Write the picture to FILE.") { $0.output = $1 },
    .value(
      "format",
      .choice,
      placeholder: "FORMAT",
      help: "Write png, svg, pdf or html; FILE says which."
    ) {
      $0.format = $1
    },
    .flag("scan", help: "Scan DIR first, even if there is a snapshot.") { $0.scansFirst = true },
    .value(
      "snapshot",
      .snapshot,
      help: "Draw SNAPSHOT: a number, latest, latest~N (N before it), a date or an age."
    ) { $0.snapshot = $1 },
    .value(
      "size",
      OptionValue("WIDTHxHEIGHT", "a size such as 1600x1000") { PictureSize($0) },
      help: "Draw WIDTHxHEIGHT pixels (default: 1600x1000)."
    ) {
      $0.picture.width = $1.width
      $0.picture.height = $1.height
    },
    .value(
      "scale",
      OptionValue("FACTOR", "a number from 0.25 to 16") { $0.text.flatMap { Double($0) } },
      help: "Draw everything FACTOR times as large, text too."
    ) { $0.picture.scale = $1 },
    .value(
      "style",
      .choice,
      placeholder: "STYLE",
      help: "Draw directories nested, flat or cushion."
    ) {
      $0.picture.style = $1
    },
    .value(
      "color-by",
      .choice,
      placeholder: "KEY",
      help: "Colour files by type, age, depth, folder, owner or growth."
    ) { $0.colorKey = $1 },
    .value(
      "since",
      .snapshot,
      help: "Colour files by growth since SNAPSHOT (default: the one before)."
    ) { $0.since = $1 },
    .value(
      "area",
      .choice,
      placeholder: "WHAT",
      help: "Draw areas by size, or by change since SNAPSHOT."
    ) { $0.picture.area = $1 },
    .value("theme", .choice, placeholder: "THEME", help: "Use the dark, light or print theme.") {
      $0.picture.theme = $1
      $0.picture.pageTheme = $1
    },
    .value("depth", short: "d", .count(1...Int.max), help: "Open COUNT levels of directories.") {
      $0.picture.depth = $1
    },
    .value(
      "path",
      .path("SUBDIR", completion: .directory),
      help: "Draw SUBDIR, a directory below DIR."
    ) { $0.subdirectory = $1 },
    .flag("fresh", help: "Arrange everything afresh, not as in pictures of earlier snapshots.") {
      $0.isArrangedAfresh = true
    },
    .value("title", .text("TEXT"), help: "Write TEXT above the picture, in place of the path.") {
      $0.picture.title = $1
    },
    .flag("no-headers", help: "Draw no frames and headers.") { $0.picture.showsHeaders = false },
    .flag("no-legend", help: "Draw no legend.") { $0.picture.showsLegend = false },
    .flag("no-labels", help: "Draw no labels on files.") { $0.picture.showsLabels = false },
  ]

  /// What a picture can be written as.
  package enum Format: String, CaseIterable, Sendable {
    case png, svg, pdf, html
  }

  package var common = CommonOptions()
  package var directory: [UInt8]?
  package var output: [UInt8]?
  package var format: Format?
  package var scansFirst = false
  package var snapshot: SnapshotReference?
  package var subdirectory: [UInt8]?
  package var isArrangedAfresh = false
  package var colorKey: RenderOptions.ColorKey?
  package var since: SnapshotReference?
  package var picture = RenderOptions()

  package init() {}

  package mutating func accept(operand: Argument) throws(UsageError) {
    guard directory == nil else { throw UsageError("only one DIR can be drawn") }
    directory = try operand.directoryPath()
  }

  package func validate() throws(UsageError) {
    if scansFirst, snapshot != nil {
      throw UsageError("option '--scan' makes a snapshot, and '--snapshot' names one: say one")
    }
    if since != nil, let colorKey, colorKey != .growth {
      throw UsageError("option '--since' is for '--color-by growth', not \(colorKey.rawValue)")
    }
    if let output, (format ?? formatOfName(output)) == .html { return try validatePage() }
    if picture.area == .change, since == nil, colorKey != .growth {
      throw UsageError("option '--area change' is for '--color-by growth' and '--since'")
    }
    guard let output else {
      // A terminal shows it; whether there is one is seen when the picture is drawn.
      if format == nil { return }
      throw UsageError(Self.needsOutput)
    }
    if format != nil || formatOfName(output) != nil { return }
    throw UsageError(
      "the name of \(Argument(output).quoted) does not end in .png, .svg, .pdf or .html; "
        + "say --format"
    )
  }

  /// Refuses what makes no sense for a page, which has no size and draws itself.
  private func validatePage() throws(UsageError) {
    let usual = RenderOptions()
    let refused: [(name: String, isGiven: Bool)] = [
      ("--size", (picture.width, picture.height) != (usual.width, usual.height)),
      ("--scale", picture.scale != usual.scale),
      ("--style", picture.style != usual.style),
      ("--area change", picture.area == .change),
      ("--theme print", picture.pageTheme == .print),
      ("--fresh", isArrangedAfresh),
      ("--no-headers", !picture.showsHeaders),
      ("--no-legend", !picture.showsLegend),
      ("--no-labels", !picture.showsLabels),
    ]
    guard let option = refused.first(where: \.isGiven) else { return }
    throw UsageError("option '\(option.name)' is for pictures, and cannot be used with html")
  }

  package func run(in context: CommandContext) async throws -> ExitStatus {
    if output == nil, !context.outputTerminal.isTerminal {
      throw CommandFailure(.usage, Self.needsOutput)
    }
    let source: Source
    switch try await tree(in: context) {
    case .tree(let found): source = found
    case .ended(let status): return status
    }
    var tree = source.tree
    var top = try self.top(of: tree, in: context)
    var picture = picture
    picture.measure = common.apparent ? .apparent : .allocated
    picture.now = source.startedAt / 1_000_000_000
    picture.date = String(
      CivilDate.timestamp(secondsSince1970: source.startedAt / 1_000_000_000).prefix(10)
    )
    picture.colorKey = colorKey ?? (since == nil ? .type : .growth)
    let isPage = output.map { format ?? formatOfName($0) } == .html
    if picture.colorKey == .owner || isPage { picture.ownerNames = source.tree.ownerNames() }
    var renderer = TreemapRenderer(
      options: picture,
      memory: isArrangedAfresh || picture.area == .change ? nil : source.memory
    )
    if picture.colorKey == .growth {
      let comparison = try comparison(of: source, below: top, by: picture.measure, in: context)
      comparison.show(in: &renderer, &tree, &top)
    }
    if let output, let format = format ?? formatOfName(output) {
      let bytes = try draw(tree, from: top, as: format, by: renderer)
      try AtomicFile.write(to: output, in: context) { $0.write(bytes) }
    } else {
      try show(tree, from: top, by: renderer, in: context)
    }
    // The picture is no less right, so it is there when the error is told.
    if let failure = source.savingFailure { throw failure }
    return source.tree.issues.isEmpty ? .success : .incomplete
  }

  private func draw(
    _ tree: FileTree,
    from top: DirectoryID,
    as format: Format,
    by renderer: TreemapRenderer
  ) throws(CommandFailure) -> [UInt8] {
    do throws(RenderError) {
      return
        switch format
      {
      case .png: try renderer.png(of: tree, from: top)
      case .svg: try renderer.svg(of: tree, from: top)
      case .pdf: try renderer.pdf(of: tree, from: top)
      case .html: try renderer.html(of: tree, from: top)
      }
    } catch {
      throw CommandFailure(error)
    }
  }

  private func formatOfName(_ path: [UInt8]) -> Format? {
    let suffix = path.split(separator: UInt8(ascii: ".")).last ?? []
    return Format(rawValue: String(decoding: suffix, as: UTF8.self).lowercased())
  }
}

// MARK: The tree

extension RenderCommand {
  /// A tree to draw.
  internal struct Source {
    var tree: FileTree
    /// When it was read, in nanoseconds since 1970.
    var startedAt: Int64
    /// How it is arranged, if that is known.
    var memory: PictureMemory?
    /// Why the snapshot of a scan was not kept, if it should have been.
    var savingFailure: CommandFailure?
  }

  private enum Found {
    case tree(Source)
    case ended(ExitStatus)
  }

  /// The tree of the newest snapshot, or of a scan.
  private func tree(in context: CommandContext) async throws -> Found {
    if let snapshot { return .tree(try tree(of: snapshot, in: context)) }
    if !scansFirst, let stored = try storedTree(in: context) { return .tree(stored) }
    let root = directory ?? [UInt8(ascii: ".")]
    switch await ScanRun(roots: [root], options: DirectoryScanner.Options()).run(in: context) {
    case .failed(let error): throw CommandFailure(error)
    case .interrupted(let status): return .ended(status)
    case .finished(let result, let stored):
      let outcome = SnapshotSaving(context).save(
        result,
        after: stored,
        options: DirectoryScanner.Options()
      )
      for warning in outcome.warnings { context.printError(warning) }
      context.printIssues(of: result.tree)
      return .tree(
        Source(
          tree: result.tree,
          startedAt: result.startedAt,
          memory: memory(of: result.tree, outcome),
          savingFailure: outcome.failure
        )
      )
    }
  }

  /// How the tree of a scan is arranged, or `nil` if that is not known.
  private func memory(of tree: FileTree, _ outcome: SnapshotSaving.Outcome) -> PictureMemory? {
    if let bytes = outcome.pictureMemory { return PictureMemory(bytes, of: tree) }
    guard let kept = outcome.snapshots.last,
      let store = try? SnapshotStore(kept.database, for: .reading)
    else { return nil }
    return StoredPictures(store).memory(of: tree, snapshot: kept.id)
  }

  /// The tree of a snapshot that the person named.
  private func tree(
    of reference: SnapshotReference,
    in context: CommandContext
  ) throws(CommandFailure) -> Source {
    let (store, path) = try context.openSnapshots(of: directory)
    let snapshot = try reference.find(in: store)
    return try usingStore { () throws(StoreError) in
      // Whether it has the directory is seen before all of it is loaded.
      _ = try store.directory(atPath: path, in: snapshot.id)
      return try source(snapshot, in: store)
    }
  }

  private func source(
    _ snapshot: SnapshotInfo,
    in store: SnapshotStore
  ) throws(StoreError) -> Source {
    let tree = try store.load(snapshot.id)
    return Source(
      tree: tree,
      startedAt: snapshot.scan.startedAt,
      memory: StoredPictures(store).memory(of: tree, snapshot: snapshot.id)
    )
  }

  /// The tree of the newest snapshot that holds the directory, or `nil` if there is none.
  private func storedTree(in context: CommandContext) throws(CommandFailure) -> Source? {
    let path = try lexicalPath(directory ?? [UInt8(ascii: ".")])
    guard let database = try context.storeLocation().existingDatabase(holding: path) else {
      return nil
    }
    do throws(StoreError) {
      let store = try SnapshotStore(database, for: .reading)
      let snapshot = try store.snapshot()
      let source = try source(snapshot, in: store)
      guard directory == nil || source.tree.directory(atPath: path) != nil else { return nil }
      return source
    } catch {
      switch error {
      case .noSnapshot, .notFound: return nil
      default: throw CommandFailure(error)
      }
    }
  }

  /// The directory to draw.
  private func top(
    of tree: FileTree,
    in context: CommandContext
  ) throws(CommandFailure) -> DirectoryID {
    let root = try lexicalPath(directory ?? [UInt8(ascii: ".")])
    let start = tree.directory(atPath: root) ?? tree.root
    guard let subdirectory else { return start }
    var below = tree.path(of: start)
    below.appendComponent(subdirectory[...])
    for path in [try? lexicalPath(subdirectory), try lexicalPath(below)] {
      if let path, let found = tree.directory(atPath: path) { return found }
    }
    throw CommandFailure(
      .missing,
      "\(context.shown(subdirectory)): no such directory in \(context.shown(tree.path(of: start)))"
    )
  }
}

/// The size of a picture in pixels, as the command line gives it.
internal struct PictureSize {
  internal let width: Int
  internal let height: Int

  /// Reads `1600x1000`.
  internal init?(_ word: Argument) {
    let numbers = (word.text ?? "").split(separator: "x", omittingEmptySubsequences: false)
    guard numbers.count == 2, let width = Int(numbers[0]), let height = Int(numbers[1]) else {
      return nil
    }
    self.width = width
    self.height = height
  }
}

extension CommandFailure {
  /// Creates the failure of a picture: what was asked for is impossible, or the machine failed.
  internal init(_ error: RenderError) {
    switch error {
    case .impossibleSize, .impossibleScale: self.init(.usage, error.description)
    default: self.init(.unwritable, error.description)
    }
  }
}
