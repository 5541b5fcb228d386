import Glibc
import PlatScan
import PlatTestSupport
import PlatTree
import Testing

/// Scans some roots with options that differ from the default as `change` says.
func scan(
  _ roots: String...,
  change: (inout DirectoryScanner.Options) -> Void = { _ in }
) async throws -> ScanResult {
  var options = DirectoryScanner.Options()
  change(&options)
  return try await DirectoryScanner(options: options).scan(roots.map { Array($0.utf8) })
}

extension FileTree {
  /// The paths of everything in the tree, but the top of a group.
  var allPaths: Set<[UInt8]> {
    var paths: Set<[UInt8]> = []
    for directory in directories {
      let path = path(of: directory)
      if !path.isEmpty { paths.insert(path) }
      var cursor = listing(of: directory).makeCursor()
      while cursor.advance() {
        var full = path
        full.appendComponent(cursor.name[...])
        paths.insert(full)
      }
    }
    return paths
  }

  /// The names in the listing of the top.
  var topNames: [String] {
    var names: [String] = []
    var cursor = listing(of: root).makeCursor()
    while cursor.advance() { names.append(String(decoding: cursor.name, as: UTF8.self)) }
    return names
  }

  /// The names of the directories below the top, in canonical order.
  var directoryNames: [String] {
    directories.dropFirst().map { String(decoding: name(of: $0), as: UTF8.self) }
  }
}

/// Expects a tree to be what `du` and a walk with `lstat` find, and nothing to be amiss with it.
func expectAgreement(
  _ tree: FileTree,
  _ roots: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let totals = tree.totals(of: tree.root)
  let usage = try diskUsage(roots)
  #expect(totals.allocatedSize == usage, sourceLocation: sourceLocation)
  var walk = LstatWalk()
  for root in roots { walk.add(root) }
  #expect(totals.allocatedSize == walk.allocatedSize, sourceLocation: sourceLocation)
  #expect(totals.apparentSize == walk.apparentSize, sourceLocation: sourceLocation)
  #expect(totals.files == walk.files, sourceLocation: sourceLocation)
  #expect(totals.directories == walk.directories, sourceLocation: sourceLocation)
  #expect(totals.symbolicLinks == walk.symbolicLinks, sourceLocation: sourceLocation)
  #expect(totals.others == walk.others, sourceLocation: sourceLocation)
  #expect(tree.allPaths == walk.paths, sourceLocation: sourceLocation)
  expectSound(tree, sourceLocation: sourceLocation)
}

/// Expects a tree to keep its invariants, and to have no issues.
func expectSound(_ tree: FileTree, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(tree.brokenInvariants() == [], sourceLocation: sourceLocation)
  #expect(tree.issues == [], sourceLocation: sourceLocation)
}

/// The files at or below a path that this process has open.
func openDescriptors(below path: String) -> [String] {
  entries(of: "/proc/self/fd").compactMap { descriptor -> String? in
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
    let file = String(decoding: target[..<max(count, 0)], as: UTF8.self)
    return file.hasPrefix(path) ? file : nil
  }
}

/// The number of threads of this process.
func threadCount() -> Int { entries(of: "/proc/self/task").count }

/// The names in a directory that are numbers.
private func entries(of path: String) -> [Int] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var numbers: [Int] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
    if let number = Int(String(decoding: name, as: UTF8.self)) { numbers.append(number) }
  }
  return numbers
}

/// What `lstat(2)` says of a path.
func lstat(at path: String) throws -> stat {
  var status = stat()
  try #require(lstat(path, &status) == 0)
  return status
}
