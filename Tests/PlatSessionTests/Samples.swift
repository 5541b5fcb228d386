import PlatScan
import PlatSession
import PlatTree

extension ScanResult {
  /// A scan of one directory that occupies some bytes and holds nothing.
  static func sample(size: UInt64, finishedAt: Int64 = 0) -> ScanResult {
    sample(Sample("/srv", size: size), finishedAt: finishedAt)
  }

  /// A scan that finds a tree.
  static func sample(_ sample: Sample, finishedAt: Int64 = 0) -> ScanResult {
    ScanResult(
      tree: sample.makeTree(),
      roots: [Array(sample.name.utf8)],
      startedAt: finishedAt,
      finishedAt: finishedAt,
      elapsed: .zero
    )
  }
}

/// A directory with empty files, and more directories.
struct Sample {
  var name: String
  var size: UInt64
  var files: [String]
  var directories: [Sample]

  init(_ name: String, size: UInt64 = 0, files: [String] = [], _ directories: [Sample] = []) {
    (self.name, self.size, self.files, self.directories) = (name, size, files, directories)
  }

  func makeTree() -> FileTree {
    var builder = FileTree.Builder(rootPath: Array(name.utf8))
    var last = 0
    insert(number: 0, &last, into: &builder)
    return builder.makeTree()
  }

  private func insert(number: Int, _ last: inout Int, into builder: inout FileTree.Builder) {
    var batch = FileTree.Batch()
    var encoder = ListingEncoder()
    var names: [UInt8] = []
    for file in files {
      names.append(contentsOf: file.utf8)
      encoder.append(ListingEntry(), name: names.count - file.utf8.count..<names.count)
    }
    let summary = encoder.encode(names: names.span, into: &batch.bytes)
    var details = DirectoryDetails()
    details.allocatedSize = size
    batch.directories = [
      FileTree.Batch.Directory(
        number: number,
        details: details,
        listing: 0..<batch.bytes.count,
        summary: summary
      )
    ]
    let first = last + 1
    batch.announce(
      parent: number,
      first: first,
      names: directories.map { Array($0.name.utf8)[...] }
    )
    builder.insert(batch)
    last += directories.count
    for (offset, directory) in directories.enumerated() {
      directory.insert(number: first + offset, &last, into: &builder)
    }
  }
}

extension FileTree.Batch {
  /// The top of a tree, which could not be read.
  static var unreadable: FileTree.Batch {
    var batch = FileTree.Batch()
    batch.directories = [
      Directory(number: 0, details: DirectoryDetails(), listing: 0..<0, summary: ListingSummary())
    ]
    batch.issues = [PlatTree.Issue(directory: DirectoryID(0), name: nil, call: "openat", code: 13)]
    return batch
  }
}

extension ScanSession {
  /// What the tree that is shown occupies.
  var shownSize: UInt64? { tree.map { $0.totals(of: $0.root).allocatedSize } }

  /// Opens a target and completes its scan.
  func load(_ target: ScanTarget, _ result: ScanResult, by scanner: ScriptedScanner) async throws {
    open(target)
    await scanner.next().finish(result)
    _ = try await self.result()
  }
}

extension ScanError {
  static let denied = ScanError.system(call: "openat", path: Array("/srv".utf8), code: 13)
}
