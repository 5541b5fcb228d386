import CPlatSystem
import Glibc
import PlatTestSupport
import PlatTree
import Testing

@testable import PlatScan

struct ListingCheckTests {
  private static let items: [TreeItem] = [
    .directory(
      "a",
      [.directory("b", (0..<3).map { .file("file \($0)", size: 10) } + [.fifo("pipe")])]
    ),
    .directory("c", [.directory("b", [.file("file 0", size: 10)])]),
  ]

  /// Looks at what `a/b` was found to hold, at the end of a path from the root.
  ///
  /// - Returns: Whether that was there, and whether something about it had changed.
  private func look(
    at path: String,
    of root: String,
    after change: () throws -> Void
  ) throws -> (isDone: Bool, hasChanges: Bool) {
    let tree = try scanNow([root]).tree
    let directory = try #require(tree.directory(atPath: Array("\(root)/a/b".utf8)))
    try change()
    var status = PlatStatus()
    try check(plat_status(AT_FDCWD, "\(root)/a/b", 0, &status), "statx")
    let file = plat_open_place(AT_FDCWD, root, 0)
    try check(file, "open")
    defer { close(file) }
    var names = LookupPath()
    names.append(Array(path.utf8), 0..<path.utf8.count)
    names.appendSlash()
    var listing = ListingCheck()
    listing.prepare(tree.listing(of: directory), .everything)
    #expect(listing.count == 4)
    let isDone = listing.run(in: file, below: &names, on: DirectoryStatus(&status)) { false }
    return (isDone, listing.hasChanges)
  }

  @Test func `Entries are found from a directory above`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let same = try look(at: "a/b", of: root) {}
      #expect(same.isDone && !same.hasChanges)
      let grown = try look(at: "a/b", of: root) {
        try check(truncate("\(root)/a/b/file 1", 5), "truncate")
      }
      #expect(grown.isDone && grown.hasChanges)
    }
  }

  @Test func `An entry that vanished, or another in its place, is not passed over`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let elsewhere = try look(at: "c/b", of: root) {}
      #expect(!elsewhere.isDone)
      let nowhere = try look(at: "d/b", of: root) {}
      #expect(!nowhere.isDone)
      let taken = try look(at: "a/b", of: root) {
        try check(rename("\(root)/c/b/file 0", "\(root)/a/b/file 0"), "rename")
      }
      #expect(!taken.isDone)
      let gone = try look(at: "a/b", of: root) { try check(unlink("\(root)/a/b/file 2"), "unlink") }
      #expect(!gone.isDone)
    }
  }

  @Test(.enabled("mounting needs root and CAP_SYS_ADMIN") { canMount() })
  func `An entry that is found through another mount is not passed over`() async throws {
    try await withTemporaryTree(Self.items) { root in
      let found = try inMountNamespace {
        try look(at: "c/b", of: root) { try bind("\(root)/a", "\(root)/c") }
      }
      #expect(!found.isDone)
    }
  }

  @Test func `More files than can be counted do not end a rescan`() {
    var batch = FileTree.Batch()
    batch.bytes = [0]
    var stored = FileTree.Batch.Stored()
    stored.totals.files = Int(UInt32.max)
    stored.totals.symbolicLinks = Int(UInt32.max)
    stored.fileChange = 0
    batch.append(stored, number: 0, listing: 0..<1)
    var builder = FileTree.Builder(rootPath: Array("/srv".utf8))
    builder.insert(batch)
    let tree = (consume builder).makeStoredTree(countedElsewhere: [], addingUp: false) {
      FileSystem(device: $0)
    }
    .tree
    let baseline = DirectoryScanner.Baseline(tree: tree, startedAt: 0, options: "", host: "")
    #expect(EarlierTree(baseline).knownFiles(of: tree.root)?.entries == .max)
  }
}
