import Glibc
import PlatTestSupport

/// Changes a directory tree at random, in every way that a rescan could miss.
///
/// All calls may fail, as names are chosen without a look at what is there; then nothing changes.
struct Mutator {
  /// Ways to change a tree.
  enum Kind: CaseIterable {
    case append, rewriteKeepingTime, punchHole, truncate
    case create, unlink, makeDirectory, removeDirectory, makeSymbolicLink, makeFIFO
    case renameWithin, renameAcross, exchange, replaceAtomically, moveDirectory
    case addHardLink, growThroughHardLink, changeKind
    case changeMode, changeOwner, setAttribute, touchLink
    case createKeepingDirectoryTime, replaceDirectory, writeControlFile
  }

  private let root: String
  private var random: SplitMix64
  private let kinds: [Kind]
  private let maximum: Int
  private var directories: [String] = []
  private var others: [String] = []

  private static let names = [
    "a", "b", "c", "d", "e", "f", "long name", "x.o", "y.o", "t.tmp", ".git", "\u{e9}",
  ]

  /// Creates a mutator of the tree at `root`.
  ///
  /// - Parameters:
  ///   - root: The path of the tree.
  ///   - seed: Equal seeds make equal changes of equal trees.
  ///   - kinds: The ways to choose from.
  ///   - maximum: About how many entries there are at most.
  init(
    _ root: String,
    seed: UInt64,
    kinds: [Kind] = Kind.allCases,
    maximum: Int = 300
  ) {
    self.root = root
    self.kinds = kinds
    self.maximum = maximum
    random = SplitMix64(seed: seed)
  }

  /// Makes a tree to begin with.
  mutating func populate(directories count: Int) {
    for _ in 0..<count {
      look()
      makeDirectory()
      for _ in 0..<3 { apply(.create) }
    }
  }

  /// Makes some changes, and returns what they were.
  mutating func step(atMost count: Int) -> [Kind] {
    look()
    // So many changes take away that in the end little would be left to change.
    if others.count < maximum / 6 { populate(directories: 6) }
    return (0..<Int.random(in: 1...count, using: &random)).map { _ in
      let kind = kinds[Int.random(in: kinds.indices, using: &random)]
      apply(kind)
      return kind
    }
  }

  // MARK: - Choices

  /// Takes note of what is there.
  private mutating func look() {
    directories = [root]
    others = []
    var next = 0
    while next < directories.count {
      let path = directories[next]
      next += 1
      guard let directory = opendir(path) else { continue }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let type = entry.pointee.d_type
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        if type == UInt8(DT_DIR) {
          directories.append("\(path)/\(name)")
        } else {
          others.append("\(path)/\(name)")
        }
      }
    }
    // Which order the file system lists names in must not matter.
    directories.sort()
    others.sort()
  }

  private var anyDirectory: String {
    mutating get { directories[Int.random(in: directories.indices, using: &random)] }
  }

  private var anyOther: String {
    mutating get {
      others.isEmpty ? newPath : others[Int.random(in: others.indices, using: &random)]
    }
  }

  private var newPath: String {
    mutating get {
      "\(anyDirectory)/\(Self.names[Int.random(in: Self.names.indices, using: &random)])"
    }
  }

  private var anyEntry: String {
    mutating get { random.oneIn(3) ? anyDirectory : anyOther }
  }

  private mutating func anySize() -> Int { 1 << Int.random(in: 0...15, using: &random) }

  // MARK: - Changes

  private mutating func apply(_ kind: Kind) {
    switch kind {
    case .append: write(anyOther, anySize(), O_APPEND)
    case .rewriteKeepingTime: rewriteKeepingTime(anyOther)
    case .punchHole: punchHole(anyOther)
    case .truncate: truncate(anyOther, anySize())
    case .create: if others.count < maximum { write(newPath, anySize(), O_CREAT) }
    case .unlink: unlink(anyOther)
    case .makeDirectory: makeDirectory()
    case .removeDirectory: removeDirectory(anyDirectory)
    case .makeSymbolicLink: symlink("a/\(anySize())", newPath)
    case .makeFIFO: mkfifo(newPath, 0o600)
    case .renameWithin: renameWithin(anyOther)
    case .renameAcross: rename(anyOther, newPath)
    case .exchange: exchange(anyEntry, anyEntry)
    case .replaceAtomically: replaceAtomically(anyOther)
    case .moveDirectory: rename(anyDirectory, newPath)
    case .addHardLink: link(anyOther, newPath)
    case .growThroughHardLink: growThroughHardLink()
    case .changeKind: changeKind(anyOther)
    case .changeMode: chmod(anyEntry, random.oneIn(2) ? 0o700 : 0o755)
    case .changeOwner: lchown(anyEntry, UInt32(anySize()), 7)
    case .setAttribute: setAttribute(anyEntry)
    case .touchLink: touch(anyOther)
    case .createKeepingDirectoryTime: createKeepingDirectoryTime()
    case .replaceDirectory: replaceDirectory(anyDirectory)
    case .writeControlFile: writeControlFile()
    }
  }

  private mutating func makeDirectory() {
    guard directories.count < maximum / 3 else { return }
    let path = newPath
    if mkdir(path, 0o755) == 0 { directories.append(path) }
  }

  private func write(_ path: String, _ size: Int, _ flags: Int32) {
    // A FIFO without a reader must not block.
    let file = open(path, flags | O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { return }
    _ = Glibc.write(file, [UInt8](repeating: 0x2e, count: size), size)
    close(file)
  }

  private func rewriteKeepingTime(_ path: String) {
    guard let times = times(of: path) else { return }
    write(path, 1, 0)
    utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
  }

  private func times(of path: String) -> [timespec]? {
    var status = stat()
    return lstat(path, &status) == 0 ? [status.st_atim, status.st_mtim] : nil
  }

  private func punchHole(_ path: String) {
    let file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { close(file) }
    let times = times(of: path)
    let punchKeepingSize: CInt = 3  // FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE
    _ = LinuxCall.fallocate?(file, punchKeepingSize, 0, 4096)
    if let times { futimens(file, times) }
  }

  private mutating func removeDirectory(_ path: String) {
    guard path != root else { return }
    if random.oneIn(2) {
      for entry in others where entry.hasPrefix(path + "/") { unlink(entry) }
      for inner in directories.reversed() where inner.hasPrefix(path + "/") { rmdir(inner) }
    }
    rmdir(path)
  }

  private mutating func renameWithin(_ path: String) {
    let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    rename(path, "\(folder)/\(Self.names[Int.random(in: Self.names.indices, using: &random)])")
  }

  private func exchange(_ first: String, _ second: String) {
    guard first != root, second != root else { return }
    let exchange: CUnsignedInt = 2  // RENAME_EXCHANGE
    _ = LinuxCall.renameat2?(AT_FDCWD, first, AT_FDCWD, second, exchange)
  }

  private mutating func replaceAtomically(_ path: String) {
    let aside = path + ".new"
    write(aside, anySize(), O_CREAT)
    if let times = times(of: path) { utimensat(AT_FDCWD, aside, times, 0) }
    rename(aside, path)
  }

  private mutating func growThroughHardLink() {
    let (path, other) = (anyOther, newPath)
    guard link(path, other) == 0 else { return }
    others.append(other)
    write(random.oneIn(2) ? other : path, anySize(), O_APPEND)
  }

  private mutating func changeKind(_ path: String) {
    unlink(path)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: mkdir(path, 0o755)
    case 1: symlink("elsewhere", path)
    case 2: mkfifo(path, 0o644)
    default: write(path, anySize(), O_CREAT)
    }
  }

  private mutating func setAttribute(_ path: String) {
    let value = [UInt8](repeating: 1, count: Int.random(in: 1...40, using: &random))
    _ = LinuxCall.lsetxattr?(path, "user.plat", value, value.count, 0)
  }

  private mutating func touch(_ path: String) {
    let time = timespec(tv_sec: Int(anySize()) << 16, tv_nsec: 5)
    utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
  }

  private mutating func createKeepingDirectoryTime() {
    let directory = anyDirectory
    guard let times = times(of: directory) else { return }
    write("\(directory)/\(Self.names[0])", anySize(), O_CREAT)
    unlink("\(directory)/\(Self.names[1])")
    utimensat(AT_FDCWD, directory, times, 0)
  }

  /// Puts another directory in the place of one, with the same content and times.
  private mutating func replaceDirectory(_ path: String) {
    guard path != root, let times = times(of: path) else { return }
    let aside = path + ".old"
    guard rename(path, aside) == 0, mkdir(path, 0o755) == 0 else { return }
    for entry in others + directories where entry.hasPrefix(path + "/") {
      let name = entry.dropFirst(path.count + 1)
      if !name.contains("/") { rename("\(aside)/\(name)", entry) }
    }
    rmdir(aside)
    utimensat(AT_FDCWD, path, times, 0)
  }

  private mutating func writeControlFile() {
    let patterns = ["*.o\n", "a\n", "!x.o\n", "/b\nc/\n", "long*\n", "d/e\n"]
    let directory = anyDirectory
    // Below patterns everything is read, and there would be nothing to test.
    guard directory != root else { return }
    let isTag = random.oneIn(4)
    let path = "\(directory)/\(isTag ? "CACHEDIR.TAG" : ".gitignore")"
    if random.oneIn(5) {
      unlink(path)
      return
    }
    let text =
      isTag
      ? "Signature: 8a477f597d28d172789f06886806bc55\n"
      : patterns[Int.random(in: patterns.indices, using: &random)]
    let file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    guard file >= 0 else { return }
    _ = Glibc.write(file, Array(text.utf8), text.utf8.count)
    close(file)
  }
}

/// Calls that Glibc declares only with _GNU_SOURCE, or not at all to Swift.
enum LinuxCall {
  typealias Fallocate = @convention(c) (CInt, CInt, off_t, off_t) -> CInt
  typealias Rename =
    @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
  typealias SetAttribute =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt
    ) -> CInt

  static let fallocate = find("fallocate", as: Fallocate.self)
  static let renameat2 = find("renameat2", as: Rename.self)
  static let lsetxattr = find("lsetxattr", as: SetAttribute.self)

  private static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
  }
}
