import PlatScan
import PlatSession
import PlatTree

extension ScanResult {
  /// A scan of one directory that occupies some bytes and holds nothing.
  static func sample(size: UInt64, finishedAt: Int64 = 0) -> ScanResult {
    var details = DirectoryDetails()
    details.allocatedSize = size
    var batch = FileTree.Batch()
    let summary = ListingEncoder.emptySummary(in: &batch)
    batch.directories = [
      FileTree.Batch.Directory(
        number: 0,
        details: details,
        listing: 0..<batch.bytes.count,
        summary: summary
      )
    ]
    var builder = FileTree.Builder(rootPath: Array("/srv".utf8))
    builder.insert(batch)
    return ScanResult(
      tree: builder.makeTree(),
      roots: [Array("/srv".utf8)],
      startedAt: finishedAt,
      finishedAt: finishedAt,
      elapsed: .zero
    )
  }
}

extension ListingEncoder {
  fileprivate static func emptySummary(in batch: inout FileTree.Batch) -> ListingSummary {
    var encoder = ListingEncoder()
    let names: [UInt8] = []
    return encoder.encode(names: names.span, into: &batch.bytes)
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
