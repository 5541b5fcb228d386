import Glibc

/// The patterns of git that a directory is subject to: its own, and those of the directories above.
///
/// Directories without patterns of their own share the scope of the one above. Chained from the inner
/// to the outer, as a pattern of an inner directory has the last word.
internal final class IgnoreScope: @unchecked Sendable {
  // `@unchecked Sendable` because `above` changes only in the deinitializer of its one owner.

  private var above: IgnoreScope?
  private let list: IgnoreList
  /// How long the path of the directory is that the patterns are relative to, with its slash.
  private let baseLength: Int
  /// The bytes of all texts from the top of the scan on, those that do not apply here included.
  internal let textSize: Int

  /// Whether there is no pattern.
  internal let isEmpty: Bool
  /// Whether a pattern needs the path of an entry.
  internal let needsPaths: Bool
  /// Whether a pattern needs to know what is a directory.
  internal let needsKinds: Bool

  /// The scope of what is inside a `.git` directory, where git has no patterns.
  internal static let ofGitDirectory = IgnoreScope(
    IgnoreList([]),
    below: nil,
    baseLength: 0,
    textSize: 0
  )

  internal init(_ list: IgnoreList, below above: IgnoreScope?, baseLength: Int, textSize: Int) {
    self.above = above
    self.list = list
    self.baseLength = baseLength
    self.textSize = textSize
    isEmpty = list.isEmpty && above?.isEmpty ?? true
    needsPaths = list.needsPaths || above?.needsPaths ?? false
    needsKinds = list.needsKinds || above?.needsKinds ?? false
  }

  // Lets go of a long chain one by one, where the default would recurse.
  deinit {
    var next = above
    above = nil
    while isKnownUniquelyReferenced(&next) {
      let outer = next?.above
      next?.above = nil
      next = outer
    }
  }

  /// Returns whether git ignores an entry, given that it does not ignore the directory that holds it.
  ///
  /// - Parameters:
  ///   - path: The path from the root of the scan, or only the name if not ``needsPaths``.
  ///   - nameStart: Where the name starts in `path`.
  ///   - isDirectory: Whether the entry is a directory; needed if ``needsKinds``.
  /// - Returns: Whether the last pattern that matches is none that starts with `!`.
  internal func excludes(_ path: Span<UInt8>, nameStart: Int, isDirectory: Bool) -> Bool {
    let name = path.extracting(nameStart...)
    var scope = self
    while true {
      let relative = scope.list.needsPaths ? path.extracting(scope.baseLength...) : name
      if let answer = scope.list.excludes(name, path: relative, isDirectory: isDirectory) {
        return answer
      }
      guard let above = scope.above else { return false }
      scope = above
    }
  }
}

/// The texts of patterns that a directory adds to those above.
internal struct IgnoreTexts {
  /// What could not be read.
  internal struct Failure {
    /// The path from the directory.
    internal var name: StaticString
    internal var reason: ControlFile.Failure
  }

  /// The outer first: the last has the last word.
  internal private(set) var lists: [IgnoreList] = []
  internal private(set) var failures: [Failure] = []
  internal private(set) var textSize: Int

  /// The most bytes of all files that can apply to an entry together.
  internal static let maximumSize = 1 << 20

  internal init(above textSize: Int) { self.textSize = textSize }

  /// Reads a file; one that is too large counts as one that cannot be read, not by a part of it.
  internal mutating func read(
    _ name: StaticString,
    shownAs path: StaticString,
    in directory: Int32,
    userID: UInt32
  ) {
    let limit = Self.maximumSize - textSize
    do throws(ControlFile.Failure) {
      guard
        let text = try ControlFile.read(name, in: directory, userID: userID, limit: limit + 1)
      else { return }
      guard text.count <= limit else { throw ControlFile.Failure(call: "read", code: EFBIG) }
      textSize += text.count
      lists.append(IgnoreList(text))
    } catch {
      failures.append(Failure(name: path, reason: error))
    }
  }

  /// Reads the patterns that a repository has for itself, of the directory that is its top.
  ///
  /// No symbolic link is followed, so nothing outside of the scan is read. A directory on the way that
  /// cannot be opened is an issue when its own turn comes.
  internal mutating func readRepositoryList(in directory: Int32, userID: UInt32) {
    let repository = openDirectory(at: directory, ".git", ownsDirectory: false)
    guard repository >= 0 else { return }
    defer { close(repository) }
    let folder = openDirectory(at: repository, "info", ownsDirectory: false)
    guard folder >= 0 else { return }
    defer { close(folder) }
    read("exclude", shownAs: ".git/info/exclude", in: folder, userID: userID)
  }
}
