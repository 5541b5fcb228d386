import Foundation
import Glibc

/// Something on disk, for a test to scan.
package enum TreeItem: Sendable {
  /// A directory that holds the given items.
  case directory(FileName, [TreeItem])
  /// A regular file of `size` bytes, all written, so that it has no holes.
  case file(FileName, size: Int)
  /// A regular file of `size` bytes that nothing was written to, so that it is one hole.
  case sparseFile(FileName, size: Int)
  /// Another name for the file at `target`, a path relative to the root of the tree.
  case hardLink(FileName, to: FileName)
  /// A symbolic link that holds `target` as it stands.
  case symbolicLink(FileName, to: FileName)
  /// A named pipe.
  case fifo(FileName)
  /// A socket that nobody listens to.
  case socket(FileName)
  /// The item with other permission bits, set once it is complete.
  indirect case mode(UInt32, TreeItem)
}

/// An item of a test's tree that could not be made.
package struct FixtureError: Error, CustomStringConvertible {
  /// The system call and the name.
  package let what: String
  /// The error number that the call left.
  package let code: CInt

  /// Creates an error.
  package init(what: String, code: CInt) {
    self.what = what
    self.code = code
  }

  package var description: String { "\(what): \(String(cString: strerror(code)))" }
}

/// Makes a directory tree on disk, and removes it when `body` returns.
///
/// ```swift
/// try await withTemporaryTree([
///   .directory("photos", [.file("a.raw", size: 4_096), .hardLink("b.raw", to: "photos/a.raw")]),
///   .symbolicLink("latest", to: "photos/a.raw"),
/// ]) { root in … }
/// ```
///
/// - Parameters:
///   - items: What the root directory holds, made in this order.
///   - body: Receives the absolute path of the root directory, in which no link is left.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or a ``FixtureError`` if an item cannot be made.
@discardableResult
package func withTemporaryTree<Result>(
  _ items: [TreeItem],
  _ body: (_ root: String) async throws -> Result
) async throws -> Result {
  let root = try makeTemporaryDirectory()
  defer { removeTree(root) }
  try create(items, in: root)
  return try await body(root)
}

private func create(_ items: [TreeItem], in root: String) throws {
  let directory = try check(open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open \(root)")
  defer { close(directory) }
  for item in items { try item.create(in: directory, root: directory) }
}

/// Makes a directory of its own for a test; ``removeTree(_:)`` removes it.
package func makeTemporaryDirectory(in parent: String? = nil) throws -> String {
  let parent = parent ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
  var template = Array("\(parent)/plat-test.XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil, let resolved = realpath(template, nil) else {
    throw FixtureError(what: "mkdtemp in \(parent)", code: errno)
  }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Removes a directory with everything below it, however deep, and whatever its permissions.
package func removeTree(_ path: String) {
  // rm(1) walks with descriptors; Foundation's paths end at PATH_MAX.
  let removed = try? run(["rm", "-rf", "--", path])
  if removed?.status == 0 { return }
  _ = try? run(["chmod", "-R", "u+rwx", "--", path])
  _ = try? run(["rm", "-rf", "--", path])
}

extension TreeItem {
  /// Makes the item.
  ///
  /// - Parameters:
  ///   - directory: A descriptor of the directory to make it in.
  ///   - root: A descriptor of the directory that targets of hard links are relative to.
  /// - Throws: ``FixtureError`` if a call fails.
  fileprivate func create(in directory: CInt, root: CInt) throws {
    switch self {
    case .directory(let name, let items):
      try check(mkdirat(directory, name.cString, 0o755), "mkdirat", name)
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      let inner = try check(openat(directory, name.cString, flags), "openat", name)
      defer { close(inner) }
      try check(fchmod(inner, 0o755), "fchmod", name)  // whatever the umask
      for item in items { try item.create(in: inner, root: root) }
    case .file(let name, let size): try makeFile(name, in: directory, size: size, isSparse: false)
    case .sparseFile(let name, let size):
      try makeFile(name, in: directory, size: size, isSparse: true)
    case .hardLink(let name, let target):
      try check(linkat(root, target.cString, directory, name.cString, 0), "linkat", name)
    case .symbolicLink(let name, let target):
      try check(symlinkat(target.cString, directory, name.cString), "symlinkat", name)
    case .fifo(let name): try check(mkfifoat(directory, name.cString, 0o644), "mkfifoat", name)
    case .socket(let name):
      try check(mknodat(directory, name.cString, S_IFSOCK | 0o644, 0), "mknodat", name)
    case .mode(let mode, let item):
      try item.create(in: directory, root: root)
      try check(fchmodat(directory, item.name.cString, mode, 0), "fchmodat", item.name)
    }
  }

  private var name: FileName {
    switch self {
    case .directory(let name, _), .file(let name, _), .sparseFile(let name, _),
      .hardLink(let name, _), .symbolicLink(let name, _), .fifo(let name), .socket(let name):
      name
    case .mode(_, let item): item.name
    }
  }

  private func makeFile(
    _ name: FileName,
    in directory: CInt,
    size: Int,
    isSparse: Bool
  ) throws {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let file = try check(openat(directory, name.cString, flags, 0o644), "openat", name)
    defer { close(file) }
    try check(fchmod(file, 0o644), "fchmod", name)
    if isSparse {
      try check(ftruncate(file, size), "ftruncate", name)
      return
    }
    let content = [UInt8](repeating: 0x2e, count: min(size, 1 << 16))
    var written = 0
    while written < size {
      let count = write(file, content, min(content.count, size - written))
      written += Int(try check(CInt(count), "write", name))
    }
  }
}

/// Passes on what a system call returned, unless it failed.
///
/// - Parameters:
///   - result: What the call returned; below 0 it has failed and left a reason in `errno`.
///   - call: The name of the call.
///   - name: What it was called for.
/// - Returns: The result.
/// - Throws: ``FixtureError`` if the call failed.
@discardableResult
package func check(_ result: CInt, _ call: String, _ name: FileName? = nil) throws -> CInt {
  guard result < 0 else { return result }
  let suffix = name.map { " " + String(decoding: $0.bytes, as: UTF8.self) } ?? ""
  throw FixtureError(what: call + suffix, code: errno)
}
