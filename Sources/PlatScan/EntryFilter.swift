import CPlatSystem
import Glibc
import PlatTree

/// Decides which entries of a directory are left out, by patterns and by what the directory holds.
///
/// There are four sources, and each by itself can leave an entry out: what `!` takes back is taken
/// back from its own source alone.
///
/// Where nothing was asked for, nothing is done; where git's files were asked for, a directory without
/// patterns of its own or from above costs one look at its names.
internal struct EntryFilter {
  private let rules: ExclusionRules
  private let list: IgnoreList
  private let honorsGitignore: Bool
  private let skipsCaches: Bool
  private let userID: UInt32

  /// What subdirectories inherit.
  internal private(set) var scope: IgnoreScope?
  /// Whether the directory is a cache with something in it that is left out.
  internal private(set) var isCache = false
  /// The path of the directory from the root of the scan with a slash, where patterns need it, and
  /// then the name of the entry, ended by NUL.
  private var path: [UInt8] = []
  private var nameStart = 0
  private var hasPath = false
  private var needsKinds = false

  /// The start of a file that tags a cache; see <https://bford.info/cachedir/>.
  private static let signature = Array("Signature: 8a477f597d28d172789f06886806bc55".utf8)

  /// Whether nothing was asked for.
  internal var isOff: Bool {
    rules.isEmpty && list.isEmpty && !honorsGitignore && !skipsCaches
  }

  internal init(
    _ options: DirectoryScanner.Options,
    userID: UInt32
  ) throws(ScanError) {
    rules = try ExclusionRules(options.exclusions)
    list = IgnoreList(options.ignorePatterns)
    honorsGitignore = options.honorsGitignore
    skipsCaches = options.skipsCaches
    self.userID = userID
  }

  // MARK: - A directory

  /// The names in a directory that say something of the others.
  private struct Marks {
    var count = 0
    var hasIgnoreFile = false
    var hasCacheTag = false
    var isRepository = false
    var hasRepositoryFolder = false

    mutating func note(_ record: DirectoryReader.Record) {
      count += 1
      let type = Int(record.type)
      let mayBeFile = type == Int(DT_REG) || type == Int(DT_UNKNOWN)
      let mayBeFolder = type == Int(DT_DIR) || type == Int(DT_UNKNOWN)
      switch record.nameRange.count {
      case 4 where strcmp(record.name, ".git") == 0:
        isRepository = mayBeFile || mayBeFolder
        hasRepositoryFolder = mayBeFolder
      case 10 where strcmp(record.name, ".gitignore") == 0: hasIgnoreFile = mayBeFile
      case 12 where strcmp(record.name, "CACHEDIR.TAG") == 0: hasCacheTag = mayBeFile
      default: break
      }
    }
  }

  /// Gets ready for the entries of a directory.
  ///
  /// - Parameters:
  ///   - task: The directory.
  ///   - file: A descriptor of it.
  ///   - reader: Has the names in it, and is left at the first.
  /// - Returns: What could not be read.
  internal mutating func enter(
    _ task: DirectoryTask,
    _ file: Int32,
    _ reader: inout DirectoryReader
  ) -> [IgnoreTexts.Failure] {
    scope = task.parent.ignoreScope
    isCache = false
    var failures: [IgnoreTexts.Failure] = []
    var texts = IgnoreTexts(above: scope?.textSize ?? 0)
    if honorsGitignore || skipsCaches {
      var marks = Marks()
      while let record = reader.next() { marks.note(record) }
      reader.rewind()
      if skipsCaches, marks.hasCacheTag { checkCacheTag(in: file, marks, &failures) }
      if honorsGitignore, !isCache { readTexts(in: file, named: task.name, marks, &texts) }
      failures += texts.failures
    }
    hasPath =
      task.parent.hasSlashes(atMost: rules.deepestPath) || list.needsPaths
      || scope?.needsPaths ?? false
      || texts.lists.contains(where: \.needsPaths)
    path.removeAll(keepingCapacity: true)
    if hasPath { task.appendRelativePath(to: &path) }
    nameStart = path.count
    for list in texts.lists {
      scope = IgnoreScope(list, below: scope, baseLength: path.count, textSize: texts.textSize)
    }
    // A pattern of `rules` is asked again if an entry turns out to be a directory.
    needsKinds = list.needsKinds || scope?.needsKinds ?? false
    return failures
  }

  /// Finds out whether the directory is a cache.
  private mutating func checkCacheTag(
    in directory: Int32,
    _ marks: Marks,
    _ failures: inout [IgnoreTexts.Failure]
  ) {
    do throws(ControlFile.Failure) {
      let start = try ControlFile.read(
        "CACHEDIR.TAG",
        in: directory,
        userID: userID,
        limit: Self.signature.count
      )
      isCache = start == Self.signature && marks.count > 1
    } catch {
      failures.append(IgnoreTexts.Failure(name: "CACHEDIR.TAG", reason: error))
    }
  }

  /// Reads git's files of a directory, and leaves patterns from above behind at a repository's top.
  private mutating func readTexts(
    in directory: Int32,
    named name: [UInt8],
    _ marks: Marks,
    _ texts: inout IgnoreTexts
  ) {
    if name.elementsEqual(".git".utf8) { scope = .ofGitDirectory }
    guard scope !== IgnoreScope.ofGitDirectory else { return }
    if marks.isRepository {
      // Even if there are no patterns, to know the size of those that still take up memory.
      scope = scope.map {
        IgnoreScope(IgnoreList([]), below: nil, baseLength: 0, textSize: $0.textSize)
      }
    }
    if marks.hasRepositoryFolder { texts.readRepositoryList(in: directory, userID: userID) }
    if marks.hasIgnoreFile {
      texts.read(".gitignore", shownAs: ".gitignore", in: directory, userID: userID)
    }
  }

  // MARK: - A directory that is not read

  /// Whether what is left out depends on the content of files.
  internal var readsControlFiles: Bool { honorsGitignore || skipsCaches }

  /// Returns whether no file says what to leave out of a directory whose names are known.
  ///
  /// - Parameters:
  ///   - task: The directory.
  ///   - names: The names of its subdirectories, and of what was left out of it.
  ///   - listing: Its other entries.
  /// - Returns: Whether patterns of files neither apply nor are to be read.
  internal func hasNothingToRead(
    _ task: DirectoryTask,
    names: [ArraySlice<UInt8>],
    _ listing: Listing
  ) -> Bool {
    let isBelowPatterns = honorsGitignore && task.parent.ignoreScope?.isEmpty == false
    guard !isBelowPatterns, !isControlName(task.name[...]), !names.contains(where: isControlName)
    else { return false }
    var cursor = listing.makeCursor()
    while cursor.advance() {
      if isControlName(cursor.name[...]) { return false }
    }
    return true
  }

  private func isControlName(_ name: ArraySlice<UInt8>) -> Bool {
    switch name.count {
    case 4: name.elementsEqual(".git".utf8)
    case 10: name.elementsEqual(".gitignore".utf8)
    case 12: name.elementsEqual("CACHEDIR.TAG".utf8)
    default: false
    }
  }

  /// Lets the subdirectories of a directory inherit what it inherited.
  internal mutating func pass(_ task: DirectoryTask) {
    scope = task.parent.ignoreScope
    isCache = false
  }

  // MARK: - Its entries

  /// Whether an entry can be left out.
  internal var appliesToEntries: Bool {
    isCache || !rules.isEmpty || !list.isEmpty || scope?.isEmpty == false
  }

  /// Finds out whether an entry is left out.
  ///
  /// - Parameters:
  ///   - record: The entry; its type is asked for where it is not known and matters.
  ///   - directory: A descriptor of the directory.
  /// - Returns: Why it is left out, or `nil` if it is not.
  internal mutating func reason(
    for record: inout DirectoryReader.Record,
    in directory: Int32
  ) -> Exclusion.Reason? {
    if isCache, strcmp(record.name, "CACHEDIR.TAG") != 0 { return .cache }
    if needsKinds, Int(record.type) == Int(DT_UNKNOWN) {
      var status = PlatStatus()
      if plat_status(directory, record.name, 0, &status) == 0 {
        record.type = UInt8(truncatingIfNeeded: status.mode >> 12)  // IFTODT(3)
      }
    }
    let isDirectory = Int(record.type) == Int(DT_DIR)
    path.removeLast(path.count - nameStart)
    path.append(
      contentsOf: UnsafeRawBufferPointer(start: record.name, count: record.nameRange.count + 1)
    )
    if !rules.isEmpty,
      rules.exclude(path, nameStart: nameStart, isWhole: hasPath, isDirectory: isDirectory)
    {
      return .pattern
    }
    let text = path.span.extracting(droppingLast: 1)
    let name = text.extracting(droppingFirst: nameStart)
    if list.excludes(name, path: text, isDirectory: isDirectory) == true { return .pattern }
    // git has nothing to say of its own files.
    if let scope, !scope.isEmpty, strcmp(record.name, ".git") != 0,
      scope.excludes(text, nameStart: nameStart, isDirectory: isDirectory)
    {
      return .gitignore
    }
    return nil
  }
}
